"""Which words a true comparison of two sides licenses, and which numbers."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from veridical.evidence.column_words import name_words
from veridical.evidence.dimension import Quantity
from veridical.evidence.moment import Moment, find_moments
from veridical.gate.kernel import expression as ex
from veridical.gate.kernel.arithmetic import compared, lifted
from veridical.gate.kernel.evaluate import Evaluator
from veridical.gate.kernel.value import EvaluationError, Figure
from veridical.gate.references.leaves import Leaf, leaves
from veridical.gate.references.times import leaf_moment

MORE = frozenset({"compare.more", "delta.up"})
LESS = frozenset({"compare.less", "delta.down"})
NOTHING = frozenset({"quantity.none", "negation", "missing"})
BY_COMPARATOR = {
    ex.Comparator.MORE: MORE,
    ex.Comparator.LESS: LESS,
    ex.Comparator.AT_LEAST: frozenset({"compare.at_least"}),
    ex.Comparator.AT_MOST: frozenset({"compare.at_most"}),
    ex.Comparator.EQUAL: frozenset({"equal", "direction.flat"}),
    ex.Comparator.OTHER: frozenset({"differ", "negation", "aggregate.rest", "quantity.none"}),
    ex.Comparator.ABOUT: frozenset({"near", "approximate", "direction.flat", "equal"}),
}
_FRACTIONS = {
    "proportion.half": 1 / 2, "proportion.third": 1 / 3, "proportion.quarter": 1 / 4,
    "proportion.fifth": 1 / 5, "proportion.tenth": 1 / 10, "proportion.two_thirds": 2 / 3,
    "proportion.three_quarters": 3 / 4, "proportion.double": 2.0, "proportion.triple": 3.0,
    "proportion.fourfold": 4.0,
}  # fmt: skip
_NEAR = 0.011
_LITTLE = 0.15
"""How near a little more or just below is."""
_AND_SO = {
    ex.Comparator.MORE: (ex.Comparator.AT_LEAST,),
    ex.Comparator.LESS: (ex.Comparator.AT_MOST,),
    ex.Comparator.EQUAL: (ex.Comparator.AT_LEAST, ex.Comparator.AT_MOST),
}
_ZERO = 1e-9


@dataclass(slots=True)
class Licence:
    """What the words of a claim may say."""

    kinds: set[str] = field(default_factory=set[str])
    numbers: set[float] = field(default_factory=set[float])
    ranks: set[int] = field(default_factory=set[int])


def also_true(left: ex.Scalar, right: ex.Scalar, evaluator: Evaluator) -> Iterator[ex.Comparator]:
    """Which other comparisons of the two sides are true as well."""
    try:
        one, other = evaluator.value(left), evaluator.value(right)
    except EvaluationError:
        return
    for comparator in (ex.Comparator.MORE, ex.Comparator.LESS, ex.Comparator.EQUAL):
        try:
            if compared(one, comparator, other):
                yield comparator
                yield from _AND_SO.get(comparator, ())
        except EvaluationError:
            continue
    if isinstance(one, Figure) and isinstance(other, Figure):
        one, other = lifted(one, other), lifted(other, one)
        if abs(one.value - other.value) <= _LITTLE * max(abs(one.value), abs(other.value)):
            yield ex.Comparator.ABOUT


def license_comparison(
    left: ex.Scalar, comparator: ex.Comparator, right: ex.Scalar, evaluator: Evaluator, to: Licence
) -> None:
    """The words for a comparison, given that it holds."""
    to.kinds |= BY_COMPARATOR[comparator]
    _judge(left, comparator, evaluator, to)
    if any(_leaves_out(side) for side in (left, right)):
        to.kinds |= BY_COMPARATOR[ex.Comparator.OTHER] - {"negation", "quantity.none"}
    license_limits(right, to)
    license_limits(left, to)
    _fractions(left, right, to)
    if is_zero(right):
        if comparator is ex.Comparator.EQUAL:
            to.kinds |= NOTHING
        if isinstance(left, ex.Change) or is_difference(left):
            _direction(comparator, to)
        if comparator is ex.Comparator.MORE:
            to.kinds.add("quantity.some")
        return
    if _is_literal(right):
        if isinstance(left, ex.Change) or is_difference(left):
            _direction(comparator, to)
        return
    if _later(left, right, evaluator):
        _direction(_mirrored(comparator), to)
    else:
        _direction(comparator, to)


def _judge(left: ex.Scalar, comparator: ex.Comparator, evaluator: Evaluator, to: Licence) -> None:
    """Better or worse: more of most measures is better, of delays and costs it is worse."""
    if comparator not in (ex.Comparator.MORE, ex.Comparator.LESS):
        return
    found = leaves(left, evaluator)
    names = [left.column] if isinstance(left, ex.Own) else []
    names += [name for leaf in found for name in leaf.columns]
    turned = any(name_words(name).has("less_is_better") for name in names) or any(
        _is_duration(leaf, name) for leaf in found for name in leaf.columns
    )
    better = (comparator is ex.Comparator.MORE) is not turned
    to.kinds.add("judged.up" if better else "judged.down")


def _is_duration(leaf: Leaf, name: str) -> bool:
    at = leaf.rows.table.column(name)
    dimension = leaf.rows.table.columns[at].dimension if at is not None else None
    return dimension is not None and dimension.quantity is Quantity.DURATION


def _leaves_out(scalar: ex.Scalar) -> bool:
    """Whether it is about the rest of some rows."""
    match scalar:
        case ex.Cells(rows, _) | ex.Count(rows):
            return isinstance(rows, ex.Where) and rows.comparator is ex.Comparator.OTHER
        case ex.Reduced(_, series):
            return _leaves_out(series)
        case ex.Arithmetic(_, left, right) | ex.Share(left, right) | ex.Change(left, right):
            return _leaves_out(left) or _leaves_out(right)
        case _:
            return False


def _direction(comparator: ex.Comparator, to: Licence) -> None:
    if comparator in (ex.Comparator.MORE, ex.Comparator.AT_LEAST):
        to.kinds.add("direction.up")
    if comparator in (ex.Comparator.LESS, ex.Comparator.AT_MOST):
        to.kinds.add("direction.down")


def _mirrored(comparator: ex.Comparator) -> ex.Comparator:
    turns = {
        ex.Comparator.MORE: ex.Comparator.LESS,
        ex.Comparator.LESS: ex.Comparator.MORE,
        ex.Comparator.AT_LEAST: ex.Comparator.AT_MOST,
        ex.Comparator.AT_MOST: ex.Comparator.AT_LEAST,
    }
    return turns.get(comparator, comparator)


def _later(left: ex.Scalar, right: ex.Scalar, evaluator: Evaluator) -> bool:
    """Whether the right side is of a later time than the left."""
    first, second = _moment(left, evaluator), _moment(right, evaluator)
    return first is not None and second is not None and second.order > first.order


def _moment(scalar: ex.Scalar, evaluator: Evaluator) -> Moment | None:
    if isinstance(scalar, ex.Own):
        found = find_moments(scalar.column.replace("_", " "))
        return found[-1].moment if found else None
    return next((m for leaf in leaves(scalar, evaluator) if (m := leaf_moment(leaf))), None)


def license_limits(scalar: ex.Scalar, to: Licence) -> None:
    """The numbers that a side is written with."""
    for number in _numbers(scalar):
        to.numbers |= {number, number * 100}
    if isinstance(scalar, ex.Text):
        digits = re.findall(r"\d+", scalar.value)
        to.numbers |= {float(each) for each in digits}


def _numbers(scalar: ex.Scalar) -> Iterator[float]:
    match scalar:
        case ex.Number(value, _):
            yield value
        case ex.Arithmetic(ex.Operator.BY, ex.Number(part, _), ex.Number(whole, _)) if whole:
            yield part / whole
        case ex.Arithmetic(_, left, right):
            yield from _numbers(left)
            yield from _numbers(right)
        case _:
            return


def _fractions(left: ex.Scalar, right: ex.Scalar, to: Licence) -> None:
    """Half, a third, twice: by the factor on the right, or by what a ratio is compared with."""
    ratio = isinstance(left, ex.Share | ex.Change) or (
        isinstance(left, ex.Arithmetic) and left.operator is ex.Operator.BY
    )
    scaled = isinstance(right, ex.Arithmetic) and right.operator in (
        ex.Operator.TIMES,
        ex.Operator.BY,
    )
    if not ratio and not scaled and not isinstance(left, ex.Cells | ex.Own):
        return
    for number in _numbers(right):
        values = {number, number / 100}
        if isinstance(right, ex.Arithmetic) and right.operator is ex.Operator.BY and number:
            values = values if isinstance(right.left, ex.Number) else {1 / number}
        if isinstance(left, ex.Change):
            values = {value + 1 for value in values}
        to.kinds |= {
            kind
            for kind, size in _FRACTIONS.items()
            if any(abs(value - size) <= _NEAR * size for value in values)
        }


def is_zero(scalar: ex.Scalar) -> bool:
    """Whether it is nothing, written out."""
    return isinstance(scalar, ex.Number) and abs(scalar.value) < _ZERO


def _is_literal(scalar: ex.Scalar) -> bool:
    return isinstance(scalar, ex.Number | ex.Text) or (
        isinstance(scalar, ex.Arithmetic)
        and isinstance(scalar.left, ex.Number)
        and isinstance(scalar.right, ex.Number)
    )


def is_difference(scalar: ex.Scalar) -> bool:
    """Whether it subtracts."""
    return isinstance(scalar, ex.Arithmetic) and scalar.operator is ex.Operator.MINUS
