"""The engine: takes a checked query and nothing else, returns rows with a receipt."""

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from decimal import Decimal
from functools import lru_cache
from time import perf_counter
from typing import Self
from uuid import uuid4

from sqlglot import exp

from veridical.contracts.call import MetricCall, SqlCall
from veridical.contracts.caller import Scope
from veridical.contracts.checked import CheckedQuery
from veridical.contracts.cost import Cost, CostSettings
from veridical.contracts.result import Emptiness, Receipt
from veridical.contracts.statement import Bound, Statement
from veridical.engines.conditions import Condition, conditions_of
from veridical.engines.cost_guard import CostGuard
from veridical.engines.database import Database
from veridical.engines.limits import Fetched, Limits
from veridical.engines.reason import for_caller
from veridical.engines.receipt import (
    Freshness,
    fixed_values,
    is_empty,
    is_time,
    names_only_foreign_tenants,
    time_ranges,
)
from veridical.engines.result_keeping import ResultKeeping
from veridical.engines.step_statements import prepare
from veridical.engines.values import Row
from veridical.ontology.catalog import Catalog
from veridical.statement.emit import Emitted, Shape, call_shape, emit, parameters_of, tree_of
from veridical.statement.errors import EngineError
from veridical.statement.filters import bound
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
        self._cost = CostSettings()
        self._keeping: ResultKeeping | None = None
        self._text = lru_cache(_KEPT_TEXTS)(self._write)
        self._sql = lru_cache(_KEPT_TEXTS)(self._write_sql)

    def within(self, rows: int | None = None, *, milliseconds: int | None = None) -> Self:
        """The same engine with at most so many rows and so much time a query."""
        own = self.limits
        narrowed = copy(self)
        narrowed.limits = replace(
            own,
            rows=min(own.rows if rows is None else rows, own.rows),
            statement_ms=min(
                own.statement_ms if milliseconds is None else milliseconds, own.statement_ms
            ),
        )
        return narrowed

    def under(self, cost: CostSettings) -> Self:
        """The same engine, which refuses statements that would read more than this."""
        guarded = copy(self)
        guarded._cost = cost
        return guarded

    def keeping(self, keeping: ResultKeeping) -> Self:
        """The same engine, which uses results again where it may."""
        using = copy(self)
        using._keeping = keeping
        return using

    def run(self, checked: CheckedQuery) -> Outcome:
        """The result of a checked query. Raises ``EngineError``, whose text is safe to show."""
        if not isinstance(checked, CheckedQuery):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError("the engine runs only what veridical.check has passed")
        started = perf_counter()
        prepare(self.database)
        rows = min(checked.call.limit or self.limits.rows, self.limits.rows)
        statement = self._statement(checked, rows)
        conditions = conditions_of(checked, self._catalog)
        use = self._keeping and self._keeping.of(statement, checked, self.database, self.limits)
        kept = use.find() if use and not self._is_stale(checked) else None
        cost, began = None, datetime.now(UTC)
        if kept is not None:
            fetched, emptiness = kept.fetched, kept.emptiness
        else:
            fetched, cost = self._guarded(statement, checked, conditions, rows)
            emptiness = self._emptiness(checked, fetched, conditions)
            if use:
                use.keep(fetched, emptiness, began)
        receipt = Receipt(
            call_id=str(uuid4()),
            query_hash=checked.query_hash,
            ontology_hash=checked.ontology_hash,
            sql=statement.sql,
            parameters=tuple(map(_recorded, statement.parameters)),
            row_count=len(fetched.rows),
            truncated=fetched.truncated,
            emptiness=emptiness,
            time_range=time_ranges(conditions),
            elapsed_ms=round((perf_counter() - started) * 1000, 3),
            held=fixed_values(checked, conditions),
            lineage=checked.lineage,
            cost=cost,
            kept_at=kept and kept.kept_at,
        )
        return Outcome(fetched.columns, fetched.rows, receipt)

    def _guarded(
        self,
        statement: Statement,
        checked: CheckedQuery,
        conditions: list[Condition],
        rows: int,
    ) -> tuple[Fetched, Cost | None]:
        """The rows, within the budget, and what they cost."""
        budget = self._cost.of(checked.caller.member_of or checked.caller.tenant)
        guard = CostGuard(self.database, self.limits, budget, self._catalog)
        estimate = guard.estimate(statement, checked, conditions)
        fetched = self._fetched(statement, checked, rows)
        return fetched, guard.recorded(estimate, fetched, checked)

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
        if self._is_stale(checked):
            return Emptiness.STALE
        if fetched.truncated:
            return Emptiness.TRUNCATED
        if not empty:
            return None
        unknown = self._names_unknown_value(checked, conditions)
        return Emptiness.VALUE_UNKNOWN if unknown else Emptiness.NO_MATCH

    def _is_stale(self, checked: CheckedQuery) -> bool:
        return self._freshness is not None and self._freshness.is_stale(checked.columns)

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


def worth_asking(
    conditions: Sequence[Condition], visible: Mapping[str, Sequence[str]], scope: Scope
) -> list[Condition]:
    """The conditions on values: no periods, no tenants, no hidden columns."""
    return [
        condition
        for condition in conditions
        if condition.op in ("=", "in")
        and condition.column.name in visible.get(condition.column.table, ())
        and condition.column.name not in scope.allowed
        and not is_time(condition.column)
    ]


def existence_of(
    conditions: Sequence[Condition], scope: Scope, shape: ScopeShape, ground: Ground, dialect: str
) -> Statement:
    """One row with a truth value for each condition: whether any of the caller's rows meets it."""
    values: list[Bound] = []
    answers: list[exp.Expr] = []
    for condition in conditions:
        known = [bound(value) for value in condition.values if value is not None]
        parameters = [
            exp.Parameter(this=exp.Literal.number(len(values) + number))
            for number in range(1, len(known) + 1)
        ]
        values += known
        answers.append(_exists(condition, parameters))
    tree = exp.Select(expressions=answers)
    return emit(tree, shape, ground, 1, dialect, len(values)).bind(tuple(values), scope)


def _recorded(value: Bound) -> str | int | float | bool:
    """A value as a receipt has it: a decimal as a number."""
    if not isinstance(value, Decimal):
        return value
    return int(value) if value == value.to_integral_value() else float(value)


def _exists(condition: Condition, parameters: list[exp.Parameter]) -> exp.Exists:
    table = exp.Table(this=exp.to_identifier(condition.column.table, quoted=True))
    table.meta["table"] = condition.column.table
    met = exp.In(this=exp.column(condition.column.name, quoted=True), expressions=parameters)
    select = exp.Select(
        expressions=[exp.Literal.number(1)],
        from_=exp.From(this=table),
        where=exp.Where(this=met if parameters else exp.false()),
    )
    return exp.Exists(this=select)
