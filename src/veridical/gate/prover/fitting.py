"""Whether an expression fits the words around a figure."""

from collections.abc import Sequence

from veridical.gate.prover.facts import Fact, FactReader, Over
from veridical.gate.prover.scope import FigureScope

_RATES = ("aggregate.rate", "aggregate.share", "aggregate.mean", "aggregate.per")
_EXTREMES = ("rank.high", "rank.low", "rank.either", "compare.between", "aggregate.difference")
_SHORTEST_KIN = 3


def fits(scope: FigureScope, *facts: Fact) -> bool:
    """True if one of the columns is one that the figure's label mentions."""
    refs = {fact.ref for fact in facts}
    if len(scope.label) > 1 and refs & scope.here:
        return True
    if not scope.label and scope.by_key and len(facts) == 1 and facts[0].over is Over.CELL:
        return not scope.wanted or bool(refs & scope.wanted) or not refs & scope.here
    return not scope.wanted or bool(refs & scope.wanted)


def fits_both(scope: FigureScope, one: Fact, other: Fact, facts: FactReader) -> bool:
    """True if the one column is mentioned, or both columns are, or their names are related."""
    if one.table < 0 or other.table < 0:
        return True
    mine, its = facts.column(one.ref), facts.column(other.ref)
    if mine.name == its.name:
        return fits(scope, one)
    if akin(mine.words, its.words):
        return fits(scope, one, other)
    if one.rows == other.rows:
        if (scope.in_table and scope.by_key and not scope.label) or one.ref in scope.around:
            return True
        if scope.says(*_RATES):
            return fits(scope, one, other)
    return {one.ref, other.ref} <= scope.mentioned and fits(scope, one, other)


def akin(one: Sequence[str], other: Sequence[str]) -> bool:
    """True if two columns' names share a word, or one's is the end of the other's."""
    return any(
        a == b
        or (len(a) >= _SHORTEST_KIN and b.endswith(a))
        or (len(b) >= _SHORTEST_KIN and a.endswith(b))
        for a in one
        for b in other
        if not a.isdecimal()
    )


def words_allow(fact: Fact, scope: FigureScope, *, is_part: bool = False) -> bool:
    """True if the words around allow this aggregate: only what is called a mean is one, and what is
    called one is not the cell of an unnamed row, ``is_part``, which is one of several."""
    match fact.over:
        case Over.MEAN:
            return scope.says("aggregate.mean")
        case Over.MEDIAN:
            return scope.says("aggregate.median")
        case Over.MIN | Over.MAX:
            return not scope.bound and scope.says(*_EXTREMES)
        case Over.SUM:
            of_others = bool(scope.bound) and (fact.table, fact.rows) not in scope.bound
            return not of_others or scope.after_of or scope.says(*_OF_ALL)
        case Over.CELL:
            stray = not scope.bound and not scope.in_table and not scope.named
            return not (stray and scope.over_all and is_part)
        case Over.DERIVED:
            return True


_OF_ALL = ("aggregate.total", "aggregate.share", "aggregate.mean")


def is_bound(scope: FigureScope, fact: Fact) -> bool:
    """True if a fact is of the rows beside the figure."""
    is_named = len(fact.rows) > 1 and (fact.table, fact.rows) in scope.named
    return (is_named and scope.says("aggregate.total")) or any(
        fact.table == table and (fact.rows == named or (len(named) > 1 and fact.rows < named))
        for table, named in scope.bound
    )
