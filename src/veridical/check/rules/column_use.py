"""Columns no longer kept up to date, names that several things have, amounts that carry their
sign, and times that are not the period of a figure."""

from collections.abc import Iterable

from veridical.check.context import ColumnPlace, Context
from veridical.check.facts import Filter, Origin, Problem, Use, violated
from veridical.check.row_keys import is_measured, places_of
from veridical.check.row_times import figures_of
from veridical.contracts.violation import Code
from veridical.ontology.model import ConstraintRule

_SIGNS = frozenset({"<", "<=", ">", ">="})


def not_kept(context: Context) -> Iterable[Problem]:
    """Columns without a meaning by which rows are chosen, grouped or added up. They may have been
    kept at the time that is asked about."""
    for column in {each.column.name: each.column for each in _used(context)}.values():
        if column.not_kept is not None:
            yield violated(column.not_kept, Code.FIELD_NOT_KEPT, column.name, soft=True)


def _used(context: Context) -> Iterable[Origin]:
    facts = context.facts
    yield from (each.origin for each in facts.readings if each.clause != "select")
    yield from (each.origin for each in facts.comparisons)
    yield from (term.origin for each in facts.aggregates for term in each.terms)


def not_unique(context: Context) -> Iterable[Problem]:
    """Things that are grouped or counted by a name alone."""
    facts = context.facts
    counted = (
        term.origin
        for each in facts.aggregates
        if each.function == "count" and each.distinct and len(each.terms) == 1
        for term in each.terms
    )
    grouped = (
        key
        for block in facts.blocks
        for key in block.keys
        if not _is_told_apart(context, key, block.keys)
    )
    for origin in (*grouped, *counted):
        constraint = origin.column.not_unique
        if constraint is not None:
            name = origin.column.name
            yield violated(constraint, Code.REPEATED_COUNT, name, None, "name", soft=True)


def _is_told_apart(context: Context, name: Origin, groups: frozenset[Origin]) -> bool:
    """True when its thing is a group as well, or is chosen."""
    settled = context.settled
    grouped = {key.place for key in groups}
    return any(
        all(
            (name.use, each) in settled.values or grouped & settled.same((name.use, each))
            for each in key
        )
        for key in context.facts.uses[name.use].table.keys
    )


def signed(context: Context) -> Iterable[Problem]:
    """Amounts that are negated although they carry their sign, or of which one sign is left out."""
    yield from _one_sign(context)
    for aggregate in context.facts.aggregates:
        negated = [term for term in aggregate.terms if term.times < 0 and term.conditions]
        for term in negated:
            constraint = term.origin.column.signed
            kept = any(each.origin == term.origin and each.times > 0 for each in aggregate.terms)
            if constraint is not None and kept:
                code, name = Code.INVALID_AGGREGATE_TARGET, term.origin.column.name
                yield violated(constraint, code, name, None, "signed")


def _one_sign(context: Context) -> Iterable[Problem]:
    summed = {
        term.origin
        for each in context.facts.aggregates
        if each.function == "sum" and len(each.terms) == 1
        for term in each.terms
        if term.origin.column.signed is not None and not term.via
    }
    for origin in sorted(summed, key=lambda each: each.place):
        filters = context.settled.filters(origin.place)
        constraint = origin.column.signed
        if constraint is not None and any(map(_keeps_one_sign, filters)):
            code, name = Code.INVALID_AGGREGATE_TARGET, origin.column.name
            yield violated(constraint, code, name, None, "one_sign", soft=True)


def _keeps_one_sign(each: Filter) -> bool:
    return each.op in _SIGNS and [str(value.value) for value in each.values] == ["0"]


def period_by(context: Context) -> Iterable[Problem]:
    """Figures of a period that another time of the row, or of a parent, gives."""
    for use in context.facts.uses:
        for constraint in use.table.things:
            if constraint.rule is not ConstraintRule.PERIOD_BY:
                continue
            if not bool(figures_of(context, use)):
                continue
            right = any(_is_chosen(context, use, name) for name in constraint.fields)
            wrong = [name for name in constraint.instead_of if _is_wrong(context, use, name)]
            if wrong and not right:
                values = {"other": wrong[0], "fields": ", ".join(constraint.fields)}
                code, name = Code.MISSING_REQUIRED_FILTER, constraint.fields[0]
                yield violated(constraint, code, name, name, "period", soft=True, **values)


def _is_wrong(context: Context, use: Use, name: str) -> bool:
    """True where it is chosen by, and no figure is made of the rows whose own time it is."""
    places = places_of(context, use.id, name)
    others = {other for other, _ in places} - {use.id}
    own = any(is_measured(context.facts, context.facts.uses[other]) for other in others)
    return not own and _is_chosen(context, use, name)


def _is_chosen(context: Context, use: Use, name: str) -> bool:
    return any(
        _is_place_chosen(context, place) or _names_chosen(context, place)
        for place in places_of(context, use.id, name)
    )


def _names_chosen(context: Context, place: ColumnPlace) -> bool:
    """True when what this number names is chosen or grouped by: the area of a department."""
    uses = context.facts.uses
    return any(
        use != place[0]
        and frozenset((key,)) in uses[use].table.keys
        and any(_is_place_chosen(context, (use, name)) for name in uses[use].table.columns)
        for use, key in context.settled.same(place)
    )


def _is_place_chosen(context: Context, place: ColumnPlace) -> bool:
    facts = context.facts
    return (
        bool(context.settled.filters(place))
        or any(each.clause == "group" and each.origin.place == place for each in facts.readings)
        or any(
            each.origin.place == place
            for aggregate in facts.aggregates
            for term in aggregate.terms
            for each in term.conditions
        )
    )
