"""Asks PostgreSQL for the plan of a statement, and for the size of the tables in it."""

import json
from collections.abc import Iterable, Sequence
from math import inf
from time import monotonic
from typing import Protocol

from veridical.contracts.statement import Statement
from veridical.engines.estimate import CostEstimate, Plan
from veridical.engines.postgres_plan import (
    Name,
    Relation,
    index_rows_of,
    needs_index_rows,
    postgres_estimate,
    relations_of,
)
from veridical.engines.values import Row

_EXPLAIN = "EXPLAIN (VERBOSE, FORMAT JSON) "
_SIZES = """
    SELECT n.nspname::text, c.relname::text, c.reltuples::float8, c.relpages
    FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
    WHERE (n.nspname, c.relname) IN (SELECT e->>0, e->>1 FROM json_array_elements($1::json) AS e)
    """


_UNCOUNTED = (-1.0, 0)
_BY_BITMAP = (
    Statement("SET LOCAL enable_indexscan = off", ()),
    Statement("SET LOCAL enable_indexonlyscan = off", ()),
)
_LIFE_SECONDS = 60.0
"""As long as PostgreSQL waits before it counts tables again."""
_MOST_TABLES = 10_000


class Ask(Protocol):
    """The rows of each of these statements, in one transaction."""

    def __call__(self, *statements: Statement) -> Sequence[Sequence[Row]]:
        """The rows."""
        ...


class TableSizes:
    """The rows and pages of tables as they were last counted, read again after a minute."""

    def __init__(self, life_seconds: float = _LIFE_SECONDS) -> None:
        self._life_seconds = life_seconds
        self._read: dict[Name, tuple[float, tuple[float, int]]] = {}

    def unknown(self, names: Iterable[Name]) -> list[Name]:
        """Those of these tables that have not been read lately."""
        since = monotonic() - self._life_seconds
        return [name for name in names if self._read.get(name, (-inf, ()))[0] < since]

    def keep(self, names: Iterable[Name], rows: Iterable[Row]) -> None:
        """Keep what was read of these tables."""
        if len(self._read) > _MOST_TABLES:
            self._read.clear()
        found = {(schema, name): (count, pages) for schema, name, count, pages in rows}
        self._read |= {name: (monotonic(), found.get(name, _UNCOUNTED)) for name in names}

    def of(self, name: Name) -> tuple[float, int]:
        """The rows and pages of a table."""
        return self._read.get(name, (0.0, _UNCOUNTED))[1]


class Explained:
    """A statement that is explained and not run."""

    def __init__(self, statement: Statement, ask: Ask, sizes: TableSizes) -> None:
        self._statement = statement._replace(sql=_EXPLAIN + statement.sql)
        self._ask = ask
        self._sizes = sizes

    def estimate(self) -> CostEstimate:
        """What it would read. Raises ``EngineError``."""
        plan = _plan(self._ask(self._statement)[0])
        nodes = relations_of(plan)
        by_bitmap = (*_BY_BITMAP, self._statement) if needs_index_rows(plan) else ()
        unknown = self._sizes.unknown(nodes)
        sizes = (Statement(_SIZES, (json.dumps(unknown),)),) if unknown else ()
        further = (*sizes, *by_bitmap)
        more = self._ask(*further) if further else []
        if sizes:
            self._sizes.keep(unknown, more[0])
        relations = {name: Relation.of(*self._sizes.of(name), node) for name, node in nodes.items()}
        rows = index_rows_of(_plan(more[-1])) if by_bitmap else {}
        return postgres_estimate(plan, relations, rows)


def _plan(rows: Sequence[Row]) -> Plan:
    answer = rows[0][0]
    return (json.loads(answer) if isinstance(answer, str) else answer)[0]["Plan"]
