"""SQL expressions with what they measure, and the arithmetic and comparisons between two."""

from dataclasses import dataclass, replace
from datetime import datetime

from benchmarks.facts.database import PARTS, TIMES, Field, folded, moment, order, parts_of, quoted
from veridical.evidence.column import Additivity, CellKind
from veridical.evidence.dimension import (
    NUMBER,
    SHARE,
    Dimension,
    DimensionError,
    Quantity,
    added,
    comparable,
    divided,
    multiplied,
)
from veridical.evidence.moment import Moment

_TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
_DAY = 86_400.0


class UnknownError(Exception):
    """Something that has no value, or that must not be computed."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Sql:
    """An expression, and what it measures."""

    text: str
    kind: CellKind
    dimension: Dimension = NUMBER
    scale: float = 1.0
    additivity: Additivity = Additivity.NEVER
    of_rows: bool = False
    """Whether it is one value for each row."""
    literal: object = None
    """What its author wrote, of a constant."""
    field: Field | None = None
    aggregated: str = ""
    """Of a first or a last time: its seconds."""
    is_nothing: bool = False
    """Without a value anywhere: nobody knows what it would measure."""

    @property
    def seconds(self) -> str:
        """Its seconds since 1970, of a time."""
        return f"s{self.field.at}" if self.field is not None else self.aggregated


NOTHING = Sql("NULL::DOUBLE", CellKind.FIGURE, is_nothing=True)


def lifted(value: Sql, beside: Sql) -> Sql:
    """A constant in the unit of what it stands beside."""
    plain = isinstance(value.literal, float) and value.dimension == NUMBER
    if not plain or beside.kind is not CellKind.FIGURE or beside.dimension == NUMBER:
        return value
    number, scale = float(str(value.literal)), beside.scale
    if beside.dimension.quantity is Quantity.SHARE and scale == 1 and abs(number) > 1.5:
        scale = 0.01
    return replace(value, text=str(number * scale), dimension=beside.dimension, scale=scale,
                   literal=number * scale)  # fmt: skip


def combined(operator: str, left: Sql, right: Sql) -> Sql:
    """``+ - * /`` with units."""
    rows = left.of_rows or right.of_rows
    if left.is_nothing or right.is_nothing:
        return replace(NOTHING, of_rows=rows)
    if operator == "Sub" and left.kind in TIMES and right.kind in TIMES:
        return _elapsed(left, right)
    if left.kind is not CellKind.FIGURE or right.kind is not CellKind.FIGURE:
        raise UnknownError("notAFigure")
    adds = _adds(operator, left, right)
    if operator in ("Add", "Sub"):
        left, right = lifted(left, right), lifted(right, left)
    try:
        if operator in ("Add", "Sub"):
            sign = "+" if operator == "Add" else "-"
            return Sql(f"({left.text} {sign} {right.text})", CellKind.FIGURE,
                       added(left.dimension, right.dimension), left.scale, adds, rows)  # fmt: skip
        if operator == "Mul":
            scales = [1.0 if each.dimension.is_bare else each.scale for each in (left, right)]
            return Sql(f"({left.text} * {right.text})", CellKind.FIGURE,
                       multiplied(left.dimension, right.dimension), scales[0] * scales[1], adds,
                       rows)  # fmt: skip
        dimension = divided(left.dimension, right.dimension)
    except DimensionError as error:
        raise UnknownError("dimensions") from error
    text = f"({left.text} / nullif({right.text}, 0))"
    if comparable(left.dimension, right.dimension):
        return Sql(text, CellKind.FIGURE, dimension, 1.0, adds, rows)
    if right.dimension.is_bare:
        return Sql(text, CellKind.FIGURE, dimension, left.scale, adds, rows)
    amount = left.dimension.quantity in (Quantity.MONEY, Quantity.COUNT)
    scale = (1.0 if amount else left.scale) / right.scale
    return Sql(text, CellKind.FIGURE, dimension, scale, adds, rows)


def _adds(operator: str, left: Sql, right: Sql) -> Additivity:
    """What may be summed again: amounts by a constant or a rate, sums of what adds up."""
    columns = [each.additivity for each in (left, right) if each.of_rows]
    constant = left.literal is not None or right.literal is not None
    if operator == "Mul" and Additivity.FULL in columns:
        return Additivity.FULL
    by_constant = constant and (
        operator == "Mul" or (operator == "Div" and right.literal is not None)
    )
    if by_constant and len(columns) == 1:
        return columns[0]
    if operator in ("Add", "Sub") and len(columns) == 2 and columns[0] is columns[1]:
        return columns[0]
    return Additivity.NEVER


def _elapsed(left: Sql, right: Sql) -> Sql:
    clock = left.kind is CellKind.MOMENT and right.kind is CellKind.MOMENT
    one, other = left.seconds, right.seconds
    if not one or not other:
        raise UnknownError("notAFigure")
    if not clock:
        one, other = (f"floor({each} / {_DAY}) * {_DAY}" for each in (one, other))
    return Sql(f"({one} - {other})", CellKind.FIGURE, Dimension(Quantity.DURATION),
               1.0 if clock else _DAY, Additivity.FULL,
               of_rows=left.of_rows or right.of_rows)  # fmt: skip


def part_of(part: Sql, whole: Sql) -> Sql:
    if part.is_nothing or whole.is_nothing:
        return replace(NOTHING, of_rows=part.of_rows or whole.of_rows)
    part, whole = lifted(part, whole), lifted(whole, part)
    if not comparable(part.dimension, whole.dimension):
        raise UnknownError("dimensions")
    return Sql(f"({part.text} / nullif({whole.text}, 0))", CellKind.FIGURE, SHARE,
               of_rows=part.of_rows or whole.of_rows)  # fmt: skip


def compared(sign: str, left: Sql, right: Sql) -> str:
    """A comparison: figures within their precision, times by the calendar, texts as folded."""
    if left.is_nothing or right.is_nothing:
        return "(NULL::BOOLEAN)"
    if left.literal is not None and right.literal is None:
        return compared(_TURNED.get(sign, sign), right, left)
    if left.kind is CellKind.FIGURE:
        right = _figure(right)
    if left.kind is CellKind.FIGURE and right.kind is CellKind.FIGURE:
        return _figures(sign, left, right)
    if left.kind in TIMES and left.field is not None:
        return _times(sign, left.field, right)
    if sign not in ("=", "<>"):
        raise UnknownError("notAFigure")
    if left.kind is CellKind.FLAG:
        return f"({left.text} {sign} {str(_truth(right.literal)).upper()})"
    if left.field is None or right.literal is None:
        raise UnknownError("notAFigure")
    here = f"nullif(k{left.field.at}, '')"
    return f"({here} {sign} {quoted(folded(right.literal))})"


def _figure(value: Sql) -> Sql:
    if not isinstance(value.literal, str):
        return value
    text = value.literal.strip()
    number = float(text.rstrip("% "))
    if text.endswith("%"):
        return Sql(str(number / 100), CellKind.FIGURE, SHARE, literal=number / 100)
    return Sql(str(number), CellKind.FIGURE, literal=number)


def _truth(literal: object) -> bool:
    return literal is True or folded(literal) in ("1", "yes", "true")


def _figures(sign: str, left: Sql, right: Sql) -> str:
    left, right = lifted(left, right), lifted(right, left)
    kinds = {left.dimension.quantity, right.dimension.quantity}
    if kinds != {Quantity.SHARE, Quantity.NUMBER} and not comparable(
        left.dimension, right.dimension
    ):
        raise UnknownError("dimensions")
    one, other = left.text, right.text
    near = f"abs({one} - {other}) <= 1e-9 * greatest(abs({one}), abs({other}))"
    gap = (f"CASE WHEN {one} IS NULL OR {other} IS NULL THEN NULL WHEN {near} THEN 0 "
           f"WHEN {one} > {other} THEN 1 ELSE -1 END")  # fmt: skip
    return f"(({gap}) {sign} 0)"


def _times(sign: str, field: Field, right: Sql) -> str:
    at = field.at
    if right.field is not None:
        if field.kind is right.field.kind:
            return f"(o{at} {sign} o{right.field.at})"
        raise UnknownError("notAFigure")
    if isinstance(right.literal, float):
        return f"(y{at} {sign} {right.literal})"
    text = str(right.literal)
    if field.kind is CellKind.MOMENT and len(text) >= len("2025-01-01T00:00:00"):
        seconds = datetime.fromisoformat(text if "+" in text else f"{text}+00:00").timestamp()
        return f"(s{at} {sign} {seconds})"
    when = moment(text)
    if when is None:
        raise UnknownError("notAFigure")
    within = f"({_covers(when, at)} OR {_is_covered(when, at)})"
    later = f"CASE WHEN o{at} > {quoted(order(text) or '')} THEN 1 ELSE -1 END"
    gap = f"CASE WHEN c{at} IS NULL THEN NULL WHEN {within} THEN 0 ELSE {later} END"
    return f"(({gap}) {sign} 0)"


def _filled(at: int) -> dict[str, str]:
    """The parts of a cell's time, with the quarter and the half that its month lies in."""
    quarter = f"CASE WHEN m{at} IS NOT NULL THEN (m{at} + 2) // 3 ELSE q{at} END"
    half = f"CASE WHEN ({quarter}) IS NOT NULL THEN (({quarter}) + 1) // 2 ELSE h{at} END"
    return {part: f"{part}{at}" for part in PARTS} | {"q": f"({quarter})", "h": f"({half})"}


def _covers(when: Moment, at: int) -> str:
    """Whether the cell lies within the constant."""
    filled = _filled(at)
    said = zip(PARTS, parts_of(when), strict=True)
    tests = [f"coalesce({filled[part]} = {value}, false)" for part, value in said
             if value is not None]  # fmt: skip
    return f"({' AND '.join(tests) or 'false'})"


def _is_covered(when: Moment, at: int) -> str:
    """Whether the constant lies within the cell."""
    pairs = list(zip(PARTS, parts_of(when.filled), strict=True))
    tests = [f"({part}{at} IS NULL OR {part}{at} = {value})" if value is not None
             else f"{part}{at} IS NULL" for part, value in pairs]  # fmt: skip
    some = " OR ".join(f"{part}{at} IS NOT NULL" for part in PARTS)
    return f"({' AND '.join(tests)} AND ({some}))"
