"""``NOT IN`` with a NULL among its values lets no row pass."""

from collections.abc import Iterable

from veridical.check.context import Context
from veridical.check.facts import Exclusion, Origin, Problem, distinct
from veridical.contracts.violation import Code
from veridical.ontology.model import Cardinality

_UNEQUAL = frozenset({"!=", "not in"})


def find(context: Context) -> Iterable[Problem]:
    """Lists with a written NULL, and sub-queries whose column may have none."""
    found = [_problem(each) for each in context.facts.exclusions if _may_hold_null(context, each)]
    found.extend(
        Problem(Code.NULL_IN_EXCLUSION, each.origin.column.name, None, "unequal", soft=True)
        for each in context.facts.filters
        if each.op in _UNEQUAL and each.values and _may_point_nowhere(context, each.origin)
    )
    return distinct(found)


def _may_point_nowhere(context: Context, origin: Origin) -> bool:
    """A pointer that some rows lack: whoever leaves out one target leaves these out, too."""
    joins = context.facts.uses[origin.use].table.joins
    pointing = any(near == origin.column.name for join in joins for near, _ in join.pairs)
    return origin.column.nullable and pointing


def _may_hold_null(context: Context, each: Exclusion) -> bool:
    if each.origin is None:
        return each.null
    place = (each.origin.use, each.origin.column.name)
    chosen = any(filter_.op != "is null" for filter_ in context.settled.filters(place))
    may = each.origin.column.nullable or _points_to_own(context, each.origin)
    return (may or _leaves_out_own(context, each.origin, each.kept)) and not chosen


def _points_to_own(context: Context, origin: Origin) -> bool:
    """Whoever points to another row of the same table: the first one points to none."""
    table = context.facts.uses[origin.use].table
    name = origin.column.name
    return not any(name in key for key in table.keys) and any(
        join.target == table.name and any(near == name for near, _ in join.pairs)
        for join in table.joins
        if join.cardinality is Cardinality.MANY_TO_ONE
    )


def _leaves_out_own(context: Context, origin: Origin, kept: Origin | None) -> bool:
    """``staff_id NOT IN (SELECT lead_id FROM staff)``: the column points to rows of its own table,
    whoever declared that."""
    if kept is None or kept.column.name == origin.column.name:
        return False
    table = context.facts.uses[origin.use].table
    own = context.facts.uses[kept.use].table is table
    in_key = any(origin.column.name in key for key in table.keys)
    return own and not in_key and frozenset((kept.column.name,)) in table.keys


def _problem(each: Exclusion) -> Problem:
    if each.origin is None:
        return Problem(Code.NULL_IN_EXCLUSION, "NULL", None, "written")
    return Problem(Code.NULL_IN_EXCLUSION, each.origin.column.name, soft=True)
