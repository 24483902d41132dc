"""A structured call to facts: the same facts that the equivalent SQL would give. Operators have one
spelling each, with the others that people write."""

from collections.abc import Iterable
from functools import lru_cache

from veridical.check.facts import (
    Aggregate,
    Block,
    Facts,
    Filter,
    Literal,
    LiteralKind,
    Origin,
    Problem,
    Reading,
    Side,
    Term,
    Terms,
    Use,
)
from veridical.check.sql.names import column_elsewhere
from veridical.contracts.call import AggregateCall, BrowseCall, Scalar, TableCall
from veridical.contracts.call import Filter as Condition
from veridical.contracts.violation import Code
from veridical.ontology.catalog import Catalog, TableCard
from veridical.ontology.nearest import nearest

OPERATORS: tuple[str, ...] = (
    "=", "!=", "<", "<=", ">", ">=", "in", "not in", "like", "not like", "ilike", "between",
    "is null", "is not null",
)  # fmt: skip
_ALIASES = {
    "==": "=", "eq": "=", "equals": "=", "is": "=", "<>": "!=", "ne": "!=", "neq": "!=",
    "gt": ">", "gte": ">=", "ge": ">=", "lt": "<", "lte": "<=", "le": "<=",
    "not_in": "not in", "notin": "not in", "nin": "not in", "isnull": "is null",
    "is_null": "is null", "notnull": "is not null", "is_not_null": "is not null",
    "not_like": "not like",
}  # fmt: skip
_KNOWN = frozenset(OPERATORS)

AGGREGATES: tuple[str, ...] = (
    "sum", "avg", "count", "count_distinct", "min", "max", "median", "stddev",
)  # fmt: skip
_KINDS: dict[type, LiteralKind] = {
    bool: LiteralKind.BOOLEAN,
    int: LiteralKind.NUMBER,
    float: LiteralKind.NUMBER,
    str: LiteralKind.TEXT,
    type(None): LiteralKind.NULL,
}
_AGGREGATE_SET = frozenset(AGGREGATES)
_LISTS = frozenset({"in", "not in"})


def respelled(call: TableCall) -> TableCall:
    """The call with every known operator in its one spelling."""
    if isinstance(call, BrowseCall) or all(each.op in _KNOWN for each in call.filters):
        return call
    filters = tuple(
        each.model_copy(update={"op": canonical(each.op) or each.op}) for each in call.filters
    )
    return call.model_copy(update={"filters": filters})


def canonical(op: str) -> str | None:
    """The one spelling of this operator; none when it is unknown."""
    if op in _KNOWN:
        return op
    lowered = " ".join(op.strip().lower().split())
    if lowered in _KNOWN:
        return lowered
    return _ALIASES.get(lowered)


def facts_of_call(call: TableCall, catalog: Catalog) -> Facts:
    """The facts of this call; names that don't exist become problems."""
    table = catalog.table(call.table_name)
    if table is None:
        return Facts(problems=[_unknown_table(call.table_name, catalog)])
    reader = _CallReader(table, catalog)
    facts = reader.facts
    if isinstance(call, BrowseCall):
        facts.inspects = True
        reader.read_all(call.fields, "select")
        return facts
    for condition in call.filters:
        reader.condition(condition)
    if isinstance(call, AggregateCall):
        reader.aggregate(call)
    else:
        reader.read_all(call.fields or table.columns, "select")
    for order in call.order_by:
        reader.order(order.field, call)
    return facts


class _Plan:
    """The parts common to all calls on one table, made once."""

    __slots__ = ("origins", "readings", "sides", "use")

    def __init__(self, table: TableCard) -> None:
        self.use = Use(0, table)
        self.sides = [Side(frozenset((0,)), ())]
        self.origins = {name: Origin(0, column) for name, column in table.columns.items()}
        self.readings = {
            clause: {name: Reading(origin, clause) for name, origin in self.origins.items()}
            for clause in ("select", "where", "group", "aggregate", "order")
        }


_plan = lru_cache(maxsize=20_000)(_Plan)


