"""Whether an expression is what the words around a figure speak of."""

from collections.abc import Sequence

from veridical.gate.prover.facts import Fact, FactReader, Over
from veridical.gate.prover.scope import Scope

_RATES = ("aggregate.rate", "aggregate.share", "aggregate.mean", "aggregate.per")
_EXTREMES = ("rank.high", "rank.low", "rank.either", "compare.between", "aggregate.difference")
_SHORTEST_KIN = 3


def fits(scope: Scope, *facts: Fact) -> bool:
    """Whether one of the columns is the one that the label of the figure speaks of."""
    wanted = scope.label or (scope.columns if scope.own else scope.columns | scope.around)
    if scope.own and len(wanted) > 1 and any(fact.ref in scope.here for fact in facts):
        return True
    if not scope.own and scope.by_key and len(facts) == 1 and facts[0].over is Over.CELL:
        ref = facts[0].ref
        return not wanted or ref in wanted or scope.in_table or ref not in scope.here
    return not wanted or any(fact.ref in wanted for fact in facts)


def fits_both(scope: Scope, one: Fact, other: Fact, facts: FactReader) -> bool:
    """One column: it is the one spoken of. Two: both are, or they are kin by name."""
    if one.table < 0 or other.table < 0:
        return True
    mine, its = facts.column(one.ref), facts.column(other.ref)
    if one.ref == other.ref or mine.name == its.name:
        return fits(scope, one)
    if akin(mine.words, its.words):
        return fits(scope, one, other)
    if one.rows == other.rows:
        if scope.in_table and scope.by_key and not scope.own:
            return True
        if one.ref in scope.around and scope.shown_here:
            return True
        if scope.says(*_RATES):
            return fits(scope, one, other)
    spoken = scope.spoken
    return one.ref in spoken and other.ref in spoken and fits(scope, one, other)


def akin(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether two columns' names share a word, or one's is the end of the other's."""
    return any(
        a == b
        or (len(a) >= _SHORTEST_KIN and b.endswith(a))
        or (len(b) >= _SHORTEST_KIN and a.endswith(b))
        for a in one
        for b in other
        if not a.isdecimal()
    )


def is_said(fact: Fact, scope: Scope, *, is_additive: bool = False) -> bool:
    """Whether the words around allow this way over rows: a mean is called a mean, and what is
    called one is not the cell of a row that nobody names."""
    match fact.over:
        case Over.MEAN:
            return scope.says("aggregate.mean")
        case Over.WEIGHTED:
            return scope.is_total or scope.says(
                "aggregate.mean", "aggregate.weighted", "aggregate.total"
            )
        case Over.MEDIAN:
            return scope.says("aggregate.median")
        case Over.MIN | Over.MAX:
            return not scope.bound and scope.says(*_EXTREMES)
        case Over.SUM:
            foreign = bool(scope.bound) and (fact.table, fact.rows) not in scope.bound
            return (
                not foreign
                or scope.after_of
                or scope.says("aggregate.total", "aggregate.share", "aggregate.mean")
            )
        case Over.CELL:
            stray = not scope.bound and not scope.in_table and not scope.named
            return not (stray and scope.told_over and is_additive and len(scope.whole) == 1)
        case Over.DERIVED:
            return True


def is_bound(scope: Scope, fact: Fact) -> bool:
    """Whether a fact is of the rows beside the figure."""
    rows = (fact.table, fact.rows)
    if len(fact.rows) > 1 and scope.says("aggregate.total") and rows in scope.named:
        return True
    return any(
        fact.table == table and (fact.rows == named or (len(named) > 1 and fact.rows < named))
        for table, named in scope.bound
    )
