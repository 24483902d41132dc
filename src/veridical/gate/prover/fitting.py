"""Whether an expression fits the words around a figure."""

from collections.abc import Sequence

from veridical.gate.prover.facts import Fact, FactReader, Over
from veridical.gate.prover.scope import FigureScope

_RATES = ("aggregate.rate", "aggregate.share", "aggregate.mean", "aggregate.per")
_EXTREMES = ("rank.high", "rank.low", "rank.either", "compare.between", "aggregate.difference")
_SHORTEST_KIN = 3


def fits(scope: FigureScope, *facts: Fact) -> bool:
    """True if one of the columns is the one that the figure's label mentions."""
    wanted = scope.label or (scope.columns if scope.own else scope.columns | scope.around)
    if scope.own and len(wanted) > 1 and any(fact.ref in scope.here for fact in facts):
        return True
    if not scope.own and scope.by_key and len(facts) == 1 and facts[0].over is Over.CELL:
        ref = facts[0].ref
        return not wanted or ref in wanted or scope.in_table or ref not in scope.here
    return not wanted or any(fact.ref in wanted for fact in facts)


def fits_both(scope: FigureScope, one: Fact, other: Fact, facts: FactReader) -> bool:
    """True if the one column is mentioned, or both columns are, or their names are related."""
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
    mentioned = scope.mentioned
    return one.ref in mentioned and other.ref in mentioned and fits(scope, one, other)


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


def words_allow(fact: Fact, scope: FigureScope, *, is_additive: bool = False) -> bool:
    """True if the words around allow this aggregate: a mean must be called a mean, and what is
    called one is not the cell of an unnamed row."""
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
            return not (stray and scope.aggregate_words and is_additive and len(scope.whole) == 1)
        case Over.DERIVED:
            return True


def is_bound(scope: FigureScope, fact: Fact) -> bool:
    """True if a fact is of the rows beside the figure."""
    rows = (fact.table, fact.rows)
    if len(fact.rows) > 1 and scope.says("aggregate.total") and rows in scope.named:
        return True
    return any(
        fact.table == table and (fact.rows == named or (len(named) > 1 and fact.rows < named))
        for table, named in scope.bound
    )
