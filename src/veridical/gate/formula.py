"""Arithmetic that an answer shows: ``(44.1 - 56.7) / 56.7 = -22.22 %``, also in words and LaTeX.

A statement is cut at its equals signs. What stands before one is read from its end backwards, as
far as it makes an expression; what stands behind it is the result. Words between are labels.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite, nan

from veridical.late_pattern import late_pattern
from veridical.reading.figure import DIGITS, read_digits
from veridical.reading.punctuation import marks
from veridical.reading.units import HAN_SCALES, SCALES
from veridical.word_file import word_file

_SCALE_WORDS = "|".join(
    sorted((re.escape(word) for word in (*SCALES, *HAN_SCALES)), key=len, reverse=True)
)
_WORDS = word_file("veridical.gate")["arithmetic"]
_TOKEN = late_pattern(
    rf"""(?P<power> \^ | (?<=[\d)\]]) \s? \*\* (?=\s?[\d(]) | {_WORDS["power"]} )
      | (?P<skip> \\(?:text|mathrm|mathbf|textbf)\s*\{{[^{{}}\d]*\}}
             | \\(?:left|right|quad|,|;|!|\$)
             | \\(?=[()\[\]]) | \*\*|`|[{_WORDS["money"]}]|\\?%|_ )
      | (?P<frac> \\[dt]?frac )
      | (?P<number> (?<![\w.,]) (?:{DIGITS}|\.\d+) (?![\d])
            (?:[ \t]*(?P<scale>{_SCALE_WORDS})\b\.?)? (?:[ \t]*(?P<percent>\\?[{marks("%")}]))? )
      | (?P<equals> = | ≈ | ≃ | ≅ | \\approx | \\simeq | {_WORDS["equals"]} )
      | (?P<plus> \+ | {_WORDS["plus"]} ) | (?P<minus> [-−–—] | {_WORDS["minus"]} )
      | (?P<times> [×∗·*] | \\times | \\cdot | {_WORDS["times"]} )
      | (?P<over> [÷/] | \\div | {_WORDS["over"]} )
      | (?P<open> [(\[{{] ) | (?P<close> [)\]}}] )
      | (?P<word> [^\W\d_]+(?:['’.&][^\W\d_]+)* )
      | (?P<line> \n ) | (?P<end> [!?;:,|{marks(".")}] )""",
    re.VERBOSE | re.IGNORECASE,
)
_OPERATORS = {"plus": "+", "minus": "-", "times": "*", "over": "/", "power": "^"}
_PRECEDENCE = {"+": 1, "-": 1, "*": 2, "/": 2, "^": 3}
_MOST_WORDS_BEFORE_RESULT = 4
_LONGEST = 80
_BETWEEN_LINES = " \t\n.;)]}$\\-*•"
_HIGHEST_POWER = 100

Tree = int | tuple[str, "Tree", "Tree"]
"""An operand by its place, or an operator with both sides."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A number as the answer writes it, without its scale and its sign."""

    start: int
    end: int
    value: float
    half_step: float
    scale: float = 1.0
    percent: bool = False
    bracketed: bool = False
    """Alone in brackets: a label's value, or a negative one as accountants write it."""


@dataclass(frozen=True, slots=True)
class Formula:
    """An expression and its stated results."""

    operands: tuple[Shown, ...]
    tree: Tree
    results: tuple[tuple[Shown, bool], ...]
    """Each number behind a later equals sign, and whether a minus stands before it; none where
    the answer goes on in the next line."""


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    start: int
    end: int
    number: Shown | None = None


def find_formulas(text: str) -> list[Formula]:
    """Every expression of the text that an equals sign gives a result to, in order."""
    if not any(sign in text for sign in _EQUALS_SIGNS):
        return []
    equations = (
        statement
        for statement in _statements(list(_tokens(text)))
        if any(token.kind == "equals" for token in statement)
    )
    return [formula for chained in _chained(equations, text) for formula in _formulas(chained)]


def _chained(equations: Iterator[list[_Token]], text: str) -> Iterator[list[_Token]]:
    """Equations of one name, each worked out in the line after: ``ROI = 3 / 4``, ``ROI = 0.75``."""
    current: list[_Token] = []
    name = ""
    for equation in equations:
        first = next(at for at, token in enumerate(equation) if token.kind == "equals")
        own = _name(equation[:first], text)
        goes_on = own and own == name and current[-1].kind in ("number", "close")
        if goes_on and _is_next_line(text[current[-1].end : equation[0].start]):
            current = current + equation[first:]
            continue
        if current:
            yield current
        current, name = equation, own
    if current:
        yield current


def _name(tokens: Sequence[_Token], text: str) -> str:
    if any(token.kind != "word" for token in tokens):
        return ""
    return " ".join(text[token.start : token.end].casefold() for token in tokens)


def _is_next_line(between: str) -> bool:
    return not between.strip(_BETWEEN_LINES)


_EQUALS_SIGNS: tuple[str, ...] = tuple(_WORDS["equals_signs"].split())


def _tokens(text: str) -> Iterator[_Token]:
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or ""
        if kind in ("scale", "percent"):
            kind = "number"
        if match["number"] is None:
            if kind != "skip":
                yield _Token(kind, match.start(), match.end())
            continue
        number = _number(match)
        if number is None:
            yield _Token("end", match.start(), match.end())
        else:
            yield _Token("number", match.start(), match.end(), number)


def _number(match: re.Match[str]) -> Shown | None:
    digits = re.match(rf"{DIGITS}|\.\d+", match["number"])
    readings = read_digits(digits.group()) if digits else ()
    if not readings:
        return None
    value, half_step = readings[0]
    word = match["scale"] or ""
    scale = SCALES.get(word) or SCALES.get(word.lower()) or HAN_SCALES.get(word, 1.0)
    percent = match["percent"] is not None
    return Shown(match.start(), match.end(), value, half_step, scale, percent)


def _statements(tokens: list[_Token]) -> Iterator[list[_Token]]:
    """Cut at the ends of sentences, and at ends of lines where no sign reads on."""
    current: list[_Token] = []
    for at, token in enumerate(tokens):
        if token.kind == "line":
            following = next((other for other in tokens[at + 1 :] if other.kind != "line"), None)
            reads_on = following is not None and following.kind in ("equals", "plus", "over")
            if reads_on or (
                current and current[-1].kind in (*_OPERATORS, "equals", "open", "frac")
            ):
                continue
        if token.kind in ("end", "line"):
            if current:
                yield current
            current = []
        else:
            current.append(token)
    if current:
        yield current


def _formulas(statement: list[_Token]) -> Iterator[Formula]:
    parts: list[list[_Token]] = [[]]
    for token in statement:
        if token.kind == "equals":
            parts.append([])
        else:
            parts[-1].append(token)
    results = [_result(part) for part in parts]
    for at, part in enumerate(parts):
        expression = _expression(part)
        if expression is not None:
            following = tuple(result for result in results[at + 1 :] if result is not None)
            yield Formula(*expression, following)
            if (without := _without_dash(expression[1])) is not None:
                yield Formula(expression[0], without, following)


def _result(part: list[_Token]) -> tuple[Shown, bool] | None:
    """The number right behind an equals sign, where no operator follows it."""
    words = 0
    negative = False
    for at, token in enumerate(part):
        if token.number is not None:
            following = next((other.kind for other in part[at + 1 :] if other.kind != "close"), "")
            if following in _OPERATORS and _operates(part[at + 1 :]):
                return None
            bracketed = at > 0 and part[at - 1].kind == "open"
            return token.number, negative or bracketed
        if token.kind == "minus":
            negative = True
        elif token.kind == "word":
            words += 1
            if words > _MOST_WORDS_BEFORE_RESULT:
                return None
        elif token.kind not in ("open", "close"):
            return None
    return None


def _operates(rest: list[_Token]) -> bool:
    """True where a number follows the operator: no dash that goes on in words."""
    for token in rest:
        if token.kind == "number":
            return True
        if token.kind == "word":
            return False
    return False


def _expression(part: list[_Token]) -> tuple[tuple[Shown, ...], Tree] | None:
    """The longest end of this part that is an expression with an operator."""
    signs = [token for token in part if token.kind != "word"]
    signs = _without_empty_brackets(signs)[-_LONGEST:]
    for start, token in enumerate(signs):
        if token.kind not in ("number", "open", "frac", "minus"):
            continue
        parsed = _Parser(signs[start:]).parsed()
        if parsed is not None and not isinstance(parsed[1], int):
            return parsed
    return None


def _without_dash(tree: Tree) -> Tree | None:
    """The same without a minus that opens it: it may be the dash of a list item."""
    if isinstance(tree, int):
        return None
    sign, left, right = tree
    if sign == "neg":
        return left
    inner = _without_dash(left)
    return None if inner is None else (sign, inner, right)


def _without_empty_brackets(tokens: list[_Token]) -> list[_Token]:
    """The tokens without brackets that had only words in them."""
    kept: list[_Token] = []
    for token in tokens:
        if token.kind == "close" and kept and kept[-1].kind == "open":
            kept.pop()
        else:
            kept.append(token)
    return kept


class _Parser:
    """Parses tokens by precedence; returns nothing unless it reads all of them."""

    def __init__(self, tokens: Sequence[_Token]) -> None:
        self._tokens = tokens
        self._at = 0
        self._operands: list[Shown] = []

    def parsed(self) -> tuple[tuple[Shown, ...], Tree] | None:
        tree = self._sum(1)
        while self._kind() == "close":
            self._at += 1
        if tree is None or self._at != len(self._tokens):
            return None
        return tuple(self._operands), tree

    def _kind(self) -> str:
        return self._tokens[self._at].kind if self._at < len(self._tokens) else ""

    def _sum(self, precedence: int) -> Tree | None:
        left = self._operand()
        while left is not None:
            sign = _OPERATORS.get(self._kind(), "")
            if not sign or _PRECEDENCE[sign] < precedence:
                return left
            self._at += 1
            right = self._sum(_PRECEDENCE[sign] + 1)
            if right is None:
                return None
            left = (sign, left, right)
        return None

    def _operand(self) -> Tree | None:
        kind = self._kind()
        if not kind:
            return None
        token = self._tokens[self._at]
        self._at += 1
        if token.number is not None:
            self._operands.append(token.number)
            return len(self._operands) - 1
        if kind == "minus":
            inner = self._operand()
            return None if inner is None else ("neg", inner, inner)
        if kind == "open":
            return self._bracket()
        if kind == "frac":
            above, below = self._operand(), self._operand()
            return None if above is None or below is None else ("/", above, below)
        return None

    def _bracket(self) -> Tree | None:
        inner = self._sum(1)
        if inner is None or self._kind() != "close":
            return None
        self._at += 1
        if isinstance(inner, int):
            alone = self._operands[inner]
            self._operands[inner] = Shown(
                alone.start,
                alone.end,
                alone.value,
                alone.half_step,
                alone.scale,
                alone.percent,
                True,
            )
        return inner


def evaluate(tree: Tree, values: Mapping[int, float] | Sequence[float]) -> list[float]:
    """The expression's value, last, after those of its parts; empty where it has none."""
    found: list[float] = []
    try:
        _evaluate(tree, values, found)
    except (ZeroDivisionError, OverflowError):
        return []
    return found if all(map(isfinite, found)) else []


def _power(base: float, exponent: float) -> float:
    """Roots and growth over years; a root of a negative number is no number."""
    if base < 0 and not exponent.is_integer():
        return nan
    return float(base**exponent) if abs(exponent) <= _HIGHEST_POWER else nan


def _evaluate(
    tree: Tree, values: Mapping[int, float] | Sequence[float], found: list[float]
) -> float:
    if isinstance(tree, int):
        return values[tree]
    sign, left, right = tree
    first = _evaluate(left, values, found)
    if sign == "neg":
        found.append(-first)
        return -first
    second = _evaluate(right, values, found)
    match sign:
        case "+":
            value = first + second
        case "-":
            value = first - second
        case "*":
            value = first * second
        case "^":
            value = _power(first, second)
        case _:
            value = first / second
            if not isinstance(left, int) and left[0] == "*":
                # "a × b / c" may be continued with the value of b / c
                found.append(_evaluate(left[2], values, []) / second)
    found.append(value)
    return value
