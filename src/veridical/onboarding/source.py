"""A database for the profiler, read through the engine within the budget."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import sqlglot
from sqlglot import exp

from veridical.contracts.caller import Scope
from veridical.contracts.schema import Schema
from veridical.contracts.statement import Statement
from veridical.engines.database import Database
from veridical.engines.estimate import CostEstimate, Estimates
from veridical.engines.limits import Limits
from veridical.engines.values import Row
from veridical.onboarding.budget import Meter
from veridical.onboarding.profile import Sampling, TableProfile
from veridical.statement.errors import EngineError

_NATIVE_DIALECTS = frozenset({"postgres", "duckdb", "sqlite"})
"""Dialects that run the statements here unchanged."""
_ROWS = 10_000
_ROW_BYTES = 100
"""The bytes of a row where the engine estimates only their number."""
_SAMPLES: dict[str, Callable[[float], str]] = {
    "postgres": lambda share: (
        f" TABLESAMPLE SYSTEM ({max(share * 100, 0.0001):.4f}) REPEATABLE (1)"
    ),
    "duckdb": lambda share: f" USING SAMPLE {max(share * 100, 0.0001):.4f}% (system, 1)",
    "sqlite": lambda share: f" WHERE rowid % {max(2, round(1 / share))} = 1",
}


@dataclass(frozen=True)
class Source:
    """One database with its budget."""

    database: Database
    meter: Meter
    large: set[str] = field(default_factory=set[str])
    """The full names of tables that are costly to read: what a statement on them would read is
    estimated first."""

    @cached_property
    def schema(self) -> Schema:
        """Its tables."""
        return self.database.reflect()

    def ask(self, sql: str, rows: int = _ROWS) -> tuple[Row, ...] | None:
        """The rows of a statement; None if it fails, is refused, or takes too long."""
        if self.meter.is_over:
            return None
        limits = Limits(rows=rows, statement_ms=self.meter.statement_ms, row_bytes=8_000_000)
        statement = Statement(self._in_dialect(sql), ())
        if any(place in sql for place in self.large):
            size = _size_of(self._estimate(statement, limits))
            if not self.meter.allows(size):
                return None
            self.meter.add(size)
        try:
            return self.database.fetch(statement, Scope(), rows, limits).rows
        except EngineError:
            return None

    def one(self, sql: str) -> Row | None:
        """The only row of a statement; None if there is none."""
        found = self.ask(sql, 1)
        return found[0] if found else None

    def about(self, table: str) -> int | None:
        """The rows of a table by the database's own statistics; None where it has none."""
        if self.meter.is_over:
            return None
        sql = f"SELECT * FROM {self.table(table)}"  # quoted
        found = self._estimate(Statement(self._in_dialect(sql), ()), Limits())
        return None if found is None else found.rows_read

    def _estimate(self, statement: Statement, limits: Limits) -> CostEstimate | None:
        if not isinstance(self.database, Estimates):
            return None
        try:
            return self.database.estimate(statement, Scope(), limits)
        except (EngineError, LookupError, TypeError, ValueError):  # a plan that can't be read
            return None

    def table(self, name: str) -> str:
        """The full name of a table in a statement."""
        known = self.schema.tables.get(name)
        home = self.database.namespace
        return ".".join(map(self.name, known.place(home) if known else (*home, name)))

    def name(self, text: str) -> str:
        """A quoted identifier."""
        return exp.to_identifier(text, quoted=True).sql("postgres")

    def sample(self, sampling: Sampling, most: int, rows: int) -> str:
        """The clause after a table's name that reads about so many of its rows, always the same."""
        if sampling is Sampling.NONE:
            return ""
        sample_clause = _SAMPLES.get(self.database.dialect)
        if sampling is Sampling.FIRST or sample_clause is None:
            return f" LIMIT {most}"
        return sample_clause(most / rows)

    def rows_of(self, profile: TableProfile) -> str:
        """The source after FROM of the rows that were seen of a table, as ``t``."""
        place = self.table(profile.name)
        sample = self.sample(profile.sampling, profile.most, profile.rows)
        return f"(SELECT * FROM {place}{sample}) AS t" if sample else f"{place} AS t"

    def names(self, texts: Sequence[str]) -> str:
        """Several identifiers with commas between them."""
        return ", ".join(map(self.name, texts))

    def _in_dialect(self, sql: str) -> str:
        if self.database.dialect in _NATIVE_DIALECTS:
            return sql
        return sqlglot.transpile(sql, read="postgres", write=self.database.dialect)[0]


def _size_of(estimate: CostEstimate | None) -> int:
    """The bytes of an estimate; nothing where there is none: the time limit still holds."""
    if estimate is None:
        return 0
    if estimate.bytes_read is not None:
        return estimate.bytes_read
    return estimate.rows_read * _ROW_BYTES


def text_literal(text: str) -> str:
    """A text as an SQL literal."""
    return "'" + text.replace("'", "''") + "'"
