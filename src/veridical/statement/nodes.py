"""The parts of a tree, walked once for all who look at them."""

from functools import lru_cache

from sqlglot import exp

_NO_NODES = frozenset({type(None), bool, str, int})
"""What most parts hold beside others: told by their type, which is quicker than to ask for it."""
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
                kind = type(value)
                if kind in _NO_NODES:
                    continue
                if kind is list:
                    below += [each for each in value if isinstance(each, exp.Expr)]
                elif isinstance(value, exp.Expr):
                    below.append(value)
        found += below
        level = below
    return found


def with_subkinds(*kinds: type[exp.Expr]) -> frozenset[type[exp.Expr]]:
    """These kinds and all that are one of them: looked up at once, however many there are."""
    below = (each for kind in kinds for each in with_subkinds(*kind.__subclasses__()))
    return frozenset((*kinds, *below))


@lru_cache(_REMEMBERED)
def has_any(types: frozenset[type[exp.Expr]], wanted: tuple[type[exp.Expr], ...]) -> bool:
    """True when one of the types is of a wanted kind."""
    return any(issubclass(each, wanted) for each in types)
