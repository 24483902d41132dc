"""Expressions to the columns they are made of; aggregates and comparisons are noted on the way."""

from collections.abc import Callable, Iterable

from sqlglot import exp

from veridical.check.facts import (
    AS_TEXT,
    FROM_MILLISECONDS,
    FROM_SECONDS,
    Aggregate,
    Applied,
    Filter,
    Filters,
    Origin,
    Reading,
    Term,
    Terms,
)
from veridical.check.sql.choices import note_exclusion, note_respelling
from veridical.check.sql.conditions import compare, note_lookup, required
from veridical.check.sql.kinds import (
    read_as_milliseconds,
    reads_as_text,
    reads_time,
    sqlite_time,
    type_of,
)
from veridical.check.sql.measures import (
    is_duration,
    is_flow,
    is_ratio,
    multiplies_count,
    note_division,
    note_mean,
    note_subtraction,
    note_total,
    note_wrong_unit,
    shifted,
)
from veridical.check.sql.names import resolve
from veridical.check.sql.scope import Derived, SelectScope
from veridical.contracts.violation import Code

AGGREGATES: dict[type[exp.Expr], str] = {
    exp.Sum: "sum",
    exp.Avg: "avg",
    exp.Count: "count",
    exp.CountIf: "count",
    exp.ApproxDistinct: "count",
    exp.Min: "min",
    exp.Max: "max",
    exp.Median: "median",
    exp.Stddev: "stddev",
    exp.StddevPop: "stddev",
    exp.StddevSamp: "stddev",
    exp.Variance: "variance",
    exp.VariancePop: "variance",
    exp.ArrayAgg: "list",
    exp.GroupConcat: "list",
    exp.JSONArrayAgg: "list",
    exp.JSONObjectAgg: "list",
    exp.AnyValue: "any",
    exp.PercentileCont: "median",
    exp.PercentileDisc: "median",
    exp.WithinGroup: "median",
    exp.LogicalAnd: "any",
    exp.LogicalOr: "any",
}
_ADDS_UP = frozenset({"difference", "factor"})
_SAME_TIME = (exp.TsOrDsToDate, exp.TsOrDsToTimestamp, exp.Min, exp.Max)
"""Forms that return the kind of time they take: the earliest of stored times is a stored time."""
_NOT_GROUPED = frozenset({"where", "on", "group"})
_CONDITIONS = (exp.Predicate, exp.Connector, exp.Not)
_OF_TEXT = (exp.EQ, exp.NEQ, exp.In, exp.Like)
_LOOKUPS = (exp.EQ, exp.In)
_INEQUALITIES = (exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE)

ReadQuery = Callable[[SelectScope, exp.Expr], Derived]


