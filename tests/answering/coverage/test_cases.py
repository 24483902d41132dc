"""Questions with the calls that were made for them: those beside the point, and those that fit.

A line is a question, an arrow, and the call as ``written_call`` reads it. Several calls stand
between bars; earlier questions of a conversation end with ``>>``; behind ``:=`` stands the answer,
``*`` for one that lists all that came back.
Today is the 20th of January 2026.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.answering.coverage.written import written_call
from tests.sample import ACCOUNTANT, trustee
from veridical.agent.results import as_source
from veridical.answering.coverage import uncovered
from veridical.answering.feature import Feature
from veridical.contracts.answer import Source
from veridical.contracts.language import Language
from veridical.contracts.question import Question, Turn
from veridical.testing.cases import by_language

__all__ = ["trustee"]

FOLDER = Path(__file__).with_name("cases")
TODAY = date(2026, 1, 20)


class Case(NamedTuple):
    language: Language
    said: tuple[str, ...]
    calls: tuple[str, ...]
    answer: str


def _cases(name: str) -> Iterator[Case]:
    for language, line in by_language(FOLDER / f"{name}.txt"):
        said, _, made = line.partition(" => ")
        calls, _, answer = made.partition(" := ")
        yield Case(language, tuple(said.split(" >> ")), tuple(calls.split(" | ")), answer)


BLOCKED, PASSED = list(_cases("must_block")), list(_cases("must_pass"))


def _gaps(case: Case, feature: Feature) -> list[str]:
    *before, text = case.said
    thread = tuple(Turn(question=each, answer="") for each in before)
    sources = [_source(call, case, feature) for call in case.calls]
    question = Question(text=text, thread=thread)
    answer = listing(sources) if case.answer == "*" else case.answer
    found = uncovered(question, sources, feature, case.language, TODAY, answer=answer)
    return [f"{each.claim} ≠ {each.instead}" for each in found]


def listing(sources: Sequence[Source]) -> str:
    """All that came back, a line for each row."""
    rows = (row for source in sources for row in source.rows)
    return "\n".join(" | ".join(map(str, row)) for row in rows)


def _source(call: str, case: Case, feature: Feature) -> Source:
    tool, arguments = written_call(call)
    toolbox = feature.toolbox(replace(ACCOUNTANT, language=case.language))
    result = toolbox.call(tool, arguments)
    source = as_source(tool, arguments, result)
    assert source is not None, (call, result.error)
    return source


@pytest.mark.postgres
@pytest.mark.parametrize("case", BLOCKED, ids=lambda case: case.said[-1][:60])
def test_what_is_beside_the_question_is_found(case: Case, trustee: Feature) -> None:
    assert _gaps(case, trustee)


@pytest.mark.postgres
@pytest.mark.parametrize("case", PASSED, ids=lambda case: case.said[-1][:60])
def test_what_may_answer_the_question_passes(case: Case, trustee: Feature) -> None:
    assert _gaps(case, trustee) == []
