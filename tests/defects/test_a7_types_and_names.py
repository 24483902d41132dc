"""Aggregates and operators by type: a whitelist; and what a column's name says about its sum."""

from dataclasses import replace

import pytest

from tests.defects.shop import codes
from tests.sample import trustee
from veridical.answering.feature import Feature
from veridical.check.checker import Checker
from veridical.contracts.call import AggregateCall, Filter, QueryCall
from veridical.contracts.checked import CheckedQuery
from veridical.contracts.schema import ValueType, value_type_of
from veridical.contracts.violation import Code, Mode
from veridical.evals.modes.environment import EvalEnvironment
from veridical.evals.modes.mode import MODES, ModeName
from veridical.ontology.compile import compile_catalog
from veridical.ontology.ddl import schema_from_ddl
from veridical.ontology.model import Entity, OntologyDescriptor, SemanticType

DDL = """
CREATE TABLE log (
    id integer PRIMARY KEY, amount numeric, ratio double precision, note text, done boolean,
    day date, at timestamp, zoned timestamptz, clock time, took interval, payload json,
    body jsonb, tags text[], place point, raw bytea, anything
);
"""
CATALOG = compile_catalog(schema_from_ddl(DDL))
POSTGRES = Checker(CATALOG)
DUCKDB = Checker(CATALOG, "duckdb")
SUMMABLE = ("id", "amount", "ratio", "took", "anything")
ORDERED = (*SUMMABLE, "note", "day", "at", "zoned", "clock")
ALL = tuple(CATALOG.tables["log"].columns)


@pytest.mark.parametrize("dialect", [POSTGRES, DUCKDB], ids=lambda each: each.dialect)
@pytest.mark.parametrize("function", ["sum", "avg", "median", "stddev"])
@pytest.mark.parametrize("column", ALL)
def test_a7_only_amounts_are_added(column: str, function: str, dialect: Checker) -> None:
    fits = column in SUMMABLE and not (function == "stddev" and column == "took")
    call = AggregateCall(table_name="log", aggregate=function, field=column)
    assert (codes(dialect, call) == set()) is fits
    for written in (
        f"SELECT {function}({column}) FROM log",
        f"SELECT {function}(DISTINCT {column}) FROM log",
        f"SELECT {function}(({column})) FROM log",
        f"SELECT {function}(COALESCE({column}, NULL)) FROM log",
        f"SELECT {function}(CASE WHEN id > 5 THEN {column} END) FROM log",
        f"WITH t AS (SELECT {column} AS v FROM log) SELECT {function}(v) FROM t",
        f"SELECT {function}(m) FROM (SELECT MAX({column}) AS m FROM log GROUP BY id) t",
        f"SELECT {function}({column}) OVER () FROM log",
    ):
        if "MAX" in written and column in ("payload", "body", "tags", "place", "raw"):
            continue
        assert (Code.TYPE_MISMATCH not in codes(dialect, written)) is fits, written


@pytest.mark.parametrize(
    ("expression", "fits"),
    [
        ("SUM(at - zoned)", True),
        ("SUM(EXTRACT(EPOCH FROM at))", True),
        ("AVG(day - day)", True),
        ("SUM(CAST(note AS numeric))", True),
        ("SUM(CAST(amount AS text))", False),
        ("SUM(at + INTERVAL '1 day')", False),
        ("SUM(date_trunc('day', at))", False),
        ("AVG(at::date)", False),
        ("SUM(note || '')", False),
        ("SUM(LOWER(note))", False),
        ("SUM(payload -> 'a')", False),
        ("SUM(payload ->> 'a')", False),
        ("SUM((payload ->> 'a')::numeric)", True),
        ("MAX(payload)", False),
        ("MAX(at)", True),
        ("COUNT(payload)", True),
    ],
)
def test_a7_expressions_have_types_too(expression: str, fits: bool) -> None:
    assert (codes(POSTGRES, f"SELECT {expression} FROM log") == set()) is fits


@pytest.mark.parametrize("op", [">=", ">", "<", "<=", "between"])
@pytest.mark.parametrize("column", ALL)
def test_a7_only_what_has_an_order_is_compared_by_it(column: str, op: str) -> None:
    values = {"note": "a", "day": "2026-01-01", "at": "2026-01-01", "zoned": "2026-01-01"}
    value = values.get(column, "12:00" if column == "clock" else 5)
    given = (value, value) if op == "between" else value
    fits = column in ORDERED
    call = QueryCall(table_name="log", filters=(Filter(field=column, op=op, value=given),))
    assert (Code.OPERATOR_INCOMPATIBLE not in codes(POSTGRES, call)) is fits
    literal = f"'{value}'" if isinstance(value, str) else str(value)
    compared = f"BETWEEN {literal} AND {literal}" if op == "between" else f"{op} {literal}"
    for sql in (
        f"SELECT id FROM log WHERE {column} {compared}",
        f"SELECT id FROM log WHERE NOT ({column} {compared})",
    ):
        assert (Code.OPERATOR_INCOMPATIBLE not in codes(POSTGRES, sql)) is fits


