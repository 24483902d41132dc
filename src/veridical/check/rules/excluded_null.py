"""``NOT IN`` with a NULL among its values lets no row pass."""

from collections.abc import Iterable

from veridical.check.context import Context
from veridical.check.facts import Exclusion, Problem, distinct
from veridical.contracts.violation import Code


def find(context: Context) -> Iterable[Problem]:
    """Lists with a written NULL, and sub-queries whose column may have none."""
    return distinct(
        [_problem(each) for each in context.facts.exclusions if _may_hold_null(context, each)]
    )


def _may_hold_null(context: Context, each: Exclusion) -> bool:
    if each.origin is None:
        return each.null
    place = (each.origin.use, each.origin.column.name)
    chosen = any(filter_.op != "is null" for filter_ in context.settled.filters(place))
    return each.origin.column.nullable and not chosen


def _problem(each: Exclusion) -> Problem:
    if each.origin is None:
        return Problem(Code.NULL_IN_EXCLUSION, "NULL", None, "written")
    return Problem(Code.NULL_IN_EXCLUSION, each.origin.column.name, soft=True)
