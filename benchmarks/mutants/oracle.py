"""What a call really gives: plain SQL run on PostgreSQL, tenants kept apart by views.

Nothing of the product is used here. A structured call is written as SQL word by word, sense or
nonsense, so that the database is the judge of it.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Any

import psycopg

from benchmarks.mutants.callers import AUDIENCES
from veridical.contracts.call import AggregateCall, BrowseCall, Call, Filter, QueryCall, SqlCall

Rows = Counter[tuple[Any, ...]]
TIMEOUT_MS = 4_000
_SPELLED = {
    "eq": "=",
    "==": "=",
    "neq": "!=",
    "ne": "!=",
    "gt": ">",
    "gte": ">=",
    "lt": "<",
    "lte": "<=",
}


class Oracle:
    """Runs SQL as one caller or another and remembers nothing but the connection."""

    def __init__(self, url: str, tenant_tables: Iterable[str], shared: Iterable[str]) -> None:
        self._connection = psycopg.connect(url, autocommit=True)
        self._execute("SET timezone = 'UTC'")
        self._execute(f"SET statement_timeout = {TIMEOUT_MS}")
        self._who = ""
        self._create_views(tuple(tenant_tables), tuple(shared))

    def rows(self, sql: str, who: str) -> Rows | None:
        """The result as a bag of rows; none when the database refuses the statement."""
        if who != self._who:
            self._execute(f'SET search_path = "{who}"')
            self._who = who
        try:
            cursor = self._execute(sql)
            return Counter(cursor.fetchall()) if cursor.description else None
        except psycopg.Error:
            return None

    def close(self) -> None:
        """Give the connection back."""
        self._connection.close()

    def _execute(self, sql: str) -> "psycopg.Cursor[tuple[Any, ...]]":
        # Bytes, since psycopg asks for literal text otherwise; without parameters % stays as it is.
        return self._connection.execute(sql.encode())

    def _create_views(self, tenant_tables: tuple[str, ...], shared: tuple[str, ...]) -> None:
        for audience in AUDIENCES.values():
            self._execute(f'CREATE SCHEMA "{audience.name}"')
            listed = ", ".join(f"'{each}'" for each in audience.instances)
            for table in tenant_tables:
                self._execute(
                    f'CREATE VIEW "{audience.name}"."{table}" AS SELECT * FROM public."{table}"'
                    f' WHERE "featureInstanceId" IN ({listed})'
                )
            for table in shared:
                self._execute(
                    f'CREATE VIEW "{audience.name}"."{table}" AS SELECT * FROM public."{table}"'
                )


def naive_sql(call: Call) -> str:
    """A structured call as the SQL that its words say."""
    if isinstance(call, BrowseCall):
        return f"SELECT {_names(call.fields)} FROM {_name(call.table_name)} LIMIT {call.limit}"
    if isinstance(call, QueryCall):
        head = f"SELECT {_names(call.fields)} FROM {_name(call.table_name)}"
        return head + _where(call.filters) + _order(call.order_by) + f" LIMIT {call.limit}"
    if isinstance(call, AggregateCall):
        return _aggregate(call)
    if isinstance(call, SqlCall):
        return call.sql
    raise TypeError(f"no table is read by {call.tool}")


def _aggregate(call: AggregateCall) -> str:
    inner = _name(call.field) if call.field and call.field != "*" else "*"
    function = call.aggregate
    value = f"COUNT(DISTINCT {inner})" if function == "count_distinct" else f"{function}({inner})"
    groups = [_name(each) for each in call.group_by]
    sql = f"SELECT {', '.join([*groups, value])} FROM {_name(call.table_name)}"
    sql += _where(call.filters)
    if groups:
        sql += f" GROUP BY {', '.join(groups)}"
    return sql + _order(call.order_by) + f" LIMIT {call.limit}"


def _where(filters: Iterable[Filter]) -> str:
    conditions = [_condition(each) for each in filters]
    return f" WHERE {' AND '.join(conditions)}" if conditions else ""


def _condition(each: Filter) -> str:
    name = _name(each.field)
    op = _SPELLED.get(each.op.lower(), each.op.upper())
    if op in ("IS NULL", "IS NOT NULL"):
        return f"{name} {op}"
    if isinstance(each.value, tuple):
        listed = [_literal(value) for value in each.value]
        if op == "BETWEEN":
            return f"{name} BETWEEN {' AND '.join(listed)}"
        return f"{name} {op} ({', '.join(listed)})"
    return f"{name} {op} {_literal(each.value)}"


def _order(keys: Iterable[Any]) -> str:
    listed = [f"{_name(each.field)} {each.direction}" for each in keys]
    return f" ORDER BY {', '.join(listed)}" if listed else ""


def _literal(value: object) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    return str(value)


def _names(names: Iterable[str]) -> str:
    return ", ".join(map(_name, names)) or "*"


def _name(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
