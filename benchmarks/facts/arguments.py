"""Random facts over an evidence: every form, with whatever its arguments allow."""

import logging
import random
import re
from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

import sqlglot
from sqlglot import expressions as sql
from sqlglot.errors import SqlglotError

from veridical.evidence.column import Column, Kind
from veridical.evidence.table import Table

FORMS = ("value", "list", "count", "which", "total", "top", "bottom", "latest", "earliest", "rank",
         "compare", "share", "change", "range", "check", "missing", "absent", "basis", "quote",
         "table")  # fmt: skip
_TIMES = (Kind.PERIOD, Kind.DAY, Kind.MOMENT)
_NAMES = (Kind.NAME, Kind.CODE)
_PLAIN = re.compile(r"[^\W\d]\w*")
Arguments = dict[str, Any]
logging.getLogger("sqlglot").setLevel(logging.ERROR)  # names that are words of SQL are tried


class Author:
    """Writes facts about some results, as a model might."""

    def __init__(self, at: random.Random, tables: Sequence[Table]) -> None:
        self._at = at
        self._tables = [table for table in tables if _usable(table)]

    @property
    def has_nothing(self) -> bool:
        """Whether there is no result to write of."""
        return not self._tables

    def fact(self, form: str) -> Arguments:
        """The arguments of one fact."""
        at = self._at
        table = at.choice(self._tables)
        found: Arguments = {"say": form, "from": table.name}
        if at.random() < 0.08 and len(self._tables) > 1:
            found |= self._join(table)
        found |= self._own(form, table)
        if at.random() < 0.4 and "where" not in found:
            found["where"] = self._condition(table)
        return {name: value for name, value in found.items() if value not in ("", None, [])}

    def _own(self, form: str, table: Table) -> Arguments:  # noqa: C901 # one case for each form
        at = self._at
        match form:
            case "value":
                return self._value(table)
            case "list" | "which":
                return self._list(form, table)
            case "count":
                return {"where": self._condition(table)} | self._grouping(table, 0.15) | (
                    self._rows(table, 0.1))  # fmt: skip
            case "total":
                found = {"measures": self._measures(table, at.randint(1, 2))}
                found |= {"agg": at.choice(("sum", "sum", "avg", "median", "min", "max", "count",
                                            "distinct"))}  # fmt: skip
                found |= self._grouping(table, 0.35) | self._rows(table, 0.1)
                return found | self._sorting(table, found, 0.3)
            case "top" | "bottom" | "latest" | "earliest":
                return self._extreme(form, table)
            case "rank":
                by = self._grouping(table, 0.15)
                names = self._names(table, 1, by.get("by"))
                order = at.choice(("asc", "desc", ""))
                return {"measure": self._measure(table), "rows": names, "order": order} | by
            case "compare":
                return self._compare(table)
            case "share":
                return self._share(table)
            case "change":
                return self._change(table)
            case "range":
                if at.random() < 0.1:
                    return {"among": self._figures(table, 3)} | self._rows(table, 0.9)
                return {"measure": self._ordered(table)} | self._grouping(table, 0.15)
            case "check":
                return self._check(table)
            case "missing":
                return {"measure": self._measure(table) if at.random() < 0.8 else ""}
            case "absent":
                return {"what": at.choice(("customer age", "weather", *_columns(table)[:2]))}
            case "quote":
                return self._quote(table)
            case "table":
                return self._table(table)
            case _:
                return {}

    def _value(self, table: Table) -> Arguments:
        found: Arguments = {"measures": self._measures(table, self._at.randint(1, 3))}
        draw = self._at.random()
        if draw < 0.5:
            return found | {"rows": self._names(table, self._at.randint(1, 3))}
        if draw < 0.75:
            return found | {"where": self._condition(table)}
        return found | self._grouping(table, 0.5)

    def _list(self, form: str, table: Table) -> Arguments:
        found: Arguments = {"measures": self._measures(table, self._at.randint(0, 2))}
        found |= self._grouping(table, 0.15) | self._sorting(table, found, 0.5)
        if form == "list" and self._at.random() < 0.4:
            found["first"] = self._at.randint(1, 6)
        if form == "which":
            found["where"] = self._condition(table)
        return found

    def _extreme(self, form: str, table: Table) -> Arguments:
        at = self._at
        found: Arguments = {"measure": self._ordered(table)}
        if form in ("latest", "earliest"):
            times = [_spelt(each.name) for each in table.columns if each.kind in _TIMES]
            found = {"measure": at.choice(times) if times else self._measure(table)}
        elif at.random() < 0.1:
            found = {"among": self._figures(table, 3)} | self._rows(table, 0.9)
        else:
            found |= self._grouping(table, 0.25)
        if at.random() < 0.4:
            found[at.choice(("n", "first"))] = at.randint(1, 5)
        return found

    def _compare(self, table: Table) -> Arguments:
        draw = self._at.random()
        if draw < 0.5:
            by = self._grouping(table, 0.2)
            return {"rows": self._names(table, 2, by.get("by")),
                    "measures": self._measures(table, self._at.randint(1, 2))} | by  # fmt: skip
        if draw < 0.65:
            return {"rows": self._names(table, 1), "measures": self._measures(table, 2)}
        if draw < 0.85:
            return {"a": self._aggregate(table), "b": self._aggregate(table)}
        column = self._figure(table)
        return {"rows": self._names(table, 1), "a": column, "b": f"avg({column})"}

    def _share(self, table: Table) -> Arguments:
        draw, at = self._at.random(), self._at
        measure = self._figure(table) if at.random() < 0.8 else self._measure(table)
        if draw < 0.3:
            return {"measure": measure, "rows": self._names(table, at.randint(1, 2))} | (
                {"where": ""} if at.random() < 0.7 else {})  # fmt: skip
        if draw < 0.5:
            return {"measure": measure, "where": self._condition(table)}
        if draw < 0.6:
            return {"measure": measure, "where": ""}
        if draw < 0.75:
            by = self._grouping(table, 1.0)
            names = self._names(table, 1, by.get("by")) if at.random() < 0.6 else []
            return {"measure": measure, "rows": names} | by
        if draw < 0.82:
            return {"among": self._figures(table, 3), "rows": []}
        if draw < 0.92:
            return {"part": self._aggregate(table), "whole": self._aggregate(table)}
        return {"part": measure, "whole": f"sum({self._figure(table)})",
                "rows": self._names(table, 1)}  # fmt: skip

    def _change(self, table: Table) -> Arguments:
        at = self._at
        times = [each for each in table.columns if each.kind in _TIMES]
        if times and at.random() < 0.75:
            time = at.choice(times)
            found: Arguments = {"measure": self._figure(table), "over": time.name}
            cells = [_text(row[table.columns.index(time)]) for row in table.rows]
            for end in ("start", "end"):
                if at.random() < 0.2 and cells:
                    found[end] = at.choice(cells)
            return found
        found = {"measures": self._measures(table, 2)}
        draw = at.random()
        if draw < 0.3:
            found |= {"rows": self._names(table, 1)}
        elif draw < 0.6:
            found |= {"total": True}
        return found | self._grouping(table, 0.1)

    def _check(self, table: Table) -> Arguments:
        at = self._at
        sign = at.choice(("above", "below", "at least", "at most", "equal", "not equal"))
        if at.random() < 0.5:
            measure = self._figure(table)
            limit = f"avg({measure})" if at.random() < 0.3 else self._constant(table, measure)
            return {"rows": self._names(table, 1), "measure": measure, "is": sign, "limit": limit}
        return {"measure": self._aggregate(table), "is": sign, "limit": str(at.randint(-5, 900))}

    def _quote(self, table: Table) -> Arguments:
        texts = [cell for row in table.rows for cell in row if isinstance(cell, str)]
        text = self._at.choice(texts) if texts else "nothing of it"
        return {"text": text[: self._at.randint(3, 30)], "where": ""}

    def _table(self, table: Table) -> Arguments:
        found: Arguments = {}
        if self._at.random() < 0.7:
            names = _columns(table)
            found["columns"] = [
                _spelt(each)
                for each in self._at.sample(names, min(len(names), self._at.randint(1, 3)))
            ]
            found["columns"] += self._measures(table, 1)
        if self._at.random() < 0.25:
            found |= self._grouping(table, 1.0)
            found["columns"] = self._measures(table, 2)
        found |= self._sorting(table, found, 0.4)
        return found | ({"first": self._at.randint(1, 5)} if self._at.random() < 0.3 else {})

    def _join(self, table: Table) -> Arguments:
        other = self._at.choice([each for each in self._tables if each is not table])
        keys = [each.name for each in table.columns if each.kind in _NAMES]
        theirs = [each.name for each in other.columns if each.kind in _NAMES]
        if not keys or not theirs:
            return {}
        return {"join": {"with": other.name, "on": f"{keys[0]}={theirs[0]}"}}

    def _rows(self, table: Table, chance: float) -> Arguments:
        return {"rows": self._names(table, 1)} if self._at.random() < chance else {}

    def _grouping(self, table: Table, chance: float) -> Arguments:
        usable = [each.name for each in table.columns if each.kind is not Kind.FIGURE]
        if not usable or self._at.random() >= chance:
            return {}
        count = 1 if self._at.random() < 0.85 else 2
        return {"by": self._at.sample(usable, min(count, len(usable)))}

    def _sorting(self, table: Table, found: Arguments, chance: float) -> Arguments:
        at = self._at
        if at.random() >= chance:
            return {}
        texts = [*found.get("measures", ()), *found.get("columns", ())]
        if "by" not in found:
            texts.append(_spelt(at.choice(_columns(table))))
        if not texts:
            return {}
        head, _, alias = at.choice(texts).partition(" as ")
        name = alias or head
        return {"sort": at.choice((name, f"-{name}", f"{name} desc", f"{name} asc"))}

    def _names(self, table: Table, count: int, by: Sequence[str] | None = None) -> list[str]:
        """Names of rows: of their cells, or of all cells that name them."""
        at = self._at
        columns = [table.column(by[0])] if by else list(table.naming[:2])
        if not columns or not table.rows:
            return ["North"]
        found: list[str] = []
        for row in at.sample(table.rows, min(count, len(table.rows))):
            cells = [row[each] for each in columns if each is not None and row[each] is not None]
            if cells:
                found.append(" ".join(map(_text, cells)) if at.random() < 0.1 and not by
                             else _text(cells[0]))  # fmt: skip
        return found or ["North"]

    def _measures(self, table: Table, count: int) -> list[str]:
        return list(dict.fromkeys(self._measure(table) for _ in range(count)))

    def _measure(self, table: Table) -> str:
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

    def _ordered(self, table: Table) -> str:
        times = [_spelt(each.name) for each in table.columns if each.kind in _TIMES]
        return self._at.choice(times) if times and self._at.random() < 0.1 else self._measure(table)

    def _figure(self, table: Table) -> str:
        return self._figures(table, 1, spelt=True)[0]

    def _figures(self, table: Table, count: int, *, spelt: bool = False) -> list[str]:
        names = [each.name for each in table.columns if each.kind is Kind.FIGURE]
        names = names or _columns(table)
        found = self._at.sample(names, min(count, len(names)))
        return [_spelt(each) for each in found] if spelt else found

    def _computed(self, table: Table) -> str:
        at = self._at
        one, other = self._figure(table), self._figure(table)
        days = [_spelt(each.name) for each in table.columns if each.kind is Kind.DAY]
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

    def _aggregate(self, table: Table) -> str:
        at = self._at
        one, other = self._figure(table), self._figure(table)
        function = at.choice(("sum", "avg", "median", "min", "max"))
        name = _spelt(at.choice(_columns(table)))
        return at.choice((
            f"{function}({one})", f"{function}({one})", f"sum({one}) / sum({other})",
            f"count({self._condition(table)})", f"{function}({one}, {self._condition(table)})",
            f"wavg({one}, {other})", f"distinct({name})", f"count({name})", "count()",
            f"pct(sum({one}), sum({other}))", f"max({one}) - min({one})", f"sum({one}) * 2",
        ))  # fmt: skip

    def _other(self, table: Table) -> str:
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

    def _condition(self, table: Table, depth: int = 0) -> str:
        draw = self._at.random()
        if depth < 2 and draw < 0.12:
            return f"{self._condition(table, depth + 1)} and {self._condition(table, depth + 1)}"
        if depth < 2 and draw < 0.22:
            return f"({self._condition(table, 2)} or {self._condition(table, depth + 1)})"
        if depth < 2 and draw < 0.28:
            return f"not ({self._condition(table, depth + 1)})"
        return self._simple(table)

    def _simple(self, table: Table) -> str:
        at = self._at
        column = at.choice(table.columns)
        name = _spelt(column.name)
        if at.random() < 0.08:
            return f"{name} is {at.choice(('null', 'not null'))}"
        if column.kind is Kind.FIGURE:
            return self._figure_condition(table, name)
        if column.kind is Kind.FLAG:
            return at.choice((name, f"{name} = true", f"{name} = false", f"{name} = 1"))
        cells = [row[table.columns.index(column)] for row in table.rows]
        texts = [_text(cell) for cell in cells if cell is not None] or ["x"]
        if column.kind in _TIMES:
            return self._time_condition(column, name, at.choice(texts))
        text = _constant(at.choice(texts))
        other = _constant(at.choice(texts))
        return at.choice((
            f"{name} = {text}", f"{name} = {text}", f"{name} != {text}",
            f"{name} in ({text}, {other})", f"{name} not in ({text})",
            f"contains({name}, {_constant(at.choice(texts)[:3])})",
            f"{name} like {_constant('%' + at.choice(texts)[:2] + '%')}",
        ))  # fmt: skip

    def _figure_condition(self, table: Table, name: str) -> str:
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
        if column.kind is not Kind.PERIOD:
            text = text[: at.choice((4, 7, 10, 19))]
            if at.random() < 0.2:
                return f"year({name}) {sign} {text[:4]}"
        return f"{name} {sign} {_constant(text)}"

    def _constant(self, table: Table, name: str) -> str:
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


def _usable(table: Table) -> bool:
    names = [each.name for each in table.columns]
    folded = {name.casefold() for name in names}
    return (
        bool(names)
        and len(folded) == len(names)
        and not any(
            '"' in name or "=" in name or name != name.strip() or not name for name in names
        )
    )


def _columns(table: Table) -> list[str]:
    return [each.name for each in table.columns]


def _spelt(name: str) -> str:
    """A column as SQL takes it: in quotes where it is no plain word."""
    if not _PLAIN.fullmatch(name):
        return f'"{name}"'
    try:
        found = sqlglot.parse_one(f"{name} + 1", read="duckdb").this
    except SqlglotError:
        return f'"{name}"'
    plain = isinstance(found, sql.Column) and found.name == name
    return name if plain else f'"{name}"'


def _text(cell: Any) -> str:
    if isinstance(cell, datetime | date):
        return cell.isoformat()
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() else repr(cell)
    return str(cell).lower() if isinstance(cell, bool) else str(cell)


def _constant(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
