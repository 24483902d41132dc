"""What becomes of a measure in an expression: a flow, a duration, a mean, or a sum again."""

from sqlglot import exp

from veridical.check.facts import Aggregate, Origin, Term
from veridical.check.sql.scope import Scope
from veridical.statement.nodes import with_subkinds

SHIFTED = "shifted"
_COUNTS = (exp.Count, exp.CountIf, exp.ApproxDistinct)
_MEANS = frozenset({"avg", "median"})
_OTHER_ROWS = (exp.Lag, exp.Lead, exp.FirstValue, exp.LastValue, exp.NthValue)
_AROUND_CALLS = (exp.Window, exp.Filter)
_ARITHMETIC = (exp.Mul, exp.Div, exp.Add, exp.Sub)
_AROUND = with_subkinds(
    *(exp.Cast, exp.TryCast, exp.Round, exp.Nullif, exp.Coalesce, exp.Greatest, exp.Ceil)
)


def is_flow(left: tuple[Term, ...], right: tuple[Term, ...]) -> bool:
    """A snapshot minus the same stock of an earlier time: what the owner declared as its opening,
    the row before, or another row that is joined. Stock minus reserved stock of the same day is a
    snapshot still."""
    if len(left) != 1 or len(right) != 1:
        return False
    one, other = left[0], right[0]
    constraint = one.origin.column.semi_additive
    if constraint is None:
        return False
    if one.origin.use != other.origin.use:
        return one.origin.column is other.origin.column and one.via == other.via
    if one.origin == other.origin:
        return SHIFTED in (one.via, other.via) and one.via != other.via
    return other.origin.column.name == constraint.opening


def shifted(called: exp.Expr, terms: tuple[Term, ...]) -> tuple[Term, ...]:
    """The terms of a window function that gives another row's value."""
    if not isinstance(called, _OTHER_ROWS):
        return terms
    return tuple(term._replace(via=term.via or SHIFTED) for term in terms)


def counts_rows(scope: Scope, node: exp.Expr) -> bool:
    """True for a number of rows, however it is rounded or converted."""
    node = _inside(node)
    if isinstance(node, _AROUND_CALLS):
        return counts_rows(scope, node.this)
    if isinstance(node, exp.Query):
        shown = node.selects
        return len(shown) == 1 and counts_rows(scope, shown[0].unalias())
    if isinstance(node, exp.Sum):
        return isinstance(node.this.unnest(), exp.Literal)
    if isinstance(node, _ARITHMETIC):
        return counts_rows(scope, node.this) or counts_rows(scope, node.expression)
    resolved = scope.work.resolved.get(id(node))
    return isinstance(node, _COUNTS) or (resolved is not None and resolved.counts)


def multiplies_count(scope: Scope, node: exp.Expr) -> bool:
    """True for a price times the number of things that had it."""
    return counts_rows(scope, node.this) or counts_rows(scope, node.expression)


def note_total(scope: Scope, node: exp.Expr, terms: tuple[Term, ...]) -> None:
    """A mean times a number of rows is the sum that it was divided from."""
    means = {term.origin for term in terms if term.via in _MEANS}
    if not means or not any(counts_rows(scope, each) for each in (node.this, node.expression)):
        return
    aggregates = scope.work.facts.aggregates
    aggregates.extend(
        each._replace(function="sum", mean_over=frozenset())
        for each in list(aggregates)
        if (each.function in _MEANS or each.mean_over)
        and any(term.origin in means for term in each.terms)
    )


def note_mean(scope: Scope, node: exp.Expr, first: int) -> bool:
    """A sum by a number of rows is their mean; by the number of days, the mean of the days' sums.

    The sums are the aggregates from ``first`` on.
    """
    count = _inside(node.expression)
    if not isinstance(_unscaled(node.this), exp.Sum) or not isinstance(count, exp.Count):
        _note_weights(scope, node, first)
        return False
    over = _distinct_origins(scope, count)
    aggregates = scope.work.facts.aggregates
    for index in range(first, len(aggregates)):
        aggregates[index] = _as_mean(aggregates[index], over)
    return True


def _note_weights(scope: Scope, node: exp.Expr, first: int) -> None:
    """``SUM(rate * seats) / SUM(seats)``: however often seats come, they weigh above and below."""
    above, below = _unscaled(node.this), _inside(node.expression)
    if not isinstance(above, exp.Sum) or not isinstance(below, exp.Sum):
        return
    aggregates = scope.work.facts.aggregates
    if len(aggregates) != first + 2 or not isinstance(above.this.unnest(), exp.Mul):
        return
    scaled, weights = aggregates[first], aggregates[first + 1]
    own = {term.origin for term in weights.terms}
    if own < {term.origin for term in scaled.terms}:
        aggregates[first + 1] = weights._replace(weighs=True)


def _as_mean(aggregate: Aggregate, over: frozenset[Origin] | None) -> Aggregate:
    if aggregate.function != "sum":
        return aggregate
    if over is None:
        return aggregate._replace(function="avg")
    return aggregate._replace(mean_over=over)


def _distinct_origins(scope: Scope, count: exp.Count) -> frozenset[Origin] | None:
    if not isinstance(count.this, exp.Distinct):
        return None
    found = (scope.work.resolved.get(id(each)) for each in count.this.expressions)
    return frozenset(term.origin for output in found if output for term in output.terms)


def _inside(node: exp.Expr) -> exp.Expr:
    node = node.unnest()
    while type(node) in _AROUND:
        node = node.this.unnest()
    return node


def _unscaled(node: exp.Expr) -> exp.Expr:
    """What is under a factor that is written out."""
    node = _inside(node)
    while isinstance(node, exp.Mul | exp.Div):
        left, right = _inside(node.this), _inside(node.expression)
        if isinstance(right, exp.Literal):
            node = left
        elif isinstance(left, exp.Literal) and isinstance(node, exp.Mul):
            node = right
        else:
            return node
    return node
