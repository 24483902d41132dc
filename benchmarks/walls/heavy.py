"""Statements of at most 20 kB that are made to be slow to check: each pass over a statement that
doubles, squares or recurses somewhere has one here. None may take a second or 200 MB.
"""

import json
import logging
import resource
import sys
import time
from collections.abc import Iterator
from typing import Any

from veridical.check.checker import Checker
from veridical.check.dialects import DIALECTS
from veridical.contracts.call import SqlCall
from veridical.contracts.schema import Column, Schema, Table, ValueType
from veridical.ontology.compile import compile_catalog

_COLUMNS = (
    Column("id", ValueType.INTEGER),
    Column("label", ValueType.TEXT),
    Column("balance", ValueType.NUMBER),
)
_STEPS = {
    "concat": "SELECT concat(x, x) AS x, n FROM c{p}",
    "add": "SELECT x || x AS x, n FROM c{p}",
    "case": "SELECT CASE WHEN n = {i} THEN x ELSE x END AS x, n FROM c{p}",
    "filter": "SELECT max(x) FILTER (WHERE n = {i}) || max(x) AS x, max(n) AS n FROM c{p}",
    "product": "SELECT x, n * n - n AS n FROM c{p}",
    "stars": "SELECT * FROM c{p} AS a CROSS JOIN c{p} AS b",
    "twice": "SELECT *, * FROM c{p}",
    "union": "SELECT x, n FROM c{p} UNION SELECT x, n FROM c{p}",
    "window": "SELECT x, sum(n) OVER (PARTITION BY x ORDER BY n) + n AS n FROM c{p}",
    "joined": "SELECT a.x || b.x AS x, a.n FROM c{p} AS a JOIN c{p} AS b ON a.x = b.x",
    "looked_up": "SELECT (SELECT max(x) FROM c{p}) || (SELECT min(x) FROM c{p}) AS x, 1 AS n",
}
_NESTED = {
    "group_ordinal": ("SELECT (", "SELECT 1", ") GROUP BY 1"),
    "group_alias": ("SELECT (", "SELECT 1", ") AS a GROUP BY a"),
    "parentheses": ("SELECT (", "1", ")"),
    "scalars": ("SELECT (", "SELECT 1", ")"),
    "derived": ("SELECT * FROM (", 'SELECT * FROM "Account"', ") AS t"),
    "ctes": ("WITH a AS (", "SELECT 1 AS x", ") SELECT x FROM a"),
}
_VALUES_NESTED = {
    "calls": ("coalesce(", ")"),
    "arrays": ("ARRAY[", "]"),
    "subscripts": ("x::int[", "]"),
    "dates": ("DATE (", ")"),
    "decimals": ("DECIMAL(", ")"),
    "structs": ("STRUCT(", ")"),
    "braces": ("{'a': ", "}"),
    "casts": ("CAST(", " AS int)"),
    "members": ("1 IN (", ")"),
    "cases": ("CASE WHEN 1 = 1 THEN ", " END"),
    "tests": ("CASE WHEN ", " = 1 THEN 1 END"),
    "negations": ("- ", ""),
    "not": ("NOT ", ""),
}
_LISTED = {
    "columns": ('SELECT {} FROM "Account"', '"label" || {i}', ", "),
    "unknown_columns": ('SELECT {} FROM "Account"', "colum_{i}", ", "),
    "unknown_functions": ("SELECT {}", "fn_{i}(1)", ", "),
    "unknown_tables": ("SELECT 1 FROM {}", "Acount{i} AS t{i}", " CROSS JOIN "),
    "and": ('SELECT "label" FROM "Account" WHERE {}', '"id" <> {i}', " AND "),
    "or": ('SELECT "label" FROM "Account" WHERE {}', '"id" = {i}', " OR "),
    "or_of_and": ('SELECT 1 FROM "Account" WHERE {}', '("id" = {i} AND "balance" = {i})', " OR "),
    "and_of_or": ('SELECT 1 FROM "Account" WHERE {}', '("id" = {i} OR "balance" = {i})', " AND "),
    "in": ('SELECT "label" FROM "Account" WHERE "label" IN ({})', "'v{i}'", ","),
    "tables": ("SELECT 1 FROM {}", '"Account" AS a{i}', ", "),
    "natural": ("SELECT 1 FROM {}", '"Account" AS a{i}', " NATURAL JOIN "),
    "unions": ("{}", 'SELECT "label" FROM "Account"', " UNION ALL "),
    "sums": ('SELECT {} FROM "Account"', 'sum("balance" + {i})', ", "),
    "branches": ('SELECT CASE {} END FROM "Account"', 'WHEN "id" = {i} THEN "balance"', " "),
    "windows": ('SELECT {} FROM "Account"', 'sum("balance") OVER (ORDER BY "id")', ", "),
    "groups": ('SELECT "label", count(*) FROM "Account" GROUP BY {}', '"id" + {i}', ", "),
    "pipes": ('SELECT {} FROM "Account"', '"label"', " || "),
    "values": ("SELECT a FROM (VALUES {}) AS t(a)", "({i})", ", "),
    "comments": ("SELECT 1 {}", "/* {i} */", " "),
    "dots": ("SELECT {}", "a", "."),
}
LENGTH = 20_000
_TOKENS = 2_900


def heavy_statements() -> Iterator[tuple[str, str]]:
    """Statements with a name each."""
    first = 'c0 AS (SELECT "label" AS x, "id" AS n FROM "Account")'
    for name, step in _STEPS.items():
        for depth in (24, 60):
            ctes = [f"c{i} AS ({step.format(p=i - 1, i=i)})" for i in range(1, depth + 1)]
            yield f"{name} {depth}", f"WITH {', '.join([first, *ctes])} SELECT 1 FROM c{depth}"
    for name, (before, within, after) in _NESTED.items():
        for depth in (20, 29, 59):
            yield f"{name} {depth}", before * depth + within + after * depth
    for name, (before, after) in _VALUES_NESTED.items():
        for depth in (20, 59, 400):
            yield f"{name} {depth}", f"SELECT {before * depth}1{after * depth}"
    for name, (around, part, between) in _LISTED.items():
        fits = min(LENGTH - len(around), _TOKENS * 5) // (len(part) + len(between) + 3)
        for count in (fits, fits // 4):
            listed = between.join(part.format(i=i) for i in range(count))
            yield f"{name} {count}", around.format(listed)


def run() -> dict[str, Any]:
    """The slowest of them by the process's time, and the most memory that any of them took."""
    columns = compile_catalog(Schema.of([Table("Account", _COLUMNS, keys=(("id",),))]))
    logging.disable(logging.CRITICAL)
    slowest, at, count = 0.0, "", 0
    before = _peak_mb()
    for dialect in DIALECTS:
        checker = Checker(columns, dialect)
        for name, sql in heavy_statements():
            started = time.process_time()
            checker.check(SqlCall(sql=sql))
            took = time.process_time() - started
            count += 1
            if took > slowest:
                slowest, at = took, f"{dialect}: {name}"
    logging.disable(logging.NOTSET)
    return {
        "statements": count,
        "slowest_seconds": round(slowest, 3),
        "slowest": at,
        "memory_mb": round(_peak_mb() - before, 1),
    }


def _peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    json.dump(run(), sys.stdout)
    print()
