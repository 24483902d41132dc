"""Figures are of the rows that count, by conditions on them or on what they belong to."""

from collections.abc import Iterable, Iterator

from veridical.check.condition_met import Met, is_met, is_positive, is_read
from veridical.check.context import ColumnPlace, Context
from veridical.check.facts import EXTREMES, Problem, Use, violated
from veridical.check.row_keys import is_found_by_key, is_measured, is_of_one_kind
from veridical.check.row_times import figures_of
from veridical.contracts.violation import Code
from veridical.ontology.model import Role
from veridical.ontology.row_condition import Alternatives, RowCondition, written


def rows_that_count(context: Context) -> Iterable[Problem]:
    """Uses whose rows are counted or added up without what the owner demands of them."""
    if context.facts.inspects:
        return
    for use in context.facts.uses:
        found = [
            each
            for condition in _counted(context, use)
            for each in _problems(context, use, condition)
        ]
        if found and not _wants_others(context, use):
            names = _names_another(context, use)
            yield from (each._replace(soft=each.soft or names) for each in found)


def _counted(context: Context, use: Use) -> tuple[RowCondition, ...]:
    """The conditions on its rows, those of a notion only where the question has its words."""
    return tuple(
        each
        for each in use.table.counted
        if not each.constraint.purposes or not context.purposes.isdisjoint(each.constraint.purposes)
    )


def _problems(context: Context, use: Use, condition: RowCondition) -> Iterator[Problem]:
    if _is_about(context, use, condition):
        for each in condition.parts:
            met = is_met(context, use, condition, each)
            if met is not Met.YES:
                soft = met is Met.PERHAPS or _may_leave_out_none(context, use, each)
                yield _missing(use, condition, each, soft=soft)
    elif _is_listed(context, use, condition):
        for parts in condition.parts:
            own = all("." not in part.column for part in parts)
            if own and not any(is_read(context, (use.id, part.column)) for part in parts):
                yield _missing(use, condition, parts, soft=True)


def _may_leave_out_none(context: Context, use: Use, parts: Alternatives) -> bool:
    """True for a condition on a parent, which often removes no row, and where rows of one kind are
    chosen, which may all count: who wrote the statement may know."""
    return any("." in part.column for part in parts) or is_of_one_kind(context, use.id)


def _wants_others(context: Context, use: Use) -> bool:
    """True when the statement chooses the very rows that don't count: it asks about them."""
    same = [each.id for each in context.facts.uses if each.table is use.table]
    return any(
        part.op == "not in"
        and any(_names_only(context, (other, part.column), set(part.values)) for other in same)
        for condition in _counted(context, use)
        for parts in condition.parts
        if len(parts) == 1
        for part in parts
    )


def _names_another(context: Context, use: Use) -> bool:
    """True when the statement names a kind of rows that don't count by another value: drafts, or
    what was deleted."""
    near = context.connected[use.id]
    uses = context.facts.uses
    for condition in _counted(context, use):
        for part in (part for parts in condition.parts for part in parts):
            table, _, name = part.column.rpartition(".")
            places = [
                (each, name)
                for each in near
                if (uses[each].table.name == table if table else each == use.id)
            ]
            filters = [each for place in places for each in context.settled.filters(place)]
            if part.op == "in" and any(
                is_positive(each)
                and {str(value.value) for value in each.values}.isdisjoint(part.values)
                for each in filters
            ):
                return True
            if part.op == "is null" and any(each.op == "not is null" for each in filters):
                return True
    return False


def _names_only(context: Context, place: ColumnPlace, values: set[str]) -> bool:
    """True when the column is one of these values, or is chosen by the label of its code."""
    settled, uses = context.settled, context.facts.uses
    looked_up = {
        each.right.place
        for each in context.facts.equalities
        if not each.joins and each.left.place == place
    }
    if any(
        is_positive(each) and {str(value.value) for value in each.values} <= values
        for each in settled.filters(place)
    ):
        return True
    return any(
        use != place[0]
        and any(name in key for key in uses[use].table.keys)
        and any(
            is_positive(each)
            for label in uses[use].table.columns
            if not any(label in key for key in uses[use].table.keys)
            for each in settled.filters((use, label))
        )
        for use, name in (*settled.same(place), *looked_up)
    )