@pytest.mark.parametrize("column", ["payload", "body", "tags", "place", "raw", "done"])
def test_a7_nor_are_two_columns_without_an_order(column: str) -> None:
    sql = f"SELECT a.id FROM log a JOIN log b ON a.id = b.id WHERE a.{column} >= b.{column}"
    assert Code.OPERATOR_INCOMPATIBLE in codes(POSTGRES, sql)


@pytest.mark.parametrize("column", ALL)
@pytest.mark.parametrize("op", ["LIKE", "ILIKE", "SIMILAR TO", "~"])
def test_a7_patterns_are_for_text(column: str, op: str) -> None:
    found = codes(POSTGRES, f"SELECT id FROM log WHERE {column} {op} 'a%'")
    assert (Code.OPERATOR_INCOMPATIBLE not in found) is (column in ("note", "anything"))


@pytest.mark.parametrize(
    ("declared", "family"),
    [
        ("interval", ValueType.INTERVAL), ("interval day to second", ValueType.INTERVAL),
        ("point", ValueType.OTHER), ("int4range", ValueType.OTHER), ("integer[]", ValueType.OTHER),
        ("daterange", ValueType.OTHER), ("bytea", ValueType.OTHER), ("BLOB", ValueType.OTHER),
        ("time without time zone", ValueType.TIME), ("timestamptz", ValueType.TIMESTAMP),
        ("bigint", ValueType.INTEGER), ("numeric(18,2)", ValueType.NUMBER),
        ("jsonb", ValueType.JSON), ("money", ValueType.NUMBER), ("uuid", ValueType.TEXT),
    ],
)  # fmt: skip
def test_a7_declared_types_have_their_family(declared: str, family: ValueType) -> None:
    assert value_type_of(declared) is family


NAMES = (
    "closingBalance", "closing_balance", "Closing Balance", "CLOSINGBALANCE", "BALANCE_TOTAL",
    "debitTotal", "debit_totals", "Saldo", "Banksaldo", "bank_saldo", "Balance (CHF)",
    "balance2025",
    "期末余额", "本月合计",
)  # fmt: skip
OTHERS = ("amount", "quantity", "totalAmount", "balanceId", "balanced", "revenue")


def bare(name: str, ontology: OntologyDescriptor | None = None) -> Checker:
    ddl = f'CREATE TABLE "T" (id integer PRIMARY KEY, year integer, "{name}" numeric);'
    return Checker(compile_catalog(schema_from_ddl(ddl), ontology))


@pytest.mark.parametrize("name", NAMES)
def test_a7_a_sum_against_the_name_warns_and_blocks_where_names_are_strict(name: str) -> None:
    lenient = bare(name)
    sql = f'SELECT SUM("{name}") FROM "T"'
    for call in (sql, AggregateCall(table_name="T", aggregate="sum", field=name)):
        verdict = lenient.check(call)
        assert isinstance(verdict, CheckedQuery)
        assert [each.code for each in verdict.warnings] == [Code.INVALID_AGGREGATE_TARGET]
        assert verdict.warnings[0].mode is Mode.WARN
        assert codes(replace(lenient, strict_names=True), call) == {Code.INVALID_AGGREGATE_TARGET}
    for fine in (f'SELECT AVG("{name}") FROM "T"', f'SELECT MAX("{name}") FROM "T"'):
        verdict = replace(lenient, strict_names=True).check(fine)
        assert isinstance(verdict, CheckedQuery)
        assert verdict.warnings == ()


@pytest.mark.parametrize("name", OTHERS)
def test_a7_other_names_say_nothing(name: str) -> None:
    verdict = replace(bare(name), strict_names=True).check(f'SELECT SUM("{name}") FROM "T"')
    assert isinstance(verdict, CheckedQuery)
    assert verdict.warnings == ()


def test_a7_an_ontology_knows_better_than_a_name() -> None:
    entity = Entity(name="Thing", table="T", semantic_type=SemanticType.OBJECT)
    known = OntologyDescriptor(feature_code="t", entities=(entity,))
    verdict = replace(bare("orderTotal", known), strict_names=True).check(
        'SELECT SUM("orderTotal") FROM "T"'
    )
    assert isinstance(verdict, CheckedQuery)
    assert verdict.warnings == ()


__all__ = ["trustee"]


@pytest.mark.postgres
def test_a7_the_mode_validator_is_strict(trustee: Feature) -> None:
    def run_sql(sql: str) -> list[tuple[object, ...]]:
        return []

    hinted = replace(trustee, checker=Checker(compile_catalog(trustee.schema)))
    stage = EvalEnvironment(None, trustee, hinted, run_sql)  # type: ignore[arg-type]
    call = AggregateCall(
        table_name="TrusteeDataAccountBalance", aggregate="sum", field="closingBalance"
    )
    strict = stage.feature(MODES[ModeName.VALIDATOR]).checker
    assert codes(strict, call) == {Code.INVALID_AGGREGATE_TARGET}
    assert codes(hinted.checker, call) == set()
