"""Which words a true condition licenses: kinds of the closed vocabulary, and numbers."""

from functools import cache

from veridical.contracts.language import Language
from veridical.gate.kernel import expression as ex
from veridical.gate.kernel.evaluate import Evaluator
from veridical.gate.kernel.parse import is_rows
from veridical.gate.kernel.value import EvaluationError, Figure, Selection
from veridical.gate.references.comparing import (
    BY_COMPARATOR,
    LESS,
    MORE,
    NOTHING,
    Licence,
    also_true,
    is_difference,
    is_zero,
    license_comparison,
)
from veridical.gate.references.leaves import base_rows, leaves
from veridical.gate.references.times import TIMES, is_before
from veridical.gate.references.words import words

_TURNED = {
    ex.Comparator.MORE: ex.Comparator.AT_MOST,
    ex.Comparator.LESS: ex.Comparator.AT_LEAST,
    ex.Comparator.AT_LEAST: ex.Comparator.LESS,
    ex.Comparator.AT_MOST: ex.Comparator.MORE,
    ex.Comparator.EQUAL: ex.Comparator.OTHER,
    ex.Comparator.OTHER: ex.Comparator.EQUAL,
    ex.Comparator.ABOUT: ex.Comparator.OTHER,
}
_NEGATED = frozenset({"negation", "quantity.none"})
_OTHERS = frozenset({"differ", "aggregate.rest"})
_STRICT = {
    ex.Comparator.AT_LEAST: ex.Comparator.MORE,
    ex.Comparator.AT_MOST: ex.Comparator.LESS,
}


def licence(expression: ex.Expression, evaluator: Evaluator) -> Licence:
    """The words that a condition licenses, given that it holds."""
    found = Licence(set(_OTHERS))
    if asks_for_no(expression):
        found.kinds |= _NEGATED
    try:
        _license(expression, evaluator, found)
    except EvaluationError:
        return found
    if not isinstance(expression, ex.Not):
        found.kinds.add("affirm.yes")
    denies = isinstance(expression, ex.Not) or (
        isinstance(expression, ex.Quantified) and expression.quantifier is ex.Quantifier.NONE
    )
    if denies or (isinstance(expression, ex.Compare) and is_zero(expression.right)):
        found.kinds.add("affirm.no")
    return found


def _license(expression: ex.Expression, evaluator: Evaluator, to: Licence) -> None:
    if is_rows(expression):
        _license_rows(expression, evaluator, to)
        return
    match expression:
        case ex.Compare(left, comparator, right):
            for each in {comparator, *also_true(left, right, evaluator)}:
                license_comparison(left, each, right, evaluator, to)
        case ex.Same(left, right):
            _rows(right, evaluator, to)
            _signs(right, evaluator.rows(left), evaluator, to)
            if len(evaluator.rows(left).rows) > 1:
                to.kinds |= {"equal", "quantity.all"}
        case ex.Within(left, right):
            _rows(right, evaluator, to)
            _described(left, evaluator, to)
        case ex.Quantified():
            _quantified(expression, evaluator, to)
        case ex.Runs(course, _):
            to.kinds |= {"steady", "quantity.all"}
            to.kinds.add("direction.up" if course is ex.Course.RISING else "direction.down")
        case ex.Not(inner):
            _not(inner, evaluator, to)
        case ex.Reduced(function, _):
            to.kinds |= {"rank.high"} if function is ex.Function.MAX else set()
            to.kinds |= {"rank.low"} if function is ex.Function.MIN else set()
        case ex.Count(rows):
            _rows(rows, evaluator, to)
        case _:
            return


def _license_rows(rows: ex.Rows, evaluator: Evaluator, to: Licence) -> None:
    _rows(rows, evaluator, to)
    to.kinds.add("quantity.some")
    if isinstance(rows, ex.Where) and isinstance(rows.rows, ex.Where):
        to.kinds.add("quantity.all")  # both conditions are met


def denied(expression: ex.Expression) -> frozenset[str]:
    """What words behind a not may say of a condition: not reached, none had more than one."""
    match expression:
        case ex.Compare(_, comparator, _) | ex.Where(_, _, comparator, _):
            return _opposite(comparator)
        case ex.Quantified(ex.Quantifier.ALL, _, (_, comparator, _)):
            return _opposite(comparator)
        case ex.Within(_, right):
            return denied(right)
        case _:
            return frozenset()


def asks_for_no(expression: ex.Expression) -> bool:
    """Whether a condition asks for a value that says no."""
    match expression:
        case ex.Where(_, _, ex.Comparator.EQUAL, ex.Text(value)):
            return value.casefold() in _false()
        case ex.Quantified(_, _, (_, ex.Comparator.EQUAL, ex.Text(value))):
            return value.casefold() in _false()
        case ex.Within(_, right):
            return asks_for_no(right)
        case _:
            return False


def _opposite(comparator: ex.Comparator) -> frozenset[str]:
    turned = BY_COMPARATOR[_TURNED[comparator]]
    match comparator:
        case ex.Comparator.LESS | ex.Comparator.AT_MOST:
            return turned | MORE
        case ex.Comparator.MORE | ex.Comparator.AT_LEAST:
            return turned | LESS
        case _:
            return turned | MORE | LESS


@cache
def _false() -> frozenset[str]:
    """Values that deny: no, nein, 否."""
    return frozenset(word for language in Language for word in words(language).denying) | {
        "false",
        "0",
    }


