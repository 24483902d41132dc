"""A structured call to facts: the same facts that the equivalent SQL would give."""

from veridical.check.facts import (
    Aggregate,
    Block,
    Comparison,
    Facts,
    Filter,
    Kind,
    Literal,
    Origin,
    Problem,
    Reading,
    Side,
    Term,
    Use,
)
from veridical.check.operators import OPERATORS, canonical
from veridical.check.suggest import column_elsewhere, nearest
from veridical.contracts.call import AggregateCall, BrowseCall, Scalar, TableCall
from veridical.contracts.call import Filter as Condition
from veridical.contracts.violation import Code
from veridical.ontology.catalog import Catalog, TableCard

AGGREGATES: tuple[str, ...] = (
    "sum", "avg", "count", "count_distinct", "min", "max", "median", "stddev",
)  # fmt: skip
_KINDS: dict[type, Kind] = {
    bool: Kind.BOOLEAN,
    int: Kind.NUMBER,
    float: Kind.NUMBER,
    str: Kind.TEXT,
    type(None): Kind.NULL,
}
_UNARY = frozenset({"is null", "is not null"})
_LISTS = frozenset({"in", "not in"})


def facts_of_call(call: TableCall, catalog: Catalog) -> Facts:
    """What this call does; names that don't exist become problems."""
    facts = Facts()
    table = catalog.table(call.table_name)
    if table is None:
        facts.problems.append(_unknown_table(call.table_name, catalog))
        return facts
    reader = _CallReader(facts, table, catalog)
    if isinstance(call, BrowseCall):
        facts.inspects = True
        for name in call.fields:
            reader.read(name, "select")
        return facts
    for condition in call.filters:
        reader.condition(condition)
    if isinstance(call, AggregateCall):
        reader.aggregate(call)
    else:
        for name in call.fields:
            reader.read(name, "select")
        if not call.fields:
            facts.readings.extend(
                Reading(Origin(0, column), "select") for column in table.columns.values()
            )
    for order in call.order_by:
        if not (isinstance(call, AggregateCall) and order.field in _result_names(call)):
            reader.read(order.field, "order")
    return facts


class _CallReader:
    """Reads the parts of one call on one table into facts."""

    def __init__(self, facts: Facts, table: TableCard, catalog: Catalog) -> None:
        self._facts = facts
        self._table = table
        self._catalog = catalog
        use = Use(0, table, 0)
        facts.uses.append(use)
        self._block = Block(0, [Side(frozenset((0,)), (), closed=False)])
        facts.blocks.append(self._block)

    def read(self, name: str, clause: str) -> Origin | None:
        column = self._table.column(name)
        if column is None:
            self._facts.problems.append(self._unknown(name))
            return None
        origin = Origin(0, column)
        self._facts.readings.append(Reading(origin, clause))
        return origin

    def condition(self, condition: Condition) -> None:
        origin = self.read(condition.field, "where")
        op = canonical(condition.op)
        if op is None:
            self._facts.problems.append(
                Problem(
                    Code.OPERATOR_INCOMPATIBLE,
                    condition.field,
                    nearest(condition.op, OPERATORS),
                    "unknown_operator",
                    (("op", condition.op),),
                )
            )
            return
        value = condition.value
        listed = value if isinstance(value, tuple) else (value,)
        misfit = _arity(op, value)
        if misfit is not None:
            self._facts.problems.append(
                Problem(Code.OPERATOR_INCOMPATIBLE, condition.field, misfit, "arity", (("op", op),))
            )
        if origin is not None:
            values = () if op in _UNARY else tuple(map(_literal, listed))
            self._facts.filters.append(Filter(origin, op, values or (Literal(Kind.NULL),)))
            if values:
                self._facts.comparisons.append(Comparison(origin, op, values))

    def aggregate(self, call: AggregateCall) -> None:
        keys = [self.read(name, "group") for name in call.group_by]
        block = self._block
        block.grouped = bool(call.group_by)
        block.keys = frozenset(key for key in keys if key is not None)
        function = call.aggregate.strip().lower()
        if function not in AGGREGATES:
            self._facts.problems.append(
                Problem(
                    Code.FUNCTION_NOT_ALLOWED, call.aggregate, nearest(function, AGGREGATES, 60)
                )
            )
            function = "sum"
        terms: tuple[Term, ...] = ()
        if call.field and call.field != "*":
            origin = self.read(call.field, "aggregate")
            terms = (Term(origin),) if origin else ()
        elif function != "count":
            self._facts.problems.append(Problem(Code.FIELD_NOT_FOUND, "*", None, "no_field"))
        distinct = function == "count_distinct"
        self._facts.aggregates.append(
            Aggregate("count" if distinct else function, terms, 0, block.keys, distinct, plain=True)
        )

    def _unknown(self, name: str) -> Problem:
        path = f"{self._table.name}.{name}".casefold()
        if path in self._catalog.hidden:
            return Problem(Code.NOT_PERMITTED, name)
        suggestion = nearest(name, self._table.columns) or column_elsewhere(
            name, [self._table], self._catalog
        )
        return Problem(Code.FIELD_NOT_FOUND, name, suggestion)


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


def _literal(value: Scalar) -> Literal:
    return Literal(_KINDS[type(value)], value)
