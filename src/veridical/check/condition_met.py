"""Whether a statement leaves only the rows that count, by one of the conditions on them."""

from collections.abc import Iterator
from enum import Enum

from veridical.check.context import ColumnPlace, Context
from veridical.check.facts import Aggregate, Filter, LiteralKind, Use
from veridical.check.narrowing import admits, limited_to
from veridical.check.row_times import figures_of
from veridical.ontology.model import ConstraintRule
from veridical.ontology.parents import TO_ONE
from veridical.ontology.row_condition import Alternatives, Part, RowCondition

_MEANS = frozenset({"avg", "median", "stddev", "variance"})


class Met(Enum):
    """Whether a statement leaves only the rows that count."""

    YES = 1
    PERHAPS = 2
    """It looks at what decides, but doesn't leave out all that don't count."""
    NO = 3


def is_met(context: Context, use: Use, condition: RowCondition, parts: Alternatives) -> Met:
    """Whether one of these parts holds for all rows of the figures. A part that the statement rules
    out is none of them: of pipes, ``kind <> 'pipe' OR side = 'left'`` demands the side."""
    parts = tuple(each for each in parts if not _is_ruled_out(context, use, each)) or parts
    found = {_holds(context, use, condition, part) for part in parts}
    if Met.YES in found:
        return Met.PERHAPS if _leaves_out(context, use, parts) else Met.YES
    if len(parts) > 1 and any(_is_looked_at(context, (use.id, part.column)) for part in parts):
        return Met.YES
    return Met.PERHAPS if Met.PERHAPS in found else Met.NO


def _is_ruled_out(context: Context, use: Use, part: Part) -> bool:
    """True when rows are chosen by other values of this column than the part wants."""
    if "." in part.column or part.op not in ("in", "not in"):
        return False
    wanted = part.op == "in"
    return any(
        is_positive(each)
        and not each.through
        and all((str(value.value) in part.values) is not wanted for value in each.values)
        for each in context.settled.filters((use.id, part.column))
    )


def _is_looked_at(context: Context, place: ColumnPlace) -> bool:
    """True when the statement reads this column other than to join by it."""
    return is_read(context, place) and len(context.settled.same(place)) == 1


def _leaves_out(context: Context, use: Use, parts: Alternatives) -> bool:
    """True when rows are chosen by one of several conditions that are enough, so that those of the
    others, of which nothing is read, are missing."""
    chosen = [
        part
        for part in parts
        if part.op == "in"
        and {
            str(value.value)
            for each in context.settled.filters((use.id, part.column))
            if is_positive(each)
            for value in each.values
        }
        == set(part.values)
    ]
    return bool(chosen) and any(
        not is_read(context, (use.id, part.column))
        for part in parts
        if part not in chosen and "." not in part.column
    )


def _holds(context: Context, use: Use, condition: RowCondition, part: Part) -> Met:
    table, _, name = part.column.rpartition(".")
    if table:
        return _parents_hold(context, use, table, part)
    if any(_keeps_only(context, (other, name), part) for other in _that_stay(context, use)):
        return Met.YES
    place = (use.id, name)
    measured = name in condition.constraint.where_read
    if measured and part.op == "not is null" and not context.settled.filters(place):
        return _filled(context, use, place)
    treated = not measured and name in context.facts.shown(use.id)  # CASE treats rows by it
    if _is_grouped(context, place) or treated or _keeps_only(context, place, part):
        return Met.YES
    demanded = context.settled.filters(place) or not _filters_on(context, place)
    return Met.NO if demanded else Met.PERHAPS


def _that_stay(context: Context, use: Use) -> set[int]:
    """The uses that stand for what these rows were merged into."""
    facts, same = context.facts, context.settled.same
    pointers = {
        (use.id, each.fields[0])
        for each in use.table.things
        if each.rule is ConstraintRule.MERGED_INTO
    }
    if not pointers:
        return set()
    reached = {origin.use for origin, made_of in facts.computed if use.id in made_of}
    reached |= {other for pointer in pointers for other, _ in same(pointer)}
    return {each for each in reached - {use.id} if facts.uses[each].table is use.table}


def _filled(context: Context, use: Use, place: ColumnPlace) -> Met:
    """Whether all figures are of the rows that have a value here: a sum of it leaves out the others
    by itself, a number of rows beside it doesn't."""
    figures = figures_of(context, use)
    if any(_puts_a_value(each, place) for each in figures):
        return Met.NO
    others = [each for each in figures if not _reads(each, place)]
    if not others:
        return Met.YES
    return Met.NO if any(each.terms for each in others) else Met.PERHAPS


def _puts_a_value(figure: Aggregate, place: ColumnPlace) -> bool:
    """True for ``AVG(COALESCE(stars, 0))``, a mean of rows that have none; a sum stays the same."""
    return figure.function in _MEANS and any(
        term.origin.place == place and term.or_else for term in figure.terms
    )


