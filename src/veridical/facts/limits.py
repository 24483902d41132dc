"""Constants that a fact compares with, in the units of what stands beside them."""

from dataclasses import replace

from veridical.evidence.column import TIMES, CellKind
from veridical.facts.fact import Part, Role
from veridical.facts.kernel import expression as ex
from veridical.facts.kernel.compare import lifted, read_beside
from veridical.facts.kernel.evaluate import EvaluationScope, evaluate
from veridical.facts.kernel.frame import moment_of
from veridical.facts.kernel.value import FactError, Reason, Value, Vector
from veridical.facts.scope import Scoped, read_measure_in


def limits_of(scope: Scoped) -> dict[str, Part]:
    """The constants of the condition, in the units of what they are compared with."""
    scope = scope.origin
    if scope.condition is None:
        return {}
    found: list[Part] = []
    for compare in ex.comparisons(scope.condition):
        for constant, beside in _constants(compare):
            value = _constant(constant, beside, scope)
            if value is not None:
                found.append(Part(Role.LIMIT, value))
    parts = {f"limit{at}": part for at, part in enumerate(found, start=1)}
    if found:
        parts["limit"] = found[0]
    return parts


def _constants(compare: ex.Expression) -> list[tuple[ex.Expression, ex.Expression]]:
    match compare:
        case ex.Compare(_, left, right):
            pairs = ((right, left), (left, right))
            return [(one, other) for one, other in pairs
                    if isinstance(one, ex.Number | ex.Text | ex.Truth)]  # fmt: skip
        case ex.OneOf(operand, values, _):
            return [(value, operand) for value in values]
        case ex.Contains(operand, text):
            return [(ex.Text(text), operand)]
        case _:
            return []


def _constant(constant: ex.Expression, beside: ex.Expression, scope: Scoped) -> Value | None:
    few = EvaluationScope(scope.frame, scope.of[:1], scope.others, scope.pool)
    value, other = evaluate(constant, few), evaluate(beside, few)
    if not isinstance(value, Value):
        return None
    if other is None:
        return value
    if other.kind is CellKind.FIGURE and value.kind is CellKind.NAME:
        try:
            value = read_beside(value, Value(CellKind.FIGURE, 1.0, other.dimension, other.scale))
        except FactError:  # what a figure contains
            return value
    if other.kind is CellKind.FIGURE and value.kind is CellKind.FIGURE:
        found = lifted(value, Value(CellKind.FIGURE, 1.0, other.dimension, other.scale))
        return Value(found.kind, found.value, found.dimension, found.scale)
    return replace(value, kind=other.kind) if value.kind is CellKind.NAME else value


def limit_beside(text: str, beside: Value, scope: Scoped) -> tuple[Value, ex.Measure]:
    """A limit that an author wrote, in the unit of what it is compared with: an expression, or a
    text or a day that needs no quotes. Raises ``FactError``."""
    try:
        found = _limit(text, beside, scope)
        if (found[0].kind is CellKind.FIGURE) is (beside.kind is CellKind.FIGURE):
            return found
    except FactError:
        if beside.kind is CellKind.FIGURE:
            raise
    return _limit("'" + text.replace("'", "''") + "'", beside, scope)


def _limit(text: str, beside: Value, scope: Scoped) -> tuple[Value, ex.Measure]:
    """One that is an aggregate is over all rows that meet the condition."""
    measure = read_measure_in(text, scope.frame, scope.others)
    found = evaluate(measure.expression, scope.beside)
    if isinstance(found, Vector):
        found = found.at(0) if len(found.values) == 1 else None
    if found is None:
        raise FactError(Reason.NO_VALUE, text)
    if beside.kind in TIMES and isinstance(found.value, str):
        when = moment_of(found.value)
        kind = CellKind.DAY if when is not None and when.as_day is not None else CellKind.PERIOD
        found = replace(found, kind=kind)
    return replace(lifted(found, beside), is_literal=False), measure