def _missing(use: Use, condition: RowCondition, missing: Alternatives, *, soft: bool) -> Problem:
    constraint = condition.constraint
    code, name, fields = Code.MISSING_REQUIRED_FILTER, missing[0].column, written(missing)
    notion = ", ".join(constraint.purposes)
    message = "counts_for" if notion else "counts"
    values = {"table": use.table.name, "condition": constraint.condition, "fields": fields}
    soft = soft or bool(notion)  # words decide whether it is meant
    return violated(constraint, code, name, fields, message, soft=soft, **values, notion=notion)


def _is_about(context: Context, use: Use, condition: RowCondition) -> bool:
    """True when figures are made of these rows. A row that another one names always counts."""
    optional = frozenset().union(*(block.optional for block in context.facts.blocks))
    figures = (
        each
        for each in figures_of(context, use)
        if each.function not in EXTREMES and (each.terms or use.id not in optional)
    )
    if use.id in context.facts.negated or not any(True for _ in figures):
        return False
    if _finds_end(context, use):
        return False
    if is_found_by_key(context, use) and not is_measured(context.facts, use):
        return False
    return _is_read_by_figures(context, use, condition)


def _finds_end(context: Context, use: Use) -> bool:
    """True where the last of each thing is looked up, by which other rows of the table are chosen:
    ``JOIN (SELECT thing, MAX(version) … GROUP BY thing)``."""
    uses = context.facts.uses
    made = [
        each
        for each in context.facts.aggregates
        if any(term.origin.use == use.id for term in each.terms)
    ]
    again = any(uses[each].table is use.table for each in context.connected[use.id] - {use.id})
    return again and bool(made) and all(each.function in EXTREMES for each in made)


def _is_read_by_figures(context: Context, use: Use, condition: RowCondition) -> bool:
    """True when the condition is for all figures, for what these read, or for the number of
    things."""
    only = set(condition.constraint.where_read)
    things = {name for key in use.table.keys for name in key} & only
    if not only or not context.facts.shown(use.id).isdisjoint(only - things):
        return True
    return bool(things) and any(
        not each.terms or any(term.origin.column.name in things for term in each.terms)
        for each in figures_of(context, use)
        if each.function == "count"
    )


def _is_listed(context: Context, use: Use, condition: RowCondition) -> bool:
    """True when these rows decide what is shown: the largest of them, or which others have one."""
    facts, uses = context.facts, context.facts.uses
    if condition.constraint.where_read and facts.shown(use.id).isdisjoint(
        condition.constraint.where_read
    ):
        return False
    if is_found_by_key(context, use):
        return False
    if any(uses[each].table is use.table for each in context.connected[use.id] - {use.id}):
        return False  # versions of one thing, of which one is looked up
    extreme = any(
        term.origin.use == use.id and term.origin.column.role is Role.MEASURE
        for each in facts.aggregates
        if each.function in EXTREMES
        for term in each.terms
    )
    ranked = any(
        each.use == use.id and each.column.role is Role.MEASURE for each in context.facts.sorted
    )
    inner = any(use.id in each.inner and each.chooses for each in facts.nested)
    return extreme or ranked or inner or _is_joined_to_choose(context, use)


def _is_joined_to_choose(context: Context, use: Use) -> bool:
    """True for the orders of ``COUNT(DISTINCT customer.id)``: who has one is counted."""
    blocks = context.facts.blocks
    return any(
        each.distinct
        and each.terms
        and all(term.origin.use != use.id for term in each.terms)
        and any(side.uses == frozenset((use.id,)) for side in blocks[each.block].sides)
        and use.id not in blocks[each.block].optional
        for each in context.facts.aggregates
    )
