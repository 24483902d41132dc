"""Rows that count no more by the name of a column, with a schema as all that is known."""

import pytest

from veridical.check.checker import Checker
from veridical.contracts.call import SqlCall
from veridical.contracts.checked import CheckedQuery
from veridical.contracts.schema import Column, ForeignKey, Schema, Table, ValueType
from veridical.contracts.violation import Code
from veridical.ontology.compile import compile_catalog

NUMBER, TEXT = ValueType.INTEGER, ValueType.TEXT
CHECKER = Checker(
    compile_catalog(
        Schema.of(
            [
                Table(
                    "client",
                    (Column("id", NUMBER), Column("city", TEXT), Column("deleted_at", TEXT)),
                    keys=(("id",),),
                ),
                Table(
                    "bill",
                    (Column("id", NUMBER), Column("client_id", NUMBER), Column("fee", NUMBER)),
                    keys=(("id",),),
                    foreign_keys=(ForeignKey(("client_id",), "client", ("id",)),),
                ),
                Table(
                    "tariff",
                    (
                        Column("id", NUMBER),
                        Column("plan", TEXT),
                        Column("valid_from", TEXT),
                        Column("valid_to", TEXT),
                    ),
                    keys=(("id",),),
                ),
            ]
        )
    ),
    "sqlite",
)


def codes(sql: str) -> set[Code]:
    verdict = CHECKER.check(SqlCall(sql=sql))
    assert isinstance(verdict, CheckedQuery), "a name is no proof: it never blocks"
    return {each.code for each in verdict.warnings}


@pytest.mark.parametrize(
    "sql", ["SELECT COUNT(*) FROM client", "SELECT plan, COUNT(*) FROM tariff GROUP BY plan"]
)
def test_all_rows_are_counted_although_some_hold_no_more(sql: str) -> None:
    assert codes(sql) == {Code.MISSING_REQUIRED_FILTER}


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT COUNT(*) FROM client WHERE deleted_at IS NULL",
        "SELECT COUNT(*) FROM client WHERE deleted_at IS NOT NULL",
        "SELECT c.city, SUM(b.fee) FROM bill b JOIN client c ON c.id = b.client_id GROUP BY c.city",
        "SELECT COUNT(*) FROM tariff WHERE valid_to IS NULL",
        "SELECT COUNT(*) FROM tariff WHERE '2025-06-01' BETWEEN valid_from AND valid_to",
    ],
)
def test_a_choice_or_a_row_that_another_names_is_enough(sql: str) -> None:
    assert codes(sql) == set()
