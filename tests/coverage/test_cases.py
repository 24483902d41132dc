"""Questions with the calls that were made for them: those beside the point, and those that fit.

A line is a question, an arrow, and the call: a SQL statement, or a table, what is shown, and the
conditions. Several calls stand between bars; earlier questions of a conversation end with ``>>``;
behind ``:=`` stands the answer, ``*`` for one that lists all that came back.
Today is the 20th of January 2026.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.sample import ACCOUNTANT, trustee
from veridical.agent.results import as_source
from veridical.contracts.answer import Source
from veridical.contracts.language import Language
from veridical.contracts.question import Question, Turn
from veridical.coverage import uncovered
from veridical.feature import Feature

__all__ = ["trustee"]

FOLDER = Path(__file__).with_name("cases")
TODAY = date(2026, 1, 20)
_AGGREGATE = re.compile(r"(?P<function>\w+)\((?P<field>\w*)\)")
_CONDITION = re.compile(r"(\w+)(>=|<=|=|~|>|<)(.+)")


class Case(NamedTuple):
    language: Language
    said: tuple[str, ...]
    calls: tuple[str, ...]
    answer: str


def _cases(name: str) -> Iterator[Case]:
    language = Language.EN
    for line in (FOLDER / f"{name}.txt").read_text("utf-8").splitlines():
        if line.startswith("["):
            language = Language(line.strip("[]"))
        elif line and not line.startswith("#"):
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
    tool, arguments = _call(call)
    toolbox = feature.toolbox(replace(ACCOUNTANT, language=case.language))
    result = toolbox.call(tool, arguments)
    source = as_source(tool, arguments, result)
    assert source is not None, (call, result.error)
    return source


def _call(text: str) -> tuple[str, dict[str, Any]]:
    if text.startswith(("SELECT", "WITH")):
        return "executeSqlSafe", {"sql": re.sub(r"\b(?=[A-Z]\w+[a-z]\b)", "TrusteeData", text)}
    table, shown, *conditions = text.split()
    call: dict[str, Any] = {
        "tableName": f"TrusteeData{table}",
        "filters": [_condition(each) for each in conditions if not each.startswith("by:")],
    }
    aggregate = _AGGREGATE.fullmatch(shown)
    if aggregate is None:
        return "queryTable", {**call, "fields": shown.split(",")}
    groups = [each.removeprefix("by:") for each in conditions if each.startswith("by:")]
    call |= {"aggregate": aggregate["function"], "groupBy": groups}
    return "aggregateTable", {**call, "field": aggregate["field"] or None}


def _condition(text: str) -> dict[str, Any]:
    found = _CONDITION.fullmatch(text)
    assert found, text
    field, op, value = found.groups()
    numeric = field.startswith("period") or field.endswith("Date")
    values = [int(each) if numeric else each for each in value.split("..")]
    if len(values) == 2:
        return {"field": field, "op": "between", "value": values}
    return {"field": field, "op": "like" if op == "~" else op, "value": values[0]}


@pytest.mark.postgres
@pytest.mark.parametrize("case", BLOCKED, ids=lambda case: case.said[-1][:60])
def test_what_is_beside_the_question_is_found(case: Case, trustee: Feature) -> None:
    assert _gaps(case, trustee)


@pytest.mark.postgres
@pytest.mark.parametrize("case", PASSED, ids=lambda case: case.said[-1][:60])
def test_what_may_answer_the_question_passes(case: Case, trustee: Feature) -> None:
    assert _gaps(case, trustee) == []
