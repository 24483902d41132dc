"""Random measures, conditions and names over a result, as a model might write them."""

import logging
import random
import re
from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

import sqlglot
from sqlglot import expressions as sql
from sqlglot.errors import SqlglotError

from veridical.evidence.column import CellKind, Column
from veridical.evidence.table import EvidenceTable

TIMES = (CellKind.PERIOD, CellKind.DAY, CellKind.MOMENT)


class Phrases:
    """Writes parts of facts about some results."""

    def __init__(self, at: random.Random, tables: Sequence[EvidenceTable]) -> None:
        self._at = at
        self._tables = [table for table in tables if is_usable(table)]

    def _names(
        self, table: EvidenceTable, count: int, by: Sequence[str] | None = None
    ) -> list[str]:
        """Names of rows: of their cells, or of all cells that name them."""
        at = self._at
        columns = [table.column(by[0])] if by else list(table.naming[:2])
        if not columns or not table.rows:
            return ["North"]
        found: list[str] = []
        for row in at.sample(table.rows, min(count, len(table.rows))):
            cells = [row[each] for each in columns if each is not None and row[each] is not None]
            if cells:
                found.append(" ".join(map(text_of, cells)) if at.random() < 0.1 and not by
                             else text_of(cells[0]))  # fmt: skip
        return found or ["North"]

    def _measures(self, table: EvidenceTable, count: int) -> list[str]:
        return list(dict.fromkeys(self._measure(table) for _ in range(count)))

    def _measure(self, table: EvidenceTable) -> str:
        at = self._at
        draw = at.random()
        if draw < 0.55:
            text = self._figure(table)
        elif draw < 0.8:
            text = self._computed(table)
        elif draw < 0.92:
            text = self._aggregate(table)
        else:
            text = self._other(table)
        return f"{text} as m{at.randint(1, 9)}" if at.random() < 0.15 else text

    def _ordered(self, table: EvidenceTable) -> str:
        times = [spelt(each.name) for each in table.columns if each.kind in TIMES]
        return self._at.choice(times) if times and self._at.random() < 0.1 else self._measure(table)

    def _figure(self, table: EvidenceTable) -> str:
        return self._figures(table, 1, plain=False)[0]

    def _figures(self, table: EvidenceTable, count: int, *, plain: bool = True) -> list[str]:
        names = [each.name for each in table.columns if each.kind is CellKind.FIGURE]
        names = names or columns_of(table)
        found = self._at.sample(names, min(count, len(names)))
        return found if plain else [spelt(each) for each in found]

    def _computed(self, table: EvidenceTable) -> str:
        at = self._at
        one, other = self._figure(table), self._figure(table)
        days = [spelt(each.name) for each in table.columns if each.kind is CellKind.DAY]
        choices = [
            f"{one} {at.choice('+-*/')} {other}", f"{one} * {at.randint(2, 9)}",
            f"{one} / {at.choice((2, 4, 12.5))}", f"{one} - {at.randint(1, 50)}",
            f"pct({one}, {other})", f"growth({one}, {other})", f"ratio({one}, {other})",
            f"({one} + {other}) / 2", f"-{one}", f"abs({one} - {other})",
            f"{one} / sum({one})", f"pct({one}, sum({other}))", f"{one} - avg({one})",
        ]  # fmt: skip
        if len(days) > 1:
            choices += [f"{days[0]} - {days[1]}"] * 4
        return at.choice(choices)

    def _aggregate(self, table: EvidenceTable) -> str:
        at = self._at
        one, other = self._figure(table), self._figure(table)
        function = at.choice(("sum", "avg", "median", "min", "max"))
        name = spelt(at.choice(columns_of(table)))
        return at.choice((
            f"{function}({one})", f"{function}({one})", f"sum({one}) / sum({other})",
            f"count({self._condition(table)})", f"{function}({one}, {self._condition(table)})",
            f"wavg({one}, {other})", f"distinct({name})", f"count({name})", "count()",
            f"pct(sum({one}), sum({other}))", f"max({one}) - min({one})", f"sum({one}) * 2",
        ))  # fmt: skip

    def _other(self, table: EvidenceTable) -> str:
        """Of another result: its sum, its only cell, or one of a row."""
        others = [each for each in self._tables if each is not table]
        if not others:
            return self._figure(table)
        other = self._at.choice(others)
        column = self._figure(other)
        draw = self._at.random()
        if draw < 0.4:
            return f"sum({other.name}.{column})"
        if draw < 0.7:
            return f"{self._figure(table)} - {other.name}.{column}"
        name = self._names(other, 1)[0].replace("'", "''")
        return f"{self._figure(table)} / {other.name}['{name}'].{column}"

    def _condition(self, table: EvidenceTable, depth: int = 0) -> str:
        draw = self._at.random()
        if depth < 2 and draw < 0.12:
            return f"{self._condition(table, depth + 1)} and {self._condition(table, depth + 1)}"
        if depth < 2 and draw < 0.22:
            return f"({self._condition(table, 2)} or {self._condition(table, depth + 1)})"
        if depth < 2 and draw < 0.28:
            return f"not ({self._condition(table, depth + 1)})"
        return self._simple(table)

    def _simple(self, table: EvidenceTable) -> str:
        at = self._at
        column = at.choice(table.columns)
        name = spelt(column.name)
        if at.random() < 0.08:
            return f"{name} is {at.choice(('null', 'not null'))}"
        if column.kind is CellKind.FIGURE:
            return self._figure_condition(table, name)
        if column.kind is CellKind.FLAG:
            return at.choice((name, f"{name} = true", f"{name} = false", f"{name} = 1"))
        cells = [row[table.columns.index(column)] for row in table.rows]
        texts = [text_of(cell) for cell in cells if cell is not None] or ["x"]
        if column.kind in TIMES:
            return self._time_condition(column, name, at.choice(texts))
        text = constant(at.choice(texts))
        other = constant(at.choice(texts))
        return at.choice((
            f"{name} = {text}", f"{name} = {text}", f"{name} != {text}",
            f"{name} in ({text}, {other})", f"{name} not in ({text})",
            f"contains({name}, {constant(at.choice(texts)[:3])})",
            f"{name} like {constant('%' + at.choice(texts)[:2] + '%')}",
        ))  # fmt: skip

    def _figure_condition(self, table: EvidenceTable, name: str) -> str:
        at = self._at
        limit = self._constant(table, name)
        sign = at.choice((">", "<", ">=", "<=", "=", "!="))
        return at.choice((
            f"{name} {sign} {limit}", f"{name} {sign} {limit}", f"{limit} {sign} {name}",
            f"{name} between {limit} and {self._constant(table, name)}",
            f"{name} {sign} avg({name})", f"{name} {sign} {self._figure(table)}",
            f"{name} {sign} '{limit}'", f"{name} * 2 {sign} {limit}",
            f"{name} {sign} {at.randint(1, 99)}%",
        ))  # fmt: skip

    def _time_condition(self, column: Column, name: str, text: str) -> str:
        at = self._at
        sign = at.choice((">", "<", ">=", "<=", "=", "!="))
        if column.kind is not CellKind.PERIOD:
            text = text[: at.choice((4, 7, 10, 19))]
            if at.random() < 0.2:
                return f"year({name}) {sign} {text[:4]}"
        return f"{name} {sign} {constant(text)}"

    def _constant(self, table: EvidenceTable, name: str) -> str:
        """A figure that is in the column, or near one that is."""
        place = table.column(name.strip('"'))
        known = [row[place] for row in table.rows if place is not None]
        figures = [cell for cell in known if isinstance(cell, float)]
        if not figures or self._at.random() < 0.3:
            return str(self._at.randint(0, 500))
        value = self._at.choice(figures)
        return f"{value if self._at.random() < 0.5 else round(value * 0.9, 2):f}".rstrip(
            "0"
        ).rstrip(".")


