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

from benchmarks.data import data_beside
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
_DATA = data_beside(__file__)
_STEPS: dict[str, str] = _DATA["steps"]
_NESTED: dict[str, list[str]] = _DATA["nested"]
_VALUES_NESTED: dict[str, list[str]] = _DATA["values_nested"]
_LISTED: dict[str, list[str]] = _DATA["listed"]
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
