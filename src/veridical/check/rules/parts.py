"""A part is not added to the whole that has it already."""

from collections.abc import Iterable

from veridical.check.context import Context
from veridical.check.facts import Problem, Term, violated
from veridical.contracts.violation import Code

_ADDS_UP = frozenset({"", "sum"})


def included(context: Context) -> Iterable[Problem]:
    """Sums of a measure and a part of it."""
    for one, other in context.facts.added:
        for whole, parts in ((one, other), (other, one)):
            for term in whole:
                constraint = term.origin.column.includes
                part = _part_of(term, parts) if constraint is not None else None
                if constraint is not None and part is not None:
                    code, name = Code.INVALID_AGGREGATE_TARGET, term.origin.column.name
                    soft = bool(term.conditions or part.conditions)
                    fields = part.origin.column.name
                    yield violated(
                        constraint, code, name, None, "includes", soft=soft, fields=fields
                    )


def _part_of(whole: Term, parts: Iterable[Term]) -> Term | None:
    """The first of these that is a part of it, added as it is."""
    constraint = whole.origin.column.includes
    names = constraint.fields if constraint is not None else ()
    return next(
        (
            each
            for each in parts
            if each.origin.use == whole.origin.use
            and each.origin.column.name in names
            and each.via in _ADDS_UP
            and whole.via in _ADDS_UP
            and each.times * whole.times > 0
        ),
        None,
    )