class _CallReader:
    """Reads the parts of one call on one table into facts."""

    __slots__ = ("_catalog", "_plan", "_table", "facts")

    def __init__(self, table: TableCard, catalog: Catalog) -> None:
        self._table = table
        self._catalog = catalog
        self._plan = _plan(table)
        conditions: list[Filter] = []
        self.facts = Facts(
            uses=[self._plan.use],
            blocks=[Block(0, self._plan.sides)],
            filters=conditions,
            comparisons=conditions,
        )

    def read(self, name: str, clause: str) -> Origin | None:
        readings = self._plan.readings[clause]
        reading = readings.get(name)
        if reading is None:
            column = self._table.column(name)
            if column is None:
                self.facts.problems.append(self._unknown(name))
                return None
            reading = readings[column.name]
        self.facts.readings.append(reading)
        return reading.origin

    def read_all(self, names: Iterable[str], clause: str) -> None:
        for name in names:
            self.read(name, clause)

    def condition(self, condition: Condition) -> None:
        origin = self.read(condition.field, "where")
        op = canonical(condition.op)
        if op is None:
            self.facts.problems.append(_unknown_operator(condition))
            return
        value = condition.value
        misfit = _arity(op, value)
        if misfit is not None:
            self.facts.problems.append(
                Problem(Code.OPERATOR_INCOMPATIBLE, condition.field, misfit, "arity", (("op", op),))
            )
        if origin is not None:
            listed = value if isinstance(value, tuple) else (value,)
            values = tuple([Literal(_KINDS[type(each)], each) for each in listed])
            self.facts.filters.append(Filter(origin, op, values))

    def order(self, name: str, call: TableCall) -> None:
        if isinstance(call, AggregateCall):
            if name == call.field or name in _result_names(call):
                return
            origin = self.read(name, "order")
            block = self.facts.blocks[0]
            if origin is not None and origin not in block.keys:
                block.ungrouped.append(origin)
        else:
            self.read(name, "order")

    def aggregate(self, call: AggregateCall) -> None:
        keys = [self.read(name, "group") for name in call.group_by]
        block = self.facts.blocks[0]
        if keys:
            block.grouped = True
            block.keys = frozenset([key for key in keys if key is not None])
        function = call.aggregate
        if function not in _AGGREGATE_SET:
            function = self._known_aggregate(function)
        terms: Terms = ()
        kind = None
        if call.field and call.field != "*":
            origin = self.read(call.field, "aggregate")
            terms = (Term(origin),) if origin else ()
            kind = origin.column.type if origin else None
        elif function != "count":
            self.facts.problems.append(Problem(Code.FIELD_NOT_FOUND, "*", None, "no_field"))
        distinct = function == "count_distinct"
        self.facts.aggregates.append(
            Aggregate("count" if distinct else function, terms, 0, block.keys, distinct, kind)
        )

    def _known_aggregate(self, written: str) -> str:
        function = written.strip().lower()
        if function in _AGGREGATE_SET:
            return function
        suggestion = nearest(function, AGGREGATES, 60)
        self.facts.problems.append(Problem(Code.FUNCTION_NOT_ALLOWED, written, suggestion))
        return "sum"

    def _unknown(self, name: str) -> Problem:
        path = f"{self._table.name}.{name}".casefold()
        if path in self._catalog.hidden:
            return Problem(Code.NOT_PERMITTED, name)
        suggestion = nearest(name, self._table.columns) or column_elsewhere(
            name, [self._table], self._catalog
        )
        return Problem(Code.FIELD_NOT_FOUND, name, suggestion)


def _unknown_operator(condition: Condition) -> Problem:
    suggestion = nearest(condition.op, OPERATORS)
    values = (("op", condition.op),)
    return Problem(
        Code.OPERATOR_INCOMPATIBLE, condition.field, suggestion, "unknown_operator", values
    )


def _unknown_table(name: str, catalog: Catalog) -> Problem:
    if name.casefold() in catalog.hidden:
        return Problem(Code.NOT_PERMITTED, name)
    return Problem(Code.TABLE_NOT_FOUND, name, nearest(name, catalog.tables))


def _result_names(call: AggregateCall) -> set[str]:
    """An aggregate may be sorted by its result, under any of the names people give it."""
    field = call.field or "*"
    function = call.aggregate
    return {"value", "result", function, f"{function}({field})", f"{function}_{field}"}


def _arity(op: str, value: Scalar | tuple[Scalar, ...]) -> str | None:
    """The operator that would fit this shape of value, when this one does not."""
    many = isinstance(value, tuple)
    if op == "between":
        return None if many and len(value) == 2 else "="
    if op in _LISTS:
        return None if many else ("=" if op == "in" else "!=")
    if many:
        return {"=": "in", "!=": "not in"}.get(op, "in")
    return None
