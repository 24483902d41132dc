"""Makes PostgreSQL refuse too large rows: the driver takes a row whole or not at all."""

import re

from veridical.contracts.statement import Statement

_QUERY = re.compile(r"\s*(SELECT|WITH|\()", re.IGNORECASE)
_CALLS = re.compile(r"\|\||\b(\w+)\"?\s*\(")
_WORDS = "as|select|from|where|and|or|not|in|on|any|all|exists|over|filter|case|when|then|else|by"
_FUNCTIONS = "count|sum|avg|min|max|median|stddev|coalesce|nullif|abs|round|date_trunc|extract|cast"
_CLAUSES = "using|with|distinct|between|values|union|except|intersect|join|lateral"
_SMALL = re.compile(f"({_WORDS}|{_FUNCTIONS}|{_CLAUSES})", re.IGNORECASE)
"""Functions and words before a parenthesis whose result is no larger than their input."""


def guarded(statement: Statement, size: int) -> Statement:
    """The statement, failing on a row of more than so many bytes before any of it is sent.

    A statement that calls nothing that enlarges values stays unchanged. The limit that every
    statement has keeps PostgreSQL from computing anything twice; the long text of the guard is
    refused as too large before it is made.
    """
    if not _QUERY.match(statement.sql) or not _can_grow(statement.sql):
        return statement
    length = f"CASE WHEN pg_column_size(guarded.*) > {size} THEN 1073741823 ELSE 0 END"
    # The statement is one that was checked, scoped and written by us; the size is a number.
    sql = (
        f"SELECT guarded.* FROM ({statement.sql}\n) AS guarded"  # noqa: S608
        f" WHERE repeat('xx', {length}) = ''"
    )
    return Statement(sql, statement.parameters)


def _can_grow(sql: str) -> bool:
    return not all(map(_SMALL.fullmatch, _CALLS.findall(sql)))
