"""The real check in front of the engine: what it passes runs, and shows the caller's rows only."""

import pytest

from tests.engines.conftest import Books
from veridical.check.checker import Checker
from veridical.contracts.call import AggregateCall, Call, Filter, QueryCall, SqlCall
from veridical.contracts.caller import Caller, Scope
from veridical.contracts.checked import CheckedQuery
from veridical.engines import Outcome

pytestmark = pytest.mark.slow

CALLER = Caller(Scope({"mandateId": ("beta",)}, frozenset({"Currency"})))


def run(books: Books, call: Call) -> Outcome:
    verdict = Checker(books.catalog, books.engine.database.dialect).check(call, CALLER)
    assert isinstance(verdict, CheckedQuery), verdict
    return books.engine.run(verdict)


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ('select count(*) as n from "Line"', ((50,),)),
        ('select count(*) as n from "Line" where "year" = 2023', ((25,),)),
        (
            'select a."label", sum(l."amount") as s from "Line" l'
            ' join "Account" a on a."id" = l."accountId" group by a."label" order by s',
            (("beta account 0", 606.25), ("beta account 1", 631.25)),
        ),
        (
            'with "Line" as (select * from "Line" where "id" < 1003)'
            ' select max("id") as m, count(*) as n from "Line"',
            ((1002, 3),),
        ),
        (
            'select "note" from "Line" where "id" in (select max("id") from "Line")'
            ' union all select "code" from "Currency" order by 1',
            (("CHF",), ("EUR",), ("beta note 49",)),
        ),
    ],
)
def test_sql(books: Books, sql: str, expected: tuple[tuple[object, ...], ...]) -> None:
    assert run(books, SqlCall(sql=sql)).rows == expected


def test_lateral_sql(typed_books: Books) -> None:
    sql = (
        'select c.n from "Account" a cross join lateral'
        ' (select count(*) as n from "Line" l where l."accountId" = a."id") c'
    )
    assert run(typed_books, SqlCall(sql=sql)).rows == ((25,), (25,))


def test_structured_calls(books: Books) -> None:
    found = run(
        books,
        QueryCall(table_name="Line", fields=("id",), filters=(Filter(field="id", value=1003),)),
    )
    assert found.rows == ((1003,),)
    total = AggregateCall(table_name="Line", aggregate="sum", field="amount")
    assert run(books, total).rows == ((1237.5,),)


def test_the_receipt_names_what_was_asked(books: Books) -> None:
    outcome = run(books, SqlCall(sql='select "id" from "Line" where "year" >= 2024'))
    assert outcome.receipt.ontology_hash == books.catalog.ontology_hash
    assert [(each.field, each.start) for each in outcome.receipt.time_range] == [
        ("Line.year", "2024")
    ]
