"""What a DAX formula does with the values of groups: adds up, runs on over time, or neither."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

_COMMENT = re.compile(r"//[^\n]*|--[^\n]*|/\*.*?\*/", re.S)
_COLUMN = r"(?:'((?:[^']|'')+)'|([A-Za-z_][\w.]*))\s*\[([^\]]+)\]"
_COLUMNS = re.compile(_COLUMN)
_MEASURES = re.compile(r"(?<![\w'\]])\[([^\]]+)\]")
_ONE = re.compile(rf"(\w+)\s*\(\s*{_COLUMN}\s*\)\Z")
_ROWS = re.compile(r"COUNTROWS\s*\(\s*(?:'((?:[^']|'')+)'|([A-Za-z_]\w*))\s*\)\Z", re.I)
_ITERATOR = re.compile(r"(SUMX|AVERAGEX|MINX|MAXX)\s*\(", re.I)
_CALCULATE = re.compile(r"CALCULATE\s*\(", re.I)
_RUNNING = re.compile(
    r"<=?\s*(?:MAX|MIN|EOMONTH)\s*\(|ISONORAFTER|\b(?:LASTDATE|FIRSTDATE|LASTNONBLANK\w*|FIRSTNONBLANK\w*"
    r"|(?:CLOSING|OPENING)BALANCE\w+|TOTAL[YQM]TD|DATES[YQM]TD|DATESINPERIOD|DATESBETWEEN)\b",
    re.I,
)
_SHIFTED = re.compile(
    r"\b(?:SAMEPERIODLASTYEAR|DATEADD|PARALLELPERIOD|PREVIOUS\w+|NEXT\w+|ALL|ALLSELECTED|REMOVEFILTERS"
    r"|ALLEXCEPT|USERELATIONSHIP|CROSSFILTER)\b",
    re.I,
)
_LINEAR = re.compile(r"[\s()+\-]*(?:\[[^\]]+\][\s()+\-]*)+\Z")
_FUNCTIONS: Final = {
    "SUM": "sum",
    "SUMX": "sum",
    "AVERAGE": "average",
    "AVERAGEA": "average",
    "AVERAGEX": "average",
    "MIN": "min",
    "MINX": "min",
    "MAX": "max",
    "MAXX": "max",
    "COUNT": "count",
    "COUNTA": "count",
    "COUNTROWS": "count",
    "DISTINCTCOUNT": "count_distinct",
    "DISTINCTCOUNTNOBLANK": "count_distinct",
    "MEDIAN": "median",
}
_ADDS_UP: Final = frozenset({"sum", "count"})


@dataclass(frozen=True, slots=True)
class Formula:
    """A measure's formula, as far as it can be read."""

    text: str
    function: str | None = None
    column: tuple[str, str] | None = None
    """The only column that it aggregates, as (table, column)."""
    columns: tuple[tuple[str, str], ...] = ()
    measures: tuple[str, ...] = ()
    is_running: bool = False
    """True for a figure up to a point in time."""
    is_linear: bool = False
    """True for sums and differences of other measures, filtered or not."""


def formula_of(text: str) -> Formula:
    """What the text says; a formula that can't be read has no function."""
    plain = " ".join(_COMMENT.sub(" ", text).split())
    columns = tuple(dict.fromkeys(_named(each) for each in _COLUMNS.finditer(plain)))
    measures = tuple(dict.fromkeys(_MEASURES.findall(_COLUMNS.sub(" ", plain))))
    inner, filters = _calculated(plain)
    one = _ONE.match(inner)
    function = _FUNCTIONS.get(one[1].upper()) if one else None
    column = _name(one[2], one[3], one[4]) if one and function else None
    if rows := _ROWS.match(inner):
        function, columns = "count", columns or ((rows[1] or rows[2], ""),)
    elif (iterator := _ITERATOR.match(inner)) and _closes(inner, iterator.end()) == len(inner):
        function = _FUNCTIONS[iterator[1].upper()] if not measures else None
        function = "average" if iterator[1].upper() == "AVERAGEX" else function
    shifts = bool(_SHIFTED.search(filters))
    return Formula(
        plain,
        None if shifts else function,
        column,
        columns,
        measures,
        bool(_RUNNING.search(plain)),
        not shifts and bool(_LINEAR.match(inner)),
    )


def running(formulas: Mapping[str, Formula]) -> frozenset[str]:
    """The measures that run on over time, by themselves or by one that they are made of."""
    found = {name for name, each in formulas.items() if each.is_running}
    while more := {
        name
        for name, each in formulas.items()
        if name not in found and found.intersection(each.measures)
    }:
        found |= more
    return frozenset(found)


def adding_up(formulas: Mapping[str, Formula]) -> frozenset[str]:
    """The measures whose values of groups add up to the value of the whole."""
    never = running(formulas)
    found = {
        name
        for name, each in formulas.items()
        if each.function in _ADDS_UP and not each.measures and name not in never
    }
    while more := {
        name
        for name, each in formulas.items()
        if name not in found
        and name not in never
        and each.is_linear
        and found.issuperset(each.measures)
    }:
        found |= more
    return frozenset(found)


def _calculated(text: str) -> tuple[str, str]:
    """The first argument of a ``CALCULATE`` around the whole formula, and the filters behind it."""
    found = _CALCULATE.match(text)
    if not found or _closes(text, found.end()) != len(text):
        return text, ""
    inside = text[found.end() : -1]
    depth = 0
    for at, sign in enumerate(inside):
        depth += {"(": 1, ")": -1}.get(sign, 0)
        if sign == "," and depth == 0:
            return inside[:at].strip(), inside[at + 1 :]
    return inside.strip(), ""


def _closes(text: str, start: int) -> int:
    """The place behind the bracket that was opened before the start."""
    depth = 1
    for at in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if depth == 0:
            return at + 1
    return -1


def _named(found: re.Match[str]) -> tuple[str, str]:
    return _name(found[1], found[2], found[3])


def _name(quoted: str | None, bare: str | None, column: str) -> tuple[str, str]:
    return ((quoted or bare or "").replace("''", "'"), column)
