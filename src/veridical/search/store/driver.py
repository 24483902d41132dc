"""Statements in the driver's own form, on the transaction of the store."""

from collections.abc import Iterable, Mapping
from typing import Any, cast

import psycopg
from sqlalchemy import Connection

_PLAN_ONCE = b"SELECT set_config('plan_cache_mode', 'force_generic_plan', true)"


def rows(
    connection: Connection,
    statement: str,
    values: Mapping[str, Any],
    *,
    prepare: bool | None = None,
) -> list[Any]:
    """The rows of a statement; its placeholders are the driver's, ``%(name)s``.

    The driver sends lists as arrays, which thousands of rows in one statement need. A statement
    that is prepared is planned once on a connection, where the connection may prepare any.
    """
    driver = _driver(connection)
    with driver.cursor() as cursor:
        cursor.execute(statement.encode(), values, prepare=prepare)
        return cursor.fetchall() if cursor.description else []


def rows_planned_once(
    connection: Connection, statement: str, values: Mapping[str, Any]
) -> list[Any]:
    """The rows of a statement that is planned for all values alike; the setting, which holds for
    the rest of the transaction, goes to the server with it."""
    driver = _driver(connection)
    with driver.pipeline(), driver.cursor() as cursor:
        driver.execute(_PLAN_ONCE)
        cursor.execute(statement.encode(), values, prepare=True)
        return cursor.fetchall()


def _driver(connection: Connection) -> psycopg.Connection[Any]:
    return cast("psycopg.Connection[Any]", connection.connection.driver_connection)


def number_array(numbers: Iterable[int]) -> str:
    """An array of numbers as a literal: written out at once, where the driver takes each number for
    itself; and a statement that takes an array for every row takes texts."""
    return "{" + ",".join(map(str, numbers)) + "}"


def text_array(texts: Iterable[str]) -> str:
    """An array of texts as a literal."""
    return "{" + ",".join(map(_quoted, texts)) + "}"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
