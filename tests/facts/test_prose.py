"""Prose over facts: what is accepted, what goes back, what is marked."""

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.contracts.language import Language
from veridical.evidence.read import read_tables
from veridical.facts.answer import State, state_answer
from veridical.facts.compose import composed
from veridical.facts.prose.finding import Level
from veridical.facts.prose.known import DIGITS

_DATA = tomllib.loads((Path(__file__).parent / "cases" / "prose.toml").read_text("utf-8"))
_CASES: list[dict[str, Any]] = _DATA["case"]
_DEPOTS = read_tables(_DATA["results"]["depots"])


@pytest.mark.parametrize("case", _CASES, ids=[case["name"] for case in _CASES])
def test_what_becomes_of_an_answer(case: dict[str, Any]) -> None:
    tables = read_tables(_DATA["results"][case["results"]])
    language = Language(case.get("language", "en"))
    found = state_answer({"facts": case["facts"], "answer": case["answer"]}, tables, "", language)
    verdict, _, code = case["becomes"].partition(": ")
    marks = [each for said in found.sentences for each in said.findings
             if each.level is Level.MARKED]  # fmt: skip
    if verdict == "refused":
        assert code in {each.code.value for each in found.refused}
    else:
        assert found.refused == ()
        assert {each.code.value for each in marks} == ({code} if code else set())
    if "shows" in case:
        assert found.text == case["shows"]


def test_every_fact_that_is_used_has_its_exact_sentence() -> None:
    raw = {"facts": {"t": {"say": "top", "measure": "stock"}, "u": {"say": "count"}},
           "answer": "{t.row} leads."}  # fmt: skip
    found = state_answer(raw, _DEPOTS, "", Language.EN)
    assert found.exact == {"t": "Of all 3 entries, North has the highest stock: 1,310."}
    assert [said.state for said in found.sentences] == [State.PROVEN]


def test_whole_sentences_of_the_host_are_exact_and_commentary_is_own_words() -> None:
    raw = {"facts": {"t": {"say": "top", "measure": "stock"}}, "answer": "{t} Let me know."}
    found = state_answer(raw, _DEPOTS, "", Language.EN)
    assert [said.state for said in found.sentences] == [State.PROVEN]
    alone = state_answer({**raw, "answer": "{t}\n\nLet me know."}, _DEPOTS, "", Language.EN)
    assert [said.state for said in alone.sentences] == [State.EXACT, State.OWN]


@given(st.text(st.sampled_from("ab {}.:t,1table\n|'\"\\"), max_size=80))
def test_no_text_breaks_the_host(text: str) -> None:
    raw = {"facts": {"t": {"say": "top", "measure": "stock"}}, "answer": text}
    found = state_answer(raw, _DEPOTS, "", Language.EN)
    assert found.accepted or found.refused


@given(st.lists(st.sampled_from(["{t.row}", "{t.value}", "7", "42", " and ", ". ", "North"])))
def test_a_figure_in_an_accepted_answer_is_a_figure_of_a_fact(pieces: list[str]) -> None:
    raw = {"facts": {"t": {"say": "top", "measure": "stock"}}, "answer": "".join(pieces)}
    found = state_answer(raw, _DEPOTS, "", Language.EN)
    if found.accepted:
        assert "42" not in DIGITS.findall(found.text)


@pytest.mark.parametrize("raw", ["", "{}", "[]", '{"answer": 1}', "x" * 300_000, {"facts": 7}])
def test_what_is_no_answer_goes_back(raw: Any) -> None:
    assert [each.code.value for each in state_answer(raw, _DEPOTS, "", Language.EN).refused] == [
        "form"
    ]


@pytest.mark.parametrize("language", list(Language))
def test_the_host_answers_alone(language: Language) -> None:
    for rows in (*_DATA["results"].values(), [], [{"n": 3}], [{"name": "a", "n": None}]):
        found = composed(read_tables(rows), "stock?", language)
        assert found.refused == ()
        assert all(said.state is State.EXACT for said in found.sentences)


def test_numbers_of_a_list_are_figures_unless_they_count_its_lines() -> None:
    facts = {"t": {"say": "top", "measure": "stock"}}
    for text, accepted in (
        ("1. {t.row}\n2. {t.value}", True),
        ("42. {t.row}", False),
        ("{t.row}\n1. {t.row}\n7. {t.value}", False),
        ("{t.row} 7. and more", False),
    ):
        raw = {"facts": facts, "answer": text}
        assert state_answer(raw, _DEPOTS, "", Language.EN).accepted is accepted, text
