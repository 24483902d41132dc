"""A measure or a condition of a claim as SQL: read by sqlglot, with units told from columns."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache

import sqlglot
from sqlglot import expressions as sql

from benchmarks.facts.database import (
    PARTS,
    TIMES,
    Database,
    Field,
    Rows,
    folded,
    moment,
    order,
    parts_of,
    quoted,
)
from benchmarks.facts.names import rows_named
from veridical.evidence.column import Additivity, Kind
from veridical.evidence.dimension import (
    COUNT,
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

_FUNCTIONS = (
    "sum", "total", "avg", "mean", "average", "median", "min", "max", "count", "distinct", "wavg",
    "pct", "share", "ratio", "growth", "contains", "abs", "year", "month",
)  # fmt: skip
_CALL = re.compile(rf"\b({'|'.join(_FUNCTIONS)})\s*\(", re.IGNORECASE)
_PERCENT = re.compile(r"(\d+(?:\.\d+)?)\s*%")
_TEXTS = re.compile(r"""('(?:[^']|'')*'|"[^"]*")""")
_SAME = {"total": "sum", "mean": "avg", "average": "avg", "share": "pct"}
_AGGREGATES = frozenset({"sum", "avg", "median", "min", "max", "count", "distinct", "wavg"})
_SIGNS: dict[type[sql.Expr], str] = {
    sql.EQ: "=", sql.NEQ: "<>", sql.GT: ">", sql.GTE: ">=", sql.LT: "<", sql.LTE: "<=",
}  # fmt: skip
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
    kind: Kind
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


NOTHING = Sql("NULL::DOUBLE", Kind.FIGURE, is_nothing=True)


@cache
def read(text: str) -> sql.Expr:
    """A text as a tree; functions under names that no dialect knows."""
    pieces = _TEXTS.split(text)
    pieces[::2] = [_CALL.sub(lambda m: f"f_{m[1].lower()}(", _PERCENT.sub(r"f_percent(\1)", piece))
                   for piece in pieces[::2]]  # fmt: skip
    return sqlglot.parse_one("".join(pieces), read="duckdb")


def has_aggregate(node: sql.Expr) -> bool:
    """Whether it is an aggregate or made of some."""
    return any(_function(each) in _AGGREGATES for each in node.find_all(sql.Anonymous))


def has_cells(node: sql.Expr, rows: Rows) -> bool:
    """Whether it has columns of the rows in scope outside of aggregates."""
    for column in node.find_all(sql.Column):
        inside = any(_function(each) in _AGGREGATES for each in _ancestors(column))
        named = isinstance(column.parent, sql.Bracket)
        if not inside and not named and (not column.table or column.table in rows.results):
            return True
    return False


def _ancestors(node: sql.Expr) -> list[sql.Expr]:
    found: list[sql.Expr] = []
    while node.parent is not None:
        node = node.parent
        found.append(node)
    return found


def _function(node: sql.Expr) -> str:
    if not isinstance(node, sql.Anonymous):
        return ""
    name = str(node.this).removeprefix("f_")
    return _SAME.get(name, name)


