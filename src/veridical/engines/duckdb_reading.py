"""The tables of a statement as DuckDB's own parser reads it.

The check reads a statement with sqlglot; where DuckDB reads it differently, it could contain an
unseen table. DuckDB has no row policies that would catch this, but it returns its own tree.
"""

import json
import logging
from collections import Counter
from collections.abc import Iterator
from typing import Any

import duckdb

from veridical.contracts.statement import Statement
from veridical.statement.errors import EngineError, Problem

_log = logging.getLogger("veridical.engines")
_TREE = "SELECT json_serialize_sql(?::VARCHAR)"
_ROW_MAKERS = frozenset({"range", "generate_series", "unnest"})
"""Functions in FROM that only make rows out of their arguments: others read tables and files."""


def refuse_other_tables(cursor: duckdb.DuckDBPyConnection, statement: Statement) -> None:
    """Raises ``EngineError`` unless DuckDB reads exactly the tables that were written."""
    row = cursor.execute(_TREE, [statement.sql]).fetchone()
    tree = json.loads(row[0]) if row else {"error": True}
    if tree["error"]:
        raise EngineError(Problem.FAILED)
    found: Counter[tuple[str, ...]] = Counter()
    for node in _nodes(tree):
        match node.get("type"):
            case "BASE_TABLE":
                found[(node["catalog_name"], node["schema_name"], node["table_name"])] += 1
            case "TABLE_FUNCTION":
                found[_maker(node)] += 1
            case "SHOW_REF":
                found[("SHOW", "")] += 1
            case _:
                pass
    placed = {path: times for path, times in found.items() if any(path[:-1])}
    if placed != Counter(statement.tables):
        _log.error("defect: DuckDB reads other tables than were written")
        raise EngineError(Problem.MISWRITTEN)


def _maker(node: dict[str, Any]) -> tuple[str, ...]:
    """Nothing to compare for a function that makes rows; its own name for any other."""
    name = str(node.get("function", {}).get("function_name", ""))
    return ("", name) if name in _ROW_MAKERS else ("()", name)


def _nodes(tree: Any) -> Iterator[dict[str, Any]]:
    """All objects of the tree, without recursion: a statement can be deep."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            yield node
            waiting.extend(node.values())
        elif isinstance(node, list):
            waiting.extend(node)
