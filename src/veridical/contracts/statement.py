"""A statement that is ready to run: SQL text, and the values of its parameters."""

from decimal import Decimal
from enum import StrEnum
from typing import NamedTuple

Bound = str | int | float | bool | Decimal


class ParamStyle(StrEnum):
    """A driver's mark for parameters in SQL; the names are those of Python's database API."""

    DOLLAR = "dollar"
    """``$1``: DuckDB, asyncpg, PostgreSQL itself"""
    QMARK = "qmark"
    """``?``: sqlite3, DuckDB, ODBC"""
    FORMAT = "format"
    """``%s``: psycopg, Snowflake"""
    PYFORMAT = "pyformat"
    """``%(p1)s``: psycopg, with a mapping of the values"""
    NAMED = "named"
    """``:p1``: sqlite3, Oracle, with a mapping of the values"""


class Statement(NamedTuple):
    """SQL with parameters, and their values in the order in which they are bound."""

    sql: str
    parameters: tuple[Bound, ...]
    tables: tuple[tuple[str, ...], ...] = ()
    """The full names of the base tables that it was written to read, as often as it has them."""

    @property
    def by_name(self) -> dict[str, Bound]:
        """The values by the names ``p1``, ``p2``, …, for the styles that bind by name."""
        return {f"p{number}": value for number, value in enumerate(self.parameters, 1)}
