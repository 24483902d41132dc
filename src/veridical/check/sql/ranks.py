"""One row of each group: ``ROW_NUMBER() … = 1`` and ``DISTINCT ON``."""

from collections.abc import Iterable, Iterator, Sequence

from sqlglot import exp

from veridical.check.facts import Filter, Origin
from veridical.check.sql.literals import OTHER
from veridical.check.sql.scope import Scope


def distinct_on(select: exp.Select) -> list[exp.Expr]:
    """The expressions of each of whose values one row is kept."""
    distinct = select.args.get("distinct")
    on = distinct.args.get("on") if distinct is not None else None
    return on.expressions if isinstance(on, exp.Tuple) else []


def first_of_each(
    scope: Scope, keys: Sequence[exp.Expr], ordered: Sequence[exp.Expr]
) -> Iterable[Filter]:
    """What ``DISTINCT ON`` settles. Without an order beyond its keys, any row may be the one."""
    return list(ranked(scope, origins_of(scope, keys), ordered)) if keys else ()


def ranked(scope: Scope, per: frozenset[Origin], ordered: Sequence[exp.Expr]) -> Iterator[Filter]:
    """The columns by which the first row of each group is found: for a group, each has one value.

    A column that the groups keep apart is settled by none of them.
    """
    groups = tuple(Filter(each, "group", ()) for each in sorted(per, key=_name))
    for origin in sorted(origins_of(scope, ordered) - per, key=_name):
        yield Filter(origin, "rank", (OTHER,), parts=groups)


def origins_of(scope: Scope, nodes: Iterable[exp.Expr]) -> frozenset[Origin]:
    """The columns that these expressions are."""
    found = (scope.work.resolved.get(id(each.unnest())) for each in nodes)
    return frozenset(
        term.origin for output in found if output for term in output.terms if not term.via
    )


def _name(origin: Origin) -> tuple[int, str]:
    return origin.use, origin.column.name
