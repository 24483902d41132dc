"""How many of thousands of hostile statements show anything of another tenant. The goal is none.

Every statement runs for real, up to three times: through check and engine; with the check's
refusal ignored, through the engine alone; and as bare text under row-level security alone. Each
time it runs on two databases that differ in the other tenants' rows only. A leak is a value of
those rows in what the caller is shown, rows or error; on the first two ways, any difference
between the two databases counts as a leak as well, so that no encoding can hide one.
"""

import logging
import time
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice

import psycopg
import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from benchmarks.command import command, show
from benchmarks.leak_attacks import VICTIM, leak_statements
from veridical.check.checker import Checker
from veridical.contracts import checked as sealing
from veridical.contracts.call import SqlCall
from veridical.contracts.caller import Caller, Scope
from veridical.contracts.checked import CheckedQuery
from veridical.contracts.statement import Statement
from veridical.contracts.violation import Refusal
from veridical.engines import Engine, EngineError, Limits, Postgres, install_row_level_security
from veridical.ontology.compile import compile_catalog
from veridical.sample.postgres import LocalPostgres, local_postgres

OWN = "tenant-alpha-9a3e"
TENANTS = {OWN: 31, VICTIM: 43, "tenant-gamma-c07d": 59}
"""Each tenant and how many rows it has in each table."""
READER = "leak_reader"
CALLER = Caller(Scope({"mandateId": (OWN,)}))
LIMITS = Limits(rows=2_000, statement_ms=2_000)
TABLES = """
    CREATE TABLE "Account" (
        "id" int PRIMARY KEY, "mandateId" text, "number" text, "label" text, "balance" numeric
    );
    CREATE TABLE "JournalLine" (
        "id" int PRIMARY KEY, "mandateId" text, "text" text, "amount" numeric
    );
    CREATE TABLE "Contact" ("id" int PRIMARY KEY, "mandateId" text, "name" text, "iban" text);
    CREATE SEQUENCE seq;
"""


@dataclass(frozen=True)
class Shown:
    """What the caller got to see, and who stopped it."""

    by: str
    text: str


@dataclass(frozen=True)
class Wall:
    """One database with the check and the engine in front of it."""

    checker: Checker
    engine: Engine
    database: Postgres
    caller: Caller

    def through_all(self, sql: str) -> Shown:
        verdict = self.checker.check(SqlCall(sql=sql, limit=LIMITS.rows), self.caller)
        if isinstance(verdict, Refusal):
            return Shown("check", verdict.model_dump_json())
        return self._run(verdict)

    def through_engine(self, sql: str) -> Shown:
        """As if the check had passed it, where it is a single query at all."""
        try:
            trees = sqlglot.parse(sql, dialect="postgres")
        except (SqlglotError, ValueError, RecursionError):
            return Shown("parser", "")
        tree = trees[0]
        if len(trees) != 1 or not isinstance(tree, exp.Query):
            return Shown("parser", "")
        columns = {name: tuple(card.columns) for name, card in self.checker.catalog.tables.items()}
        call = SqlCall(sql=sql, limit=LIMITS.rows)
        return self._run(CheckedQuery(sealing.SEAL, call, self.caller, "", columns, tree))

    def through_row_policies(self, sql: str) -> Shown:
        try:
            found = self.database.fetch(Statement(sql, ()), self.caller.scope, LIMITS.rows, LIMITS)
        except EngineError as error:
            return Shown("database", str(error))
        return Shown("rows", "\n".join(sorted(map(repr, found.rows))))

    def _run(self, checked: CheckedQuery) -> Shown:
        try:
            outcome = self.engine.run(checked)
        except EngineError as error:
            return Shown("engine", str(error))
        return Shown("rows", "\n".join(sorted(map(repr, outcome.rows))))


WAYS = (
    (Wall.through_all, True),
    (Wall.through_engine, True),
    (Wall.through_row_policies, False),
)
"""The three ways, and whether any difference between the databases counts."""


def run(limit: int | None = None, caller: Caller = CALLER) -> dict[str, object]:
    """The figures over the first ``limit`` statements, or over all.

    A caller who may see more than the first tenant is a planted leak: it must be found.
    """
    started = time.perf_counter()
    logging.getLogger("sqlglot").setLevel(logging.ERROR)  # it remarks on every odd statement
    counts: Counter[str] = Counter()
    leaks: list[dict[str, str]] = []
    with (
        local_postgres() as server,
        _wall(server, "full", tuple(TENANTS), caller) as full,
        _wall(server, "alone", (OWN,), caller) as alone,
    ):
        for sql in islice(leak_statements(), limit):
            counts["statements"] += 1
            for way, strict in WAYS:
                shown, expected = way(full, sql), way(alone, sql)
                counts[f"{way.__name__}_{shown.by}"] += 1
                if _foreign_values(shown.text, sql) or (strict and shown != expected):
                    leaks.append({"way": way.__name__, "sql": sql, "shown": shown.text[:500]})
                    counts[f"{way.__name__}_leaks"] += 1
    return {
        "tenant_leaks": len(leaks),
        **dict(sorted(counts.items())),
        "seconds": round(time.perf_counter() - started, 1),
        "leaks": leaks[:20],
    }


def _foreign_values(text: str, sql: str) -> bool:
    """True when the text holds a value of another tenant that the attacker didn't write himself."""
    marks = (mark for tenant in TENANTS if tenant != OWN for mark in (tenant, _mark(tenant)))
    return any(mark in text and mark not in sql for mark in marks)


def _mark(tenant: str) -> str:
    """A word that stands in every text of a tenant's rows."""
    return tenant.split("-")[1].upper() + "-MARK"


@contextmanager
def _wall(
    server: LocalPostgres, name: str, tenants: tuple[str, ...], caller: Caller
) -> Generator[Wall]:
    url = server.create_database(name)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(TABLES)
        for number, tenant in enumerate(TENANTS):
            if tenant in tenants:
                _fill(connection, tenant, (number + 1) * 1_000_000)
        connection.execute("ANALYZE")
        protected = {table: ["mandateId"] for table in ("Account", "JournalLine", "Contact")}
        install_row_level_security(connection, protected, READER)
    database = Postgres(url, role=READER, connections=1)
    catalog = compile_catalog(database.reflect())
    yield Wall(Checker(catalog), Engine(database, catalog, limits=LIMITS), database, caller)
    database.close()


def _fill(connection: "psycopg.Connection[tuple[object, ...]]", tenant: str, first: int) -> None:
    mark = _mark(tenant)
    for row in range(TENANTS[tenant]):
        key, text = first + row, f"{mark}-{row}"
        amount = f"{key}.37"
        connection.execute(
            'INSERT INTO "Account" VALUES (%s, %s, %s, %s, %s)',
            (key, tenant, text, text, amount),
        )
        connection.execute(
            'INSERT INTO "JournalLine" VALUES (%s, %s, %s, %s)', (key, tenant, text, amount)
        )
        connection.execute(
            'INSERT INTO "Contact" VALUES (%s, %s, %s, %s)', (key, tenant, text, text)
        )


if __name__ == "__main__":
    parser = command(__doc__)
    parser.add_argument("--limit", type=int)
    arguments = parser.parse_args()
    show(run(arguments.limit), arguments)
