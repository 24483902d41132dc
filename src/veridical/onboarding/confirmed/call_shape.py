"""A call without its literals: calls of one shape differ in values alone."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlglot import exp

from veridical.statement.reader import parsed

Literal = str | int | float
_GAP = "\0"
_COUNTED = frozenset({"limit"})
_FILTERS = "filters"
_VALUE = "value"
_SQL = "sql"


@dataclass(frozen=True, slots=True)
class CallShape:
    """A call taken apart."""

    shape: str
    """All of it but the literals."""
    literals: tuple[Literal, ...]
    """In their order."""


Exchange = Callable[[Literal], Literal]


def call_shape(call: dict[str, Any], dialect: str) -> CallShape | None:
    """The call taken apart; None where its statement can't be read."""
    literals: list[Literal] = []

    def out(literal: Literal) -> Literal:
        literals.append(literal)
        return _GAP

    emptied = _exchanged(call, dialect, out)
    if emptied is None:
        return None
    return CallShape(json.dumps(emptied, sort_keys=True, default=str), tuple(literals))


def with_literals(
    call: dict[str, Any], dialect: str, literals: Sequence[Literal]
) -> dict[str, Any] | None:
    """The call with these literals in place of its own."""
    left = iter(literals)
    return _exchanged(call, dialect, lambda literal: next(left))


def _exchanged(call: dict[str, Any], dialect: str, exchange: Exchange) -> dict[str, Any] | None:
    """The call with each literal exchanged, always in the same order."""
    made = {**call}
    if _SQL in call:
        tree = parsed(str(call[_SQL]), dialect or None)
        if not isinstance(tree, exp.Query):
            return None
        for node in list(tree.find_all(exp.Literal)):
            node.replace(_node(exchange(_value(node)), is_string=bool(node.is_string)))
        made[_SQL] = tree.sql(dialect or None)
    for name in sorted(_COUNTED & call.keys()):
        if _is_literal(call[name]):
            made[name] = exchange(call[name])
    if isinstance(call.get(_FILTERS), list | tuple):
        made[_FILTERS] = [_filter(each, exchange) for each in call[_FILTERS]]
    return made


def _filter(condition: Any, exchange: Exchange) -> Any:
    if not isinstance(condition, dict) or _VALUE not in condition:
        return condition
    value = condition[_VALUE]
    if isinstance(value, list | tuple):
        return {
            **condition,
            _VALUE: [exchange(each) if _is_literal(each) else each for each in value],
        }
    return {**condition, _VALUE: exchange(value)} if _is_literal(value) else condition


def _is_literal(value: Any) -> bool:
    return isinstance(value, str | int | float) and not isinstance(value, bool)


def _value(node: exp.Literal) -> Literal:
    if node.is_string:
        return str(node.this)
    text = str(node.this)
    return int(text) if text.isdecimal() else text


def _node(literal: Literal, *, is_string: bool) -> exp.Literal:
    """A literal of the same kind: what is put in place of a number stands bare."""
    return exp.Literal(this=str(literal), is_string=is_string)
