"""``DISTINCT ON`` keeps one row of each key: the latest, where the order says so."""

import pytest

from tests.defects.shop import checker, codes
from veridical.contracts.violation import Code
from veridical.ontology.model import Constraint, ConstraintRule

BY_DAY = Constraint(applies_to="Stock", rule=ConstraintRule.REQUIRES_FILTER_ON, fields=("day",))
EACH = "DISTINCT ON (product_id, warehouse)"
LATEST = "FROM stock ORDER BY product_id, warehouse, day DESC"


@pytest.mark.parametrize("dialect", ["postgres", "duckdb"])
@pytest.mark.parametrize(
    "sql",
    [
        f"SELECT {EACH} product_id, warehouse, day, on_hand {LATEST}",
        f"SELECT {EACH} * {LATEST}",
        f"SELECT {EACH} product_id, warehouse, on_hand - reserved {LATEST}",
        "SELECT DISTINCT ON (product_id) product_id, day, on_hand FROM stock"
        " ORDER BY product_id, day DESC",
        f"SELECT SUM(on_hand) FROM (SELECT {EACH} product_id, warehouse, on_hand {LATEST}) t",
        f"WITH t AS (SELECT {EACH} * {LATEST}) SELECT product_id, SUM(on_hand - reserved) FROM t"
        " GROUP BY product_id",
        f"SELECT SUM(free) FROM (SELECT {EACH} on_hand - reserved AS free {LATEST}) t",
        "SELECT SUM(on_hand) FROM (SELECT DISTINCT ON (product_id) on_hand FROM stock"
        " WHERE warehouse = 'north' ORDER BY product_id, day DESC) t",
        "SELECT SUM(on_hand) FROM (SELECT on_hand, ROW_NUMBER() OVER"
        " (PARTITION BY product_id, warehouse ORDER BY day DESC) AS n FROM stock) t WHERE n = 1",
    ],
)
def test_c24_the_latest_row_of_each_key_is_one_snapshot(sql: str, dialect: str) -> None:
    assert codes(checker(BY_DAY, dialect=dialect), sql) == set()


@pytest.mark.parametrize(
    "sql",
    [
        # any row of a product, on any day
        "SELECT SUM(on_hand) FROM (SELECT DISTINCT ON (product_id) on_hand FROM stock) t",
        "SELECT SUM(on_hand) FROM (SELECT DISTINCT ON (product_id) on_hand FROM stock"
        " ORDER BY product_id) t",
        # a row of each day
        "SELECT SUM(on_hand) FROM (SELECT DISTINCT ON (product_id, warehouse, day) on_hand"
        " FROM stock ORDER BY product_id, warehouse, day) t",
        "SELECT SUM(on_hand) FROM (SELECT on_hand, ROW_NUMBER() OVER"
        " (PARTITION BY product_id, warehouse, day ORDER BY day DESC) AS n FROM stock) t"
        " WHERE n = 1",
        # the stock of one warehouse, and not the others'
        "SELECT SUM(on_hand) FROM (SELECT DISTINCT ON (product_id) on_hand FROM stock"
        " ORDER BY product_id, day DESC) t",
        # ordinary DISTINCT picks nothing
        "SELECT SUM(on_hand) FROM (SELECT DISTINCT product_id, day, on_hand FROM stock"
        " ORDER BY product_id, day DESC) t",
    ],
)
def test_c24_a_sum_over_anything_else_is_refused(sql: str) -> None:
    assert Code.INVALID_AGGREGATE_TARGET in codes(checker(), sql)


def test_c24_a_required_day_is_not_chosen_without_an_order() -> None:
    sql = "SELECT DISTINCT ON (product_id) product_id, on_hand FROM stock ORDER BY product_id"
    assert codes(checker(BY_DAY), sql) == {Code.MISSING_REQUIRED_FILTER}


def test_c24_its_rows_are_unique_by_its_keys() -> None:
    constraint = Constraint(applies_to="Moves.qty", rule=ConstraintRule.FAN_OUT)
    sql = (
        "SELECT SUM(m.qty) FROM moves m JOIN (SELECT DISTINCT ON (product_id) product_id, day"
        " FROM stock ORDER BY product_id, day DESC) s ON s.product_id = m.product_id"
    )
    assert codes(checker(constraint), sql) == set()
