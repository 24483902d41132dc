"""Names of the SELECT list that conditions use, where a dialect allows it."""

from collections.abc import Iterator
from functools import partial

from sqlglot import exp

from veridical.check.sql.scope import SelectScope


def under_aliases(scope: SelectScope, where: exp.Expr) -> Iterator[exp.Expr]:
    """The conditions by a name of the SELECT list, with what it stands for in its place."""
    if not scope.work.dialect.alias_in_where:
        return
    for condition in where.unnest().flatten() if isinstance(where.unnest(), exp.And) else (where,):
        columns = [each for each in condition.find_all(exp.Column) if is_alias(scope, each)]
        if columns and condition.find(exp.Query) is None:
            yield condition.copy().transform(partial(_written_out, scope))


def _written_out(scope: SelectScope, node: exp.Expr) -> exp.Expr:
    if isinstance(node, exp.Column) and is_alias(scope, node):
        return exp.paren(scope.aliases[node.name.casefold()].unalias().copy())
    return node


def is_alias(scope: SelectScope, column: exp.Column) -> bool:
    """True for a name of the SELECT list that no source has."""
    folded = column.name.casefold()
    known = column.table or any(source.find(folded) for source in scope.sources.values())
    return not known and folded in scope.aliases