def _rows(rows: ex.Rows, evaluator: Evaluator, to: Licence) -> None:
    """The words that describe rows by how they are selected."""
    match rows:
        case ex.Ranked(_, first, last):
            to.kinds.add("rank.high" if first > 0 else "rank.low")
            to.kinds.add("rank.either")
            to.kinds.add("quantity.all")
            if first == last:
                to.ranks.add(abs(first))
            else:
                to.numbers.add(float(abs(last)))
            if first < 0 and _is_timed(rows, evaluator):
                to.kinds.add("rank.old")
            _signs(rows, evaluator.rows(rows), evaluator, to)
            over = Licence()
            _described(base_rows(rows), evaluator, over)
            to.kinds |= over.kinds - {"negation", "quantity.none"}
            to.numbers |= over.numbers
        case ex.Sorted():
            _ordered(rows, evaluator, to)
        case ex.Where(within, left, comparator, right):
            license_comparison(left, comparator, right, evaluator, to)
            strict = _STRICT.get(comparator)
            equal = ex.Where(within, left, ex.Comparator.EQUAL, right)
            if strict is not None and not evaluator.rows(equal).rows:
                license_comparison(left, strict, right, evaluator, to)
            _described(within, evaluator, to)
        case ex.Blank(within, _, is_blank):
            to.kinds |= {"missing", "negation", "quantity.none"} if is_blank else set()
            _described(within, evaluator, to)
        case ex.Group(within, _) | ex.Named(within, _) | ex.Range(within, _, _):
            _described(within, evaluator, to)
        case ex.Row(within, _) | ex.Nth(within, _):
            _described(within, evaluator, to)
        case ex.Table():
            return


def _ordered(rows: ex.Sorted, evaluator: Evaluator, to: Licence) -> None:
    to.kinds |= {"rank.either", "order"}
    to.kinds |= {"order.down", "rank.high"} if rows.descending else {"order.up", "rank.low"}
    to.ranks.add(1)
    if _change_of(rows.series) is not None:
        up, down = {"direction.up", "delta.up"}, {"direction.down", "delta.down"}
        to.kinds |= up if rows.descending else down
    if not rows.descending and _is_timed(rows, evaluator):
        to.kinds.add("rank.old")


def _described(rows: ex.Rows, evaluator: Evaluator, to: Licence) -> None:
    if not isinstance(rows, ex.Table):
        _rows(rows, evaluator, to)


def _signs(rows: ex.Rows, chosen: Selection, evaluator: Evaluator, to: Licence) -> None:
    """Up or down where rows are ranked by how much something changed."""
    if not isinstance(rows, ex.Ranked):
        return
    zero = _change_of(rows.series)
    if zero is None:
        return
    found = evaluator.series(rows.series)
    values = [
        value.value - zero
        for row, value in zip(found.selection.rows, found.values, strict=True)
        if row in chosen.rows and isinstance(value, Figure)
    ]
    if values and all(value > 0 for value in values):
        to.kinds |= {"direction.up", "delta.up", "compare.more"}
    if values and all(value < 0 for value in values):
        to.kinds |= {"direction.down", "delta.down", "compare.less", "rank.low", "fell.most"}


def _change_of(series: ex.Scalar) -> float | None:
    """What no change is, where a series says one: nothing for a difference, one for a ratio."""
    match series:
        case ex.Change() | ex.Arithmetic(ex.Operator.MINUS, _, _):
            return 0.0
        case ex.Arithmetic(ex.Operator.BY, left, _) if is_difference(left):
            return 0.0
        case ex.Arithmetic(ex.Operator.BY, ex.Cells(_, one), ex.Cells(_, other)):
            return 1.0 if is_before(one, other) or is_before(other, one) else None
        case _:
            return None


def _is_timed(rows: ex.Ranked | ex.Sorted, evaluator: Evaluator) -> bool:
    """Whether rows are ranked by days or periods, so that the oldest comes first."""
    return any(
        (at := leaf.rows.table.column(name)) is not None
        and leaf.rows.table.columns[at].kind in TIMES
        for leaf in leaves(rows, evaluator)
        for name in leaf.columns
    )


def _quantified(found: ex.Quantified, evaluator: Evaluator, to: Licence) -> None:
    match found.quantifier:
        case ex.Quantifier.ALL:
            to.kinds |= {"quantity.all", "steady"}
            to.numbers.add(float(len(evaluator.rows(found.rows).rows)))
            if found.condition and found.condition[1] is ex.Comparator.EQUAL:
                to.kinds.add("equal")
        case ex.Quantifier.NONE:
            to.kinds |= NOTHING
        case ex.Quantifier.SOME:
            to.kinds |= {"quantity.some"}
        case ex.Quantifier.ONLY:
            to.kinds |= {"quantity.only"}
            to.numbers.add(1.0)
    if found.condition is not None:
        license_comparison(*found.condition, evaluator, to)
        return
    _described(found.rows, evaluator, to)


def _not(inner: ex.Condition, evaluator: Evaluator, to: Licence) -> None:
    to.kinds |= {"negation", "affirm.no", "quantity.none"}
    if isinstance(inner, ex.Compare):
        to.kinds |= BY_COMPARATOR[inner.comparator]
        license_comparison(inner.left, _TURNED[inner.comparator], inner.right, evaluator, to)
        if inner.comparator in (ex.Comparator.MORE, ex.Comparator.LESS):
            to.kinds |= MORE if inner.comparator is ex.Comparator.LESS else LESS
    else:
        _license(inner, evaluator, to)
