"""A table that mixes periods or tenants is read one at a time."""

from collections.abc import Iterable, Iterator

from veridical.check.condition_met import is_positive
from veridical.check.context import ColumnPlace, Context
from veridical.check.facts import (
    CONDITIONS,
    EXTREMES,
    ORDERS,
    Facts,
    Filter,
    Origin,
    Problem,
    Use,
    violated,
)
from veridical.check.narrowing import limited_to, narrowed
from veridical.check.row_keys import is_found_by_key, is_measured
from veridical.check.row_times import (
    adds_nothing_up,
    chooses_version,
    figures_of,
    has_figures,
    is_of_times,
    keeps_times_apart,
    takes_share,
)
from veridical.contracts.violation import Code
from veridical.ontology.model import Constraint

_TOGETHER = frozenset({"and", "within"})
_PERIODS = frozenset({"between", "=", "in", "like"})
_CHOOSES_END = frozenset({"rank", "<", "<=", "=", "in", "between", "within"})


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
            apart = timed and (
                keeps_times_apart(context, use, constraint, missing) or takes_share(context, use)
            )
            ends = constraint.ahead and _compares_end_alone(context.facts, use, constraint)
            if apart and not ends:
                continue
            if not timed and not constraint.values and _is_distinguished(context, use, missing):
                continue
            if constraint.warns and not timed and _chooses_by_other_mark(context, use, constraint):
                continue
            begun = not context.facts.chosen_by(use.id).isdisjoint(constraint.settled_by)
            counted = (
                timed and (begun or not constraint.settled_by) and adds_nothing_up(context, use)
            )
            found_by_key = is_found_by_key(context, use, fields)
            if found_by_key and not is_measured(context.facts, use):
                continue
            code, name, soft = (
                Code.MISSING_REQUIRED_FILTER,
                missing[0],
                found_by_key or counted or apart,
            )
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
    inside = list(_conditions_of_figures(context, use))
    if constraint.ahead and not _chooses_start(context, use, name, constraint, inside):
        return True
    within = [[each for each in conditions if each.origin.place in same] for conditions in inside]
    if within and all(within):
        return any(_leaves_open(context, use, name, constraint, each) for each in within)
    return _leaves_open(context, use, name, constraint, [])


def _conditions_of_figures(context: Context, use: Use) -> Iterator[tuple[Filter, ...]]:
    """The conditions inside each figure of this use: those of CASE and FILTER."""
    for aggregate in figures_of(context, use):
        own = [term.conditions for term in aggregate.terms if term.origin.use == use.id]
        for conditions in own or [()]:
            yield (*aggregate.conditions, *conditions)


def _leaves_open(
    context: Context, use: Use, name: str, constraint: Constraint, within: list[Filter]
) -> bool:
    """The same for the rows of one figure, which must meet these conditions as well."""
    settled = context.settled
    place = (use.id, name)
    filters = [*settled.filters(place), *within]
    known = _known_values(use, name)
    if constraint.values:
        literal = settled.values.get(place)
        wanted = {str(value) for value in constraint.values}
        by_scope = literal is not None and not filters and str(literal.value) in wanted
        return not by_scope and not limited_to(filters, known, wanted)
    if place in settled.values and place not in settled.respelled:
        return False
    if any(each.pins and not each.through for each in within):
        return False
    if any(each.op == "not is null" for each in filters) and _may_be_empty(use, name):
        return False
    return not narrowed(filters, known)


def _chooses_by_other_mark(context: Context, use: Use, constraint: Constraint) -> bool:
    """True when rows that no longer hold have two marks, and are left out by the other one."""
    return any(
        each is not constraint
        and each.warns
        and not each.settled_by
        and not any(_is_open(context, use, name, each) for name in each.fields)
        for each in use.table.required_filters
    )


def _chooses_start(
    context: Context,
    use: Use,
    name: str,
    constraint: Constraint,
    inside: list[tuple[Filter, ...]],
) -> bool:
    """True when the first day is compared as well, there or inside each figure, or the version is
    found otherwise: an open end alone is that of versions to come, too. What has ended by a day
    has begun by it."""
    starts = set(constraint.settled_by)
    return (
        any(each.op in _CHOOSES_END for each in context.settled.filters((use.id, name)))
        or not starts.isdisjoint(context.facts.chosen_by(use.id))
        or (bool(inside) and all(_is_on(conditions, use, starts) for conditions in inside))
    )


