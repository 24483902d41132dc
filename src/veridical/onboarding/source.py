"""A database as the profiler asks it: through the engine's reader, within the budget."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import sqlglot
from sqlglot import exp

from veridical.contracts.caller import Scope
from veridical.contracts.schema import Schema
from veridical.contracts.statement import Statement
from veridical.engines.database import Database
from veridical.engines.limits import Limits
from veridical.engines.values import Row
from veridical.onboarding.budget import Meter
from veridical.onboarding.profile import Sampling, TableProfile
from veridical.statement.errors import EngineError

_SPOKEN = frozenset({"postgres", "duckdb", "sqlite"})
"""Dialects that understand what is written here as it is."""
_ROWS = 10_000
_SAMPLES: dict[str, Callable[[float], str]] = {
    "postgres": lambda share: (
        f" TABLESAMPLE SYSTEM ({max(share * 100, 0.0001):.4f}) REPEATABLE (1)"
    ),
    "duckdb": lambda share: f" USING SAMPLE {max(share * 100, 0.0001):.4f}% (system, 1)",
    "sqlite": lambda share: f" WHERE rowid % {max(2, round(1 / share))} = 1",
}


@dataclass(frozen=True)
class Source:
    """One database with what may be spent on it."""

    database: Database
    meter: Meter

    @cached_property
    def schema(self) -> Schema:
        """Its tables."""
        return self.database.reflect()

    def ask(self, sql: str, rows: int = _ROWS) -> tuple[Row, ...] | None:
        """The rows of a statement; none where it fails, is refused, or takes too long."""
        if self.meter.is_over:
            return None
        limits = Limits(rows=rows, statement_ms=self.meter.statement_ms, row_bytes=8_000_000)
        statement = Statement(self._spoken(sql), ())
        try:
            return self.database.fetch(statement, Scope(), rows, limits).rows
        except EngineError:
            return None

    def one(self, sql: str) -> Row | None:
        """The only row of a statement; none where there is none."""
        found = self.ask(sql, 1)
        return found[0] if found else None

    def table(self, name: str) -> str:
        """The full name of a table, as a statement writes it."""
        known = self.schema.tables.get(name)
        home = self.database.namespace
        return ".".join(map(self.name, known.place(home) if known else (*home, name)))

    def name(self, text: str) -> str:
        """A quoted identifier."""
        return exp.to_identifier(text, quoted=True).sql("postgres")

    def sample(self, sampling: Sampling, most: int, rows: int) -> str:
        """What stands behind a table's name to read about so many of its rows, always the same."""
        if sampling is Sampling.NONE:
            return ""
        spoken = _SAMPLES.get(self.database.dialect)
        if sampling is Sampling.FIRST or spoken is None:
            return f" LIMIT {most}"
        return spoken(most / rows)

    def rows_of(self, profile: TableProfile) -> str:
        """What stands behind FROM to read the rows that were seen of a table, as ``t``."""
        place = self.table(profile.name)
        sample = self.sample(profile.sampling, profile.most, profile.rows)
        return f"(SELECT * FROM {place}{sample}) AS t" if sample else f"{place} AS t"  # nosec B608 # names are quoted

    def names(self, texts: Sequence[str]) -> str:
        """Several identifiers with commas between them."""
        return ", ".join(map(self.name, texts))

    def _spoken(self, sql: str) -> str:
        if self.database.dialect in _SPOKEN:
            return sql
        return sqlglot.transpile(sql, read="postgres", write=self.database.dialect)[0]


def text_literal(text: str) -> str:
    """A text as SQL writes it."""
    return "'" + text.replace("'", "''") + "'"
