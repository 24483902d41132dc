"""What somebody is told about a blocked answer is true of the results."""

import re
from typing import Any

import pytest

from tests.defects.staff import sql, staff
from veridical import gate
from veridical.answering.feature import Feature
from veridical.contracts.caller import Caller
from veridical.contracts.language import Language
from veridical.contracts.proof import Finding, Verdict
from veridical.contracts.result import ToolRun

__all__ = ["staff"]

FIGURES = (100.5, 120.25, 90.75, 150.5, 33360.75, 80.25)
SERIES = [
    {"month": f"2025-{month:02}", "revenue_eur": figure} for month, figure in enumerate(FIGURES, 7)
]
TEAMS = [{"team": "Sales", "people": 3}, {"team": "Support", "people": 2}]
THERE = (
    (SERIES, "December 2025 had the highest revenue: €33,360.75.", "December 2025"),
    (SERIES, "November 2025: 80.25, December 2025: 33,360.75", "December 2025"),
    (SERIES, "The average was €33,360.75.", "€33,360.75"),
    (SERIES, "In December 2025 we earned €33,360.75.", "€33,360.75"),
    (SERIES, "Im Dezember 2025 waren es 33'360.75 EUR.", "33'360.75 EUR"),
    (SERIES, "2025年12月的收入为33,360.75欧元。", "33,360.75"),
    (TEAMS, "There are three teams.", "three"),
    (TEAMS, "Es gibt drei Teams.", "drei"),
)
DENIED = re.compile(
    r"No result has|contradicts the result|steht in keinem|widerspricht|不在任何|与结果矛盾"
)


def _findings(said: str, rows: Any, **more: Any) -> tuple[Finding, ...]:
    return gate.check(said, rows, **more).findings


@pytest.mark.parametrize(("rows", "said", "value"), THERE)
def test_g5_no_message_denies_what_a_result_has(
    rows: list[dict[str, Any]], said: str, value: str
) -> None:
    for finding in _findings(said, rows):
        if value in finding.claim and DENIED.search(finding.hint):
            # what is told instead is another value, that of the row in question
            assert finding.nearest
            assert not finding.nearest.endswith(("33,360.75", "33'360.75", "= 3", "= 2025-12"))


def test_g5_the_message_tells_where_the_value_is() -> None:
    said = "December 2025 had the highest revenue: €33,360.75."
    finding = _findings(said, SERIES)[0]
    assert finding.hint.startswith("A result does have “December 2025” (month[2025-12] = 2025-12)")
    (finding,) = _findings("There are three teams.", TEAMS)
    assert finding.hint.startswith("A result does have “three” (people[Sales] = 3), but")


def test_g5_what_no_result_has_is_still_said_so() -> None:
    *_, finding = _findings("In December 2025 we earned €77,123.45.", SERIES)
    assert finding.claim == "€77,123.45"
    assert DENIED.search(finding.hint)
    (finding,) = _findings("Revenue was $33,360.75.", SERIES)
    assert "does have" not in finding.hint


def test_g5_an_answer_that_contradicts_itself_is_told_its_own_arithmetic() -> None:
    said = "Revenue fell from €100.50 in July 2025 to €120.25 in August 2025."
    hints = [each.hint for each in _findings(said, SERIES)]
    assert hints
    assert not any("contradicts the result" in hint for hint in hints)


def test_g5_a_result_of_our_own_toolbox_is_read_by_every_policy(staff: Feature) -> None:
    statement = "SELECT month, amount FROM invoices ORDER BY month"
    result = staff.toolbox(Caller()).call(*sql(statement))
    said = "In November 2025 the amount was 33,360.75."
    assert gate.check(said, result).verdict is Verdict.PASS


WRITTEN = {
    "success": True,
    "tool": "runSql",
    "arguments": {"sql": "SELECT 5000000 AS balance"},
    "data": {"columns": ["balance"], "rows": [[5_000_000]]},
}
FAILED = (ToolRun(tool="runSql", success=False, error="TIMEOUT"),)


@pytest.mark.parametrize(
    ("rows", "runs", "message"),
    [
        ((), (), "nothing was queried"),
        ([], (), "The result is empty"),
        ((), FAILED, "The last call (runSql) failed"),
        (WRITTEN, (), "it follows from none"),
    ],
)
def test_g5_the_message_says_why_there_is_no_evidence(
    rows: Any, runs: tuple[ToolRun, ...], message: str
) -> None:
    found = _findings("The balance was 5,000,000.", rows, runs=runs)
    assert message in found[0].hint
    assert ("nothing was queried" in found[0].hint) is (rows == () and not runs)


@pytest.mark.parametrize("language", list(Language))
def test_g5_every_message_is_there_in_every_language(language: Language) -> None:
    proof = gate.check(
        "December 2025 had the highest revenue: €33,360.75.",
        SERIES,
        language=language,
    )
    assert all(each.hint and "{" not in each.hint for each in proof.findings)
