"""One number divided by another: of what, and whether the fraction may get lost."""

from sqlglot import exp

from veridical.check.sql.kinds import type_of
from veridical.check.sql.scope import Scope
from veridical.contracts.schema import ValueType
from veridical.statement.nodes import with_subkinds

_AROUND = with_subkinds(exp.Cast, exp.TryCast, exp.Round, exp.Coalesce)
_WHOLE_ANYWAY = (exp.Floor, exp.Ceil, exp.Trunc)


def note_division(scope: Scope, node: exp.Expr) -> None:
    """A division of whole numbers, unless the whole part is what is asked for.

    By a number that is written out it makes groups: decades, pages, thousands.
    """
    divisor = node.expression.unnest()
    if isinstance(divisor, exp.Literal) or _wants_whole(node):
        return
    if _is_whole(scope, node.this) and _is_whole(scope, divisor):
        column = node.this.find(exp.Column)
        scope.work.facts.whole_divisions.append(column.name if column else node.this.sql()[:30])


def is_ratio(scope: Scope, node: exp.Expr) -> bool:
    """True for one column divided by another, scaled or not, under whatever name it came here."""
    node = _bared(node)
    resolved = scope.work.resolved.get(id(node))
    if resolved is not None:
        return resolved.ratio
    if isinstance(node, exp.Mul):
        sides = (_bared(node.this), _bared(node.expression))
        return any(isinstance(each, exp.Literal) for each in sides) and any(
            is_ratio(scope, each) for each in sides
        )
    if not isinstance(node, exp.Div) or node.find(exp.AggFunc):
        return False
    return all(each.find(exp.Column) is not None for each in (node.this, node.expression))


def _bared(node: exp.Expr) -> exp.Expr:
    node = node.unnest()
    while type(node) in _AROUND:
        node = node.this.unnest()
    return node


def _wants_whole(node: exp.Expr) -> bool:
    around = node.parent
    while isinstance(around, exp.Paren):
        around = around.parent
    if isinstance(around, exp.Cast | exp.TryCast):
        return around.to.is_type(*exp.DataType.INTEGER_TYPES)
    return isinstance(around, _WHOLE_ANYWAY)


def _is_whole(scope: Scope, node: exp.Expr) -> bool:
    node = node.unnest()
    if isinstance(node, exp.Literal):
        return not node.is_string and node.name.isdigit()
    if isinstance(node, exp.Add | exp.Sub | exp.Mul):
        return _is_whole(scope, node.this) and _is_whole(scope, node.expression)
    if isinstance(node, exp.Nullif | exp.Coalesce | exp.Filter):
        return _is_whole(scope, node.this)
    if isinstance(node, exp.Sum) and isinstance(node.this.unnest(), exp.Predicate):
        return True  # the number of rows that meet it
    if isinstance(node, exp.Case):
        values = [each.args["true"] for each in node.args["ifs"]]
        default = node.args.get("default")
        return all(_is_whole(scope, each) for each in (*values, *([default] if default else ())))
    if isinstance(node, exp.Sum | exp.Abs) and scope.work.resolved.get(id(node)) is None:
        return _is_whole(scope, node.this)
    return type_of(scope, node) is ValueType.INTEGER
