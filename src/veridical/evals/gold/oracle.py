"""Oracle: the truth from plain SQL, run by the database's owner without any of our tools."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg.sql import Literal
from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from veridical.contracts.caller import Scope
from veridical.contracts.schema import Schema, Table
from veridical.contracts.statement import Statement
from veridical.engines import Database, EngineError, Limits
from veridical.evals.gold.case import Case, GoldSet, Oracle
from veridical.ontology.errors import LoadError
from veridical.statement.scope import base_table

_EVERY_ROW = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Truth:
    """The true result."""

    columns: tuple[str, ...] = ()
    rows: tuple[tuple[Any, ...], ...] = ()

    def values(self, *columns: str) -> tuple[Any, ...]:
        """The values of these columns, row by row. Raises ``LoadError`` for an unknown one."""
        unknown = set(columns) - set(self.columns)
        if unknown:
            raise LoadError(f"the truth has no column {', '.join(sorted(unknown))}")
        places = [self.columns.index(column) for column in columns]
        return tuple(row[place] for row in self.rows for place in places)


RunSql = Callable[[str], Truth]


@dataclass(frozen=True, slots=True)
class CaseTruth:
    """The truth of one case, and the result that shows that its trap was stepped into."""

    truth: Truth = Truth()
    wrong: Truth = Truth()


def truths_of(gold: GoldSet, run: RunSql) -> dict[str, CaseTruth]:
    """The truth of every case, by its id."""
    return {case.id: truth_of(case, gold, run) for case in gold.cases}


def truth_of(case: Case, gold: GoldSet, run: RunSql) -> CaseTruth:
    """The truth of one case. Raises ``LoadError`` that names a case whose SQL does not run."""
    tenant = case.tenant or gold.tenant

    def result_of(oracle: Oracle | None) -> Truth:
        return Truth() if oracle is None else run(_filled(oracle.sql, gold.tenant_names, tenant))

    try:
        return CaseTruth(result_of(case.truth), result_of(case.wrong_if))
    except (psycopg.Error, EngineError, LoadError, SqlglotError) as error:
        raise LoadError(f"{gold.name}, {case.id}: {error}") from error


@contextmanager
def postgres_oracle(url: str) -> Generator[RunSql]:
    """Runs each statement in a transaction of its own that can only read, on one connection."""
    with psycopg.connect(url) as connection:
        connection.read_only = True

        def run(sql: str) -> Truth:
            with connection.transaction():
                # Gold files are ours, as code is; psycopg wants a literal unless it gets bytes.
                cursor = connection.execute(sql.encode())
                columns = tuple(column.name for column in cursor.description or ())
                return Truth(columns, tuple(cursor.fetchall()))

        yield run


def engine_oracle(database: Database) -> RunSql:
    """Runs each statement as it is written, without a tenant, on any engine.

    Only the place of the tables is added: engines find them by their full names.
    """

    known = Schema()

    def run(sql: str) -> Truth:
        nonlocal known
        known = known if known.tables else database.reflect()
        tree = parse_one(sql, dialect=database.dialect)
        common = {each.alias_or_name for each in tree.find_all(exp.CTE)}
        for table in list(tree.find_all(exp.Table)):
            if isinstance(table.this, exp.Identifier) and not table.db and table.name not in common:
                own = known.tables.get(table.name, Table(table.name, ()))
                placed = base_table(own.place(database.namespace))
                if own.own_name and not table.alias:
                    table.set("alias", exp.TableAlias(this=table.this.copy()))
                for part in ("this", "db", "catalog"):
                    table.set(part, placed.args.get(part))
        statement = Statement(tree.sql(database.dialect), ())
        found = database.fetch(statement, Scope(), _EVERY_ROW, Limits(bytes=_EVERY_ROW))
        return Truth(found.columns, found.rows)

    return run


def _filled(sql: str, names: tuple[str, ...], tenant: tuple[str, ...]) -> str:
    """The statement with the tenant's values as literals."""
    for name, value in zip(names, tenant, strict=False):
        sql = sql.replace(f"{{{name}}}", Literal(value).as_string())
    return sql
