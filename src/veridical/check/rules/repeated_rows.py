"""A join that repeats a row must not repeat summed or counted values: of the orders, once for each
of their lines.

Only the question tells which rows a count means: those of the one table or of the other. So
nothing is reported where the question names neither, unless the join repeats both.
"""

from collections.abc import Iterable, Iterator

from veridical.check.context import Context
from veridical.check.facts import Aggregate, Problem, Side, Term, Use, violated
from veridical.check.question import Counted, counted_in, is_counted, names_whole, place_of
from veridical.check.row_multiplicity import is_bound, is_repeated_by_keys, multiplier
from veridical.contracts.schema import ValueType
from veridical.contracts.violation import Code
from veridical.ontology.model import Cardinality
from veridical.ontology.name_kinds import NameKind

_REPEATED = frozenset({"sum", "avg", "median", "stddev", "variance"})
"""Minimum, maximum and counts of distinct values stay right when rows repeat."""
_DATES = frozenset({ValueType.DATE, ValueType.TIMESTAMP})
_AS_STORED = frozenset({"", "sum"})
_PAIR = 2
_HOLDS = frozenset({NameKind.VALID_FROM, NameKind.VALID_UNTIL, NameKind.UNTIL, NameKind.CURRENT})


def fan_out(context: Context) -> Iterable[Problem]:
    """Sums and means of a measure whose rows a join multiplies."""
    for aggregate in context.facts.aggregates:
        if aggregate.function not in _REPEATED or aggregate.distinct or aggregate.weighs:
            continue
        sides = context.facts.blocks[aggregate.block].sides
        if len(sides) < 2:
            continue
        for term in aggregate.terms:
            yield from _repeated(context, aggregate, term, sides)


def _repeated(
    context: Context, aggregate: Aggregate, term: Term, sides: list[Side]
) -> Iterable[Problem]:
    column = term.origin.column
    constraint = column.fan_out
    if constraint is None and term.via not in _AS_STORED:
        return
    met = multiplier(context, sides, term.origin.use, aggregate.keys)
    if met is None:
        return
    culprit, reached = met
    name = context.facts.uses[min(culprit.uses)].table.name
    if constraint is not None:
        yield violated(constraint, Code.FAN_OUT, column.name, name, table=name)
    elif is_repeated_by_keys(context, culprit, reached, _measured(aggregate)):
        soft = (
            aggregate.function != "sum"
            or _may_be_one(context, aggregate, culprit, term)
            or _are_versions(context, culprit, reached)
        )
        yield Problem(Code.FAN_OUT, column.name, name, "", (("table", name),), soft=soft)


def _measured(aggregate: Aggregate) -> frozenset[int]:
    return frozenset(term.origin.use for term in aggregate.terms)


def _may_be_one(context: Context, aggregate: Aggregate, culprit: Side, term: Term) -> bool:
    """True when a filter or a group picks among the rows of this side: perhaps one is left.

    A column that it shares with the measure's own table picks none of them.
    """
    settled = context.settled
    chosen = [*settled.values, *(key.place for key in aggregate.keys)]
    return any(
        not uses.isdisjoint(culprit.uses) and term.origin.use not in uses
        for place in chosen
        if (uses := {use for use, _ in settled.same(place)})
    )


def _are_versions(context: Context, culprit: Side, reached: set[int]) -> bool:
    """True when only dates of its key are left open: versions of one thing, often a single one."""
    return any(
        open_columns < key and all(each.column.type in _DATES for each in open_columns)
        for key in culprit.keys
        if (open_columns := {each for each in key if not is_bound(context, each, reached)})
    )


def repeated_count(context: Context) -> Iterable[Problem]:
    """Counts of what the question counts, while a join repeats its rows."""
    counts = [
        each for each in context.facts.aggregates if each.function == "count" and not each.distinct
    ]
    counted = counted_in(context.question) if counts and context.question else None
    for aggregate in counts:
        sides = context.facts.blocks[aggregate.block].sides
        if counted is not None and len(sides) == 1:
            yield from _pointers(context, aggregate, counted)
        if counted is not None and counted.distinct and not aggregate.terms:
            yield from _rows_for_things(context, aggregate, counted)
        if len(sides) > 1 and counted is not None:
            yield from _repeated_counts(context, aggregate, sides, counted)
        if len(sides) == _PAIR and not aggregate.terms:
            yield from _pairs(context, aggregate, sides)


