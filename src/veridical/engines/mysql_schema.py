"""The schema of a MariaDB or MySQL database, as far as its reader can see it."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from pymysql.connections import Connection

from veridical.contracts.schema import Column, ForeignKey, Schema, Table, value_type_of

_COLUMNS = """
    SELECT table_name, column_name, data_type, is_nullable FROM information_schema.columns
    WHERE table_schema = %s ORDER BY table_name, ordinal_position
    """
_UNIQUE = """
    SELECT table_name, index_name, column_name, sub_part FROM information_schema.statistics
    WHERE table_schema = %s AND non_unique = 0
    ORDER BY table_name, index_name <> 'PRIMARY', index_name, seq_in_index
    """
_REFERENCES = """
    SELECT table_name, constraint_name, column_name, referenced_table_name, referenced_column_name
    FROM information_schema.key_column_usage
    WHERE table_schema = %s AND referenced_table_schema = %s
    ORDER BY table_name, constraint_name, ordinal_position
    """


def reflect_mysql(connection: "Connection[Any]", database: str) -> Schema:
    """The tables, columns and keys of one database."""
    columns: defaultdict[str, list[Column]] = defaultdict(list)
    for table, name, declared, nullable in _rows(connection, _COLUMNS, database):
        columns[table].append(Column(name, value_type_of(declared), nullable == "YES"))
    keys: defaultdict[str, dict[str, list[str]]] = defaultdict(dict)
    partial: set[tuple[str, str]] = set()
    for table, index, name, length in _rows(connection, _UNIQUE, database):
        keys[table].setdefault(index, []).append(name)
        if name is None or length is not None:  # an expression, or the beginning of a text
            partial.add((table, index))
    links: defaultdict[str, dict[str, list[tuple[str, str, str]]]] = defaultdict(dict)
    for table, link, near, target, far in _rows(connection, _REFERENCES, database, database):
        links[table].setdefault(link, []).append((near, target, far))
    return Schema.of(
        Table(
            table,
            tuple(found),
            keys=tuple(
                tuple(names)
                for index, names in keys[table].items()
                if (table, index) not in partial
            ),
            foreign_keys=tuple(
                ForeignKey(
                    tuple(near for near, _, _ in parts),
                    parts[0][1],
                    tuple(far for _, _, far in parts),
                )
                for parts in links[table].values()
                if parts[0][1] in columns
            ),
        )
        for table, found in columns.items()
    )


def _rows(connection: "Connection[Any]", sql: str, *values: str) -> Iterable[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return cursor.fetchall()
