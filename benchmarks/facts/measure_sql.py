"""A measure or a condition of a claim as SQL: read by sqlglot, with units told from columns."""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import sqlglot
from sqlglot import expressions as sql

from benchmarks.facts.database import TIMES, Database, Field, Rows, folded, quoted, rows_named
from benchmarks.facts.sql_value import NOTHING, Sql, UnknownError, combined, compared, part_of
from veridical.evidence.column import Additivity, CellKind
from veridical.evidence.dimension import COUNT, SHARE

_FUNCTIONS = (
    "sum", "total", "avg", "mean", "average", "median", "min", "max", "count", "distinct", "wavg",
    "pct", "share", "ratio", "growth", "contains", "abs", "year", "month",
)  # fmt: skip
_CALL = re.compile(rf"\b({'|'.join(_FUNCTIONS)})\s*\(", re.IGNORECASE)
_PERCENT = re.compile(r"(\d+(?:\.\d+)?)\s*%")
_TEXTS = re.compile(r"""('(?:[^']|'')*'|"[^"]*")""")
_SAME = {"total": "sum", "mean": "avg", "average": "avg", "share": "pct"}
_AGGREGATES = frozenset({"sum", "avg", "median", "min", "max", "count", "distinct", "wavg"})
_SIGNS = {"eq": "=", "neq": "<>", "gt": ">", "gte": ">=", "lt": "<", "lte": "<="}


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
                return Sql(str(node.this).upper(), CellKind.FLAG, literal=bool(node.this))
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
                return Sql(self.condition(node), CellKind.FLAG, of_rows=True)

    def _literal(self, node: sql.Literal) -> Sql:
        if node.is_string:
            return Sql(quoted(node.this), CellKind.NAME, literal=str(node.this))
        return Sql(str(float(node.this)), CellKind.FIGURE, literal=float(node.this))

    def _negative(self, node: sql.Neg) -> Sql:
        inner = self.write(node.this)
        if isinstance(inner.literal, float):
            return replace(inner, text=str(-inner.literal), literal=-inner.literal)
        found = combined("Sub", Sql("0.0", CellKind.FIGURE, literal=0.0), inner)
        return replace(found, additivity=inner.additivity)

    def _column(self, name: str, result: str) -> Sql:
        rows = self.rows
        if result and result not in rows.results:
            return self._other(name, result)
        field = (rows.field(f"{result}.{name}") if result else None) or rows.field(name)
        if field is None:
            raise UnknownError("noColumn")
        empty = field.kind is not CellKind.FIGURE and rows is self.database.results.get(rows.result)
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
                return Sql(str(float(held)), CellKind.FIGURE)
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
            return Sql(str(value), CellKind.FIGURE, SHARE, literal=value)
        if name in _AGGREGATES:
            return self._aggregate(name, arguments)
        found = [self.write(each) for each in arguments]
        match name:
            case "pct":
                return part_of(found[0], found[1])
            case "growth":
                part = part_of(found[1], found[0])
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
                return Sql(f"{part}{field.at}", CellKind.FIGURE, of_rows=True)

    def _aggregate(self, name: str, arguments: list[sql.Expr]) -> Sql:
        inner = self._over(arguments[0]) if arguments else self
        rids = f"rid IN ({', '.join(map(str, inner.among)) or 'NULL'})"
        source = f"FROM {inner.rows.view} WHERE {rids}"
        if not arguments:
            return Sql(f"(SELECT count(*) {source})", CellKind.FIGURE, COUNT)
        if name == "wavg":
            return inner.weighted(arguments, source)
        if len(arguments) > 1:
            source += f" AND ({inner.condition(arguments[1])})"
        of = inner.write(arguments[0])
        if name == "count":
            counted = (
                f"coalesce(count_if({of.text}), 0)"
                if of.kind is CellKind.FLAG
                else f"count({of.text})"
            )
            return Sql(f"(SELECT {counted} {source})", CellKind.FIGURE, COUNT)
        if name == "distinct":
            return Sql(f"(SELECT count(DISTINCT {of.text}) {source})", CellKind.FIGURE, COUNT)
        if of.kind in TIMES and name in ("min", "max") and of.field is not None:
            picked = f"arg_{name}({of.text}, o{of.field.at})"
            seconds = f"(SELECT {name}(s{of.field.at}) {source})"
            return replace(of, text=f"(SELECT {picked} {source})", of_rows=False, field=None,
                           aggregated=seconds)  # fmt: skip
        if of.kind is not CellKind.FIGURE:
            if not inner.any_of(of, source):
                return NOTHING
            raise UnknownError("notAFigure")
        if name == "sum":
            inner.refuse_rates(of, source)
        function = {"sum": "fsum", "avg": "favg"}.get(name, name)
        return Sql(
            f"(SELECT {function}({of.text}) {source})", CellKind.FIGURE, of.dimension, of.scale
        )

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
        return Sql(text, CellKind.FIGURE, value.dimension, value.scale)

    def refuse_rates(self, of: Sql, source: str) -> None:
        """Whether these rows may be summed: what is known of the columns says so."""
        if of.additivity is Additivity.NEVER and self.any_of(of, source):
            raise UnknownError("notAdditive")
        if of.additivity is not Additivity.NOT_OVER_TIME:
            return
        keys = [each for each in self.rows.fields if each.is_key]
        if any(each.kind is CellKind.NAME for each in keys):
            return
        numbered = any(each.kind is CellKind.CODE for each in keys)
        for field in self.rows.fields:
            if field.kind not in TIMES:
                continue
            at = f"coalesce(c{field.at}, '')"
            rows, times = self.database.all(f"SELECT count(*), count(DISTINCT {at}) {source}")[0]
            snapshot = not numbered or times < rows or field.kind is CellKind.PERIOD
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
            case _ if str(node.key) in _SIGNS:
                left, right = self.write(node.this), self.write(node.expression)
                return compared(_SIGNS[str(node.key)], left, right)
            case _:
                found = self.write(node)
                if found.kind is not CellKind.FLAG:
                    raise UnknownError("syntax")
                return found.text

    def _contains(self, node: sql.Expr, text: str) -> str:
        field = self.write(node).field
        if field is None:
            raise UnknownError("syntax")
        wanted = quoted(folded(text))
        return f"(CASE WHEN c{field.at} IS NULL THEN NULL ELSE contains(k{field.at}, {wanted}) END)"
