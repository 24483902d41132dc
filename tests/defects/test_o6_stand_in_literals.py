"""A literal that stands in for a missing value leaves the lineage of the column as it is."""

import pytest

from tests.defects.staff import asked, sql, staff
from veridical import gate
from veridical.answering.feature import Feature
from veridical.contracts.answer import AnswerKind
from veridical.contracts.caller import Caller

__all__ = ["staff"]

TOLD = "The total is 3,425.70."
PROVING = (
    "SELECT SUM(amount * COALESCE(rate, 1)) AS total FROM orders",
    "SELECT SUM(amount * IFNULL(rate, 1)) AS total FROM orders",
    "SELECT SUM(amount * COALESCE(NULLIF(rate, 0), 1.0)) AS total FROM orders",
    "SELECT SUM(amount * CASE WHEN rate IS NULL THEN 1 ELSE rate END) AS total FROM orders",
    "SELECT SUM(amount * CASE WHEN currency = 'EUR' THEN 1 ELSE rate END) AS total FROM orders",
    "SELECT SUM(amount * CASE WHEN rate > 0 THEN rate ELSE 1 END) AS total FROM orders",
    "SELECT ROUND(SUM(amount / COALESCE(1 / rate, 1)), 2) AS total FROM orders",
    "WITH o AS (SELECT amount, COALESCE(rate, 1) AS factor FROM orders)"
    " SELECT SUM(amount * factor) AS total FROM o",
)
LAUNDERED = (
    ("SELECT COALESCE(rate, 7) AS rate FROM orders WHERE id = 2", "The rate is 7.00."),
    ("SELECT IFNULL(rate, 14001.75) AS total FROM orders WHERE id = 2", "It is 14,001.75."),
    ("SELECT SUM(COALESCE(rate, 14001.75)) AS t FROM orders WHERE id = 2", "It is 14,001.75."),
    ("SELECT AVG(COALESCE(rate, 14001.75)) AS t FROM orders WHERE id = 2", "It is 14,001.75."),
    ("SELECT SUM(amount * COALESCE(rate, 3.7)) AS t FROM orders WHERE id = 2", "It is 7,400.925."),
    ("SELECT COALESCE(rate, 1) * 5000000 AS t FROM orders WHERE id = 2", "It is 5,000,000."),
    (
        "SELECT SUM(CASE WHEN id < 9 THEN 1 ELSE amount END) * 1000000 AS t FROM orders",
        "It is 3,000,000.",
    ),
    (
        "SELECT amount / COALESCE(amount, 1) * 5000000 AS t FROM orders WHERE id = 2",
        "It is 5,000,000.",
    ),
)


@pytest.mark.parametrize("statement", PROVING)
def test_o6_what_a_literal_only_stands_in_for_still_proves(staff: Feature, statement: str) -> None:
    result = staff.toolbox(Caller()).call(*sql(statement))
    assert result.success, result.error
    proof = gate.check(TOLD, result)
    assert not proof.is_marked, proof.findings


@pytest.mark.parametrize("statement", PROVING)
def test_o6_the_flow_shows_the_exact_figure(staff: Feature, statement: str) -> None:
    given, _ = asked(staff, "What do the orders come to in total?", [sql(statement)], TOLD)
    assert given.kind is AnswerKind.AGENT
    assert given.text == TOLD
    assert given.ok


@pytest.mark.parametrize(("statement", "said"), LAUNDERED)
def test_o6_a_figure_from_the_literal_alone_proves_nothing(
    staff: Feature, statement: str, said: str
) -> None:
    result = staff.toolbox(Caller()).call(*sql(statement))
    assert result.success, result.error
    figure = said.split()[-1].rstrip(".").replace(",", "")
    assert float(result.data["rows"][0][0]) == float(figure)
    assert gate.check(said, result).is_marked
    told = result.model_dump(mode="json", by_alias=True)
    assert gate.check(said, told).is_marked