class Writer:
    """Writes expressions over some rows; aggregates are over these or over more of them."""

    def __init__(self, database: Database, rows: Rows, among: Sequence[int]) -> None:
        self.database = database
        self.rows = rows
        self.among = tuple(among)

    def write(self, node: sql.Expr) -> Sql:
        """An expression."""
        match node:
            case sql.Paren():
                return self.write(node.this)
            case sql.Literal():
                return self._literal(node)
            case sql.Boolean():
                return Sql(str(node.this).upper(), Kind.FLAG, literal=bool(node.this))
            case sql.Neg():
                return self._negative(node)
            case sql.Column():
                return self._column(node.name, node.table)
            case sql.Dot():
                return self._cell(node)
            case sql.Add() | sql.Sub() | sql.Mul() | sql.Div():
                left, right = self.write(node.this), self.write(node.expression)
                return combined(type(node).__name__, left, right)
            case sql.Anonymous() if _function(node) != "contains":
                return self._call(node)
            case _:
                return Sql(self.condition(node), Kind.FLAG, of_rows=True)

    def _literal(self, node: sql.Literal) -> Sql:
        if node.is_string:
            return Sql(quoted(node.this), Kind.NAME, literal=str(node.this))
        return Sql(str(float(node.this)), Kind.FIGURE, literal=float(node.this))

    def _negative(self, node: sql.Neg) -> Sql:
        inner = self.write(node.this)
        if isinstance(inner.literal, float):
            return replace(inner, text=str(-inner.literal), literal=-inner.literal)
        found = combined("Sub", Sql("0.0", Kind.FIGURE, literal=0.0), inner)
        return replace(found, additivity=inner.additivity)

    def _column(self, name: str, result: str) -> Sql:
        rows = self.rows
        if result and result not in rows.results:
            return self._other(name, result)
        field = (rows.field(f"{result}.{name}") if result else None) or rows.field(name)
        if field is None:
            raise UnknownError("noColumn")
        empty = field.kind is not Kind.FIGURE and rows is self.database.results.get(rows.result)
        if empty and all(cells[field.at] is None for cells in rows.cells.values()):
            return replace(NOTHING, field=field, of_rows=True)
        return Sql(f"c{field.at}", field.kind, field.dimension, field.scale, field.additivity,
                   of_rows=True, field=field)  # fmt: skip

    def _other(self, name: str, result: str) -> Sql:
        """The one cell of another result, or an argument of its call."""
        rows = self.database.results[result]
        field = rows.field(name)
        if field is None:
            held = next((v for k, v in rows.held.items() if k.casefold() == name.casefold()), None)
            if isinstance(held, float | int):
                return Sql(str(float(held)), Kind.FIGURE)
            raise UnknownError("noColumn")
        if len(rows.members) != 1:
            raise UnknownError("severalRows")
        return self._at(rows, field, rows.members[0])

    def _cell(self, node: sql.Dot) -> Sql:
        bracket = node.this
        rows = self.database.results[bracket.this.name]
        field = rows.field(node.expression.name)
        rids = rows_named(rows, str(bracket.expressions[0].this))
        if field is None or len(rids) != 1:
            raise UnknownError("severalRows")
        return self._at(rows, field, rids[0])

    def _at(self, rows: Rows, field: Field, rid: int) -> Sql:
        if rows.cells[rid][field.at] is None:
            return NOTHING
        text = f"(SELECT c{field.at} FROM {rows.view} WHERE rid = {rid})"
        return Sql(text, field.kind, field.dimension, field.scale)

    def _call(self, node: sql.Anonymous) -> Sql:
        name, arguments = _function(node), list(node.expressions)
        if name == "percent":
            value = float(arguments[0].this) / 100
            return Sql(str(value), Kind.FIGURE, SHARE, literal=value)
        if name in _AGGREGATES:
            return self._aggregate(name, arguments)
        found = [self.write(each) for each in arguments]
        match name:
            case "pct":
                return _part(found[0], found[1])
            case "growth":
                part = _part(found[1], found[0])
                text = f"CASE WHEN {found[0].text} < 0 THEN NULL ELSE {part.text} - 1 END"
                return replace(part, text=f"({text})")
            case "ratio":
                return combined("Div", found[0], found[1])
            case "abs":
                return replace(found[0], text=f"abs({found[0].text})", field=None)
            case _:
                field = found[0].field
                if field is None or field.kind not in TIMES:
                    raise UnknownError("notAFigure")
                part = "y" if name == "year" else "m"
                return Sql(f"{part}{field.at}", Kind.FIGURE, of_rows=True)

    def _aggregate(self, name: str, arguments: list[sql.Expr]) -> Sql:
        inner = self._over(arguments[0]) if arguments else self
        rids = f"rid IN ({', '.join(map(str, inner.among)) or 'NULL'})"
        source = f"FROM {inner.rows.view} WHERE {rids}"
        if not arguments:
            return Sql(f"(SELECT count(*) {source})", Kind.FIGURE, COUNT)
        if name == "wavg":
            return inner.weighted(arguments, source)
        if len(arguments) > 1:
            source += f" AND ({inner.condition(arguments[1])})"
        of = inner.write(arguments[0])
        if name == "count":
            counted = (
                f"coalesce(count_if({of.text}), 0)" if of.kind is Kind.FLAG else f"count({of.text})"
            )
            return Sql(f"(SELECT {counted} {source})", Kind.FIGURE, COUNT)
        if name == "distinct":
            return Sql(f"(SELECT count(DISTINCT {of.text}) {source})", Kind.FIGURE, COUNT)
        if of.kind in TIMES and name in ("min", "max") and of.field is not None:
            picked = f"arg_{name}({of.text}, o{of.field.at})"
            seconds = f"(SELECT {name}(s{of.field.at}) {source})"
            return replace(of, text=f"(SELECT {picked} {source})", of_rows=False, field=None,
                           aggregated=seconds)  # fmt: skip
        if of.kind is not Kind.FIGURE:
            if not inner.any_of(of, source):
                return NOTHING
            raise UnknownError("notAFigure")
        if name == "sum":
            inner.refuse_rates(of, source)
        function = {"sum": "fsum", "avg": "favg"}.get(name, name)
        return Sql(f"(SELECT {function}({of.text}) {source})", Kind.FIGURE, of.dimension, of.scale)

    def _over(self, node: sql.Expr) -> "Writer":
        """Aggregates over another result are over all its rows."""
        tables = {each.table for each in node.find_all(sql.Column)}
        others = {each for each in tables if each and each not in self.rows.results}
        own = any(not each or each in self.rows.results for each in tables)
        if not others or own:
            return self
        rows = self.database.results[min(others)]
        return Writer(self.database, rows, rows.members)

    def weighted(self, arguments: list[sql.Expr], source: str) -> Sql:
        """A mean by weight."""
        value, weight = (self.write(each) for each in arguments)
        known = f"{source} AND {value.text} IS NOT NULL AND {weight.text} IS NOT NULL"
        text = (
            f"(SELECT fsum({value.text} * {weight.text}) / nullif(fsum({weight.text}), 0) {known})"
        )
        return Sql(text, Kind.FIGURE, value.dimension, value.scale)

    def refuse_rates(self, of: Sql, source: str) -> None:
        """Whether these rows may be summed: what is known of the columns says so."""
        if of.additivity is Additivity.NEVER and self.any_of(of, source):
            raise UnknownError("notAdditive")
        if of.additivity is not Additivity.NOT_OVER_TIME:
            return
        keys = [each for each in self.rows.fields if each.is_key]
        if any(each.kind is Kind.NAME for each in keys):
            return
        numbered = any(each.kind is Kind.CODE for each in keys)
        for field in self.rows.fields:
            if field.kind not in TIMES:
                continue
            at = f"coalesce(c{field.at}, '')"
            rows, times = self.database.all(f"SELECT count(*), count(DISTINCT {at}) {source}")[0]
            snapshot = not numbered or times < rows or field.kind is Kind.PERIOD
            if times > 1 and snapshot and self.any_of(of, source):
                raise UnknownError("notAdditive")

    def any_of(self, of: Sql, source: str) -> bool:
        """Whether a row has a value."""
        return bool(self.database.all(f"SELECT count({of.text}) {source}")[0][0])

    def condition(self, node: sql.Expr) -> str:
        """A condition, with SQL's own logic for what is unknown."""
        match node:
            case sql.Paren():
                return f"({self.condition(node.this)})"
            case sql.And() | sql.Or():
                word = "AND" if isinstance(node, sql.And) else "OR"
                return f"({self.condition(node.this)} {word} {self.condition(node.expression)})"
            case sql.Not():
                return f"(NOT {self.condition(node.this)})"
            case sql.Is():
                return f"({self.write(node.this).text} IS NULL)"
            case sql.In():
                operand = self.write(node.this)
                each = [compared("=", operand, self.write(value)) for value in node.expressions]
                return f"({' OR '.join(each)})"
            case sql.Between():
                operand = self.write(node.this)
                low, high = self.write(node.args["low"]), self.write(node.args["high"])
                return f"({compared('>=', operand, low)} AND {compared('<=', operand, high)})"
            case sql.Like():
                return self._contains(node.this, str(node.expression.this).strip("%"))
            case sql.Anonymous() if _function(node) == "contains":
                return self._contains(node.expressions[0], str(node.expressions[1].this))
            case _ if type(node) in _SIGNS:
                return compared(_SIGNS[type(node)], self.write(node.this),
                                self.write(node.expression))  # fmt: skip
            case _:
                found = self.write(node)
                if found.kind is not Kind.FLAG:
                    raise UnknownError("syntax")
                return found.text

    def _contains(self, node: sql.Expr, text: str) -> str:
        field = self.write(node).field
        if field is None:
            raise UnknownError("syntax")
        wanted = quoted(folded(text))
        return f"(CASE WHEN c{field.at} IS NULL THEN NULL ELSE contains(k{field.at}, {wanted}) END)"


