"""Comparisons that are valid and never mean what they say: NOT IN with NULL, a lost letter case."""

from collections.abc import Callable

from sqlglot import exp

from veridical.check.facts import Exclusion, Kind, Respelling
from veridical.check.sql.literals import literal_of
from veridical.check.sql.ranks import origins_of
from veridical.check.sql.scope import Scope

_CASES: dict[type[exp.Expr], tuple[str, Callable[[str], str]]] = {
    exp.Lower: ("LOWER", str.lower),
    exp.Upper: ("UPPER", str.upper),
}


def note_exclusion(scope: Scope, node: exp.In) -> None:
    """What a NOT IN leaves out: the column of its sub-query, or a NULL in its list."""
    around = node.parent
    while isinstance(around, exp.Paren):
        around = around.parent
    if not isinstance(around, exp.Not):
        return
    found = scope.work.facts.exclusions
    query = node.args.get("query")
    if query is None:
        if any(isinstance(each.unnest(), exp.Null) for each in node.expressions):
            found.append(Exclusion(None, null=True))
        return
    held = list(origins_of(scope, (node.this,)))
    kept = held[0] if len(held) == 1 else None
    found.extend(Exclusion(origin, kept=kept) for origin in origins_of(scope, (query,)))


def note_respelling(scope: Scope, node: exp.Expr) -> None:
    """``UPPER(country) = 'ch'``: no text in capitals is written like this."""
    sides = [(node.this, node.expression), (node.expression, node.this)]
    if isinstance(node, exp.In):
        sides = [(node.this, each) for each in node.expressions]
    for side, other in sides:
        case = _CASES.get(type(side.unnest())) if isinstance(side, exp.Expr) else None
        value = literal_of(other) if case is not None and isinstance(other, exp.Expr) else None
        if case is None or value is None or value.kind is not Kind.TEXT:
            continue
        name, respelled = case
        if respelled(str(value.value)) != value.value:
            scope.work.facts.respellings.extend(
                Respelling(name, origin, str(value.value))
                for origin in origins_of(scope, (side.unnest().this,))
            )