def _is_on(conditions: Iterable[Filter], use: Use, names: set[str]) -> bool:
    return any(
        each.origin.use == use.id and each.origin.column.name in names for each in conditions
    )


def _compares_end_alone(facts: Facts, use: Use, constraint: Constraint) -> bool:
    chosen = facts.chosen_by(use.id)
    return not chosen.isdisjoint(constraint.fields) and chosen.isdisjoint(constraint.settled_by)


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
    levels = (level for each in use.table.columns.values() for level in each.one_level)
    found = next((each.levels for each in levels if each.fields[0] == name), None)
    if found is not None and not all(found.values()):
        found = None  # a level of all other values
    if found is not None:
        return [value for values in found.values() for value in values]
    return [str(value) for value in column.values] if column.values is not None else ()


def _is_settled(context: Context, use: Use, constraint: Constraint) -> bool:
    """True when only the fields themselves are read, or an equivalent one is settled."""
    if _reads_only(context.facts, use, constraint.fields) or _measures_both(
        context, use, constraint
    ):
        return True
    if all(_has_no_later(context.facts, use, name) for name in constraint.fields):
        return True
    if _is_ended_by_kind(context, use, constraint):
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
    return (
        _compares_both(context, use, constraint)
        or _looks_for_end(context.facts, use, others)
        or _starts_within(context, use, others)
        or any(_has_no_later(context.facts, use, name) for name in others)
        or _is_first_of_list(context.facts, use, {*constraint.fields, *others})
    )


def _is_ended_by_kind(context: Context, use: Use, constraint: Constraint) -> bool:
    """True when rows are chosen by a mark that goes along with these fields: those that ended for
    one reason have ended, each once."""
    settled = context.settled
    marks = (
        name
        for each in use.table.required_filters
        if each is not constraint and not set(constraint.fields).isdisjoint(each.settled_by)
        for name in each.fields
    )
    return any(is_positive(each) for name in marks for each in settled.filters((use.id, name)))


def _is_first_of_list(facts: Facts, use: Use, names: set[str]) -> bool:
    """True for ``ORDER BY valid_from DESC LIMIT 1``."""
    ordered = any(each.use == use.id and each.column.name in names for each in facts.sorted)
    return ordered and any(
        block.cut == 1 and any(use.id in side.uses for side in block.sides)
        for block in facts.blocks
    )


def _starts_within(context: Context, use: Use, starts: tuple[str, ...]) -> bool:
    """True for the versions that begin in a period: what was signed, changed or cancelled in it."""
    bounds = {
        _bound(each)
        for name in starts
        for filtered in context.settled.filters((use.id, name))
        for each in (filtered.parts if filtered.op in _TOGETHER else (filtered,))
        if each.values
    }
    return "between" in bounds or bounds >= {"<", ">"}


def _bound(each: Filter) -> str:
    """The side that a filter limits, or ``between`` for both: a year, days that begin with it."""
    if each.op in _PERIODS:
        return "between"
    return each.op[0] if each.op in ORDERS else each.op


def _has_no_later(facts: Facts, use: Use, name: str) -> bool:
    """True for the last version: ``NOT EXISTS`` another one with a greater number."""
    ordered = {each.origin.use for each in facts.comparisons if _is_ordered(each, name)}
    return use.id in ordered and any(
        other in facts.negated and facts.uses[other].table is use.table for other in ordered
    )


def _is_ordered(each: Filter, name: str) -> bool:
    return each.op in ORDERS and not each.values and each.origin.column.name == name


def _compares_both(context: Context, use: Use, constraint: Constraint) -> bool:
    """True when a day is compared with the first and the last one: ``day BETWEEN a AND b``."""
    inside = [
        {each.origin.column.name for each in conditions if each.origin.use == use.id}
        for conditions in _conditions_of_figures(context, use)
    ]
    common = set.intersection(*inside) if inside else set[str]()
    chosen = context.facts.chosen_by(use.id) | common
    return not (chosen.isdisjoint(constraint.fields) or chosen.isdisjoint(constraint.settled_by))


def _measures_both(context: Context, use: Use, constraint: Constraint) -> bool:
    """True when each figure is made of the first and the last day of its rows: how long, or what
    for how long."""
    figures = figures_of(context, use)
    return bool(figures) and all(
        not {term.origin.column.name for term in each.terms}.isdisjoint(names)
        for each in figures
        for names in (constraint.fields, constraint.settled_by)
    )


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