def lifted(value: Sql, beside: Sql) -> Sql:
    """A constant in the unit of what it stands beside."""
    plain = isinstance(value.literal, float) and value.dimension == NUMBER
    if not plain or beside.kind is not Kind.FIGURE or beside.dimension == NUMBER:
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
    if left.kind is not Kind.FIGURE or right.kind is not Kind.FIGURE:
        raise UnknownError("notAFigure")
    adds = _adds(operator, left, right)
    if operator in ("Add", "Sub"):
        left, right = lifted(left, right), lifted(right, left)
    try:
        if operator in ("Add", "Sub"):
            sign = "+" if operator == "Add" else "-"
            return Sql(f"({left.text} {sign} {right.text})", Kind.FIGURE,
                       added(left.dimension, right.dimension), left.scale, adds, rows)  # fmt: skip
        if operator == "Mul":
            scales = [1.0 if each.dimension.is_bare else each.scale for each in (left, right)]
            return Sql(f"({left.text} * {right.text})", Kind.FIGURE,
                       multiplied(left.dimension, right.dimension), scales[0] * scales[1], adds,
                       rows)  # fmt: skip
        dimension = divided(left.dimension, right.dimension)
    except DimensionError as error:
        raise UnknownError("dimensions") from error
    text = f"({left.text} / nullif({right.text}, 0))"
    if comparable(left.dimension, right.dimension):
        return Sql(text, Kind.FIGURE, dimension, 1.0, adds, rows)
    if right.dimension.is_bare:
        return Sql(text, Kind.FIGURE, dimension, left.scale, adds, rows)
    amount = left.dimension.quantity in (Quantity.MONEY, Quantity.COUNT)
    scale = (1.0 if amount else left.scale) / right.scale
    return Sql(text, Kind.FIGURE, dimension, scale, adds, rows)


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
    clock = left.kind is Kind.MOMENT and right.kind is Kind.MOMENT
    one, other = left.seconds, right.seconds
    if not one or not other:
        raise UnknownError("notAFigure")
    if not clock:
        one, other = (f"floor({each} / {_DAY}) * {_DAY}" for each in (one, other))
    return Sql(f"({one} - {other})", Kind.FIGURE, Dimension(Quantity.DURATION),
               1.0 if clock else _DAY, Additivity.FULL,
               of_rows=left.of_rows or right.of_rows)  # fmt: skip


