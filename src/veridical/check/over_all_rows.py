"""A mean or a share written over all rows, also those without a value."""

from sqlglot import exp

ALL_ROWS = "COUNT(*)"
"""What such a figure is divided by."""


def over_all_rows(tree: exp.Expr, name: str) -> bool:
    """True when each mean and each denominator of this column was divided by all rows; false where
    a join could add rows that are none of the table's."""
    if any(each.side for each in tree.find_all(exp.Join)):
        return False
    found = [
        each
        for each in tree.find_all(exp.Avg, exp.Count)
        if _reads(each, name) and (isinstance(each, exp.Avg) or _divides(each))
    ]
    if not found or any(isinstance(each.parent, exp.Filter | exp.Window) for each in found):
        return False
    for each in found:
        every = exp.Count(this=exp.Star())
        if isinstance(each, exp.Avg):
            total = exp.Mul(this=exp.Literal.number("1.0"), expression=exp.Sum(this=each.this))
            each.replace(exp.paren(exp.Div(this=total, expression=every)))
        else:
            each.replace(every)
    return True


def _reads(figure: exp.Expr, name: str) -> bool:
    within = figure.this
    if not isinstance(within, exp.Expr) or isinstance(within, exp.Distinct):
        return False
    return any(each.name == name for each in within.find_all(exp.Column))


def _divides(figure: exp.Expr) -> bool:
    """True for a part of what something is divided by."""
    node, above = figure, figure.parent
    while above is not None and not isinstance(above, exp.Select):
        if isinstance(above, exp.Div):
            return above.expression is node
        node, above = above, above.parent
    return False
