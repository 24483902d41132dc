"""Expressions to the columns they are made of; aggregates and comparisons are noted on the way."""

from collections.abc import Callable, Mapping
from typing import ClassVar

from sqlglot import exp

from veridical.check.facts import (
    Aggregate,
    Filter,
    Filters,
    Literal,
    LiteralKind,
    Origin,
    Reading,
    Term,
    Terms,
    uses_in,
)
from veridical.check.sql.aggregates import (
    AGGREGATES,
    aggregate_named,
    argument_of,
    counted_branch,
    is_scalar,
    parts_of,
)
from veridical.check.sql.applied import note_applied, note_function
from veridical.check.sql.choices import (
    is_negated,
    note_exclusion,
    note_left_out,
    note_nested,
    note_respelling,
)
from veridical.check.sql.conditions import compare, note_lookup, required
from veridical.check.sql.kinds import reads_time, type_of
from veridical.check.sql.literals import is_written, literal_of
from veridical.check.sql.measures import (
    by_branches,
    by_factor,
    difference,
    is_duration,
    is_flow,
    is_ratio,
    multiplies_count,
    note_division,
    note_mean,
    note_subtraction,
    note_total,
    note_wrong_unit,
    or_else,
    scaled,
    shifted,
)
from veridical.check.sql.names import resolve
from veridical.check.sql.scope import Derived, SelectScope
from veridical.contracts.violation import Code

