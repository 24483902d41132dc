"""The prose of an answer: who wrote each sentence, what is marked in it, and what the lead has."""

from typing import Any

import pytest

from veridical.console.answer_view import AnswerView, answer_view
from veridical.contracts.answer import Answer, AnswerKind
from veridical.contracts.facts_answer import FactsAnswer, Flag, Show, State
from veridical.contracts.language import Language
from veridical.contracts.proof import Binding, ClaimKind, Ground, Proof, ProvenClaim, Verdict
from veridical.contracts.proof import Standing as ClaimStanding
from veridical.evidence.read import read_tables
from veridical.facts.answer import state_answer
from veridical.facts.compose import composed
from veridical.facts.policy import shown
from veridical.facts.proof import claims_of
from veridical.facts.record import record_of

MONTHS = [{"month": f"2025-{at:02}", "sales_chf": 1000.5 * at} for at in range(1, 7)]


def _view(
    facts: FactsAnswer, rows: list[dict[str, Any]], language: Language = Language.EN
) -> AnswerView:
    return answer_view(
        Answer(
            kind=AnswerKind.AGENT,
            text=facts.text,
            language=language,
            trace_id="t",
            facts=facts,
            proof=Proof(verdict=Verdict.PASS, claims=claims_of(facts, read_tables(rows))),
        )
    )


def _written(
    answer: str, policy: Show = Show.MARKED, flags: tuple[Flag, ...] = (), **facts: dict[str, Any]
) -> AnswerView:
    tables = read_tables(MONTHS)
    stated = state_answer({"facts": facts, "answer": answer}, tables, "", Language.EN)
    assert stated.accepted, stated.refused
    return _view(shown(record_of(stated, policy), policy, Language.EN, flags), MONTHS)


TOTAL: dict[str, Any] = {"say": "total", "measures": ["sales_chf"]}


def test_a_figure_in_prose_is_marked_and_its_sentence_counts_as_one() -> None:
    view = _written("Sales were {f1.value}. Marketing explains that.", f1=TOTAL)
    first, second = view.passages[:2]
    assert [piece.mood for piece in first.pieces if piece.claims] == ["good"]
    assert (first.state, second.state) == (State.PROVEN, State.OWN)
    assert (view.trust.own, view.trust.open) == (1, 0)
    assert view.lead is not None
    assert view.trust.figures == 1 + view.lead.figures


def test_a_flagged_sentence_carries_the_reason() -> None:
    flags = (Flag(sentence=1, why="Nothing says why."),)
    view = _written("Sales were {f1.value}. Marketing explains that.", flags=flags, f1=TOTAL)
    assert "Nothing says why." in view.passages[1].reasons
    assert view.trust.flagged == 1


def test_the_figures_of_an_exact_sentence_are_marked_one_by_one() -> None:
    view = _written("{f1}", f1={"say": "change", "measure": "sales_chf", "over": "month"})
    marked = [piece.text for each in view.passages for piece in each.pieces if piece.claims]
    assert "CHF 1,000.50" in marked
    assert "CHF 6,003.00" in marked
    assert all(any(map(str.isdigit, text)) for text in marked)


def test_a_figure_among_chinese_characters_is_marked() -> None:
    raw = {"facts": {"f1": {"say": "range", "measure": "sales_chf"}}, "answer": "{f1}"}
    stated = state_answer(raw, read_tables(MONTHS), "", Language.ZH)
    view = _view(record_of(stated, Show.EXACT), MONTHS, Language.ZH)
    marked = [piece.text for each in view.passages for piece in each.pieces if piece.claims]
    assert len(marked) >= 2
    assert all(text[0].isdigit() and "（" not in text for text in marked)


def test_a_month_is_not_a_figure_even_if_there_are_as_many_rows() -> None:
    rows = [{"month": at, "sales_chf": 1000.5 * at} for at in range(1, 13)]
    change = {"say": "change", "measure": "sales_chf", "over": "month"}
    facts = {"f1": change, "n": {"say": "range", "measure": "sales_chf"}}
    raw = {"facts": facts, "answer": "{f1} {n}"}
    stated = state_answer(raw, read_tables(rows), "", Language.ZH)
    assert stated.accepted, stated.refused
    view = _view(record_of(stated, Show.EXACT), rows, Language.ZH)
    for passage in view.passages:
        text = "".join(piece.text for piece in passage.pieces)
        at = 0
        for piece in passage.pieces:
            at += len(piece.text)
            assert not (piece.claims and text[at:].startswith("月")), text


def test_the_prose_does_not_repeat_what_the_lead_shows() -> None:
    rows = [{"shop": "North", "sales_chf": 12.5}]
    view = _view(record_of(composed(read_tables(rows), "", Language.EN), Show.EXACT), rows)
    assert view.lead is not None
    assert view.lead.figure is not None
    assert view.passages == ()
    assert view.trust.figures == 1


def test_stars_set_off_words_and_are_not_shown() -> None:
    view = _written("**Sales** were {f1.value}. | {f1.value}", f1=TOTAL)
    pieces = view.passages[0].pieces
    assert (pieces[0].text, pieces[0].is_strong) == ("Sales", True)
    assert not any("**" in piece.text for each in view.passages for piece in each.pieces)


def test_a_table_that_does_not_lead_stands_in_the_prose_as_a_table() -> None:
    view = _written(
        "{table:f1} Beside it {table:f2}",
        f1={"say": "table", "columns": ["month", "sales_chf"]},
        f2={"say": "table", "columns": ["month", "sales_chf"], "first": 2},
    )
    tables = [piece.table for each in view.passages for piece in each.pieces if piece.table]
    assert [len(each.rows) for each in tables] == [2]
    assert view.lead is not None
    assert view.lead.table is not None
    assert view.trust.figures == view.lead.table.figures + 2


@pytest.mark.parametrize("ground", [Ground.QUESTION, Ground.ONTOLOGY])
def test_what_only_the_question_says_is_not_green(ground: Ground) -> None:
    claim = ProvenClaim(
        kind=ClaimKind.NUMBER,
        text="1020",
        start=8,
        end=12,
        standing=ClaimStanding.GROUNDED,
        binding=Binding(ground=ground, value="1020"),
    )
    view = answer_view(
        Answer(
            kind=AnswerKind.UNKNOWN,
            text="Account 1020 has no balance.",
            language=Language.EN,
            trace_id="t",
            proof=Proof(verdict=Verdict.PASS, claims=(claim,)),
        )
    )
    assert [piece.mood for piece in view.passages[0].pieces if piece.claims] == ["note"]
    assert not view.trust.is_proven
    assert (view.trust.figures, view.trust.names) == (0, 0)
