"""How many rows a statement asks for."""

from sqlglot import exp


def with_limit(tree: exp.Query, rows: int) -> exp.Query:
    """The tree asking for one row more than allowed, so that a cut is seen.

    A limit of the query's own stays unless it is a larger number; the fetch stops in any case.
    """
    return _limited(tree, rows, rows + 1)


def at_most(tree: exp.Query, rows: int | None) -> exp.Query:
    """The tree asking for this many rows at most."""
    return tree if rows is None else _limited(tree, rows, rows)


def _limited(tree: exp.Query, rows: int, asked: int) -> exp.Query:
    while isinstance(tree, exp.Subquery) and tree.is_wrapper:
        tree = tree.this  # PostgreSQL takes no limit outside of parentheses that hold one
    own = tree.args.get("limit")
    if own is None or (isinstance(own, exp.Limit) and _exceeds(own.expression, rows)):
        tree.set("limit", exp.Limit(expression=exp.Literal.number(asked)))
    return tree


def _exceeds(asked: exp.Expr, rows: int) -> bool:
    return isinstance(asked, exp.Literal) and asked.is_int and int(asked.name) > rows
