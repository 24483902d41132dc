"""The adapters of ``examples/adapters`` with the real frameworks, as the locks have them: one
scripted conversation goes through all of them with the same verdicts, and its refusals, hints and
warnings reach the model as they are.
"""

import ast
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, repeat
from typing import Any

import pytest

import veridical
from tests.release.adapter_stage import FRAMEWORKS, Framework, Stage, stages
from tests.release.environments import ROOT
from tests.release.play_adapter import ADAPTERS, PLAYERS, QUESTION, SETTINGS, record

MOST_LINES = 40
SUM = {"sql": "SELECT SUM(units) AS units FROM stock WHERE shop = 'Harbour'"}
READ = {"sql": "SELECT units FROM stock WHERE shop = 'Harbour' AND month = '2026-03'"}
TWO_WRONG = {"sql": "SELECT unitss FROM stock WHERE shopp = 'Harbour'"}
UNORDERED = {"sql": "SELECT month, units FROM stock WHERE shop = 'Harbour' LIMIT 2"}
MONTHS = {"sql": "SELECT month, units FROM stock WHERE shop = 'Harbour' ORDER BY month"}
RIGHT = "Harbour had 134 units in stock at the end of March 2026."
INVENTED = "Harbour had 150 units in stock at the end of March 2026."
SUMMED = "Harbour had 350 units in stock."
TOGETHER = "Harbour had 350 units in stock over the three months together."
CONVERSATIONS: dict[str, tuple[Any, ...]] = {
    "all that is found": (TWO_WRONG, UNORDERED, SUM, READ, INVENTED, RIGHT),
    "an invented figure": (READ, INVENTED),
    "a sum that was refused": (SUM, SUMMED),
    "nothing read": (RIGHT,),
    "months added up": (MONTHS, TOGETHER),
}
_APART = {"guardrails_validator", "mcp_client"}
"""They have no client of the data: the calls run elsewhere, and the host has no answer for them."""
_NOT_TOLD = {(name, "months added up") for name in _APART}
"""Whoever is only sent rows does not know which of them must not be added up."""


@dataclass(frozen=True)
class Reference:
    """What comes of a conversation without a framework."""

    record: dict[str, Any]
    results: tuple[str, ...]
    """The texts of the calls."""
    objections: tuple[str, ...]


@pytest.fixture(scope="module")
def references() -> Iterator[dict[str, Reference]]:
    with pytest.MonkeyPatch.context() as patch, veridical.open(SETTINGS) as client:
        patch.syspath_prepend(ADAPTERS)
        yield {name: _reference(client, script) for name, script in CONVERSATIONS.items()}
        sys.modules.pop("checked_question")


def _reference(client: veridical.Client, script: Sequence[Any]) -> Reference:
    from checked_question import CheckedQuestion  # pyright: ignore

    asked: Any = CheckedQuestion(QUESTION, client)
    results: list[str] = []
    objections: list[str] = []
    for line in chain(script, repeat(script[-1])):
        if isinstance(line, dict):
            results.append(asked.query(**line))
        elif hint := asked.objection(line):
            objections.append(hint)
        else:
            break
    return Reference(record(asked, asked.answer), tuple(results), tuple(objections))


@pytest.fixture(scope="module")
def played() -> Iterator[dict[Framework, Stage]]:
    with stages() as made:
        yield made


def test_the_conversation_has_all_that_can_be_lost(references: dict[str, Reference]) -> None:
    found = references["all that is found"]
    assert found.record == {
        "answer": RIGHT,
        "verdicts": [["UNGROUNDED_CLAIM"], []],
        "warnings": [["UNORDERED_LIMIT"], []],
    }
    texts = "\n".join((*found.results, *found.objections))
    for each in ("unitss", "shopp", "UNORDERED_LIMIT", "INVALID_AGGREGATE_TARGET", "150"):
        assert each in texts
    answers = {name: each.record["answer"] for name, each in references.items()}
    assert "**134**" in answers["an invented figure"]
    assert "| March 2026 | 134 |" in answers["months added up"]
    assert {answers["a sum that was refused"], answers["nothing read"]} == {"I can't say."}


@pytest.mark.parametrize("conversation", CONVERSATIONS)
@pytest.mark.parametrize("name", PLAYERS)
def test_a_conversation_ends_as_without_a_framework(
    played: dict[Framework, Stage], references: dict[str, Reference], name: str, conversation: str
) -> None:
    if (name, conversation) in _NOT_TOLD:
        pytest.skip("the meaning of columns stays with the server")
    wanted = references[conversation]
    stage = played[FRAMEWORKS[name]]
    found = stage.play(name, CONVERSATIONS[conversation], wanted.results)
    heard = found.pop("heard")
    if name in _APART:
        right = wanted.record["answer"] == RIGHT
        assert found == {"answer": RIGHT if right else "I can't say."}
    else:
        assert found == wanted.record
    texts = wanted.results if name in _APART else (*wanted.results, *wanted.objections)
    for line in "\n".join(texts).splitlines():
        if name == "mcp_client":  # in JSON, with the rows apart
            assert line.startswith("(") or json.dumps(line.partition(": ")[2])[1:-1] in heard
        else:
            assert line in heard


def test_each_adapter_is_played_told_and_short() -> None:
    there = {path.stem: path.read_text("utf-8") for path in ADAPTERS.glob("*.py")}
    assert set(there) == {*PLAYERS, "checked_question"}
    assert FRAMEWORKS.keys() == PLAYERS.keys()
    assert {
        name: lines for name, text in there.items() if (lines := _code(text)) > MOST_LINES
    } == {}
    page = (ROOT / "docs" / "how-to" / "use-in-a-framework.md").read_text("utf-8")
    assert [name for name in there if f"(../../examples/adapters/{name}.py)" not in page] == []


def _code(text: str) -> int:
    """Lines that are neither empty nor part of a docstring."""
    inside: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            inside |= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    lines = enumerate(text.splitlines(), 1)
    return sum(bool(line.strip()) for number, line in lines if number not in inside)
