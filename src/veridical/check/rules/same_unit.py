"""Francs are not added to euros."""

from collections.abc import Iterable

from veridical.check.context import Context
from veridical.check.facts import CONDITIONS, Aggregate, Problem, Term, uses_in, violated
from veridical.check.row_keys import (
    chooses_kind,
    is_converted,
    is_fixed,
    parents_of,
    places_of,
    stands_in,
)
from veridical.contracts.violation import Code
from veridical.ontology.model import Constraint, Role
from veridical.ontology.name_kinds import NameKind, kinds_of

_ADDING = frozenset({"sum", "avg", "median", "stddev", "variance", "min", "max"})


def same_unit(context: Context) -> Iterable[Problem]:
    """Aggregates over amounts whose unit is neither settled nor grouped by."""
    for aggregate in context.facts.aggregates:
        if aggregate.function not in _ADDING:
            continue
        for term in aggregate.terms:
            constraint = term.origin.column.same_unit
            if constraint is None or _is_of_one_thing(context, constraint, aggregate, term):
                continue
            for name in constraint.fields:
                converts = _is_converted_by_owner(
                    context, constraint, name, term.origin.column.table
                )
                if has_one_unit(context, name, aggregate, term, converts=converts):
                    continue
                may_be_one = _may_be_one(context, name, aggregate, term)
                if not (may_be_one and constraint.warns):
                    yield _mixed(context, term, name, constraint, soft=may_be_one)
    yield from _ranked(context)


def _is_converted_by_owner(context: Context, constraint: Constraint, name: str, own: str) -> bool:
    """True for the column whose units have rates, and not for another one that turns the sign."""
    if constraint.conversion is None:
        return False
    units = [each for each in constraint.fields if _is_unit(context, each, own)]
    return name in (units or constraint.fields)


def _is_unit(context: Context, name: str, own: str) -> bool:
    table, _, column = name.rpartition(".")
    card = context.catalog.table(table or own)
    found = card.columns.get(column) if card is not None else None
    by_role = found is not None and found.role is Role.UNIT
    return by_role or not kinds_of(column).isdisjoint((NameKind.CURRENCY, NameKind.UNIT))


def _ranked(context: Context) -> Iterable[Problem]:
    """The largest amounts of a list in any unit. Rows show their own, so it only warns."""
    facts = context.facts
    if len(facts.sorted) != 1 or len(facts.uses) > 1:  # converted, if anything else is joined
        return
    (origin,) = facts.sorted
    constraint = origin.column.same_unit
    if constraint is None or any(each.terms for each in facts.aggregates):
        return
    rows = Aggregate("max", (), 0)
    for name in constraint.fields:
        if not is_fixed(context, name, rows, Term(origin)):
            values = (("field", name),)
            yield Problem(Code.MIXED_UNITS, origin.column.name, name, "", values, soft=True)


def has_one_unit(
    context: Context, name: str, aggregate: Aggregate, term: Term, *, converts: bool = False
) -> bool:
    """True when what is added up is in one unit, or is converted, or is treated by its unit, which
    is not enough where the owner says how it ``converts``."""
    return (
        is_fixed(context, name, aggregate, term)
        or _is_priced(term, name)
        or stands_in(aggregate, term)
        or (not converts and _is_distinguished(context, name, aggregate, term))
        or _is_fixed_by_parent(context, name, aggregate, term)
        or is_converted(context, term, name)
        or _is_of_one_row(context, name, aggregate, term)
    )


def _mixed(
    context: Context, term: Term, name: str, constraint: Constraint, *, soft: bool
) -> Problem:
    variant = "" if places_of(context, term.origin.use, name) else "elsewhere"
    column = term.origin.column.name
    return violated(constraint, Code.MIXED_UNITS, column, name, variant, soft=soft, field=name)


def _is_of_one_thing(
    context: Context, constraint: Constraint, aggregate: Aggregate, term: Term
) -> bool:
    """True when all rows belong to one thing that has one unit, such as an account."""
    names = constraint.settled_by
    return bool(names) and all(is_fixed(context, name, aggregate, term) for name in names)


def _is_fixed_by_parent(context: Context, name: str, aggregate: Aggregate, term: Term) -> bool:
    """True when a row that this one belongs to has a column of the same name, of which one value is
    chosen: the bills of an account in euros are in euros."""
    if "." in name:
        return False
    uses = context.facts.uses
    return any(
        name in uses[use].table.columns and context.settled.fixed((use, name), aggregate, term)
        for use in parents_of(context, term.origin.use)
    )


def _is_of_one_row(context: Context, name: str, aggregate: Aggregate, term: Term) -> bool:
    """True when one row gives the unit: the key of its table is chosen or grouped by, or it is a
    row of the query around."""
    uses = context.facts.uses
    sides = context.facts.blocks[aggregate.block].sides
    own = uses_in(sides) | {term.origin.use}
    places = places_of(context, term.origin.use, name)
    return any(use not in own for use, _ in places) or any(
        key and all(context.settled.fixed((use, column), aggregate, term) for column in key)
        for use, _ in places
        for key in uses[use].table.keys
    )


def _may_be_one(context: Context, name: str, aggregate: Aggregate, term: Term) -> bool:
    """True when a kind of thing is chosen that may well be measured in one unit: electricity.

    A currency follows from nothing else.
    """
    table, _, column = name.rpartition(".")
    if NameKind.CURRENCY in kinds_of(column):
        return False
    if chooses_kind(context, term) or _is_narrowed(context, name, term):
        return True
    if not table:
        return False
    uses = {use for use, _ in places_of(context, term.origin.use, name)}
    chosen = {use for use, _ in context.settled.values}
    chosen |= {each.origin.use for each in term.conditions if each.pins}
    chosen |= {key.use for key in aggregate.keys}
    return not uses.isdisjoint(chosen)


def _is_narrowed(context: Context, name: str, term: Term) -> bool:
    """True when some of what is no unit by its name is left out: all but invoices may be of one
    kind."""
    if NameKind.UNIT in kinds_of(name.rpartition(".")[2]):
        return False
    places = places_of(context, term.origin.use, name)
    return any(context.settled.filters(place, term.conditions) for place in places)


def _is_priced(term: Term, name: str) -> bool:
    """True when it is multiplied with what one costs or weighs: the unit of a quantity is gone
    then. A currency stays."""
    if term.converted and NameKind.CURRENCY not in kinds_of(name.rpartition(".")[2]):
        return True
    if term.rate is None:
        return False
    kinds = kinds_of(term.rate.column.name)
    return NameKind.PRICE in kinds or NameKind.CURRENCY not in kinds_of(name.rpartition(".")[2])


def _is_distinguished(context: Context, name: str, aggregate: Aggregate, term: Term) -> bool:
    """True when units are treated each in its own way: ``CASE unit WHEN 'lb' THEN 0.45 * w …``. Of
    currencies there are always others."""
    if NameKind.CURRENCY in kinds_of(name.rpartition(".")[2]):
        return False
    places = set(places_of(context, term.origin.use, name))
    conditions = [
        each
        for other in aggregate.terms
        if other.origin == term.origin
        for each in other.conditions
    ]
    # In a factor, such as w * CASE unit WHEN 'lb' THEN 0.45 ELSE 1 END, no column is left.
    shown = [each for each in context.facts.readings if each.clause not in CONDITIONS]
    return any(each.origin.place in places for each in (*conditions, *shown))
