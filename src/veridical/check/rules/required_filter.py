"""A table that mixes periods or tenants is read one at a time."""

from collections.abc import Iterable

from veridical.check.context import Context
from veridical.check.facts import Facts, Problem, Use, distinct
from veridical.contracts.violation import Code
from veridical.ontology.model import Constraint

_NARROWING = frozenset(
    {"=", "in", "<", "<=", ">", ">=", "between", "like", "ilike", "is null", "within", "rank"}
)


def find(context: Context) -> Iterable[Problem]:
    """Uses of a table without the filters that reading it demands."""
    if context.facts.inspects:
        return ()
    found: list[Problem] = []
    for use in context.facts.uses:
        for constraint in use.table.required_filters:
            missing = _missing(context, use, constraint)
            if missing and not _reads_only(context.facts, use, constraint):
                fields = ", ".join(missing)
                found.append(
                    Problem(
                        Code.MISSING_REQUIRED_FILTER,
                        missing[0],
                        None,
                        "",
                        (("fields", fields), ("table", use.table.name)),
                        constraint.message,
                    )
                )
    return distinct(found)


def _missing(context: Context, use: Use, constraint: Constraint) -> list[str]:
    settled = context.settled
    grouped = {(key.use, key.column.name) for block in context.facts.blocks for key in block.keys}
    missing: list[str] = []
    for name in constraint.fields:
        place = (use.id, name)
        narrowed = any(each.op in _NARROWING for each in settled.filters(place))
        if settled.value(place) is None and not narrowed and not settled.same(place) & grouped:
            missing.append(name)
    return missing


def _reads_only(facts: Facts, use: Use, constraint: Constraint) -> bool:
    """Asking which periods there are needs no period."""
    shown = [
        each.origin.column.name
        for each in facts.readings
        if each.origin.use == use.id and each.clause not in ("where", "on")
    ]
    return bool(shown) and all(name in constraint.fields for name in shown)
