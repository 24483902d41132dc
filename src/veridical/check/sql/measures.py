"""The role of a measure in an expression: a flow, a duration, a mean, a ratio, a sum again."""

from collections.abc import Iterable

from sqlglot import exp

from veridical.check.facts import EXTREMES, Aggregate, Applied, LiteralKind, Origin, Term, Terms
from veridical.check.sql.kinds import type_of
from veridical.check.sql.literals import literal_of
from veridical.check.sql.scope import SelectScope
from veridical.contracts.schema import ValueType
from veridical.ontology.model import Encoding
from veridical.statement.reader import inside, with_subkinds

SHIFTED = "shifted"
_MOST_FACTORS = 16
_COUNTS = (exp.Count, exp.CountIf, exp.ApproxDistinct)
_MEANS = frozenset({"avg", "median"})
_OTHER_ROWS = (exp.Lag, exp.Lead, exp.FirstValue, exp.LastValue, exp.NthValue)
_AROUND_CALLS = (exp.Window, exp.Filter)
_ARITHMETIC = (exp.Mul, exp.Div, exp.Add, exp.Sub)
_AROUND = with_subkinds(
    *(exp.Cast, exp.TryCast, exp.Round, exp.Nullif, exp.Coalesce, exp.Greatest, exp.Ceil)
)
_OF_SECONDS = frozenset({60, 3600, 86_400, 604_800})
_NO_DIVISORS: dict[Encoding | None, frozenset[int]] = {
    Encoding.UNIX_MILLISECONDS: _OF_SECONDS,
    Encoding.UNIX_SECONDS: frozenset(1000 * each for each in (1, *_OF_SECONDS)),
}
"""Divisors that convert a duration in the one encoding to the other."""
_AROUND_QUOTIENTS = with_subkinds(exp.Cast, exp.TryCast, exp.Round, exp.Coalesce)
_WHOLE_ANYWAY = (exp.Floor, exp.Ceil, exp.Trunc)


def by_factor(scope: SelectScope, node: exp.Expr, terms: Terms) -> Terms:
    """The terms of ``pieces * CASE pack WHEN '20' THEN 1 WHEN '40' THEN 2 END``, and of a factor
    in a list that is written out: each row is converted by what it is."""
    if any(_is_factor(each) or _is_written(scope, each) for each in (node.this, node.expression)):
        return tuple(each._replace(converted=True) for each in terms)
    return terms


def by_branches(node: exp.Expr, terms: Terms) -> Terms:
    """The terms of ``CASE WHEN … THEN 1.0 * pieces ELSE 2.25 * pieces END``, likewise."""
    scaled = [_factor_of(each) for each in _branch_values(node)]
    first = scaled[0][1] if scaled else None
    same = all(number and inner == first for number, inner in scaled)
    if same and len({abs(number) for number, _ in scaled if number}) > 1:
        return tuple(each._replace(converted=True) for each in terms)
    return terms


def _is_factor(node: exp.Expr) -> bool:
    node = node.unnest()
    numbers = [literal_of(each) for each in _branch_values(node)]
    if any(each is None or each.kind is not LiteralKind.NUMBER for each in numbers):
        return False
    return len({abs(each.value) for each in numbers if each is not None and each.value}) > 1


def _branch_values(node: exp.Expr) -> list[exp.Expr]:
    if not isinstance(node, exp.Case):
        return []
    values = [each.args["true"] for each in node.args["ifs"]]
    default = node.args.get("default")
    return [*values, default] if default is not None else values


def _factor_of(node: exp.Expr) -> tuple[float, exp.Expr]:
    """The number that an expression is multiplied by, and the rest."""
    node = node.unnest()
    if isinstance(node, exp.Mul):
        for number, rest in ((node.this, node.expression), (node.expression, node.this)):
            literal = literal_of(number)
            if literal is not None and literal.kind is LiteralKind.NUMBER:
                return float(literal.value), rest.unnest()
    return 1.0, node


def _is_written(scope: SelectScope, node: exp.Expr) -> bool:
    """True for a column of VALUES."""
    found = scope.work.resolved.get(id(node.unnest()))
    return found is not None and found.written


