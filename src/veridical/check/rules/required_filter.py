"""A table that mixes periods or tenants is read one at a time."""

from collections.abc import Iterable

from veridical.check.context import Context
from veridical.check.facts import Facts, Problem, Use, distinct
from veridical.check.narrowing import limited_to, narrowed
from veridical.contracts.violation import Code
from veridical.ontology.model import Constraint


def find(context: Context) -> Iterable[Problem]:
    """Uses of a table without the filters that reading it demands."""
    if context.facts.inspects:
        return ()
    found: list[Problem] = []
    for use in context.facts.uses:
        for constraint in use.table.required_filters:
            fields = constraint.fields
            missing = [name for name in fields if _is_open(context, use, name, constraint)]
            if missing and not _reads_only(context.facts, use, constraint):
                values = (("fields", ", ".join(missing)), ("table", use.table.name))
                found.append(
                    Problem(
                        Code.MISSING_REQUIRED_FILTER,
                        missing[0],
                        missing[0],
                        "",
                        values,
                        constraint.message,
                        constraint.warns,
                    )
                )
    return distinct(found)


def _is_open(context: Context, use: Use, name: str, constraint: Constraint) -> bool:
    """True when neither a filter nor the host's scope nor a group chooses among its values."""
    settled = context.settled
    place = (use.id, name)
    same = settled.same(place)
    keys = (key for block in context.facts.blocks for key in block.keys)
    if any((key.use, key.column.name) in same for key in keys):
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
    return not narrowed(filters, known)


def _known_values(use: Use, name: str) -> Iterable[int | str]:
    """All values that the column can have, where a list or the levels of a measure say so."""
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


def _reads_only(facts: Facts, use: Use, constraint: Constraint) -> bool:
    """Asking which periods there are needs no period."""
    shown = [
        each.origin.column.name
        for each in facts.readings
        if each.origin.use == use.id and each.clause not in ("where", "on")
    ]
    return bool(shown) and all(name in constraint.fields for name in shown)
