"""The schema of a MariaDB or MySQL database, as far as its reader can see it."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from pymysql.connections import Connection

from veridical.contracts.schema import Column, ForeignKey, Schema, Table, value_type_of

_COUNTED = """
    SELECT table_schema, count(*) FROM information_schema.tables
    WHERE table_schema NOT IN ('information_schema', 'mysql', 'performance_schema', 'sys')
    GROUP BY table_schema ORDER BY table_schema
    """
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
    SELECT table_name, constraint_name, column_name,
           referenced_table_schema, referenced_table_name, referenced_column_name
    FROM information_schema.key_column_usage
    WHERE table_schema = %s AND referenced_table_name IS NOT NULL
    ORDER BY table_name, constraint_name, ordinal_position
    """


def reflect_mysql(connection: "Connection[Any]", databases: Sequence[str]) -> Schema:
    """The tables, columns and keys of these databases."""
    return Schema.of_schemas(each for name in databases for each in _tables(connection, name))


def mysql_databases(connection: "Connection[Any]") -> dict[str, int]:
    """The databases with visible tables, with their number."""
    return dict(_rows(connection, _COUNTED))


def _tables(connection: "Connection[Any]", database: str) -> Iterable[Table]:
    columns: defaultdict[str, list[Column]] = defaultdict(list)
    for table, name, declared, nullable in _rows(connection, _COLUMNS, database):
        columns[table].append(Column(name, value_type_of(declared), nullable == "YES"))
    keys: defaultdict[str, dict[str, list[str]]] = defaultdict(dict)
    partial: set[tuple[str, str]] = set()
    for table, index, name, length in _rows(connection, _UNIQUE, database):
        keys[table].setdefault(index, []).append(name)
        if name is None or length is not None:  # an expression, or the beginning of a text
            partial.add((table, index))
    links: defaultdict[str, dict[str, list[tuple[str, ...]]]] = defaultdict(dict)
    for table, link, *parts in _rows(connection, _REFERENCES, database):
        links[table].setdefault(link, []).append(tuple(parts))
    return [
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
                    tuple(near for near, *_ in parts),
                    parts[0][2],
                    tuple(far for *_, far in parts),
                    parts[0][1],
                )
                for parts in links[table].values()
            ),
            schema=database,
        )
        for table, found in columns.items()
    ]


def _rows(connection: "Connection[Any]", sql: str, *values: str) -> Iterable[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return cursor.fetchall()
