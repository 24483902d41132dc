"""Statements in the driver's own form, on the transaction of the store."""

from collections.abc import Iterable, Mapping
from typing import Any, cast

import psycopg
from sqlalchemy import Connection


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
    driver = cast("psycopg.Connection[Any]", connection.connection.driver_connection)
    with driver.cursor() as cursor:
        cursor.execute(statement.encode(), values, prepare=prepare)
        return cursor.fetchall() if cursor.description else []


def number_array(numbers: Iterable[int]) -> str:
    """An array of numbers as a literal: a statement that takes one for every row takes texts."""
    return "{" + ",".join(map(str, numbers)) + "}"


def text_array(texts: Iterable[str]) -> str:
    """An array of texts as a literal."""
    return "{" + ",".join(map(_quoted, texts)) + "}"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
