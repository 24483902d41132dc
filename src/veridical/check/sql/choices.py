"""Rows chosen in other ways than by a plain condition: ``ROW_NUMBER() … = 1``, ``DISTINCT ON``,
``NOT IN``, and texts in another letter case."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from sqlglot import exp

from veridical.check.facts import Exclusion, Filter, LiteralKind, Origin, Respelling
from veridical.check.sql.literals import OTHER, literal_of
from veridical.check.sql.scope import SelectScope

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
    scope: SelectScope, per: frozenset[Origin], ordered: Sequence[exp.Expr]
) -> Iterator[Filter]:
    """The columns by which the first row of each group is found: for a group, each has one value.

    A column that the groups keep apart is settled by none of them.
    """
    groups = tuple(Filter(each, "group", ()) for each in sorted(per, key=lambda each: each.place))
    for origin in sorted(origins_of(scope, ordered) - per, key=lambda each: each.place):
        yield Filter(origin, "rank", (OTHER,), parts=groups)


def origins_of(scope: SelectScope, nodes: Iterable[exp.Expr]) -> frozenset[Origin]:
    """The columns that these expressions are."""
    found = (scope.work.resolved.get(id(each.unnest())) for each in nodes)
    return frozenset(
        term.origin for output in found if output for term in output.terms if not term.via
    )


def note_exclusion(scope: SelectScope, node: exp.In) -> None:
    """Notes the exclusion of a NOT IN: the column of its sub-query, or a NULL in its list."""
    around = node.parent
    while isinstance(around, exp.Paren):
        around = around.parent
    if not isinstance(around, exp.Not):
        return
    found = scope.work.facts.exclusions
    query = node.args.get("query")
    if query is None:
        if any(isinstance(each.unnest(), exp.Null) for each in node.expressions):
            found.append(Exclusion(None, null=True))
        return
    compared = list(origins_of(scope, (node.this,)))
    kept = compared[0] if len(compared) == 1 else None
    found.extend(Exclusion(origin, kept=kept) for origin in origins_of(scope, (query,)))


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
