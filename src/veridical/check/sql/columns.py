"""The columns that expressions are."""

from sqlglot import exp

from veridical.check.facts import EXTREMES, Equality, Origin
from veridical.check.sql.scope import Output, SelectScope
from veridical.statement.reader import inside, with_subkinds

_SPELLINGS = with_subkinds(exp.Cast, exp.TryCast, exp.Lower, exp.Upper, exp.Trim, exp.Collate)


def bared(node: exp.Expr) -> exp.Expr:
    """The column under casts and changes of case, which don't change which rows pass."""
    return inside(node, _SPELLINGS)


def origins(scope: SelectScope, node: exp.Expr) -> list[Origin]:
    """The columns whose values this expression has as they are."""
    column = bared(node.this if isinstance(node, exp.Not) else node)
    output: Output | None = scope.work.resolved.get(id(column))
    return [term.origin for term in output.terms if not term.via] if output is not None else []


def plain_origins(scope: SelectScope, node: exp.Expr) -> list[Origin]:
    """The same, and none where it is not a column itself."""
    return origins(scope, node) if isinstance(node.unnest(), exp.Column) else []


def equate(scope: SelectScope, left: exp.Expr, right: exp.Expr, joins: bool) -> None:
    """Notes that the columns of both are equal."""
    equalities = scope.work.facts.equalities
    others = origins(scope, right)
    for one in origins(scope, left):
        scope.work.spend(len(others))
        equalities.extend(Equality(one, other, joins) for other in others)


def ends_of_groups(scope: SelectScope, query: exp.Expr | None) -> set[int]:
    """The places of ``(SELECT thing, MAX(day) … GROUP BY thing)`` that have one value for each."""
    inner = query.unnest() if query is not None else None
    if not isinstance(inner, exp.Select) or inner.args.get("group") is None:
        return set()
    found = (scope.work.resolved.get(id(each.unalias())) for each in inner.expressions)
    return {
        index
        for index, output in enumerate(found)
        if output is not None and any(term.via in EXTREMES for term in output.terms)
    }


def note_lookups(scope: SelectScope, node: exp.In) -> None:
    """``(x, y) IN (SELECT a, b …)`` compares its columns without a join."""
    query = node.args.get("query")
    inner = query.unnest() if query is not None else None
    if isinstance(inner, exp.Select):
        for part, shown in zip(node.this.expressions, inner.expressions, strict=False):
            equate(scope, part, shown.unalias(), joins=False)
