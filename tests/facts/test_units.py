"""Rows that name their own units: currencies, laboratory units."""

from typing import Any

import pytest

from veridical.contracts.language import Language
from veridical.evidence.exhibit import Exhibit, Measure
from veridical.evidence.read import read_tables, typed_tables
from veridical.evidence.table import EvidenceTable
from veridical.facts.answer import Stated, state_answer
from veridical.facts.compose import composed

BANKS = [
    {"account": "Main", "balance": 889300.18, "currency": "CHF"},
    {"account": "Savings", "balance": 304498.23, "currency": "CHF"},
    {"account": "Berlin", "balance": 1000.5, "currency": "EUR"},
    {"account": "Boston", "balance": 60825.98, "currency": "USD"},
]


def _tables() -> tuple[EvidenceTable, ...]:
    return read_tables([BANKS])


def _stated(fact: dict[str, Any], prose: str) -> Stated:
    return state_answer({"facts": {"a": fact}, "answer": prose}, _tables(), "?", Language.EN)


@pytest.mark.parametrize(
    ("fact", "prose"),
    [
        ({"say": "total", "measure": "balance"}, "In all {a.value}."),
        ({"say": "total", "measure": "balance", "agg": "avg"}, "On average {a.value}."),
        ({"say": "top", "measure": "balance"}, "{a.row} has the most."),
        ({"say": "bottom", "measure": "balance"}, "{a.row} has the least."),
        ({"say": "range", "measure": "balance"}, "From {a.low} to {a.high}."),
        ({"say": "rank", "measure": "balance", "row": "Main"}, "{a.row} is {a.rank:o}."),
        ({"say": "share", "measure": "balance", "rows": ["Main"]}, "{a.share}."),
        ({"say": "count", "where": "balance > 1500"}, "{a.n} accounts."),
        ({"say": "value", "measure": "sum(balance)"}, "{a.value}."),
    ],
)
def test_several_currencies_are_neither_added_nor_compared(
    fact: dict[str, Any], prose: str
) -> None:
    found = _stated(fact, prose)
    assert not found.accepted
    assert {each.reason for each in found.refused} == {"mixedUnits"}


@pytest.mark.parametrize(
    ("fact", "prose", "text"),
    [
        (
            {"say": "total", "measure": "balance", "where": "currency = 'CHF'"},
            "In francs {a.value}.",
            "In francs CHF 1,193,798.41.",
        ),
        (
            {"say": "value", "measure": "balance", "row": "Berlin"},
            "{a.row} has {a.value}.",
            "Berlin has €1,000.50.",
        ),
        (
            {"say": "compare", "measure": "balance", "rows": ["Main", "Savings"]},
            "{a.diff} more.",
            "CHF 584,801.95 more.",
        ),
        (
            {"say": "total", "measure": "balance", "by": ["currency"]},
            "{a.USD.value} in Boston.",
            "",
        ),
    ],
)
def test_one_currency_is(fact: dict[str, Any], prose: str, text: str) -> None:
    found = _stated(fact, prose)
    assert not text or found.text.startswith(text), (found.text, found.refused)


def test_the_host_ranks_and_adds_no_currencies() -> None:
    text = composed(_tables(), "What is the balance of each account?", Language.EN).text
    assert "highest" not in text
    assert "total" not in text.casefold()
    assert "| Berlin | €1,000.50 |" in text
    assert "Currency" not in text


def test_two_rows_in_two_currencies_have_no_difference() -> None:
    fact = {"say": "compare", "measure": "balance", "rows": ["Main", "Berlin"]}
    assert {each.reason for each in _stated(fact, "{a.diff} more.").refused} == {"dimensions"}


def test_units_that_the_ontology_declares_are_kept_apart() -> None:
    exhibit = Exhibit(
        "labs",
        ("analyte", "result", "unit"),
        (("glucose", 5.4, "mmol/L"), ("glucose", 98.0, "mg/dL")),
        measures={"result": Measure(unit_column="unit")},
    )
    raw = {"facts": {"a": {"say": "total", "measure": "result"}}, "answer": "{a.value}."}
    found = state_answer(raw, typed_tables(exhibit), "?", Language.EN)
    assert {each.reason for each in found.refused} == {"mixedUnits"}
