"""Rows chosen in other ways than by a plain condition: ``ROW_NUMBER() … = 1``, ``DISTINCT ON``,
``NOT IN``, and texts in another letter case."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from sqlglot import exp

from veridical.check.facts import (
    Exclusion,
    Filter,
    Literal,
    LiteralKind,
    Nested,
    Origin,
    Respelling,
    uses_in,
)
from veridical.check.sql.literals import OTHER, literal_of
from veridical.check.sql.scope import SelectScope

_CHOOSING = frozenset({"where", "on", "having", "qualify"})
FIRST_ONES = Literal(LiteralKind.OTHER, "ties")
"""What keeps all rows of the first value, as RANK does, and not one of them."""
_CASES: dict[type[exp.Expr], tuple[str, Callable[[str], str]]] = {
    exp.Lower: ("LOWER", str.lower),
    exp.Upper: ("UPPER", str.upper),
}


def distinct_on(select: exp.Select) -> list[exp.Expr]:
    """The expressions for which one row of each value is kept."""
    distinct = select.args.get("distinct")
    on = distinct.args.get("on") if distinct is not None else None
    return on.expressions if isinstance(on, exp.Tuple) else []


def first_of_each(
    scope: SelectScope, keys: Sequence[exp.Expr], ordered: Sequence[exp.Expr]
) -> Iterable[Filter]:
    """The filters by ``DISTINCT ON``. Without an order beyond its keys, any row may be the one."""
    return list(ranked(scope, origins_of(scope, keys), ordered)) if keys else ()


def ranked(
    scope: SelectScope, per: frozenset[Origin], ordered: Sequence[exp.Expr], ties: bool = False
) -> Iterator[Filter]:
    """The columns by which the first row of each group is found, or the first ones where ``ties``
    are kept: for a group, each has one value.

    A column that the groups keep apart is settled by none of them.
    """
    first = FIRST_ONES if ties else OTHER
    groups = tuple(Filter(each, "group", ()) for each in sorted(per, key=lambda each: each.place))
    columns = [column for each in ordered for column in _listed_column(each)]
    for origin in sorted(origins_of(scope, columns) - per, key=lambda each: each.place):
        yield Filter(origin, "rank", (first,), parts=groups)


def _listed_column(node: exp.Expr) -> Iterable[exp.Expr]:
    """The column whose values a CASE puts into an order, such as forecasts before the budget;
    else the expression itself."""
    inner = node.unnest()
    return inner.find_all(exp.Column) if isinstance(inner, exp.Case) else (node,)


def origins_of(scope: SelectScope, nodes: Iterable[exp.Expr]) -> frozenset[Origin]:
    """The columns that these expressions are."""
    found = (scope.work.resolved.get(id(each.unnest())) for each in nodes)
    return frozenset(
        term.origin for output in found if output for term in output.terms if not term.via
    )


def is_negated(node: exp.Expr) -> bool:
    """True for what stands right after NOT."""
    return isinstance(_around(node), exp.Not)


def _around(node: exp.Expr) -> exp.Expr | None:
    around = node.parent
    while isinstance(around, exp.Paren | exp.Subquery):
        around = around.parent
    return around


def is_left_out(node: exp.Expr) -> bool:
    """True for a condition of rows that are left out: ``NOT (a = 1 OR a = 2)``."""
    left_out, around = False, node.parent
    while isinstance(around, exp.Paren | exp.Connector | exp.Not):
        left_out ^= isinstance(around, exp.Not)
        around = around.parent
    return left_out


def note_nested(scope: SelectScope, node: exp.Query, inner: frozenset[int], clause: str) -> None:
    """Notes a sub-query of an expression, and whether it is part of a condition."""
    chooses = clause in _CHOOSING or isinstance(_around(node), exp.Predicate)
    nested = Nested(inner, uses_in(scope.block.sides), chooses)
    if nested not in scope.work.facts.nested:
        scope.work.facts.nested.append(nested)


def note_left_out(scope: SelectScope, node: exp.In | exp.Exists, first: int) -> None:
    """Notes the uses of a sub-query after NOT: those from ``first`` on, and those of its column."""
    query = node.args.get("query") if isinstance(node, exp.In) else node.this
    if query is not None:
        facts = scope.work.facts
        facts.negated.update(range(first, len(facts.uses)))
        facts.negated.update(each.use for each in origins_of(scope, (query,)))


def note_demands(scope: SelectScope, met: Sequence[Filter]) -> None:
    """Notes the conditions of WHERE, and the uses of which none may match: ``LEFT JOIN … WHERE x.id
    IS NULL``."""
    scope.work.facts.filters.extend(met)
    scope.block.demands.extend(met)
    uses = scope.work.facts.uses
    scope.work.facts.negated.update(
        each.origin.use
        for each in met
        if each.op == "is null"
        and each.origin.use in scope.block.optional
        and any(each.origin.column.name in key for key in uses[each.origin.use].table.keys)
    )


def note_exclusion(scope: SelectScope, node: exp.In) -> None:
    """Notes the exclusion of a NOT IN: the column of its sub-query, or a NULL in its list."""
    if not is_negated(node):
        return
    found = scope.work.facts.exclusions
    query = node.args.get("query")
    if query is None:
        if any(isinstance(each.unnest(), exp.Null) for each in node.expressions):
            found.append(Exclusion(None, null=True))
        return
    compared = list(origins_of(scope, (node.this,)))
    kept = compared[0] if len(compared) == 1 else None
    listed = origins_of(scope, (query,))
    if len(listed) == 1:  # of several, such as those of COALESCE, one may stand in for another
        found.extend(Exclusion(origin, kept=kept) for origin in listed)


def note_respelling(scope: SelectScope, node: exp.Expr) -> None:
    """``UPPER(country) = 'ch'``: no text in capitals is written like this."""
    sides = [(node.this, node.expression), (node.expression, node.this)]
    if isinstance(node, exp.In):
        sides = [(node.this, each) for each in node.expressions]
    for side, other in sides:
        case = _CASES.get(type(side.unnest())) if isinstance(side, exp.Expr) else None
        value = literal_of(other) if case is not None and isinstance(other, exp.Expr) else None
        if case is None or value is None or value.kind is not LiteralKind.TEXT:
            continue
        name, respelled = case
        if respelled(str(value.value)) != value.value:
            scope.work.facts.respellings.extend(
                Respelling(name, origin, str(value.value))
                for origin in origins_of(scope, (side.unnest().this,))
            )
