"""Which cells a figure matches: rounding, scale, percent, sign, unit, limits."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from veridical.contracts.proof import Ground, Standing
from veridical.gate.bind.bind import bind_claims
from veridical.gate.bound import Bound
from veridical.gate.claims import find_claims
from veridical.gate.evidence.evidence import prepare
from veridical.gate.evidence.exhibit import Calculation, Exhibit, Measure

_SIGNS = {"g": Standing.GROUNDED, "c": Standing.CONTRADICTED, "u": Standing.UNGROUNDED}


def cases() -> Iterator[tuple[float, str, str, str, str]]:
    text = (Path(__file__).parent / "cases" / "cells.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if line and not line.startswith("#"):
            cell, column, unit, said, sign = (part.strip() for part in line.split(";"))
            yield float(cell), column, unit, said, sign


def bound(said: str, *exhibits: Exhibit, question: str = "") -> Bound:
    """How the last claim of a sentence stands."""
    return bind_claims(find_claims(said, question), said, prepare(exhibits), question)[-1]


@pytest.mark.parametrize(("cell", "column", "unit", "said", "sign"), list(cases()))
def test_a_figure_against_one_cell(
    cell: float, column: str, unit: str, said: str, sign: str
) -> None:
    measures = {column: Measure(unit=unit)} if unit else {}
    table = Exhibit(columns=("id", column), rows=(("x1", cell),), measures=measures)
    assert bound(said, table).standing is _SIGNS[sign]


def test_money_as_a_decimal_string() -> None:
    table = Exhibit(columns=("amount",), rows=(("12345678901234567.89",),))
    assert bound("It was 12,345,678,901,234,567.89.", table).standing is Standing.GROUNDED


def test_a_figure_inside_a_text_cell() -> None:
    table = Exhibit(columns=("text", "amount"), rows=(("Invoice 4711 of 3 March", 20.0),))
    assert bound("It is about invoice 4711.", table).standing is Standing.GROUNDED


def test_each_rows_own_currency() -> None:
    measures = {"amount": Measure(unit_column="currency")}
    rows = (("Rent", 1210.4, "CHF"), ("Licence", 845.7, "EUR"))
    table = Exhibit(columns=("what", "amount", "currency"), rows=rows, measures=measures)
    assert bound("The licence cost EUR 845.70.", table).standing is Standing.GROUNDED
    assert bound("The licence cost CHF 845.70.", table).standing is Standing.CONTRADICTED


def test_a_number_of_the_question_is_a_ground_for_repeating_it() -> None:
    table = Exhibit(columns=("name",), rows=(("Alpha",), ("Beta",)))
    said = bound("These are the top 5.", table, question="Who are the top 5?")
    assert said.ground in (Ground.QUESTION, None)
    assert said.standing is not Standing.UNGROUNDED


def test_rows_are_counted() -> None:
    table = Exhibit(columns=("name",), rows=tuple((f"N{at}",) for at in range(17)))
    found = bound("There are 17 customers.", table)
    assert (found.standing, found.ground) == (Standing.GROUNDED, Ground.ROW_COUNT)
    assert bound("There are 19 customers.", table).standing is Standing.UNGROUNDED


def test_a_receipt_of_the_calculator() -> None:
    receipt = Exhibit(calculation=Calculation("1200.5 / 12", 1200.5 / 12, (1200.5, 12.0)))
    found = bound("That is 100.04 a month.", receipt)
    assert (found.standing, found.ground) == (Standing.GROUNDED, Ground.CALCULATION)


def test_what_stands_nowhere_is_told_with_the_nearest_cell() -> None:
    table = Exhibit(columns=("amount",), rows=((10.0,), (480.0,), (990.0,)))
    found = bound("It was 497.", table)
    assert found.standing is Standing.UNGROUNDED
    assert found.place is not None
    assert found.place.row == 1


@pytest.mark.parametrize(
    ("said", "stands"),
    [
        ("It was due on 31.12.2025.", True),
        ("It was due on 31 December 2025.", True),
        ("到期日为2025年12月31日。", True),
        ("It was due in December 2025.", True),
        ("It was due on 30.12.2025.", False),
        ("It was due in November 2025.", False),
    ],
)
def test_days_and_periods(said: str, stands: bool) -> None:
    table = Exhibit(columns=("due", "amount"), rows=(("2025-12-31", 20.0),))
    found = bound(said, table)
    assert (found.standing is Standing.GROUNDED) is stands


def test_the_period_that_the_call_asked_for() -> None:
    table = Exhibit(columns=("amount",), rows=((20.0,),), held={"year": 2025, "month": 3})
    assert bound("That holds for March 2025.", table).standing is Standing.GROUNDED
    assert bound("That holds for April 2025.", table).standing is Standing.UNGROUNDED
