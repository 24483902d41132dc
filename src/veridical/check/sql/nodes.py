"""The parts of a tree, walked once for all who look at them."""

from functools import lru_cache

from sqlglot import exp

_REMEMBERED = 4096
"""Sets of forms: most statements are made of the same few."""


def nodes_of(tree: exp.Expr) -> list[exp.Expr]:
    """All parts of a tree, itself first, level by level as ``walk`` has them."""
    level = [tree]
    found = [tree]
    while level:
        below: list[exp.Expr] = []
        for node in level:
            for value in node.args.values():
                if isinstance(value, exp.Expr):
                    below.append(value)
                elif isinstance(value, list):
                    below += [each for each in value if isinstance(each, exp.Expr)]
        found += below
        level = below
    return found


@lru_cache(_REMEMBERED)
def has_any(types: frozenset[type[exp.Expr]], wanted: tuple[type[exp.Expr], ...]) -> bool:
    """True when one of the types is of a wanted kind."""
    return any(issubclass(each, wanted) for each in types)
