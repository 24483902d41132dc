"""``check``: whether a figure is above, below or at a limit."""

from typing import Any

from veridical.evidence.column import CellKind
from veridical.facts.arguments import Arguments
from veridical.facts.fact import Fact, Part, Role, figure, key_of
from veridical.facts.forms.built import Frames, claim_of, fact_of, needs, plain_value
from veridical.facts.kernel import expression as ex
from veridical.facts.kernel.arithmetic import computed
from veridical.facts.kernel.compare import compared
from veridical.facts.kernel.value import FactError, Reason, Value
from veridical.facts.limits import limit_beside
from veridical.facts.naming import names_in
from veridical.facts.population import population
from veridical.facts.scope import (
    label_of,
    measures_of,
    scoped,
    single_of,
)

_OPERATORS = {
    "before": "<", "after": ">", "from": ">=", "until": "<=",
    "above": ">", "over": ">", "more than": ">", "greater than": ">", ">": ">",
    "below": "<", "under": "<", "less than": "<", "<": "<",
    "at least": ">=", ">=": ">=", "at most": "<=", "<=": "<=",
    "equal": "=", "equals": "=", "=": "=", "==": "=", "not equal": "!=",
    "different": "!=", "!=": "!=",
}  # fmt: skip
_APART = (CellKind.FIGURE, CellKind.DAY, CellKind.MOMENT)
"""Between two of these lies something that can be counted."""


def state(arguments: Arguments, frames: Frames) -> Fact:
    """The fact. Raises ``FactError``."""
    needs(arguments, "limit")
    operator = _OPERATORS.get(arguments.comparison.replace("_", " ") or "=")
    if operator is None:
        raise FactError(Reason.ARGUMENT, f"is {arguments.comparison}", tuple(_OPERATORS))
    scope = scoped(arguments, frames)
    measures = measures_of(scope)
    found = single_of(measures[0], scope)
    limit, base = limit_beside(arguments.limit, found, scope)
    met = compared(operator, found, limit)
    name = names_in(scope, scope.rows)[0] if len(scope.rows) == 1 else None
    key = key_of(name) if name is not None else ""
    parts = {"yes": Part(Role.FLAG, Value(CellKind.FLAG, met)), "value": figure(found, row=key),
             "limit": Part(Role.LIMIT, limit)}  # fmt: skip
    if found.kind in _APART and limit.kind in _APART:
        parts["diff"] = figure(computed("-", found, limit), unsigned=True)
    if name is not None:
        parts["row"] = name
    inputs = {"measure": measures[0].text, "is": operator, "limit": arguments.limit}
    yes = "yes" if met else "no"
    values = {"yes": met, "value": plain_value(found), "limit": plain_value(limit)}
    claim = claim_of("check", scope, inputs, values, *_shown(operator, found, limit, yes))
    words: dict[str, Any] = {**parts, "label": label_of(measures[0]), "operator": operator,
                             "population": population(scope)}  # fmt: skip
    kind = "row" if key else "all"
    if key and ex.has_aggregate(base.expression):
        words |= {"base": label_of(base), "population": population(scope.unnamed)}
        kind = "beside"
    return fact_of(scope, claim, f"check.{kind}.{yes}", words, parts, measures)


def _shown(
    operator: str, found: Value, limit: Value, yes: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The side of the limit, for any operator."""
    if found.kind is CellKind.NAME or limit.kind is CellKind.FLAG:
        same = compared("=", found, limit)
        return ("same" if same else "other", yes), ("other" if same else "same",)
    if compared("=", found, limit):
        at = {">=": ("above",), "<=": ("below",)}.get(operator, ())
        return ("same", yes, *at), tuple(each for each in ("above", "below") if each not in at)
    above = compared(">", found, limit)
    return (("above", "more", yes), ("below", "same")) if above else (
        ("below", "less", yes), ("above", "same"))  # fmt: skip
