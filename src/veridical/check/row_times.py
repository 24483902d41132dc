"""Rows that hold at a time, such as states and versions: whether a statement keeps them apart."""

from collections.abc import Iterable

from veridical.check.context import Context
from veridical.check.facts import EXTREMES, Aggregate, Side, Use
from veridical.ontology.model import Constraint

_BETWEEN_ROWS = EXTREMES | {"difference", "shifted"}
"""Functions that take one of several rows, or compare two."""


def is_of_times(use: Use, constraint: Constraint) -> bool:
    """True when the filter chooses a time, and not a tenant or what was deleted."""
    if constraint.settled_by:
        return True
    states = (each.semi_additive for each in use.table.columns.values() if each.semi_additive)
    return any(set(constraint.fields) <= set(each.fields) for each in states)


def chooses_version(context: Context, use: int, constraint: Constraint) -> bool:
    """True when a day is compared with the first or the last one of each version."""
    about = {*constraint.fields, *constraint.settled_by}
    return not about.isdisjoint(context.facts.chosen_by(use))


def keeps_times_apart(
    context: Context, use: Use, constraint: Constraint, missing: list[str]
) -> bool:
    """True when no figure mixes times: rows are shown with their own, or compared along them, or
    only their ends and their number are read."""
    found = figures_of(context, use)
    figures = [each for each in found if not _is_between_rows(use, each)]
    if not figures:
        return bool(found) or _shows(context, use, constraint, missing)
    about = {*constraint.fields, *constraint.settled_by}
    if all(each.function == "count" and not each.terms for each in figures):
        return _is_each_thing(context, use, figures, about)
    return all(
        each.terms and all(term.origin.column.name in about for term in each.terms)
        for each in figures
    )


def adds_nothing_up(context: Context, use: Use) -> bool:
    """True when rows are only counted: a state of several times may be what is counted."""
    figures = figures_of(context, use)
    return bool(figures) and all(each.function == "count" or not each.terms for each in figures)


def has_figures(context: Context, use: Use) -> bool:
    """True when rows of this use are counted or put together."""
    return bool(figures_of(context, use))


def takes_share(context: Context, use: Use) -> bool:
    """True for the share of rows that meet something: ``AVG(CASE WHEN … THEN 1 ELSE 0 END)``."""
    figures = figures_of(context, use)
    return any(each.function != "count" for each in figures) and not any(
        each.terms for each in figures
    )


def figures_of(context: Context, use: Use) -> tuple[Aggregate, ...]:
    """The aggregates over this use's columns, and the counts of its rows."""
    if use.id not in context.figures:
        context.figures[use.id] = tuple(_figures(context, use))
    return context.figures[use.id]


def _figures(context: Context, use: Use) -> Iterable[Aggregate]:
    blocks = context.facts.blocks
    for each in context.facts.aggregates:
        sides = blocks[each.block].sides
        counts = not each.terms and any(_has_rows_of(context, use, side) for side in sides)
        if counts or any(term.origin.use == use.id for term in each.terms):
            yield each


def _has_rows_of(context: Context, use: Use, side: Side) -> bool:
    """True for the table itself, and for what was joined to it without putting rows together."""
    if use.id not in side.uses:
        return False
    blocks = (each for each in context.facts.blocks if each.grouped)
    return len(side.uses) == 1 or not any(
        use.id in inner.uses for block in blocks for inner in block.sides
    )


def _is_between_rows(use: Use, aggregate: Aggregate) -> bool:
    """True for a least or greatest value, a number of different ones, and what is made of these."""
    if aggregate.function in EXTREMES or aggregate.distinct:
        return True
    own = [term for term in aggregate.terms if term.origin.use == use.id]
    return bool(own) and all(term.via in _BETWEEN_ROWS for term in own)


def _shows(context: Context, use: Use, constraint: Constraint, missing: list[str]) -> bool:
    """True for a list of versions with their days, or of what has them, once each; of states for
    what goes along their dates, or shows the year where the month is chosen. All states of all
    dates in one list are seldom what is wanted."""
    facts = context.facts
    shown = facts.shown(use.id)
    keys = {key.column.name for block in facts.blocks for key in block.keys if key.use == use.id}
    if shown and shown <= keys:
        return True
    if constraint.settled_by:
        return not shown.isdisjoint((*constraint.fields, *constraint.settled_by))
    along = {each.column.name for each in facts.windowed if each.use == use.id}
    chosen_in_part = len(missing) < len(constraint.fields)
    return (along | shown if chosen_in_part else along).issuperset(missing)


def _is_each_thing(context: Context, use: Use, figures: list[Aggregate], about: set[str]) -> bool:
    """True when rows are counted for each thing that has several: its versions."""
    same = context.settled.same
    for figure in figures:
        grouped = {key.place for key in figure.keys}
        things = [key - about for key in use.table.keys if key & about and key - about]
        if not any(
            all(not grouped.isdisjoint(same((use.id, name))) for name in thing) for thing in things
        ):
            return False
    return True
