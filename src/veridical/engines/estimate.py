"""What a statement would read, by the database's own plan of it. PostgreSQL's is in
``postgres_plan``; SQLite and Flight SQL tell nothing.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, runtime_checkable

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from veridical.contracts.caller import Scope
from veridical.contracts.statement import Statement
from veridical.engines.limits import Limits

Plan = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class CostEstimate:
    """The rows and bytes that a statement would read, before filters drop any."""

    rows_read: int
    bytes_read: int | None = None
    """None where the engine estimates none."""
    tables: tuple[str, ...] = ()
    """The tables by their own names, the largest reading first."""


@runtime_checkable
class Estimates(Protocol):
    """A database that can say what a statement would read, without running it."""

    def estimate(self, statement: Statement, scope: Scope, limits: Limits) -> CostEstimate | None:
        """The estimate, under the rights and within the time of a search for an unknown value.

        None if there is none for this statement. Raises ``EngineError`` and nothing else.
        """
        ...


def estimate_of(read: Iterable[tuple[str, float, float | None]]) -> CostEstimate:
    """The sum of what is read of each table: its name, rows, and bytes if they are known."""
    rows: dict[str, float] = {}
    size: float | None = 0.0
    for name, count, weight in read:
        rows[name] = rows.get(name, 0.0) + count
        size = None if size is None or weight is None else size + weight
    largest = sorted(rows, key=lambda name: -rows[name])
    return CostEstimate(
        round(sum(rows.values())), None if size is None else round(size), tuple(largest)
    )


def clickhouse_estimate(rows: Sequence[Sequence[Any]]) -> CostEstimate:
    """Of ``EXPLAIN ESTIMATE``: database, table, parts, rows, marks."""
    return estimate_of((str(table), float(count), None) for _, table, _, count, _ in rows)


def duckdb_estimate(plan: Sequence[Plan], sizes: Mapping[str, int]) -> CostEstimate:
    """Of ``EXPLAIN (FORMAT json)`` and the rows of each table. A scan reads all of them; only a
    limit above nothing but filters ends it early."""
    return estimate_of(each for node in plan for each in _scans(node, sizes, None))


_STREAMING = frozenset({"PROJECTION", "FILTER"})
_LIMITS = frozenset({"STREAMING_LIMIT", "LIMIT"})
_SCANS = frozenset({"SEQ_SCAN", "TABLE_SCAN", "INDEX_SCAN"})


def _scans(
    node: Plan, sizes: Mapping[str, int], most: int | None
) -> Iterable[tuple[str, float, None]]:
    name, details = str(node["name"]).strip(), node.get("extra_info", {})
    children: list[Plan] = list(node.get("children", ()))
    if name in _SCANS and "Table" in details:
        found = int(details.get("Estimated Cardinality", 0))
        table = _own_name(str(details["Table"]))
        rows = max(found, round(sizes.get(table, 0) * _sampled(details)))
        yield table, _until(most, found, rows), None
    if details.get("Conditions") == "rowid = rowid":
        children = children[1:]  # it fetches the found rows of the same table
    if name in _LIMITS:
        limit = str(details.get("Limit", ""))
        most = int(limit) if limit.isdecimal() else None
    elif name not in _STREAMING:
        most = None
    for child in children:
        yield from _scans(child, sizes, most)


def _sampled(details: Plan) -> float:
    """The share of a table's blocks that a sample reads; 1 where it reads all."""
    method, _, share = str(details.get("Sample Method", "")).partition(":")
    try:
        return float(share.strip(" %")) / 100 if method == "System" else 1.0
    except ValueError:
        return 1.0


def _until(most: int | None, found: int, rows: int) -> float:
    """The rows read until so many were found."""
    return rows if most is None else min(rows, most * rows / max(found, 1))


def _own_name(written: str) -> str:
    try:
        return exp.to_table(written, dialect="duckdb").name
    except (SqlglotError, ValueError):
        return written


def mysql_estimate(plan: Plan) -> CostEstimate:
    """Of ``EXPLAIN FORMAT=JSON``: each table is read once for each row of those before it."""
    return estimate_of(_tables(plan))


def _tables(node: Any) -> Iterator[tuple[str, float, None]]:
    """What is read below a node that is read once."""
    for each in node if isinstance(node, list) else [node]:
        if not isinstance(each, dict):
            continue
        if "table_name" in each:
            yield from _joined([{"table": each}])
            continue
        for key, part in each.items():
            yield from _joined(part) if key == "nested_loop" else _tables(part)


def _joined(loop: Sequence[Plan]) -> Iterator[tuple[str, float, None]]:
    times = 1.0
    for step in loop:
        is_buffered = "block-nl-join" in step
        table = _table_of(step)
        if table is None or "rows" not in table:
            yield from _tables(dict(step))
            continue
        rows, name = float(table["rows"]), str(table["table_name"])
        if not name.startswith("<"):  # what was made of a subquery is not read from the data
            yield name, rows if is_buffered else rows * times, None
        yield from _tables({key: each for key, each in table.items() if key != "table_name"})
        times *= max(rows * float(table.get("filtered", 100)) / 100, 1.0)


def _table_of(step: Any) -> Plan | None:
    """The table of one step of a join, below its sort or buffer."""
    while isinstance(step, dict):
        if "table_name" in step:
            return step
        below = (
            step.get(key) for key in ("table", "block-nl-join", "read_sorted_file", "filesort")
        )
        step = next((each for each in below if each is not None), None)
    return None


def ended_by_limit(estimate: CostEstimate, sql: str, dialect: str) -> CostEstimate:
    """The estimate of an engine that leaves the limit out: it ends a list of a table's rows."""
    limit = _limit_of_list(sql, dialect)
    if limit is None or limit >= estimate.rows_read:
        return estimate
    return replace(estimate, rows_read=limit, bytes_read=None)


def _limit_of_list(sql: str, dialect: str) -> int | None:
    try:
        tree = sqlglot.parse_one(sql, dialect=dialect)
    except SqlglotError:
        return None
    limit = tree.args.get("limit")
    given = {key for key, value in tree.args.items() if value}
    listed = isinstance(tree, exp.Select) and given <= {"expressions", "from_", "limit"}
    if not listed or limit is None or not isinstance(tree.args["from_"].this, exp.Table):
        return None
    if tree.find(exp.AggFunc, exp.Window, exp.Subquery):
        return None
    written = limit.expression
    return int(written.name) if isinstance(written, exp.Literal) and written.is_int else None
