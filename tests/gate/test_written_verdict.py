"""Answers that tell where each piece was taken from: evaluated, refused, or left to be read."""

from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.contracts.answer import Source
from veridical.contracts.language import Language
from veridical.contracts.proof import ClaimKind, GateCode, Ground, Proof, Standing, Verdict
from veridical.contracts.result import Emptiness, Receipt, ToolRun
from veridical.contracts.violation import Mode
from veridical.contracts.written import Part, Written
from veridical.gate.evidence.exhibit import Exhibit
from veridical.gate.policy import DEFAULT, Policy
from veridical.gate.written_verdict import check_written
from veridical.reading.periods import At, Period
from veridical.reading.shown import money

COLUMNS = ("accountNumber", "closingBalance", "currency", "text")
ROWS = (("1020", 1234.5, "CHF", "Miete"), ("1022", -20.25, "EUR", None))
ARGUMENTS = {"tableName": "Balance", "filters": [{"field": "year", "op": "=", "value": 2024}]}
YEAR_END = Period("day", date(2024, 12, 31), date(2024, 12, 31), At.END)
FIRST = Part("1'234.50 CHF", 0, 1, (2,))
SECOND = Part("-20.25 EUR", 1, 1, (2,))
GOOD_RUN = (ToolRun(tool="queryTable", success=True),)


def source(rows: Any = ROWS) -> Source:
    receipt = Receipt(
        call_id="c", query_hash="q", ontology_hash="o", sql="", row_count=len(rows),
        truncated=False, elapsed_ms=0.1,
    )  # fmt: skip
    return Source(
        tool="queryTable", arguments=ARGUMENTS, columns=COLUMNS, rows=rows, receipt=receipt
    )


def judged(
    *parts: Part,
    rows: Any = ROWS,
    exhibit: dict[str, Any] | None = None,
    runs: tuple[ToolRun, ...] = GOOD_RUN,
    required_tools: tuple[str, ...] = (),
    policy: Policy = DEFAULT,
    question: str = "Saldo Ende 2024?",
) -> Proof | None:
    shown = Exhibit(name="queryTable", columns=COLUMNS, rows=rows, row_count=len(rows))
    return check_written(
        Written(parts),
        source(rows),
        replace(shown, **(exhibit or {})),
        question=question,
        language=Language.DE,
        policy=policy,
        runs=runs,
        required_tools=required_tools,
    )


def codes(proof: Proof | None) -> set[GateCode]:
    assert proof is not None
    assert (proof.verdict is Verdict.BLOCK) == bool(proof.findings)
    return {finding.code for finding in proof.findings}


def test_each_piece_is_a_claim_with_its_cell() -> None:
    said = Part("31.12.2024", from_question=YEAR_END)
    proof = judged(Part("Saldo per "), said, Part(":\n- "), FIRST, Part("\n- "), SECOND)
    assert proof is not None
    assert proof.verdict is Verdict.PASS
    assert proof.coincidence == 0.0
    day, first, second, rows = proof.claims
    assert (day.kind, day.binding and day.binding.ground) == (ClaimKind.DATE, Ground.QUESTION)
    assert (first.kind, first.text, first.start) == (ClaimKind.AMOUNT, "1'234.50 CHF", 24)
    assert first.binding is not None
    assert (first.binding.row, first.binding.column, first.binding.value, first.binding.unit) == (
        0, "closingBalance", 1234.5, "CHF",
    )  # fmt: skip
    assert second.binding is not None
    assert second.binding.row_key == "1022"
    assert (rows.kind, rows.standing) == (ClaimKind.LIST, Standing.GROUNDED)


