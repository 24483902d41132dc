"""The instructions teach the forms that the check accepts: their own examples must pass."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from veridical.contracts.language import Language
from veridical.evidence.read import read_tables
from veridical.gate.references.check import Read, check_tables
from veridical.gate.references.instruction import instruction, json_instruction
from veridical.gate.references.parts import read_parts
from veridical.gate.references.parts_schema import parts_schema
from veridical.gate.references.template import read_template
from veridical.ontology.tokens import estimate_tokens

TABLES = read_tables(
    [
        {"region": "North", "sales": 5200.0, "orders": 610},
        {"region": "South", "sales": 3100.0, "orders": 540},
        {"region": "East", "sales": 1700.0, "orders": 120},
    ]
)
MOST_CHARACTERS = 2_600
"""Some 900 tokens."""
FORMS = pytest.mark.parametrize(
    ("told", "read"), [(instruction(), read_template), (json_instruction(), read_parts)]
)


def _example(told: str) -> str:
    return told.split("## Example", 1)[1].split("\n", 1)[1]


@FORMS
def test_its_example_is_accepted(told: str, read: Read) -> None:
    answer = check_tables(_example(told), TABLES, "Which region leads?", Language.EN, read)
    assert answer.ok, answer.findings
    assert "North" in answer.shown


@FORMS
def test_it_stays_short(told: str, read: Read) -> None:
    assert len(told) <= MOST_CHARACTERS


def test_small_models_are_told_in_at_most_900_tokens() -> None:
    assert estimate_tokens(json_instruction()) <= 900


def test_the_example_in_parts_is_what_the_schema_offers() -> None:
    offered = parts_schema(TABLES)["$defs"]["RowPart"]["properties"]
    rows = [each for each in _objects(json.loads(_example(json_instruction()))) if "row" in each]
    assert rows
    for each in rows:
        assert all(value in offered[key]["enum"] for key, value in each.items())


def _objects(node: Any) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict):
        yield node
        node = list(node.values())
    if isinstance(node, list):
        for each in node:
            yield from _objects(each)