def _reads(figure: Aggregate, place: ColumnPlace) -> bool:
    """True when it is made of the column, or of conditions: ``SUM(rush = 'Y')``."""
    within = (*figure.conditions, *(each for term in figure.terms for each in term.conditions))
    if not figure.terms and figure.function != "count":
        return True
    origins = [each.origin for each in (*figure.terms, *within)]
    return any(each.place == place for each in origins)


def _parents_hold(context: Context, use: Use, table: str, part: Part) -> Met:
    """Whether the statement chooses among the parents by this column, joined, looked up or left
    out, or among the rows by which parent they point to."""
    uses = context.facts.uses
    near = context.connected[use.id]
    name = part.column.rpartition(".")[2]
    parents = [each for each in near if uses[each].table.name == table]
    numbers = {
        (each, key)
        for each in parents
        for keys in uses[each].table.keys
        for key in keys
        if len(keys) == 1
    }
    pointers = {
        (each, here)
        for each in near
        for join in uses[each].table.joins
        if join.target == table and join.cardinality in TO_ONE
        for here, _ in join.pairs
    }
    if any(_is_chosen(context, place) for place in numbers | pointers):
        return Met.YES
    return _chosen(context, [(each, name) for each in parents], numbers, part)


def _is_chosen(context: Context, place: ColumnPlace) -> bool:
    return any(each.op != "is null" for each in _filters_on(context, place))


def _chosen(
    context: Context, places: list[ColumnPlace], numbers: set[ColumnPlace], part: Part
) -> Met:
    """Whether the parents are chosen by their own column, and all that don't count left out."""
    negated = context.facts.negated
    filters = [each for place in places for each in _filters_on(context, place)]
    if any(
        place[0] in negated or _is_grouped(context, place) or _keeps_only(context, place, part)
        for place in places
    ):
        return Met.YES
    if any(map(is_positive, filters)) or (places and _keep_only(context, places[0], part, filters)):
        return Met.YES
    grouped = any(_is_grouped(context, place) for place in numbers)
    return Met.PERHAPS if filters or grouped else Met.NO


def _is_grouped(context: Context, place: ColumnPlace) -> bool:
    same = context.settled.same(place)
    return any(key.place in same for block in context.facts.blocks for key in block.keys)


def _keeps_only(context: Context, place: ColumnPlace, part: Part) -> bool:
    return _keep_only(context, place, part, _filters_on(context, place))


def _filters_on(context: Context, place: ColumnPlace) -> list[Filter]:
    """What every row or figure must meet; else what is one of several conditions on them."""
    found = [*context.settled.filters(place), *_within_figures(context, place)]
    return found or [each for each in context.facts.comparisons if each.origin.place == place]


def _keep_only(context: Context, place: ColumnPlace, part: Part, filters: list[Filter]) -> bool:
    match part.op:
        case "not in":
            unread = any(each.op == "within" for each in filters)
            left = any(admits(filters, value) for value in part.values)
            return bool(filters) and (unread or not left)
        case "in":
            known = _known_values(context, place)
            unknown = not known and not any(map(is_positive, filters))
            return (bool(filters) and unknown) or any(
                _limits(each, known, set(part.values)) for each in filters
            )
        case "is null":
            return any(each.op in ("is null", "or", "within") for each in filters)
        case _:
            return any(each.op != "is null" for each in filters)


def _limits(each: Filter, known: frozenset[str], wanted: set[str]) -> bool:
    """True when a filter lets none but the wanted values pass, or none at all, in any spelling."""
    if each.through == "spelling" and is_positive(each):
        folded = {value.casefold() for value in wanted}
        return all(str(value.value).casefold() in folded for value in each.values)
    if each.op == "or":
        return all(part.op == "is null" or _limits(part, known, wanted) for part in each.parts)
    if any(value.kind is LiteralKind.OTHER for value in each.values):
        return True
    return limited_to((each,), known, wanted)


def is_positive(each: Filter) -> bool:
    """True for a filter that names what is wanted."""
    return each.op in ("=", "in") and bool(each.values)


def _within_figures(context: Context, place: ColumnPlace) -> Iterator[Filter]:
    """Conditions of CASE and FILTER inside the figures."""
    same = context.settled.same(place)
    for aggregate in context.facts.aggregates:
        for term in aggregate.terms:
            yield from (each for each in term.conditions if each.origin.place in same)
        yield from (each for each in aggregate.conditions if each.origin.place in same)


def is_read(context: Context, place: ColumnPlace) -> bool:
    """True when the statement reads this column."""
    return any(each.origin.place == place for each in context.facts.readings)


def _known_values(context: Context, place: ColumnPlace) -> frozenset[str]:
    column = context.facts.uses[place[0]].table.columns.get(place[1])
    if column is None:
        return frozenset()
    return column.allowed_texts or frozenset(map(str, column.values or ()))
