"""How requirements relate, and that many of them are not compared with all."""

import tomllib
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.contracts.language import Language
from veridical.requirements.relations.pairs import detect_duplicates
from veridical.requirements.relations.relation import relate
from veridical.requirements.relations.signature import signature
from veridical.requirements.tokens import read

_PAIRS = tomllib.loads((Path(__file__).parent / "pairs.toml").read_text("utf-8"))


@pytest.mark.parametrize(
    ("kind", "first", "second"), [(kind, *pair) for kind, pairs in _PAIRS.items() for pair in pairs]
)
def test_kind_of_pair(kind: str, first: str, second: str) -> None:
    for one, other in ((first, second), (second, first)):
        relation = relate(signature(read(one)), signature(read(other)))
        assert (relation.kind.value if relation else "none") == kind
        if relation:
            assert all(relation.reason(language) for language in Language)


def test_conflict_comes_with_its_figures() -> None:
    (pair,) = detect_duplicates(
        ["The belt shall stop within 2 s.", "The belt shall stop within 20 s."]
    )
    told = pair.as_json(Language.EN)
    assert (told["req1_idx"], told["req2_idx"], told["kind"]) == (0, 1, "conflict")
    assert "2 s" in told["reason"]
    assert "20 s" in told["reason"]


@given(st.integers(1, 500), st.integers(1, 500))
def test_figures_that_differ_are_never_a_duplicate(one: int, other: int) -> None:
    texts = [f"The belt shall stop within {figure} s." for figure in (one, other)]
    (pair,) = detect_duplicates(texts)
    assert (pair.relation.kind.value == "duplicate") == (one == other)


def test_time_grows_with_the_number_and_not_with_its_square() -> None:
    def seconds(count: int) -> float:
        texts = [
            f"The belt {place % 97} shall carry parcel{place} to gate{place % 89}."
            for place in range(count)
        ]
        detect_duplicates(texts[:10])
        begun = process_time()
        detect_duplicates(texts)
        return process_time() - begun

    assert seconds(4000) < 12 * seconds(1000)
