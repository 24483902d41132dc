"""The uses that conditions tie to each other: those of one query, but not of the parts of a UNION,
or of two figures side by side."""

from collections.abc import Iterator

from veridical.check.facts import Facts


def connected_uses(facts: Facts) -> tuple[frozenset[int], ...]:
    """For each use, all that it is tied to, itself included."""
    groups = [frozenset((use.id,)) for use in facts.uses]
    for tied in _ties(facts):
        joined = frozenset().union(*(groups[use] for use in tied))
        for use in joined:
            groups[use] = joined
    return tuple(groups)


def _ties(facts: Facts) -> Iterator[frozenset[int]]:
    yield from (frozenset((each.left.use, each.right.use)) for each in facts.equalities)
    yield from facts.links
    yield from (made_of | {origin.use} for origin, made_of in facts.computed)
    yield from (each.inner | each.outer for each in facts.nested if each.chooses)