def _part(part: Sql, whole: Sql) -> Sql:
    if part.is_nothing or whole.is_nothing:
        return replace(NOTHING, of_rows=part.of_rows or whole.of_rows)
    part, whole = lifted(part, whole), lifted(whole, part)
    if not comparable(part.dimension, whole.dimension):
        raise UnknownError("dimensions")
    return Sql(f"({part.text} / nullif({whole.text}, 0))", Kind.FIGURE, SHARE,
               of_rows=part.of_rows or whole.of_rows)  # fmt: skip


def compared(sign: str, left: Sql, right: Sql) -> str:
    """A comparison: figures within their precision, times by the calendar, texts as folded."""
    if left.is_nothing or right.is_nothing:
        return "(NULL::BOOLEAN)"
    if left.literal is not None and right.literal is None:
        return compared(_TURNED.get(sign, sign), right, left)
    if left.kind is Kind.FIGURE:
        right = _figure(right)
    if left.kind is Kind.FIGURE and right.kind is Kind.FIGURE:
        return _figures(sign, left, right)
    if left.kind in TIMES and left.field is not None:
        return _times(sign, left.field, right)
    if sign not in ("=", "<>"):
        raise UnknownError("notAFigure")
    if left.kind is Kind.FLAG:
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
        return Sql(str(number / 100), Kind.FIGURE, SHARE, literal=number / 100)
    return Sql(str(number), Kind.FIGURE, literal=number)


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
    if field.kind is Kind.MOMENT and len(text) >= len("2025-01-01T00:00:00"):
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
