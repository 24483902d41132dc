"""A table that mixes periods or tenants is read one at a time."""

from collections.abc import Iterable

from veridical.check.context import Context
from veridical.check.facts import Facts, Filter, Problem, Use, distinct
from veridical.contracts.violation import Code
from veridical.ontology.model import Constraint

_NARROWING = frozenset(
    {"=", "in", "<", "<=", ">", ">=", "between", "like", "ilike", "is null", "within", "rank"}
)

_EXCLUDING = frozenset({"!=", "not in", "not ="})


def find(context: Context) -> Iterable[Problem]:
    """Uses of a table without the filters that reading it demands."""
    if context.facts.inspects:
        return ()
    found: list[Problem] = []
    for use in context.facts.uses:
        for constraint in use.table.required_filters:
            missing = [name for name in constraint.fields if _is_open(context, use, name)]
            if missing and not _reads_only(context.facts, use, constraint):
                values = (("fields", ", ".join(missing)), ("table", use.table.name))
                found.append(
                    Problem(
                        Code.MISSING_REQUIRED_FILTER,
                        missing[0],
                        None,
                        "",
                        values,
                        constraint.message,
                    )
                )
    return distinct(found)


def _is_open(context: Context, use: Use, name: str) -> bool:
    """True when neither a filter nor the host's scope nor a group narrows this column."""
    settled = context.settled
    place = (use.id, name)
    if place in settled.values:
        return False
    if any(_narrows(each) for each in settled.narrowed.get(place, ())):
        return False
    same = settled.same(place)
    return not any(
        (key.use, key.column.name) in same for block in context.facts.blocks for key in block.keys
    )


def _narrows(each: Filter) -> bool:
    """All but one value of a closed list is a choice; of an endless range it is none."""
    if each.op in _NARROWING:
        return True
    return each.op in _EXCLUDING and each.origin.column.allowed_values is not None


def _reads_only(facts: Facts, use: Use, constraint: Constraint) -> bool:
    """Asking which periods there are needs no period."""
    shown = [
        each.origin.column.name
        for each in facts.readings
        if each.origin.use == use.id and each.clause not in ("where", "on")
    ]
    return bool(shown) and all(name in constraint.fields for name in shown)
