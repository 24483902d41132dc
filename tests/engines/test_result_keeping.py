"""Results are used again for the same statement, tenant and rights alone."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import product
from pathlib import Path
from typing import Any

import duckdb
import pytest
import sqlglot
from hypothesis import given
from hypothesis import strategies as st
from sqlglot import exp

from tests.engines.conftest import TABLES, Books, book_statements
from veridical.contracts.call import AggregateCall, BrowseCall, Call, Filter
from veridical.contracts.caller import Caller, Permissions, Scope
from veridical.contracts.checked import CheckedQuery
from veridical.contracts.cost import CostSettings
from veridical.contracts.keep import KeepSettings
from veridical.contracts.result import Emptiness
from veridical.contracts.statement import Statement
from veridical.engines import (
    Engine,
    EngineError,
    Freshness,
    Outcome,
    open_duckdb,
    open_files,
)
from veridical.engines.kept_results import ResultsInMemory
from veridical.engines.result_keeping import ResultKeeping, is_repeatable
from veridical.ontology.compile import compile_catalog

HOUR = KeepSettings(minutes=60)
UNCHANGED = KeepSettings(while_unchanged=True)
SHARED = frozenset({"Currency"})
CALLS: tuple[Call | str, ...] = (
    AggregateCall(table_name="Line", aggregate="SUM", field="amount"),
    AggregateCall(table_name="Line", aggregate="COUNT"),
    AggregateCall(
        table_name="Line", aggregate="COUNT", filters=(Filter(field="year", op="=", value=2023),)
    ),
    'SELECT SUM("amount") AS total FROM "Line"',
    'SELECT "note" FROM "Line" ORDER BY "id" LIMIT 3',
)
SCOPES = tuple(
    Scope({"mandateId": names}, SHARED)
    for names in (("alpha",), ("beta",), ("alpha", "beta"), ("gamma",), ())
)
CALLERS = tuple(
    Caller(scope, permissions, member_of=member)
    for scope, permissions, member in product(
        SCOPES, (Permissions(), Permissions(deny=("Line.note",))), ("", "acme", "zeta")
    )
)


def keeping(
    books: Books, settings: KeepSettings = HOUR, results: ResultsInMemory | None = None, **over: str
) -> Engine:
    given = {"feature": "books", "source": "here"} | over
    return books.engine.keeping(ResultKeeping(results or ResultsInMemory(), settings, **given))


def as_caller(checked: CheckedQuery, caller: Caller) -> CheckedQuery:
    return replace(checked, caller=caller)


def plain(outcome: Outcome) -> tuple[Any, ...]:
    return outcome.columns, outcome.rows, outcome.receipt.emptiness, outcome.receipt.truncated


@given(asked=st.lists(st.tuples(st.sampled_from(CALLS), st.sampled_from(CALLERS)), max_size=12))
def test_a_kept_result_is_what_its_own_caller_would_get(
    on_duckdb: Books, asked: list[tuple[Call | str, Caller]]
) -> None:
    engine = keeping(on_duckdb)
    before = set[str]()
    for call, caller in asked:
        checked = as_caller(on_duckdb.checked(call), caller)
        found = engine.run(checked)
        assert plain(found) == plain(on_duckdb.engine.run(checked))
        who = repr((call, caller))
        certain = found.receipt.emptiness is not Emptiness.NOT_PERMITTED
        assert (found.receipt.kept_at is not None) is (certain and who in before)
        before.add(who)


def test_every_part_of_the_key_counts(on_duckdb: Books) -> None:
    results = ResultsInMemory()
    checked = on_duckdb.checked(CALLS[0])
    assert keeping(on_duckdb, results=results).run(checked).receipt.kept_at is None
    assert keeping(on_duckdb, results=results).run(checked).receipt.kept_at is not None
    caller = checked.caller
    others = [
        (keeping(on_duckdb, results=results, feature="other"), checked),
        (keeping(on_duckdb, results=results, source="there"), checked),
        (keeping(on_duckdb, results=results).within(7), checked),
        (keeping(on_duckdb, results=results), replace(checked, ontology_hash="another")),
        *(
            (keeping(on_duckdb, results=results), as_caller(checked, replace(caller, **changed)))
            for changed in (
                {"member_of": "acme"},
                {"scope": Scope({"mandateId": ("beta",)}, SHARED)},
                {"scope": Scope({"mandateId": ("alpha",)}, SHARED | {"Account"})},
                {"permissions": Permissions(allow=("Line",))},
                {"permissions": Permissions(deny=("Line.secret",))},
            )
        ),
    ]
    assert [engine.run(each).receipt.kept_at for engine, each in others] == [None] * len(others)
    renamed = replace(caller, name="Bob")  # neither name nor language decides any row
    assert keeping(on_duckdb, results=results).run(as_caller(checked, renamed)).receipt.kept_at


def test_values_of_other_types_are_other_values(on_duckdb: Books) -> None:
    engine = keeping(on_duckdb)
    for value in (2023, "2023", True, 1):
        filters = (Filter(field="year", op="=", value=value),)
        call = AggregateCall(table_name="Line", aggregate="COUNT", filters=filters)
        try:
            assert engine.run(on_duckdb.checked(call)).receipt.kept_at is None
        except EngineError:
            continue  # a text where a number belongs


def test_nothing_is_kept_without_a_setting(on_duckdb: Books, on_sqlite: Books) -> None:
    """SQLite names no version: others may write to the file at any time."""
    for books, settings in (
        (on_duckdb, KeepSettings()),
        (on_duckdb, KeepSettings(minutes=60, tables={"line": 0})),
        (on_sqlite, UNCHANGED),
    ):
        engine = keeping(books, settings)
        found = [engine.run(books.checked(CALLS[3])).receipt for _ in range(2)]
        assert [each.kept_at for each in found] == [None, None]


def test_the_shortest_time_of_the_tables_counts() -> None:
    settings = KeepSettings(minutes=30, tables={"Prices": 5, "Orders": 0, "Years": 600})
    minutes = [
        settings.minutes_of(tables, has_version=False)
        for tables in (["Line"], ["Line", "prices"], ["Years"], ["Prices", "Orders"], [])
    ]
    assert minutes == [30, 5, 600, 0, 0]
    assert KeepSettings(tables={"Prices": 5}).minutes_of(["Line"], has_version=False) == 0
    unchanged = settings.model_copy(update={"while_unchanged": True})
    assert unchanged.minutes_of(["Prices"], has_version=True) > 600
    assert unchanged.minutes_of(["Orders"], has_version=True) == 0
    assert UNCHANGED.minutes_of(["Line"], has_version=False) == 0


@pytest.mark.parametrize(
    ("sql", "repeats"),
    [
        ("SELECT COUNT(*), SUM(a) FROM t WHERE b BETWEEN '2024-01-01' AND '2024-02-01'", True),
        ("SELECT ROW_NUMBER() OVER (ORDER BY a), RANK() OVER (ORDER BY a) FROM t", True),
        ("SELECT CASE WHEN a AND b OR c THEN UPPER(d) END, EXTRACT(YEAR FROM e) FROM t", True),
        ("SELECT today, yesterday FROM t WHERE EXISTS (SELECT 1 FROM u)", True),
        ("SELECT a FROM t WHERE b > CURRENT_DATE", False),
        ("SELECT a FROM t WHERE b > CURRENT_TIMESTAMP(3)", False),
        ("SELECT NOW() - INTERVAL '1 day'", False),
        ("SELECT today(), now('UTC')", False),
        ("SELECT AGE(born) FROM t", False),
        ("SELECT RANDOM()", False),
        ("SELECT a FROM t ORDER BY RAND(7)", False),
        ("SELECT a FROM t WHERE b = DATE('now')", False),
        ("SELECT a FROM t WHERE b > 'today'", False),
        ("SELECT a FROM t WHERE b > CAST(' Tomorrow 04:00' AS TIMESTAMP)", False),
        ("WITH x AS (SELECT a FROM t WHERE b < (SELECT GETDATE())) SELECT * FROM x", False),
        ("SELECT unknown_clock()", False),
    ],
)
@pytest.mark.parametrize(
    "dialect", ["postgres", "duckdb", "sqlite", "mysql", "clickhouse", "spark"]
)
def test_what_asks_for_the_clock_or_for_chance_is_not_kept(
    sql: str, dialect: str, *, repeats: bool
) -> None:
    tree = sqlglot.parse_one(sql, dialect=dialect)
    assert isinstance(tree, exp.Query)
    assert is_repeatable(Statement(sql, ()), tree) is repeats


def test_a_moment_among_the_values_is_not_kept() -> None:
    assert is_repeatable(Statement("…", ("2024-01-01", 7, "tomorrows")), None)
    assert not is_repeatable(Statement("…", ("2024-01-01", "today")), None)


def test_only_complete_and_certain_results_are_kept(on_duckdb: Books) -> None:
    engine = keeping(on_duckdb)
    few = engine.within(5)
    browse = BrowseCall(table_name="Line")
    nothing = on_duckdb.checked(CALLS[0], scope=Scope({"mandateId": ()}, SHARED))
    for _ in range(2):
        assert few.run(on_duckdb.checked(browse)).receipt.truncated
        assert few.run(on_duckdb.checked(browse)).receipt.kept_at is None
        assert engine.run(nothing).receipt.kept_at is None
    wrong = on_duckdb.checked('SELECT CAST("note" AS INTEGER) AS n FROM "Line"')
    for _ in range(2):
        with pytest.raises(EngineError):
            engine.run(wrong)
    none = AggregateCall(
        table_name="Line", aggregate="COUNT", filters=(Filter(field="year", op="=", value=1900),)
    )
    first, again = (engine.run(on_duckdb.checked(none)) for _ in range(2))
    assert plain(first) == plain(again)
    assert again.receipt.kept_at


def test_the_receipt_says_since_when_and_costs_nothing(on_duckdb: Books) -> None:
    began = datetime.now(UTC)
    engine = keeping(on_duckdb)
    first = engine.run(on_duckdb.checked(CALLS[4]))
    thrifty = engine.under(CostSettings(most_rows_read=1))  # a statement would be refused
    again = thrifty.run(on_duckdb.checked(CALLS[4]))
    assert again.receipt.kept_at is not None
    assert began <= again.receipt.kept_at <= datetime.now(UTC)
    assert again.receipt.call_id != first.receipt.call_id
    assert again.receipt.sql == first.receipt.sql
    assert "keptAt" not in first.receipt.model_dump(mode="json", by_alias=True)
    assert "keptAt" in again.receipt.model_dump(mode="json", by_alias=True)


def test_stale_data_is_asked_again(on_duckdb: Books) -> None:
    stale = Freshness(timedelta(days=1), lambda _: datetime(2020, 1, 1, tzinfo=UTC))
    books = Books(
        Engine(on_duckdb.engine.database, on_duckdb.catalog, freshness=stale), on_duckdb.catalog
    )
    results = ResultsInMemory()
    for engine in (keeping(on_duckdb, results=results), keeping(books, results=results)) * 2:
        found = engine.run(on_duckdb.checked(CALLS[0])).receipt
        assert found.emptiness is None or found.kept_at is None


def test_a_setting_that_was_lowered_counts_at_once(on_duckdb: Books) -> None:
    results = ResultsInMemory()
    keeping(on_duckdb, results=results).run(on_duckdb.checked(CALLS[0]))
    brief = KeepSettings(minutes=1e-9)
    found = keeping(on_duckdb, brief, results).run(on_duckdb.checked(CALLS[0]))
    assert found.receipt.kept_at is None


def test_a_file_that_changed_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "sale.csv"
    results = ResultsInMemory()

    def total() -> tuple[Any, bool]:
        database = open_files({"sale": path})
        catalog = compile_catalog(database.reflect())
        books = Books(Engine(database, catalog, shared=("*",)), catalog)
        checked = books.checked(AggregateCall(table_name="sale", aggregate="SUM", field="n"))
        found = keeping(books, UNCHANGED, results).run(
            as_caller(checked, Caller(Scope({}, frozenset({"*"}))))
        )
        database.close()
        return found.rows[0][0], found.receipt.kept_at is not None

    path.write_text("n\n1\n2\n")
    assert [total(), total()] == [(3, False), (3, True)]
    path.write_text("n\n1\n7\n")
    assert [total(), total()] == [(8, False), (8, True)]


def test_a_database_file_has_a_version_until_it_is_written_or_has_views(tmp_path: Path) -> None:
    path = tmp_path / "books.duckdb"

    def written(*statements: str) -> str | None:
        with duckdb.connect(str(path)) as connection:
            for statement in statements:
                connection.execute(statement)
        database = open_duckdb(path)
        found = database.data_version()
        database.close()
        return found

    first = written(TABLES, *book_statements())
    assert first
    assert written() == first
    changed = written('UPDATE "Line" SET amount = 1 WHERE id = 7')
    assert changed not in (first, None)
    assert written('CREATE VIEW late AS SELECT * FROM "Line" WHERE booked < current_date') is None


def test_memory_has_a_limit(on_duckdb: Books) -> None:
    results = ResultsInMemory(most_bytes=150)
    engine = keeping(on_duckdb, results=results)
    for call in CALLS:
        engine.run(on_duckdb.checked(call))
    again = [engine.run(on_duckdb.checked(call)).receipt.kept_at for call in reversed(CALLS[-2:])]
    assert again[0] is not None
    assert engine.run(on_duckdb.checked(CALLS[0])).receipt.kept_at is None


def test_rows_in_use_do_not_change_what_is_kept(on_duckdb: Books) -> None:
    engine = keeping(on_duckdb)
    sql = 'SELECT LIST("id" ORDER BY "id") AS ids FROM "Line"'
    first = engine.run(on_duckdb.checked(sql))
    first.rows[0][0].clear()
    assert len(engine.run(on_duckdb.checked(sql)).rows[0][0]) == 50
