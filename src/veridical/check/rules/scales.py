"""Figures of two scales: cents beside units, 0.12 beside 12 %."""

from collections.abc import Iterable, Iterator
from math import isclose

from veridical.check.context import Context
from veridical.check.facts import ORDERS, Filter, LiteralKind, Problem, Term
from veridical.contracts.violation import Code
from veridical.ontology.model import Percent, Role

_COMPARED = ORDERS | {"=", "in"}
_AS_MONEY = frozenset({"", "sum", "avg", "min", "max", "median"})


def shares_fit(context: Context) -> Iterable[Problem]:
    """Shares that are compared with a number of the other scale."""
    for each in context.facts.comparisons:
        percent = each.origin.column.percent
        if percent is None or each.op not in _COMPARED:
            continue
        for number in _numbers(each):
            if (percent is Percent.POINTS and 0 < abs(number) < 1) or (
                percent is Percent.FRACTION and abs(number) > 1
            ):
                other = number * 100 if percent is Percent.POINTS else number / 100
                values = (("value", f"{number:g}"), ("other", f"{other:g}"))
                name = each.origin.column.name
                yield Problem(
                    Code.TYPE_MISMATCH, name, f"{other:g}", percent.value, values, soft=True
                )


def _numbers(each: Filter) -> Iterator[float]:
    return (value.value for value in each.values if value.kind is LiteralKind.NUMBER)


def one_scale(context: Context) -> Iterable[Problem]:
    """Sums of terms whose scales differ, and parts of a unit that are shown as they are stored."""
    for aggregate in context.facts.aggregates:
        measures = [term for term in aggregate.terms if _is_measure(term)]
        for term in measures:
            if term.origin.column.scale < 1 and any(_differs(term, other) for other in measures):
                yield _mixed(term)
                break
    for _, terms in context.facts.shown_terms:
        for term in terms:
            if term.via in _AS_MONEY and _is_measure(term) and _is_part(term):
                name = term.origin.column.name
                values = (("divisor", f"{1 / term.origin.column.scale:g}"),)
                yield Problem(Code.MIXED_UNITS, name, None, "part", values, soft=True)


def _is_measure(term: Term) -> bool:
    column = term.origin.column
    plain = not term.factors and not term.divisors
    return plain and column.role is Role.MEASURE and column.percent is None


def _is_part(term: Term) -> bool:
    return term.origin.column.scale < 1 and isclose(term.times, 1)


def _differs(one: Term, other: Term) -> bool:
    return one.origin.column is not other.origin.column and not isclose(_scale(one), _scale(other))


def _scale(term: Term) -> float:
    """What one of it is worth, after what it was multiplied with."""
    return term.origin.column.scale / term.times


def _mixed(term: Term) -> Problem:
    values = (("divisor", f"{1 / term.origin.column.scale:g}"),)
    return Problem(Code.MIXED_UNITS, term.origin.column.name, None, "scale", values, soft=True)
