"""Whether a refusal is right, as far as that can be told from the arguments."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlglot import expressions as sql

from benchmarks.facts.measure_sql import read
from veridical.evidence.column import Additivity, Kind
from veridical.evidence.table import Table

_TIMES = (Kind.PERIOD, Kind.DAY, Kind.MOMENT)


def is_wrong(reason: str, arguments: Mapping[str, Any], tables: Sequence[Table]) -> bool:
    """A sum of amounts that was refused as one of rates; a column that is there but was not
    found."""
    if reason == "notAdditive":
        return not _has_rates(arguments, tables)
    if reason == "noColumn":
        return not arguments.get("join") and not _names_others(arguments, tables)
    return False


def _texts(arguments: Mapping[str, Any]) -> list[str]:
    found: list[str] = []
    for name in ("measure", "measures", "a", "b", "part", "whole", "columns", "limit"):
        value = arguments.get(name, ())
        found += [value] if isinstance(value, str) else list(value)
    return [each.partition(" as ")[0] for each in found]


def _has_rates(arguments: Mapping[str, Any], tables: Sequence[Table]) -> bool:
    """Whether a measure has a column that may never or not always be summed, or arithmetic."""
    named = {each.name.casefold(): each for table in tables for each in table.columns}
    names = list(arguments.get("among", ()))
    for text in _texts(arguments):
        tree = read(text)
        if any(True for _ in tree.find_all(sql.Div, sql.Add, sql.Sub, sql.Anonymous)):
            return True
        names += [each.name for each in tree.find_all(sql.Column)]
    columns = [named[name.casefold()] for name in names if name.casefold() in named]
    return any(each.additivity is not Additivity.FULL for each in columns)


def _names_others(arguments: Mapping[str, Any], tables: Sequence[Table]) -> bool:
    """Whether something is named that the result has not."""
    table = next(each for each in tables if each.name == arguments["from"])
    own = {each.name.casefold() for each in table.columns}
    texts = _texts(arguments)
    texts += [text for text in (arguments.get("where", ""), _sorting(arguments)) if text]
    names = [each.name for text in texts for each in read(text).find_all(sql.Column)
             if not each.table and not isinstance(each.parent, sql.Bracket)]  # fmt: skip
    if arguments.get("among"):
        return True
    grouped = bool(arguments.get("by")) and bool(arguments.get("sort"))
    return grouped or any(name.casefold() not in own for name in names)


def _sorting(arguments: Mapping[str, Any]) -> str:
    text = str(arguments.get("sort", "")).strip().lstrip("-")
    return text.removesuffix(" desc").removesuffix(" asc")
