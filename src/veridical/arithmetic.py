"""Arithmetic on exact decimals: a small language, read by Python's parser, run by nothing of it.

Signs: ``+ - * / ^ %`` and parentheses, also ``× ÷ −``. ``8.1%`` is a percentage where no operand
follows the sign, ``7 % 3`` is a remainder. Functions: sum, avg, min, max, round (half away from
zero), abs, sqrt, percentChange(old, new). Thousands may be set off by an apostrophe, never by a
comma.
"""

import ast
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import (
    ROUND_HALF_UP,
    Context,
    Decimal,
    DivisionByZero,
    Inexact,
    InvalidOperation,
    Overflow,
    Underflow,
)
from enum import StrEnum

MAX_LENGTH = 4000
MAX_NODES = 2000
_MAX_DEPTH = 60
_MAX_PLACES = 20
_MAX_EXPONENT = 1000
_DIGITS = 50
_SHOWN_DIGITS = 20
_MAGNITUDE = 100

_SIGNS = str.maketrans({"×": "*", "·": "*", "÷": "/", "−": "-", "–": "-", "^": "\0", "’": "'"})
_THOUSANDS = re.compile(r"(?<=\d)'(?=\d{3}(?!\d))")
_PERCENT = re.compile(r"(?<=[\d.)])%(?=\s*(?:$|[)\],+*/\0-]))")
_PYTHONS_POWER = "**"
_PERCENT_MARK = "[...]"
"""A percent sign binds tighter than any operator, and of Python's signs only a subscript does."""
_FOREIGN = (_PYTHONS_POWER, _PERCENT_MARK, "#", "\0")
"""Syntax that Python's parser accepts and this language does not have."""


class Refusal(StrEnum):
    """Why an expression was not computed."""

    SYNTAX = "syntax"
    THOUSANDS_COMMA = "thousands_comma"
    UNKNOWN_FUNCTION = "unknown_function"
    BAD_ARGUMENTS = "bad_arguments"
    DIVISION_BY_ZERO = "division_by_zero"
    TOO_LARGE = "too_large"
    UNDEFINED = "undefined"


class ArithmeticRefusedError(ValueError):
    """An expression that is not computed, with the reason and the text it is about."""

    def __init__(self, reason: Refusal, detail: str = "") -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Calculation:
    """A result and the numbers it was made from, in the order in which they were written."""

    value: Decimal
    exact: bool
    """False when a digit was lost: a division that doesn't end, a root."""
    inputs: tuple[Decimal, ...]

    @property
    def text(self) -> str:
        """The result in plain digits; a result that isn't exact has twenty of them."""
        shown = self.value if self.exact else Context(prec=_SHOWN_DIGITS).plus(self.value)
        return f"{shown:f}"


def compute(expression: str) -> Calculation:
    """The value of an expression. Raises ``ArithmeticRefusedError`` for everything else."""
    reader = _Reader(_prepared(expression))
    return reader.calculation()


def _prepared(expression: str) -> str:
    if len(expression) > MAX_LENGTH:
        raise ArithmeticRefusedError(Refusal.TOO_LARGE)
    for foreign in _FOREIGN:
        if foreign in expression:
            raise ArithmeticRefusedError(Refusal.SYNTAX, foreign)
    text = _THOUSANDS.sub("", " ".join(expression.translate(_SIGNS).split()))
    text = _PERCENT.sub(_PERCENT_MARK, text).replace("\0", _PYTHONS_POWER)
    if not text.isascii():
        raise ArithmeticRefusedError(Refusal.SYNTAX, next(c for c in text if not c.isascii()))
    return text


