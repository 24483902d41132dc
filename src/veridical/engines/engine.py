"""The engine: takes a checked query and nothing else, returns rows with a receipt."""

from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass, field, replace
from functools import lru_cache
from time import perf_counter
from typing import Self
from uuid import uuid4

from sqlglot import exp

from veridical.contracts.call import MetricCall, SqlCall
from veridical.contracts.caller import Scope
from veridical.contracts.checked import CheckedQuery
from veridical.contracts.result import Emptiness, Receipt
from veridical.contracts.statement import Statement
from veridical.engines.conditions import Condition, conditions_of
from veridical.engines.database import Database
from veridical.engines.limits import Fetched, Limits
from veridical.engines.probe import existence_of, worth_asking
from veridical.engines.reason import for_caller
from veridical.engines.receipt import (
    Freshness,
    fixed_values,
    is_empty,
    names_only_foreign_tenants,
    time_ranges,
)
from veridical.engines.values import Row
from veridical.ontology.catalog import Catalog
from veridical.statement.emit import (
    Emitted,
    Shape,
    call_shape,
    emit,
    parameters_of,
    tree_of,
)
from veridical.statement.errors import EngineError
from veridical.statement.scope import Ground, ScopeShape, refuse_writes, scope_shape

_KEPT_TEXTS = 1024
Visible = tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The rows of one call, in JSON values, and the host's record of it."""

    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    receipt: Receipt


@dataclass(frozen=True, slots=True)
class _Sql:
    """A checked statement by its text: for one set of columns it is always the same tree."""

    text: str
    tree: exp.Query = field(compare=False)


class Engine:
    """Runs checked queries against one database."""

    def __init__(
        self,
        database: Database,
        catalog: Catalog,
        *,
        limits: Limits | None = None,
        shared: Iterable[str] = (),
        freshness: Freshness | None = None,
    ) -> None:
        """Takes the whole catalog, compiled from the live schema.

        Tenant columns must be known even if callers don't see them. ``shared`` are globs of
        tables that have no tenant; ``*`` means that the database has a single one.
        """
        self.database = database
        self.limits = limits or Limits()
        self._catalog = catalog
        self._columns = {name: frozenset(card.columns) for name, card in catalog.tables.items()}
        self._places = {
            name: card.place(database.namespace) for name, card in catalog.tables.items()
        }
        self._shared = frozenset(shared)
        self._freshness = freshness
        self._text = lru_cache(_KEPT_TEXTS)(self._write)
        self._sql = lru_cache(_KEPT_TEXTS)(self._write_sql)

    def within(self, rows: int) -> Self:
        """The same engine with at most so many rows a query."""
        narrowed = copy(self)
        narrowed.limits = replace(self.limits, rows=min(rows, self.limits.rows))
        return narrowed

    def run(self, checked: CheckedQuery) -> Outcome:
        """The result of a checked query. Raises ``EngineError``, whose text is safe to show."""
        if not isinstance(checked, CheckedQuery):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError("the engine runs only what veridical.check has passed")
        started = perf_counter()
        rows = min(checked.call.limit or self.limits.rows, self.limits.rows)
        statement = self._statement(checked, rows)
        fetched = self._fetched(statement, checked, rows)
        conditions = conditions_of(checked, self._catalog)
        receipt = Receipt(
            call_id=str(uuid4()),
            query_hash=checked.query_hash,
            ontology_hash=checked.ontology_hash,
            sql=statement.sql,
            row_count=len(fetched.rows),
            truncated=fetched.truncated,
            emptiness=self._emptiness(checked, fetched, conditions),
            time_range=time_ranges(conditions),
            elapsed_ms=round((perf_counter() - started) * 1000, 3),
            held=fixed_values(checked, conditions),
            lineage=checked.lineage,
        )
        return Outcome(fetched.columns, fetched.rows, receipt)

    def _fetched(self, statement: Statement, checked: CheckedQuery, rows: int) -> Fetched:
        try:
            return self.database.fetch(statement, checked.caller.scope, rows, self.limits)
        except EngineError as error:
            shown = for_caller(error, checked, self._places, self._columns)
        raise shown  # out here, so that its context has none of the removed names

    def _statement(self, checked: CheckedQuery, rows: int) -> Statement:
        scope = checked.caller.scope
        shape = scope_shape(scope, self._shared)
        visible = tuple(checked.columns.items())
        call = checked.call
        if checked.tree is not None:
            sql = _Sql(getattr(call, "sql", checked.query_hash), checked.tree)
            return self._sql(sql, visible, shape, rows).bind((), scope)
        if isinstance(call, MetricCall | SqlCall):
            raise TypeError(f"a checked {call.tool} carries its statement")
        values = parameters_of(call)
        return self._text(call_shape(call), visible, shape, rows, len(values)).bind(values, scope)

    def _write_sql(self, sql: "_Sql", visible: Visible, scope: ScopeShape, rows: int) -> Emitted:
        tree = sql.tree.copy()
        refuse_writes(tree)
        return emit(tree, scope, self._ground(visible), rows, self.database.dialect)

    def _write(
        self, shape: Shape, visible: Visible, scope: ScopeShape, rows: int, values: int
    ) -> Emitted:
        tree = tree_of(shape, self._catalog, dict(visible))
        return emit(tree, scope, self._ground(visible), rows, self.database.dialect, values)

    def _ground(self, visible: Visible) -> Ground:
        return Ground(self.database.namespace, self._columns, dict(visible), self._places)

    def _emptiness(
        self, checked: CheckedQuery, fetched: Fetched, conditions: list[Condition]
    ) -> Emptiness | None:
        scope = checked.caller.scope
        empty = not fetched.truncated and is_empty(checked, fetched)
        if empty and (_sees_nothing(scope) or names_only_foreign_tenants(conditions, scope)):
            return Emptiness.NOT_PERMITTED
        if self._freshness is not None and self._freshness.is_stale(checked.columns):
            return Emptiness.STALE
        if fetched.truncated:
            return Emptiness.TRUNCATED
        if not empty:
            return None
        unknown = self._names_unknown_value(checked, conditions)
        return Emptiness.VALUE_UNKNOWN if unknown else Emptiness.NO_MATCH

    def _names_unknown_value(self, checked: CheckedQuery, conditions: list[Condition]) -> bool:
        scope = checked.caller.scope
        probed = worth_asking(conditions, checked.columns, scope)
        if not probed:
            return False
        shape, ground = (
            scope_shape(scope, self._shared),
            self._ground(tuple(checked.columns.items())),
        )
        statement = existence_of(probed, scope, shape, ground, self.database.dialect)
        briefly = replace(self.limits, statement_ms=self.limits.probe_ms)
        try:
            answers = self.database.fetch(statement, scope, 1, briefly).rows
        except EngineError:
            return False  # not found out in time: "no match" is all that is certain
        return not all(answers[0])


def _sees_nothing(scope: Scope) -> bool:
    return any(not values for values in scope.allowed.values())
