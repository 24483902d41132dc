"""``check``: whether a figure is above, below or at a limit."""

from veridical.evidence.column import CellKind
from veridical.facts.arguments import Arguments
from veridical.facts.fact import Fact, Part, Role, figure, key_of
from veridical.facts.forms.built import Claims, Frames, fact_of, needs, stated_parts
from veridical.facts.kernel import expression as ex
from veridical.facts.kernel.arithmetic import computed
from veridical.facts.kernel.compare import compared
from veridical.facts.kernel.value import FactError, Reason, Value
from veridical.facts.limits import limit_beside
from veridical.facts.naming import names_in
from veridical.facts.scope import label_of, measures_of, population, scoped, single_of

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
    is_beside = bool(key) and ex.has_aggregate(base.expression)
    kind = "beside" if is_beside else "row" if key else "all"
    yes = "yes" if met else "no"
    return fact_of(
        scope, f"check.{kind}.{yes}", parts, measures,
        {"measure": measures[0].text, "is": operator, "limit": arguments.limit},
        stated_parts(parts, "yes value limit"), _claims(operator, found, limit, yes),
        label=label_of(measures[0]), operator=operator, base=label_of(base) if is_beside else None,
        population=population(scope.unnamed if is_beside else scope),
    )  # fmt: skip


def _claims(operator: str, found: Value, limit: Value, yes: str) -> Claims:
    """The side of the limit, for any operator."""
    same = compared("=", found, limit)
    if found.kind is CellKind.NAME or limit.kind is CellKind.FLAG:
        return ("same" if same else "other", yes), ("other" if same else "same",)
    if same:
        at = {">=": ("above",), "<=": ("below",)}.get(operator, ())
        return ("same", yes, *at), tuple(each for each in ("above", "below") if each not in at)
    if compared(">", found, limit):
        return ("above", "more", yes), ("below", "same")
    return ("below", "less", yes), ("above", "same")
