import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.ontology.small import ONTOLOGY
from veridical.contracts.language import Language
from veridical.ontology.pack import load_pack
from veridical.ontology.pieces import Wording, all_pieces, wording_of
from veridical.ontology.prompt import compile_prompt
from veridical.ontology.slice import index_ontology

pytestmark = pytest.mark.slow

_BOOKS = load_pack("trustee").ontology
_INDEX = index_ontology(_BOOKS)
_WORDS = ("balance", "bank", "supplier", "Umsatz", "Konto", "2024", "late", "budget")


@given(
    st.lists(st.sampled_from(_WORDS), max_size=4).map(" ".join),
    st.sampled_from(Language),
    st.integers(300, 7000),
    st.booleans(),
)
@settings(max_examples=30, deadline=None)
def test_what_is_remembered_is_what_is_said_anew(
    question: str, language: Language, budget: int, known_calls: bool
) -> None:
    anew = index_ontology(_BOOKS)
    remembered, fresh = (
        compile_prompt(_BOOKS, language, budget, question, index, known_calls=known_calls)
        for index in (_INDEX, anew)
    )
    assert remembered == fresh


def test_an_index_has_its_own_words() -> None:
    one, other = index_ontology(ONTOLOGY), index_ontology(_BOOKS)
    assert wording_of(one, Language.EN) is wording_of(one, Language.EN)
    assert wording_of(one, Language.EN) is not wording_of(other, Language.EN)
    assert wording_of(one, Language.EN) is not wording_of(one, Language.DE)


def test_a_piece_is_put_into_words_once() -> None:
    wording = Wording(_INDEX, Language.EN)
    pattern = _BOOKS.canonical_patterns[0]
    assert wording.pattern(pattern) is wording.pattern(pattern)
    entity = max(_BOOKS.entities, key=lambda each: len(each.fields))
    whole, part = wording.entity(entity, entity.fields), wording.entity(entity, entity.fields[:1])
    assert whole is wording.entity(entity, entity.fields)
    assert len(part.lean) < len(whole.lean)


def test_everything_is_said_in_each_language() -> None:
    told = {language: [*all_pieces(_BOOKS, language)] for language in Language}
    assert len({len(pieces) for pieces in told.values()}) == 1
    assert len({tuple(piece.full for piece in pieces) for pieces in told.values()}) == len(Language)