@pytest.mark.parametrize(
    "wrong",
    [
        Part("1'234.60 CHF", 0, 1, (2,)),
        Part("1'234.50 EUR", 0, 1, (2,)),
        Part("1'234.50", 0, 1, (2,)),
        Part("1'235 CHF", 0, 1, (2,)),
        Part("-20.25 EUR", 0, 1, (2,)),
        Part("1.234,50 CHF", 0, 1, (2,)),
        Part("leer", 0, 1),
    ],
    ids=lambda part: part.text,
)
def test_a_figure_that_is_not_its_cell_is_refused(wrong: Part) -> None:
    proof = judged(Part("Saldo: "), wrong, Part(", "), SECOND)
    assert codes(proof) == {GateCode.CONTRADICTED_CLAIM}
    assert proof is not None
    assert proof.claims[0].standing is Standing.CONTRADICTED
    assert proof.claims[0].nearest is not None
    assert proof.claims[0].nearest.value == 1234.5


@given(st.decimals(-(10**9), 10**9, places=2), st.decimals(-(10**9), 10**9, places=2))
def test_an_amount_stands_for_its_own_cell_alone(cell: Any, other: Any) -> None:
    rows = (("1020", float(cell), "CHF", ""),)
    told = Part(f"{money(float(other), Language.DE)} CHF", 0, 1, (2,))
    proof = judged(Part("Saldo: "), told, rows=rows)
    assert proof is not None
    assert (proof.verdict is Verdict.PASS) == (float(cell) == float(other))


@pytest.mark.parametrize(
    "parts",
    [
        (Part("Saldo: 99'999.00 CHF, "), FIRST, SECOND),
        (Part("Am 3. Mai: "), FIRST, SECOND),
        (Part("Saldo: "), FIRST),
        (Part("Saldo: "), SECOND, FIRST),
        (Part("Dazu ist nichts verbucht."),),
        (FIRST, SECOND, Part("Mieten", 0, 3)),
        (FIRST, SECOND, Part("Miete", 7, 3)),
        (FIRST, SECOND, Part("leer", 0, 3)),
        (
            Part("31.12.2023", from_question=replace(YEAR_END, end=date(2023, 12, 31))),
            FIRST,
            SECOND,
        ),
        (Part("30.12.2024", from_question=YEAR_END), FIRST, SECOND),
        (Part("1099", from_question="1099"), FIRST, SECOND),
        (Part("1020", from_question="1022"), FIRST, SECOND),
    ],
    ids=lambda parts: "".join(part.text for part in parts),
)
def test_what_no_cell_decides_is_left_to_be_read(parts: tuple[Part, ...]) -> None:
    assert judged(*parts) is None


def test_an_empty_cell_is_said_to_be_empty() -> None:
    proof = judged(FIRST, Part(" · "), SECOND, Part(" · "), Part("leer", 1, 3))
    assert proof is not None
    assert proof.verdict is Verdict.PASS


def test_what_the_run_knows_holds_as_for_any_answer() -> None:
    parts = (Part("Alle Salden: "), FIRST, Part(", "), SECOND)
    cut = {"truncated": True, "row_count": None, "emptiness": Emptiness.TRUNCATED}
    assert codes(judged(*parts, exhibit=cut)) == {GateCode.TRUNCATION_NOT_SAID}
    stale = {"emptiness": Emptiness.STALE}
    assert codes(judged(*parts, exhibit=stale)) == {GateCode.STALENESS_NOT_SAID}
    missing = judged(*parts, required_tools=("inspectFile",))
    assert codes(missing) == {GateCode.REQUIRED_TOOL_MISSING}
    failed = (*GOOD_RUN, ToolRun(tool="queryTable", success=False))
    proof = judged(*parts, runs=failed)
    assert proof is not None
    assert [(each.code, each.mode) for each in proof.findings] == [
        (GateCode.AFTER_TOOL_ERROR, Mode.WARN)
    ]


def test_the_policy_decides_what_becomes_of_it() -> None:
    shadow = Policy(modes={GateCode.CONTRADICTED_CLAIM: Mode.SHADOW})
    proof = judged(Part("1.00 CHF", 0, 1, (2,)), SECOND, policy=shadow)
    assert proof is not None
    assert proof.verdict is Verdict.PASS
    assert [each.mode for each in proof.findings] == [Mode.SHADOW]
