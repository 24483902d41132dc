"""Names, cells and texts as SQL and people write them."""

import logging
import re
from datetime import date, datetime
from typing import Any

import sqlglot
from sqlglot import expressions as sql
from sqlglot.errors import SqlglotError

from veridical.evidence.table import Table

_PLAIN = re.compile(r"[^\W\d]\w*")
logging.getLogger("sqlglot").setLevel(logging.ERROR)  # names that are words of SQL are tried


def is_usable(table: Table) -> bool:
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


def columns_of(table: Table) -> list[str]:
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