def is_flow(left: Terms, right: Terms) -> bool:
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


def difference(terms: Terms) -> Terms:
    """The terms of a flow or a duration; of a first or last time, one that is still such."""
    return tuple(
        term if term.via in EXTREMES else term._replace(via="difference") for term in terms
    )


def shifted(called: exp.Expr, terms: Terms) -> Terms:
    """The terms of a window function that gives another row's value."""
    if not isinstance(called, _OTHER_ROWS):
        return terms
    return tuple(term._replace(via=term.via or SHIFTED) for term in terms)


def scaled(node: exp.Expr, left: Terms, right: Terms) -> tuple[Terms, Terms]:
    """Both sides of a product or a quotient, each with the columns and numbers of the other."""
    divided = isinstance(node, exp.Div)
    if divided and not left:  # 1 / rate
        return left, tuple(each._replace(divisors=each.divisors | {each.origin}) for each in right)
    return (
        _scaled_by(left, right, divided, number_of(node.expression)),
        _scaled_by(right, left, False, None if divided else number_of(node.this)),
    )


def _scaled_by(terms: Terms, by: Terms, divided: bool, number: float | None) -> Terms:
    if number:
        times = 1 / number if divided else number
        return tuple(term._replace(times=term.times * times) for term in terms)
    if not by or len(by) > _MOST_FACTORS:
        return terms
    inverse = frozenset(each.origin for each in by if each.origin in each.divisors)
    straight = frozenset(each.origin for each in by) - inverse
    factors, divisors = (inverse, straight) if divided else (straight, inverse)
    return tuple(
        term._replace(factors=term.factors | factors, divisors=term.divisors | divisors)
        for term in terms
    )


def number_of(node: exp.Expr) -> float | None:
    """The number that is written out here."""
    found = literal_of(node)
    return found.value if found is not None and found.kind is LiteralKind.NUMBER else None


def or_else(terms: Iterable[Term]) -> Terms:
    """The terms of a value for which a written one may stand in."""
    return tuple(term._replace(or_else=True) for term in terms)


def counts_rows(scope: SelectScope, node: exp.Expr) -> bool:
    """True for a number of rows, however it is rounded or converted."""
    node = inside(node, _AROUND)
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


def multiplies_count(scope: SelectScope, node: exp.Expr) -> bool:
    """True for a price times the number of things that had it."""
    return counts_rows(scope, node.this) or counts_rows(scope, node.expression)


def note_total(scope: SelectScope, node: exp.Expr, terms: Terms) -> None:
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


def note_mean(scope: SelectScope, node: exp.Expr, first: int) -> bool:
    """A sum by a number of rows is their mean; by the number of days, the mean of the days' sums.

    The sums are the aggregates from ``first`` on.
    """
    count = inside(node.expression, _AROUND)
    if isinstance(_unscaled(node.this), exp.Sum) and _is_number_of_times(count):
        aggregates = scope.work.facts.aggregates
        aggregates[first:] = [
            _as_mean(each, None)._replace(by_times=True) for each in aggregates[first:]
        ]
        return True
    if not isinstance(_unscaled(node.this), exp.Sum) or not isinstance(count, exp.Count):
        _note_weights(scope, node, first)
        return False
    over = _distinct_origins(scope, count)
    aggregates = scope.work.facts.aggregates
    for index in range(first, len(aggregates)):
        aggregates[index] = _as_mean(aggregates[index], over)
    return True


def _is_number_of_times(node: exp.Expr) -> bool:
    """True for a number such as 12 months; a power of ten changes the scale."""
    number = literal_of(node)
    if number is None or number.kind is not LiteralKind.NUMBER:
        return False
    return number.value > 1 and set(str(number.value).strip("0.")) != {"1"}


def _note_weights(scope: SelectScope, node: exp.Expr, first: int) -> None:
    """``SUM(rate * seats) / SUM(seats)``: however often seats come, they weigh above and below."""
    above, below = _unscaled(node.this), inside(node.expression, _AROUND)
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
        return aggregate._replace(function="avg", divided=True)
    return aggregate._replace(mean_over=over)


