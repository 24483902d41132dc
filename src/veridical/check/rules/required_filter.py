"""A table that mixes periods or tenants is read one at a time."""

from collections.abc import Iterable

from veridical.check.context import ColumnPlace, Context
from veridical.check.facts import CONDITIONS, EXTREMES, Facts, Origin, Problem, Use, violated
from veridical.check.narrowing import limited_to, narrowed
from veridical.check.row_keys import is_found_by_key, is_measured
from veridical.check.row_times import (
    adds_nothing_up,
    chooses_version,
    has_figures,
    is_of_times,
    keeps_times_apart,
    takes_share,
)
from veridical.contracts.violation import Code
from veridical.ontology.model import Constraint


def required_filter(context: Context) -> Iterable[Problem]:
    """Uses of a table without the filters that reading it demands."""
    if context.facts.inspects:
        return
    for use in context.facts.uses:
        for constraint in use.table.required_filters:
            fields = constraint.fields
            missing = [name for name in fields if _is_open(context, use, name, constraint)]
            if not missing or _is_settled(context, use, constraint):
                continue
            if constraint.where_read and not _is_named(context, use, constraint):
                continue
            timed = not constraint.values and is_of_times(use, constraint)
            if timed and (
                keeps_times_apart(context, use, constraint, missing) or takes_share(context, use)
            ):
                continue
            if not timed and not constraint.values and _is_distinguished(context, use, missing):
                continue
            counted = timed and not constraint.settled_by and adds_nothing_up(context, use)
            found_by_key = not constraint.values and is_found_by_key(context, use, fields)
            if found_by_key and not is_measured(context.facts, use):
                continue
            code, name, soft = Code.MISSING_REQUIRED_FILTER, missing[0], found_by_key or counted
            values = {"fields": ", ".join(missing), "table": use.table.name}
            yield violated(constraint, code, name, name, soft=soft, **values)


def _is_open(context: Context, use: Use, name: str, constraint: Constraint) -> bool:
    """True when neither a filter nor the host's scope nor a group chooses among its values."""
    settled = context.settled
    place = (use.id, name)
    same = settled.same(place)
    keys = [key for block in context.facts.blocks for key in block.keys]
    if any(key.place in same for key in keys):
        return False
    if not constraint.values and _is_grouped_by_owner(context, use, same, keys):
        return False
    filters = settled.filters(place)
    known = _known_values(use, name)
    if constraint.values:
        literal = settled.values.get(place)
        wanted = {str(value) for value in constraint.values}
        by_scope = literal is not None and not filters and str(literal.value) in wanted
        return not by_scope and not limited_to(filters, known, wanted)
    if place in settled.values and place not in settled.respelled:
        return False
    if any(each.op == "not is null" for each in filters) and _may_be_empty(use, name):
        return False
    return not narrowed(filters, known)


def _is_named(context: Context, use: Use, constraint: Constraint) -> bool:
    """True when something is read that is a name only within what the filter chooses: account 1000
    of which client? Joined along with it, it names nothing."""
    settled = context.settled
    for each in context.facts.readings:
        name = each.origin.column.name
        if each.origin.use != use.id or name not in constraint.where_read:
            continue
        place = (use.id, name)
        others = {other for other, _ in settled.same(place)} - {use.id}
        if each.clause not in CONDITIONS or settled.filters(place) or not others:
            return True
        owners = (settled.same((use.id, field)) for field in constraint.fields)
        along = [{other for other, _ in same} for same in owners]
        if not all(others <= joined for joined in along):
            return True
    return False


def _is_distinguished(context: Context, use: Use, missing: list[str]) -> bool:
    """True when figures read the mark themselves: ``SUM(CASE WHEN deleted = 'N' THEN 1 …)``."""
    return has_figures(context, use) and context.facts.shown(use.id).issuperset(missing)


def _is_grouped_by_owner(
    context: Context, use: Use, same: frozenset[ColumnPlace], keys: list[Origin]
) -> bool:
    """True when rows are joined to those they belong to, and grouped by their columns: the
    balances of all companies by the currency of each."""
    owners = {
        other
        for other, name in same
        if other != use.id and frozenset((name,)) in context.facts.uses[other].table.keys
    }
    return any(key.use in owners for key in keys)


def _may_be_empty(use: Use, name: str) -> bool:
    """True for a time that not every row has: filtering for those that have one is a choice."""
    column = use.table.columns.get(name)
    timed = column is not None and (column.encoding is not None or column.type.is_temporal)
    return timed and not any(name in key for key in use.table.keys)


def _known_values(use: Use, name: str) -> Iterable[int | str]:
    """All values that the column can have, if a list or the levels of a measure give them."""
    column = use.table.columns.get(name)
    if column is None:
        return ()
    if column.allowed_texts is not None:
        return column.allowed_texts
    levels = (each.one_level for each in use.table.columns.values() if each.one_level is not None)
    found = next((level.levels for level in levels if level.fields[0] == name), None)
    if found is not None:
        return [value for values in found.values() for value in values]
    return [str(value) for value in column.values] if column.values is not None else ()


def _is_settled(context: Context, use: Use, constraint: Constraint) -> bool:
    """True when only the fields themselves are read, or an equivalent one is settled."""
    if _reads_only(context.facts, use, constraint.fields):
        return True
    others = constraint.settled_by
    if not others:
        return False
    if any((use.id, name) in context.settled.values for name in others):
        return True
    if not set(constraint.fields).isdisjoint(others) and chooses_version(
        context, use.id, constraint
    ):
        return True  # versions that have a first day and no last one
    return _compares_both(context.facts, use, constraint) or _looks_for_end(
        context.facts, use, others
    )


def _compares_both(facts: Facts, use: Use, constraint: Constraint) -> bool:
    """True when a day is compared with the first and the last one: ``day BETWEEN a AND b``."""
    chosen = facts.chosen_by(use.id)
    return not (chosen.isdisjoint(constraint.fields) or chosen.isdisjoint(constraint.settled_by))


def _reads_only(facts: Facts, use: Use, fields: tuple[str, ...]) -> bool:
    """Asking which periods there are needs no period."""
    shown = facts.shown(use.id)
    return bool(shown) and shown.issubset(fields)


def _looks_for_end(facts: Facts, use: Use, others: tuple[str, ...]) -> bool:
    """True for ``(SELECT MAX(valid_from) …)``: the version is being looked for."""
    taken = [
        (each.function, term.origin.column.name)
        for each in facts.aggregates
        for term in each.terms
        if term.origin.use == use.id
    ]
    return bool(taken) and all(how in EXTREMES and name in others for how, name in taken)