_PLAIN = re.compile(r"[^\W\d]\w*")
logging.getLogger("sqlglot").setLevel(logging.ERROR)  # names that are words of SQL are tried


def is_usable(table: EvidenceTable) -> bool:
    """Whether the names of its columns can be told apart and written."""
    names = [each.name for each in table.columns]
    folded = {name.casefold() for name in names}
    return (
        bool(names)
        and len(folded) == len(names)
        and not any(
            '"' in name or "=" in name or name != name.strip() or not name for name in names
        )
    )


def columns_of(table: EvidenceTable) -> list[str]:
    """The names of its columns."""
    return [each.name for each in table.columns]


def spelt(name: str) -> str:
    """A column as SQL takes it: in quotes where it is no plain word."""
    if not _PLAIN.fullmatch(name):
        return f'"{name}"'
    try:
        found = sqlglot.parse_one(f"{name} + 1", read="duckdb").this
    except SqlglotError:
        return f'"{name}"'
    plain = isinstance(found, sql.Column) and found.name == name
    return name if plain else f'"{name}"'


def text_of(cell: Any) -> str:
    """A cell as people write it."""
    if isinstance(cell, datetime | date):
        return cell.isoformat()
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() else repr(cell)
    return str(cell).lower() if isinstance(cell, bool) else str(cell)


def constant(text: str) -> str:
    """A text in quotes."""
    return "'" + text.replace("'", "''") + "'"
