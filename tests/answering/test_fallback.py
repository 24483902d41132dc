"""Rows as plain lines, and lines that the gate itself accepts."""

import pytest

from veridical import gate
from veridical.answering.fallback import MOST_LINES, rows_as_text
from veridical.contracts.language import Language
from veridical.contracts.proof import Verdict
from veridical.contracts.result import Emptiness
from veridical.gate.evidence.exhibit import Additivity, Exhibit, Measure

SALES = Measure(additivity=Additivity.ADDITIVE, unit_column="currency")


def sales(count: int, **parts: object) -> Exhibit:
    rows = tuple((f"Kunde {at} AG", 2025, "CHF", 1234.5 * (at + 1)) for at in range(count))
    return Exhibit(
        columns=("customer", "year", "currency", "sales"),
        rows=rows,
        measures={"sales": SALES},
        row_count=count,
        **parts,  # pyright: ignore[reportArgumentType]
    )


def test_a_figure_has_its_unit_and_a_year_no_thousands() -> None:
    assert rows_as_text([sales(1)], Language.DE).splitlines()[1] == (
        "- customer: Kunde 0 AG, year: 2025, sales: 1'234.5 CHF"
    )


def test_nothing_to_tell_is_nothing() -> None:
    assert rows_as_text([], Language.EN) == ""
    assert rows_as_text([Exhibit(emptiness=Emptiness.NO_MATCH)], Language.EN) == ""


def test_what_is_cut_is_said() -> None:
    told = rows_as_text([sales(MOST_LINES + 3, truncated=True)], Language.EN)
    assert "3 more rows" in told
    assert "Not complete" in told


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("count", [1, 4, 25])
def test_the_gate_accepts_it(language: Language, count: int) -> None:
    shown = sales(count, truncated=count > 20)
    proof = gate.check(rows_as_text([shown], language), [shown], language=language)
    assert proof.verdict is not Verdict.BLOCK, proof.findings