class Visitor:
    """Walks the expressions of one SELECT."""

    def __init__(self, scope: SelectScope, read_query: ReadQuery) -> None:
        self._scope = scope
        self._read_query = read_query

    def visit(
        self, node: exp.Expr, clause: str, inside: bool = False, conditions: Filters = ()
    ) -> Terms:
        """The columns that flow into this value, each with the conditions it flows under."""
        terms = self._visit(node, clause, inside, conditions)
        self._scope.work.spend(1 + len(terms) + len(conditions))
        return tuple(dict.fromkeys(terms)) if len(terms) > 1 else terms

    def _visit(self, node: exp.Expr, clause: str, inside: bool, conditions: Filters) -> Terms:
        kind = type(node)
        if kind is exp.Column:
            return self._column(node, clause, inside, conditions)  # type: ignore[arg-type]
        if kind is exp.Literal or kind is exp.Identifier or kind is exp.DataType:
            return ()
        if isinstance(node, exp.Query):
            derived = self._sub_query(node)
            if not derived.outputs:
                return ()
            self._scope.work.resolved[id(node.unnest())] = derived.outputs[0]
            return derived.outputs[0].terms
        if kind is exp.Window:
            return self._window(node, clause, conditions)  # type: ignore[arg-type]
        function = AGGREGATES.get(kind)
        if function is not None and not _is_scalar(node, function):
            return self._aggregate(node, function, clause, inside, conditions)
        if kind is exp.Case or kind is exp.If:
            return self._case(node, clause, inside, conditions)
        if kind is exp.Filter:
            met = self._conditions(node.expression.this, clause)
            return self.visit(node.this, clause, inside, (*conditions, *met))
        if isinstance(node, _CONDITIONS):
            return self._predicate(node, clause, inside, conditions)
        if kind is exp.Sub:
            return self._difference(node, clause, inside, conditions)
        if kind is exp.Mul or kind is exp.Div:
            return self._scaled(node, clause, inside, conditions)
        return self._any_other(node, clause, inside, conditions)

    def _sub_query(self, node: exp.Query) -> Derived:
        read = self._scope.work.queries
        if id(node) not in read:
            read[id(node)] = self._read_query(self._scope, node)
        return read[id(node)]

    def _any_other(self, node: exp.Expr, clause: str, inside: bool, conditions: Filters) -> Terms:
        terms: list[Term] = []
        for child in node.iter_expressions():
            terms.extend(self.visit(child, clause, inside, conditions))
        if reads_time(node):
            self._note_applied(node, type(node).__name__.upper())
        elif reads_as_text(node):
            self._note_applied(node, AS_TEXT)
        elif isinstance(node, exp.UnixToTime):
            milliseconds = read_as_milliseconds(node)
            inner = node.this.unnest() if milliseconds else node
            self._note_applied(inner, FROM_MILLISECONDS if milliseconds else FROM_SECONDS)
        elif self._scope.work.dialect.name == "sqlite" and (read := sqlite_time(node)) is not None:
            self._note_applied(*read)
        return tuple(terms)

    def _column(self, node: exp.Column, clause: str, inside: bool, conditions: Filters) -> Terms:
        if isinstance(node.this, exp.Star):
            return ()
        output = resolve(self._scope, node, clause, inside)
        readings = self._scope.work.facts.readings
        for term in output.terms:
            readings.append(Reading(term.origin, clause))
        if not conditions:
            return output.terms
        return tuple(
            term._replace(conditions=tuple(dict.fromkeys((*term.conditions, *conditions))))
            for term in output.terms
        )

    def _conditions(self, node: exp.Expr, clause: str, inside: bool = True) -> list[Filter]:
        self.visit(node, clause, inside)
        return required(self._scope, node)

    def _predicate(self, node: exp.Expr, clause: str, inside: bool, conditions: Filters) -> Terms:
        for child in node.iter_expressions():
            self.visit(child, clause, inside, conditions)
        if isinstance(node, exp.Predicate):
            self._scope.work.facts.comparisons.extend(compare(self._scope, node))
            if isinstance(node, _OF_TEXT):
                note_respelling(self._scope, node)
            if isinstance(node, exp.In):
                note_exclusion(self._scope, node)
            if isinstance(node, _LOOKUPS):
                note_lookup(self._scope, node)
            elif isinstance(node, _INEQUALITIES):
                self._note_far(node)
        return ()

    def _note_far(self, node: exp.Expr) -> None:
        """An inequality across two levels runs both inner queries again for every row."""
        outer = self._scope.work.outer
        if not outer:
            return
        for side in (node.this, node.expression):
            if outer.get(id(side), 0) > 1:
                self._scope.work.problem(Code.TOO_COMPLEX, side.sql(), None, "correlated")

    def _case(self, node: exp.Expr, clause: str, inside: bool, conditions: Filters) -> Terms:
        if isinstance(node, exp.If):
            branches, default, subject = [node], node.args.get("false"), None
        else:
            branches, default = node.args["ifs"], node.args.get("default")
            subject = node.args.get("this")
        terms: list[Term] = []
        if subject is not None:
            self.visit(subject, clause, inside)
        for branch in branches:
            test = branch.this
            if subject is not None:
                test = exp.EQ(this=subject, expression=test)
                self.visit(branch.this, clause, inside)
                met = required(self._scope, test)
            else:
                met = self._conditions(test, clause, inside)
            value = branch.args.get("true")
            if value is not None:
                terms.extend(self.visit(value, clause, inside, (*conditions, *met)))
        if default is not None:
            terms.extend(self.visit(default, clause, inside, conditions))
        return tuple(terms)

    def _difference(self, node: exp.Expr, clause: str, inside: bool, conditions: Filters) -> Terms:
        """Closing minus opening is a flow: it adds up where the snapshots themselves don't.

        So is a time minus a time: a duration.
        """
        left = self.visit(node.this, clause, inside, conditions)
        right = self.visit(node.expression, clause, inside, conditions)
        if reads_time(node):
            self._note_applied(node, type(node).__name__.upper())
        note_subtraction(self._scope, node, left, right)
        if is_flow(left, right) or is_duration(left, right):
            return tuple(term._replace(via="difference") for term in (*left, *right))
        return (*left, *right)

    def _scaled(self, node: exp.Expr, clause: str, inside: bool, conditions: Filters) -> Terms:
        """An amount times a rate is an amount: the rate is a factor, not what is added up."""
        first = len(self._scope.work.facts.aggregates)
        left = self.visit(node.this, clause, inside, conditions)
        right = self.visit(node.expression, clause, inside, conditions)
        terms = (*left, *right)
        if isinstance(node, exp.Div):
            note_division(self._scope, node)
            note_wrong_unit(self._scope, node, left)
        if isinstance(node, exp.Mul):
            note_total(self._scope, node, terms)
        elif note_mean(self._scope, node, first):
            return _through("avg", terms)
        rates = [
            term
            for term in terms
            if term.origin.column.never_aggregate is not None and term.via != "difference"
        ]
        if isinstance(node, exp.Mul) and multiplies_count(self._scope, node):
            return tuple(term._replace(via=term.via or "factor") for term in terms)
        if not left or not right or not rates or len(rates) == len(terms):
            return terms
        rate = rates[0].origin
        return tuple(
            term._replace(via=term.via or "factor") if term in rates else term._replace(rate=rate)
            for term in terms
        )

    def _aggregate(
        self, node: exp.Expr, function: str, clause: str, inside: bool, conditions: Filters
    ) -> Terms:
        scope = self._scope
        if clause in _NOT_GROUPED or inside:
            scope.work.problem(
                Code.MISPLACED_AGGREGATE,
                function.upper(),
                None,
                "nested" if inside else "",
                clause=clause.upper(),
            )
        scope.aggregates += 1
        scope.shown_aggregates += clause in ("select", "having")
        terms: list[Term] = []
        for part in _parts(node):
            terms.extend(self.visit(part, clause, True, conditions))
        if self._is_of_outer(node):
            scope.work.problem(Code.MISPLACED_AGGREGATE, function.upper(), None, "outer")
        distinct = isinstance(node.this, exp.Distinct)
        block = scope.block
        scope.work.facts.aggregates.append(
            Aggregate(
                function,
                tuple(terms),
                block.index,
                block.keys,
                distinct,
                type=type_of(scope, node.this),
                ratio=isinstance(node.this, exp.Expr) and is_ratio(scope, node.this),
            )
        )
        return () if function == "count" else _through(function, tuple(terms))

    def _is_of_outer(self, node: exp.Expr) -> bool:
        """An aggregate over columns of the query around belongs there, not here."""
        outer = self._scope.work.outer
        if not outer:
            return False
        columns = [each for each in node.find_all(exp.Column) if not each.is_star]
        return bool(columns) and all(id(column) in outer for column in columns)

    def _window(self, node: exp.Window, clause: str, conditions: Filters) -> Terms:
        scope = self._scope
        if clause in _NOT_GROUPED:
            scope.work.problem(Code.MISPLACED_AGGREGATE, "OVER", None, "", clause=clause.upper())
        keys: list[Origin] = []
        for part in node.args.get("partition_by") or ():
            keys.extend(term.origin for term in self.visit(part, clause) if not term.via)
        order = node.args.get("order")
        along = self.visit(order, clause) if order is not None else ()
        scope.work.facts.windowed.extend((*keys, *(term.origin for term in along)))
        spec = node.args.get("spec")
        if spec is not None:
            self.visit(spec, clause)
        called = node.this
        while isinstance(called, exp.IgnoreNulls | exp.RespectNulls | exp.Filter):
            if isinstance(called, exp.Filter):
                conditions = (*conditions, *self._conditions(called.expression.this, clause))
            called = called.this
        function = AGGREGATES.get(type(called))
        terms: list[Term] = []
        for child in called.iter_expressions():
            terms.extend(self.visit(child, clause, False, conditions))
        if function is None:
            return shifted(called, tuple(terms))
        scope.work.facts.aggregates.append(
            Aggregate(
                function,
                tuple(terms),
                scope.block.index,
                frozenset(keys) | scope.block.keys if scope.block.grouped else frozenset(keys),
                type=type_of(scope, called.this) if isinstance(called.this, exp.Expr) else None,
            )
        )
        return () if function == "count" else _through(function, tuple(terms))

    def _note_applied(self, node: exp.Expr, name: str) -> None:
        for child in node.iter_expressions():
            bared = child.unnest()
            while isinstance(bared, _SAME_TIME):
                bared = bared.this.unnest()
            output = self._scope.work.resolved.get(id(bared))
            if output is None:
                continue
            for term in output.terms:
                if not term.via and output.type in (None, term.origin.column.type):
                    self._scope.work.facts.applied.append(Applied(name, term.origin))


def _parts(aggregate: exp.Expr) -> Iterable[exp.Expr]:
    """Its arguments; ``WITHIN GROUP`` has them outside of the call."""
    if isinstance(aggregate, exp.WithinGroup):
        return (*aggregate.this.iter_expressions(), aggregate.expression)
    return aggregate.iter_expressions()


def _through(function: str, terms: Terms) -> Terms:
    """The terms after an aggregate; a sum of flows is a flow still."""
    return tuple(
        term if function == "sum" and term.via in _ADDS_UP else term._replace(via=function)
        for term in terms
    )


def _is_scalar(node: exp.Expr, function: str) -> bool:
    """MAX(a, b) of two arguments compares values of one row in some engines."""
    return function in ("min", "max") and bool(node.expressions)
