"""What is shown of an answer: by policy, with what checks and a reviewer flagged."""

import pytest

from veridical.contracts.facts_answer import FactsAnswer, Flag, Show, State
from veridical.contracts.language import Language
from veridical.contracts.proof import Standing
from veridical.evidence.read import read_tables
from veridical.facts.answer import state_answer
from veridical.facts.policy import SIGN, shown
from veridical.facts.proof import claims_of
from veridical.facts.record import record_of

TABLES = read_tables(
    {
        "tool": "stock",
        "columns": ["depot", "stock"],
        "rows": [["North", 120], ["South", 80], ["West", 50]],
    }
)
FACTS = {
    "a": {"say": "top", "measure": "stock"},
    "b": {"say": "total", "measure": "stock"},
    "t": {"say": "table", "columns": ["depot", "stock"]},
}
PROSE = (
    "**{a.row}** holds the most, {a.value}. All is well.\n\n"
    "- In all depots: {b.value}.\n\n{table:t}"
)


def written(prose: str = PROSE, language: Language = Language.EN) -> FactsAnswer:
    stated = state_answer({"facts": FACTS, "answer": prose}, TABLES, "Which depots?", language)
    assert stated.accepted, stated.refused
    return record_of(stated, Show.REVIEWED)


def by(policy: Show, *flags: int, prose: str = PROSE) -> FactsAnswer:
    return shown(written(prose), policy, Language.EN, [Flag(sentence=at) for at in flags])


@pytest.mark.parametrize("policy", [Show.REVIEWED, Show.MARKED])
def test_what_nobody_flags_is_shown_as_it_was_written(policy: Show) -> None:
    found = by(policy)
    assert found.text.startswith("**North** holds the most, 120. All is well.\n\n- In all depots")
    states = [each.state for each in found.sentences]
    assert states == [State.PROVEN, State.OWN, State.PROVEN, State.EXACT]


def test_exact_shows_the_hosts_sentences_in_the_order_of_the_prose() -> None:
    found = by(Show.EXACT)
    exact = written().facts
    assert {each.state for each in found.sentences} == {State.EXACT}
    a, b = exact["a"].sentence, exact["b"].sentence
    assert found.text.startswith(f"{a}\n\n- {b}")
    assert "| North | 120 |" in found.text
    assert "well" not in found.text


def test_an_exact_sentence_is_said_once() -> None:
    found = by(Show.EXACT, prose="{a.row} leads. {a.row} has {a.value}. {a}")
    assert found.text.count(written().facts["a"].sentence) == 1


def test_flagged_sentences_make_room_for_exact_ones() -> None:
    found = by(Show.REVIEWED, 0, 1)
    first, second, _ = found.sentences
    assert first.text.strip() == written().facts["a"].sentence
    assert first.replaces == "**North** holds the most, 120."
    assert (first.state, second.state) == (State.EXACT, State.PROVEN)
    assert "well" not in found.text
    assert "\n\n- In all depots" in found.text


def test_marked_sentences_stay_with_a_sign_and_a_line_that_explains_it() -> None:
    found = by(Show.MARKED, 0)
    assert f"holds the most, 120.{SIGN} All is well." in found.text
    assert found.notes[-1].startswith(SIGN)
    assert found.sentences[0].marks[0].by == "reviewer"


def test_nobody_flags_what_the_host_says() -> None:
    assert by(Show.REVIEWED, 3) == by(Show.REVIEWED)


def test_facts_that_nothing_shown_rests_on_are_left_out() -> None:
    assert set(by(Show.REVIEWED, prose="{a.row} leads.").facts) == {"a"}


@pytest.mark.parametrize("policy", list(Show))
@pytest.mark.parametrize("flags", [(), (0,), (1,), (0, 2), (0, 1, 2)])
def test_claims_are_where_they_stand_in_the_text(policy: Show, flags: tuple[int, ...]) -> None:
    found = by(policy, *flags)
    claims = claims_of(found, TABLES)
    assert claims
    for claim in claims:
        assert found.text[claim.start : claim.end] == claim.text
        assert claim.standing is Standing.GROUNDED
        assert claim.binding is not None
        assert claim.binding.source == 0
        assert claim.binding.cells


def test_a_claim_names_the_row_of_its_cell() -> None:
    value = {"v": {"say": "value", "row": "South", "measure": "stock"}}
    stated = state_answer({"facts": value, "answer": "{v.value}"}, TABLES, "", Language.EN)
    (claim,) = claims_of(record_of(stated, Show.REVIEWED), TABLES)
    assert claim.binding is not None
    assert (claim.binding.row_key, claim.binding.value) == ("South", 80)