def _distinct_origins(scope: SelectScope, count: exp.Count) -> frozenset[Origin] | None:
    if not isinstance(count.this, exp.Distinct):
        return None
    found = (scope.work.resolved.get(id(each)) for each in count.this.expressions)
    return frozenset(term.origin for output in found if output for term in output.terms)


def _unscaled(node: exp.Expr) -> exp.Expr:
    """The expression without literal factors."""
    node = inside(node, _AROUND)
    while isinstance(node, exp.Mul | exp.Div):
        left, right = inside(node.this, _AROUND), inside(node.expression, _AROUND)
        if isinstance(right, exp.Literal):
            node = left
        elif isinstance(left, exp.Literal) and isinstance(node, exp.Mul):
            node = right
        else:
            return node
    return node


def is_duration(left: Terms, right: Terms) -> bool:
    """A stored time taken from another one, however it is put together, or from a time that is
    written out."""
    if not right or not _are_times(right):
        return bool(left) and bool(right) and _are_times(left)
    return len(left) <= 1 or _are_times(left)


def _are_times(terms: Terms) -> bool:
    return all(term.origin.column.encoding is not None for term in terms)


def note_subtraction(scope: SelectScope, node: exp.Expr, left: Terms, right: Terms) -> None:
    """20250301 less 20250228 is 73 and no number of days."""
    if not left or not right:
        return
    for side, terms in ((node.this, left), (node.expression, right)):
        for term in terms if isinstance(side.unnest(), exp.Column) else ():
            if term.origin.column.encoding is Encoding.YYYYMMDD and not term.via:
                scope.work.facts.applied.append(Applied("-", term.origin))


def note_wrong_unit(scope: SelectScope, node: exp.Expr, left: Terms) -> None:
    """Milliseconds by 3600 are no hours, and seconds by 3,600,000 are none."""
    divisor = literal_of(node.expression)
    if divisor is None or divisor.kind is not LiteralKind.NUMBER or node.this.find(exp.Literal):
        return
    for term in left:
        wrong = _NO_DIVISORS.get(term.origin.column.encoding)
        if wrong is not None and term.via and divisor.value in wrong:
            scope.work.facts.applied.append(Applied(f"/ {divisor.value}", term.origin))


def note_division(scope: SelectScope, node: exp.Expr) -> None:
    """A division of whole numbers, unless the whole part is wanted.

    By a number that is written out it makes groups: decades, pages, thousands.
    """
    divisor = node.expression.unnest()
    if isinstance(divisor, exp.Literal) or _wants_whole(node):
        return
    if _is_whole(scope, node.this) and _is_whole(scope, divisor):
        column = node.this.find(exp.Column)
        scope.work.facts.whole_divisions.append(column.name if column else node.this.sql()[:30])


def is_ratio(scope: SelectScope, node: exp.Expr) -> bool:
    """True for one column divided by another, scaled or not, under any name."""
    node = inside(node, _AROUND_QUOTIENTS)
    resolved = scope.work.resolved.get(id(node))
    if resolved is not None:
        return resolved.ratio
    if isinstance(node, exp.Mul):
        sides = (inside(node.this, _AROUND_QUOTIENTS), inside(node.expression, _AROUND_QUOTIENTS))
        return any(isinstance(each, exp.Literal) for each in sides) and any(
            is_ratio(scope, each) for each in sides
        )
    if not isinstance(node, exp.Div) or node.find(exp.AggFunc):
        return False
    return all(each.find(exp.Column) is not None for each in (node.this, node.expression))


def _wants_whole(node: exp.Expr) -> bool:
    around = node.parent
    while isinstance(around, exp.Paren):
        around = around.parent
    if isinstance(around, exp.Cast | exp.TryCast):
        return around.to.is_type(*exp.DataType.INTEGER_TYPES)
    return isinstance(around, _WHOLE_ANYWAY)


def _is_whole(scope: SelectScope, node: exp.Expr) -> bool:
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