class _Reader:
    """Walks the tree of one expression; knows these nodes and refuses every other."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._inputs: list[Decimal] = []
        self._context = Context(
            prec=_DIGITS,
            Emax=_MAGNITUDE,
            Emin=-_MAGNITUDE,
            traps=[InvalidOperation, DivisionByZero, Overflow, Underflow],
        )

    def calculation(self) -> Calculation:
        try:
            tree = ast.parse(self._text, mode="eval")
        except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
            raise ArithmeticRefusedError(Refusal.SYNTAX, self._text[:20]) from error
        if sum(1 for _ in ast.walk(tree)) > MAX_NODES:
            raise ArithmeticRefusedError(Refusal.TOO_LARGE)
        try:
            value = self._value(tree.body, 0)
        except DivisionByZero as error:
            raise ArithmeticRefusedError(Refusal.DIVISION_BY_ZERO) from error
        except (Overflow, Underflow) as error:
            raise ArithmeticRefusedError(Refusal.TOO_LARGE) from error
        except InvalidOperation as error:
            raise ArithmeticRefusedError(Refusal.UNDEFINED) from error
        return Calculation(value, not self._context.flags[Inexact], tuple(self._inputs))

    def _value(self, node: ast.expr, depth: int) -> Decimal:
        if depth > _MAX_DEPTH:
            raise ArithmeticRefusedError(Refusal.TOO_LARGE)
        match node:
            case ast.Constant():
                return self._number(node)
            case ast.UnaryOp(op=ast.UAdd() | ast.USub()):
                value = self._value(node.operand, depth + 1)
                return value if isinstance(node.op, ast.UAdd) else value.copy_negate()
            case ast.BinOp():
                return self._chain(node, depth + 1)
            case ast.Subscript(slice=ast.Constant(value=value)) if value is Ellipsis:
                return _divide(self._context, self._value(node.value, depth + 1), Decimal(100))
            case ast.Call(func=ast.Name(id=name), keywords=[]):
                return self._call(name, self._arguments(node.args, depth + 1))
            case ast.Tuple():
                raise ArithmeticRefusedError(Refusal.THOUSANDS_COMMA, self._source(node))
            case _:
                raise ArithmeticRefusedError(Refusal.SYNTAX, self._source(node))

    def _number(self, node: ast.Constant) -> Decimal:
        written = self._source(node)
        if not isinstance(node.value, int | float) or written[0] not in "0123456789.":
            raise ArithmeticRefusedError(Refusal.SYNTAX, written)
        try:
            value = Decimal(written.replace("_", ""))
            if len(value.as_tuple().digits) > _DIGITS:
                raise ArithmeticRefusedError(Refusal.TOO_LARGE, written)
            value = self._context.create_decimal(value)
        except InvalidOperation as error:
            raise ArithmeticRefusedError(Refusal.SYNTAX, written) from error
        self._inputs.append(value)
        return value

    def _chain(self, node: ast.BinOp, depth: int) -> Decimal:
        """A run of operators is nested to the left as deep as it is long: no recursion there."""
        steps = [node]
        while isinstance(inner := steps[-1].left, ast.BinOp):
            steps.append(inner)
        value = self._value(steps[-1].left, depth)
        for step in reversed(steps):
            operation = _OPERATIONS.get(type(step.op))
            if operation is None:
                raise ArithmeticRefusedError(Refusal.SYNTAX, self._source(step))
            value = operation(self._context, value, self._value(step.right, depth))
        return value

    def _arguments(self, nodes: list[ast.expr], depth: int) -> list[Decimal]:
        listed = nodes[0].elts if len(nodes) == 1 and isinstance(nodes[0], ast.List) else nodes
        return [self._value(node, depth) for node in listed]

    def _call(self, name: str, values: list[Decimal]) -> Decimal:
        function = FUNCTIONS.get(name.lower())
        if function is None:
            raise ArithmeticRefusedError(Refusal.UNKNOWN_FUNCTION, name)
        fewest, most, apply = function
        if not fewest <= len(values) <= most:
            raise ArithmeticRefusedError(Refusal.BAD_ARGUMENTS, name)
        return apply(self._context, values)

    def _source(self, node: ast.expr) -> str:
        return self._text[node.col_offset : node.end_col_offset]


def _divide(context: Context, left: Decimal, right: Decimal) -> Decimal:
    if not right:
        raise DivisionByZero
    return context.divide(left, right)


def _remainder(context: Context, left: Decimal, right: Decimal) -> Decimal:
    """The remainder with the sign of the divisor, as in spreadsheets."""
    if not right:
        raise DivisionByZero
    rest = context.remainder(left, right)
    return context.add(rest, right) if rest and (rest < 0) != (right < 0) else rest


def _power(context: Context, left: Decimal, right: Decimal) -> Decimal:
    if abs(right) > _MAX_EXPONENT:
        raise ArithmeticRefusedError(Refusal.TOO_LARGE)
    if not left and right < 0:
        raise DivisionByZero
    return context.power(left, right)


def _total(context: Context, values: list[Decimal]) -> Decimal:
    total = Decimal(0)
    for value in values:
        total = context.add(total, value)
    return total


def _mean(context: Context, values: list[Decimal]) -> Decimal:
    return context.divide(_total(context, values), Decimal(len(values)))


def _rounded(context: Context, values: list[Decimal]) -> Decimal:
    places = values[1] if len(values) > 1 else Decimal(0)
    if places != places.to_integral_value() or abs(places) > _MAX_PLACES:
        raise ArithmeticRefusedError(Refusal.BAD_ARGUMENTS, "round")
    # Rounding drops digits on purpose, so it is done where it doesn't count as inexact.
    apart = context.copy()
    return values[0].quantize(Decimal(1).scaleb(-int(places)), ROUND_HALF_UP, apart)


def _percent_change(context: Context, values: list[Decimal]) -> Decimal:
    old, new = values
    if not old:
        raise DivisionByZero
    change = context.divide(context.subtract(new, old), old.copy_abs())
    return context.multiply(change, Decimal(100))


_OPERATIONS: Mapping[type[ast.operator], Callable[[Context, Decimal, Decimal], Decimal]] = {
    ast.Add: Context.add,
    ast.Sub: Context.subtract,
    ast.Mult: Context.multiply,
    ast.Div: _divide,
    ast.Mod: _remainder,
    ast.Pow: _power,
}
FUNCTIONS: Mapping[str, tuple[int, int, Callable[[Context, list[Decimal]], Decimal]]] = {
    "sum": (1, MAX_NODES, _total),
    "avg": (1, MAX_NODES, _mean),
    "min": (1, MAX_NODES, lambda _, values: min(values)),
    "max": (1, MAX_NODES, lambda _, values: max(values)),
    "abs": (1, 1, lambda _, values: values[0].copy_abs()),
    "sqrt": (1, 1, lambda context, values: context.sqrt(values[0])),
    "round": (1, 2, _rounded),
    "percentchange": (2, 2, _percent_change),
}
"""Fewest and most arguments and the implementation, by lower-case name."""
