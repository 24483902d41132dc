"""What an answer may rest on: conversations with a planted thread, and how they must end.

A line of a case is a conversation, whose earlier turns end with ``>>`` and have what was answered
behind ``:=``; then an arrow, the calls that the model makes, and its answer behind ``:=``. A name
in braces stands for what the calls before brought: a column, or the ``result`` of a calculation.
"""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.answering.coverage.written import written_call
from tests.sample import ACCOUNTANT, trustee
from veridical.answering.feature import Feature
from veridical.answering.flow import answer
from veridical.answering.grounds import earlier_questions
from veridical.answering.session import Session
from veridical.contracts.language import Language
from veridical.contracts.proof import Verdict
from veridical.contracts.question import Question, Turn
from veridical.contracts.result import ToolResult
from veridical.contracts.trace import Gated
from veridical.testing.cases import by_language
from veridical.testing.script import Script
from veridical.trace.recorder import Recorder

__all__ = ["trustee"]

FOLDER = Path(__file__).with_name("grounds")


class Case(NamedTuple):
    language: Language
    thread: tuple[Turn, ...]
    question: str
    calls: tuple[str, ...]
    answer: str


def _cases(name: str) -> Iterator[Case]:
    for language, line in by_language(FOLDER / f"{name}.txt"):
        said, _, made = line.partition(" =>")
        *before, question = said.split(" >> ")
        turns = (each.partition(" := ") for each in before)
        calls, _, text = made.partition(":= ")
        yield Case(
            language,
            tuple(Turn(question=asked, answer=told) for asked, _, told in turns),
            question,
            tuple(each.strip() for each in calls.split(" | ") if each.strip()),
            text,
        )


MARKED, PASSED = list(_cases("must_mark")), list(_cases("must_pass"))
SHOWN = list(_cases("may_be_marked"))


def _brought(result: ToolResult) -> dict[str, str]:
    """The first row by column, or what was computed."""
    if "result" in result.data:
        return {"result": f"{float(result.data['result']):.2f}"}
    named = zip(result.data["columns"], next(iter(result.data["rows"]), ()), strict=False)
    return {str(column): str(value) for column, value in named}


def _verdict(case: Case, feature: Feature) -> Verdict:
    caller = replace(ACCOUNTANT, language=case.language)
    toolbox = feature.toolbox(caller)
    brought: dict[str, str] = {}
    calls: list[tuple[str, dict[str, Any]]] = []
    for text in case.calls:
        call = written_call(text.format(**brought) if text.startswith("= ") else text)
        result = toolbox.call(*call)
        assert result.success, (text, result.error)
        brought |= _brought(result)
        calls.append(call)
    told = case.answer.format(**brought)
    recorder = Recorder("run")
    script = Script([*([call] for call in calls), told, told])
    session = Session(feature, caller, script.model, emit=recorder.emit, routed=False)
    question = Question(text=case.question, language=case.language, thread=case.thread)
    asyncio.run(answer(question, session))
    return next(event.verdict for event in recorder.trace.events if isinstance(event, Gated))


@pytest.mark.postgres
@pytest.mark.parametrize("case", MARKED, ids=lambda case: case.answer[:60])
def test_figures_of_the_thread_alone_do_not_pass(case: Case, trustee: Feature) -> None:
    assert _verdict(case, trustee) is not Verdict.PASS


@pytest.mark.postgres
@pytest.mark.parametrize("case", PASSED, ids=lambda case: f"{case.question} {case.answer}"[:60])
def test_what_this_run_has_fetched_passes(case: Case, trustee: Feature) -> None:
    assert _verdict(case, trustee) is Verdict.PASS


@pytest.mark.postgres
@pytest.mark.parametrize("case", SHOWN, ids=lambda case: f"{case.question} {case.answer}"[:60])
def test_what_the_words_leave_open_is_shown_with_marks(case: Case, trustee: Feature) -> None:
    assert _verdict(case, trustee) is not Verdict.BLOCK


@given(st.integers(100, 10**9), st.integers(0, 99))
def test_no_amount_of_an_earlier_turn_counts_as_said(whole: int, cents: int) -> None:
    amount = f"CHF {whole:,}.{cents:02}"
    turn = Turn(question=f"{amount} were on account 1020 in 2024, right?", answer=amount)
    said = earlier_questions(Question(text="And now?", thread=(turn,)))
    assert amount not in said
    assert "account 1020 in 2024" in said
    assert "And now?" not in said