def _pointers(context: Context, aggregate: Aggregate, counted: Counted) -> Iterator[Problem]:
    """Pointers to what the question counts, each as often as a row has it. Where something else is
    chosen by its key, there may be one row for each: who took part in race 18."""
    for term in aggregate.terms:
        origin = term.origin
        table = context.facts.uses[origin.use].table
        whole = frozenset((origin.column.name,)) in table.keys
        if term.via or whole or origin in aggregate.keys or is_counted(counted, table.name):
            continue
        names = {near for join in table.joins for near, _ in join.pairs}.union(*table.keys)
        if any((origin.use, name) in context.settled.values for name in names):
            continue
        targets = [
            join.target
            for join in table.joins
            if join.cardinality is Cardinality.MANY_TO_ONE
            and [near for near, _ in join.pairs] == [origin.column.name]
        ]
        for target in targets:
            if is_counted(counted, target):
                values = (("table", table.name),)
                yield Problem(Code.REPEATED_COUNT, target, None, "rows", values, soft=True)


def _rows_for_things(context: Context, aggregate: Aggregate, counted: Counted) -> Iterator[Problem]:
    """Rows that are counted where the question counts different things that they point to: the
    customers of invitations."""
    uses = context.facts.uses
    sides = context.facts.blocks[aggregate.block].sides
    here = [uses[use] for side in sides if len(side.uses) == 1 for use in side.uses]
    if len(here) < len(sides) or any(names_whole(counted, use.table.name) for use in here):
        return
    for use in here:
        grouped = {key.place for key in aggregate.keys}
        for join in use.table.joins:
            place = (use.id, join.pairs[0][0])
            if (
                join.cardinality is Cardinality.MANY_TO_ONE
                and len(join.pairs) == 1
                and names_whole(counted, join.target)
                and not any(each.table.name == join.target for each in here)
                and frozenset((place[1],)) not in use.table.keys
                and not grouped & context.settled.same(place)
                and not _is_one_for_each(context, use, place[1])
            ):
                values = (("table", use.table.name),)
                yield Problem(Code.REPEATED_COUNT, join.target, None, "rows", values, soft=True)


def _is_one_for_each(context: Context, use: Use, pointer: str) -> bool:
    """True when each thing has one of these rows at most: the rest of a key is chosen, one was kept
    of each, or those of a time are chosen of rows that hold for a time."""
    settled = context.settled
    times = {name for each in use.table.required_filters for name in each.fields}
    times |= {each.name for each in use.table.columns.values() if each.named & _HOLDS}
    if (use.id, pointer) in settled.values or times & context.facts.chosen_by(use.id):
        return True
    kept = any(
        each.op == "rank" for name in use.table.columns for each in settled.filters((use.id, name))
    )
    return kept or any(
        pointer in key and all((use.id, name) in settled.values for name in key - {pointer})
        for key in use.table.keys
    )


def _pairs(context: Context, aggregate: Aggregate, sides: list[Side]) -> Iterator[Problem]:
    """Rows of two tables that are joined by no key of either: each meets several of the other,
    and the number of pairs has no meaning."""
    uses = [min(side.uses) for side in sides if len(side.uses) == 1]
    met = [multiplier(context, sides, use, aggregate.keys) for use in uses]
    if len(uses) < len(sides) or not all(
        each is not None and is_repeated_by_keys(context, *each, frozenset((use,)))
        for each, use in zip(met, uses, strict=True)
    ):
        return
    one, other = (context.facts.uses[use].table.name for use in uses)
    yield Problem(Code.REPEATED_COUNT, one, None, "", (("table", other),), soft=True)


def _repeated_counts(
    context: Context, aggregate: Aggregate, sides: list[Side], counted: Counted
) -> Iterator[Problem]:
    uses = {term.origin.use for term in aggregate.terms} or set().union(
        *(side.uses for side in sides)
    )
    tables = {use.id: use.table.name for use in context.facts.uses}
    for use in sorted(uses):
        place = place_of(counted, tables[use])
        if place is None:
            continue
        met = multiplier(context, sides, use, aggregate.keys)
        if met is None or not is_repeated_by_keys(context, *met, frozenset((use,))):
            continue
        culprits = [tables[each] for each in sorted(met[0].uses)]
        others = (place_of(counted, each) for each in culprits)
        if all(other is None or other > place for other in others):
            values = (("table", culprits[0]),)
            yield Problem(Code.REPEATED_COUNT, tables[use], None, "", values, soft=True)
