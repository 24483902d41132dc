"""Amounts are converted by the rate of their own unit and period, and those without a rate stay."""

from collections.abc import Iterable, Iterator

from veridical.check.context import Context
from veridical.check.facts import Aggregate, Origin, Problem, Term, violated
from veridical.check.narrowing import admits
from veridical.check.row_keys import is_fixed, places_of
from veridical.contracts.violation import Code
from veridical.ontology.model import Constraint, Conversion


def converted(context: Context) -> Iterable[Problem]:
    """Amounts that a statement converts otherwise than their owner does."""
    for aggregate in context.facts.aggregates:
        for term in aggregate.terms:
            constraint = term.origin.column.same_unit
            conversion = constraint.conversion if constraint is not None else None
            if constraint is None or conversion is None:
                continue
            for rate in sorted(_rates(term, conversion), key=lambda each: each.place):
                yield from _faults(context, constraint, aggregate, term, rate)


def _rates(term: Term, conversion: Conversion) -> set[Origin]:
    table, _, name = conversion.rate.rpartition(".")
    return {
        each
        for each in term.factors | term.divisors
        if each.column.table == table and each.column.name == name
    }


def _faults(
    context: Context, constraint: Constraint, aggregate: Aggregate, term: Term, rate: Origin
) -> Iterator[Problem]:
    conversion = constraint.conversion
    if conversion is None:
        return
    name = term.origin.column.name
    code, rates = Code.MIXED_UNITS, {"rate": conversion.rate}
    if conversion.period and not _has_period(context, rate, conversion.period):
        values = {**rates, "period": conversion.period}
        yield violated(constraint, code, name, conversion.period, "period", soft=False, **values)
    if _is_turned(term, rate, conversion):
        way = "divide" if conversion.divides else "multiply"
        yield violated(constraint, code, name, None, way, soft=False, **rates)
    if conversion.base and _loses_base(context, constraint, aggregate, term, rate):
        values = {**rates, "base": ", ".join(conversion.base)}
        yield violated(constraint, code, name, None, "base", soft=False, **values)


def _has_period(context: Context, rate: Origin, period: str) -> bool:
    """True when the rates of a period are chosen, however."""
    place = (rate.use, period)
    return len(context.settled.same(place)) > 1 or any(
        each.origin.place == place for each in context.facts.readings
    )


def _is_turned(term: Term, rate: Origin, conversion: Conversion) -> bool:
    """True for a rate that divides where it should multiply, unless it leads on to another unit."""
    wrong, right = term.divisors, term.factors
    if conversion.divides:
        wrong, right = right, wrong
    return rate in wrong and not any(each.column is rate.column for each in right)


def _loses_base(
    context: Context, constraint: Constraint, aggregate: Aggregate, term: Term, rate: Origin
) -> bool:
    """True when amounts of a unit that has no rate are in the figure's rows, and fall out of it."""
    conversion = constraint.conversion
    units = [
        place for name in constraint.fields for place in places_of(context, term.origin.use, name)
    ]
    if conversion is None or not any(
        all(admits(context.settled.filters(place, term.conditions), base) for place in units)
        for base in conversion.base
    ):
        return False
    if any(is_fixed(context, name, aggregate, term) for name in constraint.fields) and any(
        context.settled.value(place) is not None for place in units
    ):
        return False  # one unit, whose rate is another question
    kept = _keeps_unmatched(context, term, rate)
    return not (kept and _has_stand_in(aggregate, term, rate)) and not _is_elsewhere(
        context, constraint, term
    )


def _keeps_unmatched(context: Context, term: Term, rate: Origin) -> bool:
    """False where a plain join leaves out the amounts that have no rate."""
    blocks = context.facts.blocks
    if any(rate.use in block.optional for block in blocks):
        return True
    return not any(
        rate.use in side.uses and side.keys and term.origin.use not in side.uses
        for block in blocks
        if any(term.origin.use in side.uses for side in block.sides)
        for side in block.sides
    )


def _has_stand_in(aggregate: Aggregate, term: Term, rate: Origin) -> bool:
    """True for ``COALESCE(rate, 1)``, or where the amount itself stands in."""
    return any(each.origin == rate and each.or_else for each in aggregate.terms) or any(
        each.origin == term.origin and rate not in each.factors | each.divisors
        for each in aggregate.terms
    )


def _is_elsewhere(context: Context, constraint: Constraint, term: Term) -> bool:
    """True when another reading of the same table takes these amounts: ``UNION`` by currency."""
    conversion = constraint.conversion
    base = set(conversion.base) if conversion is not None else set[str]()
    for use in context.facts.uses:
        if use.id == term.origin.use or use.table.name != term.origin.column.table:
            continue
        for name in constraint.fields:
            for place in places_of(context, use.id, name):
                value = context.settled.value(place)
                if value is not None and str(value.value) in base:
                    return True
    return False