_ADDS_UP = frozenset({"difference", "factor"})
_NOT_GROUPED = frozenset({"where", "on", "group"})
_CONDITIONS = (exp.Predicate, exp.Connector, exp.Not)
_OF_TEXT = (exp.EQ, exp.NEQ, exp.In, exp.Like)
_LOOKUPS = (exp.EQ, exp.In)
_NOTHING = Literal(LiteralKind.NULL)
_MOST_CONDITIONS = 16
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
            derived = self._sub_query(node, clause)
            if not derived.outputs:
                return ()
            self._scope.work.resolved[id(node.unnest())] = derived.outputs[0]
            return derived.outputs[0].terms
        if kind is exp.Window:
            return self._window(node, clause, conditions)  # type: ignore[arg-type]
        function = AGGREGATES.get(kind) or aggregate_named(node)
        if function is not None and not is_scalar(node, function):
            return self._aggregate(node, function, clause, inside, conditions)
        if kind is exp.Filter:
            met = self._conditions(node.expression.this, clause)
            return self.visit(node.this, clause, inside, (*conditions, *met))
        if isinstance(node, _CONDITIONS):
            return self._predicate(node, clause, inside, conditions)
        read = self._READ_BY.get(kind, Visitor._any_other)
        return read(self, node, clause, inside, conditions)

    def _sub_query(self, node: exp.Query, clause: str) -> Derived:
        work = self._scope.work
        if id(node) not in work.queries:
            first = len(work.facts.uses)
            derived = self._read_query(self._scope, node)
            inner = uses_in(derived.sides).union(range(first, len(work.facts.uses)))
            work.queries[id(node)] = derived, inner
        derived, inner = work.queries[id(node)]
        note_nested(self._scope, node, inner, clause)
        return derived

    def _any_other(self, node: exp.Expr, clause: str, inside: bool, conditions: Filters) -> Terms:
        terms: list[Term] = []
        for child in node.iter_expressions():
            terms.extend(self.visit(child, clause, inside, conditions))
        note_applied(self._scope, node)
        return tuple(terms)

    def _sum(self, node: exp.Expr, clause: str, inside: bool, conditions: Filters) -> Terms:
        left = self.visit(node.this, clause, inside, conditions)
        right = self.visit(node.expression, clause, inside, conditions)
        if left and right:
            self._scope.work.facts.added.append((left, right))
        note_applied(self._scope, node)
        return (*left, *right)

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
        first = len(self._scope.work.facts.uses)
        for child in node.iter_expressions():
            self.visit(child, clause, inside, conditions)
        if isinstance(node, exp.In | exp.Exists) and is_negated(node):
            note_left_out(self._scope, node, first)
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
        written = False
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
                written = written or is_written(value)
            if len(conditions) < _MOST_CONDITIONS:
                conditions = (*conditions, *required(self._scope, test, negated=True))
        if default is not None:
            terms.extend(self.visit(default, clause, inside, conditions))
            written = written or is_written(default)
        found = by_branches(node, tuple(terms))
        return or_else(found) if written else found

    def _coalesce(self, node: exp.Expr, clause: str, inside: bool, conditions: Filters) -> Terms:
        """Each value only counts where the ones before it are empty."""
        terms: list[Term] = []
        parts = (node.this, *node.expressions)
        for part in parts:
            found = self.visit(part, clause, inside, conditions)
            terms.extend(found)
            empty = (Filter(each.origin, "is null", (_NOTHING,)) for each in found if not each.via)
            conditions = (*conditions, *empty)
        return or_else(terms) if is_written(parts[-1]) else tuple(terms)

    def _nullif(self, node: exp.Expr, clause: str, inside: bool, conditions: Filters) -> Terms:
        """A value that is left out where it is this one."""
        terms = self._any_other(node, clause, inside, conditions)
        left_out = literal_of(node.expression)
        if left_out is None:
            return terms
        return tuple(
            each
            if each.via
            else each._replace(
                conditions=(*each.conditions, Filter(each.origin, "!=", (left_out,)))
            )
            for each in terms
        )

    def _difference(self, node: exp.Expr, clause: str, inside: bool, conditions: Filters) -> Terms:
        """Closing minus opening is a flow: it adds up where the snapshots themselves don't.

        So is a time minus a time: a duration.
        """
        left = self.visit(node.this, clause, inside, conditions)
        right = self.visit(node.expression, clause, inside, conditions)
        if reads_time(node):
            note_function(self._scope, node, type(node).__name__.upper())
        note_subtraction(self._scope, node, left, right)
        if is_flow(left, right) or is_duration(left, right):
            return difference((*left, *right))
        return (*left, *right)

    def _scaled(self, node: exp.Expr, clause: str, inside: bool, conditions: Filters) -> Terms:
        """An amount times a rate is an amount: the rate is a factor, not what is added up."""
        aggregates = self._scope.work.facts.aggregates
        first = len(aggregates)
        left = self.visit(node.this, clause, inside, conditions)
        middle = len(aggregates)
        right = self.visit(node.expression, clause, inside, conditions)
        left, right = scaled(node, left, right)
        terms = (*left, *right)
        if isinstance(node, exp.Div):
            self._scope.work.facts.denominators.extend(aggregates[middle:])
            note_division(self._scope, node)
            note_wrong_unit(self._scope, node, left)
        if isinstance(node, exp.Mul):
            terms = by_factor(self._scope, node, terms)
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

    def _negated(self, node: exp.Expr, clause: str, inside: bool, conditions: Filters) -> Terms:
        terms = self.visit(node.this, clause, inside, conditions)
        return tuple(term._replace(times=-term.times) for term in terms)

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
        for part in parts_of(node):
            terms.extend(self.visit(part, clause, True, conditions))
        if self._is_of_outer(node):
            scope.work.problem(Code.MISPLACED_AGGREGATE, function.upper(), None, "outer")
        taken = argument_of(node)
        distinct = isinstance(taken, exp.Distinct)
        block = scope.block
        scope.work.facts.aggregates.append(
            Aggregate(
                function,
                tuple(terms),
                block.index,
                block.keys,
                distinct,
                type=type_of(scope, taken) if taken is not None else None,
                ratio=taken is not None and is_ratio(scope, taken),
                conditions=(*conditions, *self._counted_under(function, taken)),
            )
        )
        return () if function == "count" else _through(function, tuple(terms))

    def _counted_under(self, function: str, taken: exp.Expr | None) -> Filters:
        branch = counted_branch(function, taken)
        return tuple(required(self._scope, branch.this)) if branch is not None else ()

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
        function = AGGREGATES.get(type(called)) or aggregate_named(called)
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
                type=type_of(scope, taken) if (taken := argument_of(called)) else None,
                conditions=(*conditions, *self._counted_under(function, taken)),
            )
        )
        return () if function == "count" else _through(function, tuple(terms))

    _READ_BY: ClassVar[Mapping[type[exp.Expr], "ReadTerms"]] = {
        exp.Case: _case,
        exp.If: _case,
        exp.Coalesce: _coalesce,
        exp.Nullif: _nullif,
        exp.Add: _sum,
        exp.Sub: _difference,
        exp.Neg: _negated,
        exp.Mul: _scaled,
        exp.Div: _scaled,
    }


ReadTerms = Callable[..., Terms]


def _through(function: str, terms: Terms) -> Terms:
    """The terms after an aggregate; a sum of flows is a flow still."""
    return tuple(
        term if function == "sum" and term.via in _ADDS_UP else term._replace(via=function)
        for term in terms
    )
