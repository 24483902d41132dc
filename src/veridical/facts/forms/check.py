"""``check``: whether a figure is above, below or at a limit."""

from veridical.evidence.column import Kind
from veridical.facts.arguments import Arguments
from veridical.facts.fact import Fact, Part, Role, figure, key_of
from veridical.facts.forms.built import Frames, claim_of, fact_of, needs, plain_value
from veridical.facts.kernel.compare import compared
from veridical.facts.kernel.evaluate import computed
from veridical.facts.kernel.frame import TIMES
from veridical.facts.kernel.value import FactError, Reason, Value, Vector
from veridical.facts.population import population
from veridical.facts.scope import (
    Scoped,
    constant_beside,
    label_of,
    measures_of,
    names_in,
    scoped,
    value_of,
)

_OPERATORS = {
    "above": ">", "over": ">", "more than": ">", "greater than": ">", ">": ">",
    "below": "<", "under": "<", "less than": "<", "<": "<",
    "at least": ">=", ">=": ">=", "at most": "<=", "<=": "<=",
    "equal": "=", "equals": "=", "=": "=", "==": "=", "not equal": "!=", "!=": "!=",
}  # fmt: skip
_SHOWS = {">": "above", ">=": "above", "<": "below", "<=": "below", "=": "same", "!=": "other"}


def state(arguments: Arguments, frames: Frames) -> Fact:
    """The fact. Raises ``FactError``."""
    needs(arguments, "limit")
    operator = _OPERATORS.get(arguments.comparison.replace("_", " ") or "=")
    if operator is None:
        raise FactError(Reason.ARGUMENT, f"is {arguments.comparison}", tuple(_OPERATORS))
    scope = scoped(arguments, frames)
    measures = measures_of(scope)
    found = value_of(measures[0], scope)
    if isinstance(found, Vector):
        if len(found.values) != 1:
            raise FactError(Reason.SEVERAL_ROWS, measures[0].text)
        found = found.at(0)
    if found is None:
        raise FactError(Reason.NO_VALUE, measures[0].text)
    limit = _limit(arguments.limit, found, scope)
    met = compared(operator, found, limit)
    names = names_in(scope, scope.rows) if len(scope.rows) == 1 else ()
    key = key_of(names[0]) if names else ""
    parts = {"yes": Part(Role.FLAG, Value(Kind.FLAG, met)), "value": figure(found, row=key),
             "limit": Part(Role.LIMIT, limit)}  # fmt: skip
    if found.kind is Kind.FIGURE or found.kind in TIMES:
        parts["diff"] = figure(computed("-", found, limit), unsigned=True)
    if names:
        parts["row"] = names[0]
    said = {"measure": measures[0].text, "is": operator, "limit": plain_value(limit)}
    way = _SHOWS[operator]
    turned = {"above": "below", "below": "above", "same": "other", "other": "same"}[way]
    yes = "yes" if met else "no"
    claim = claim_of(
        "check", scope, said, {"yes": met, "value": plain_value(found)},
        (way if met else turned, yes, *_more(found, limit)), (turned if met else way,),
    )  # fmt: skip
    words = {**parts, "label": label_of(measures[0]), "population": population(scope),
             "operator": operator}  # fmt: skip
    row = "row" if names and (names[0].value or names[0].items) else "all"
    return fact_of(scope, claim, f"check.{row}.{yes}", words, parts, measures)


def _more(found: Value, limit: Value) -> tuple[str, ...]:
    if found.kind is not Kind.FIGURE or limit.kind is not Kind.FIGURE:
        return ()
    return ("more",) if found.number > limit.number else ("less",)


def _limit(text: str, beside: Value, scope: Scoped) -> Value:
    """An expression, or a text or a day that needs no quotes of its own."""
    try:
        found = constant_beside(text, beside, scope)
        if (found.kind is Kind.FIGURE) is (beside.kind is Kind.FIGURE):
            return found
    except FactError:
        if beside.kind is Kind.FIGURE:
            raise
    return constant_beside("'" + text.replace("'", "''") + "'", beside, scope)
