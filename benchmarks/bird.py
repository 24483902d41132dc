"""BIRD: predictions of eight models, judged by SQLite's EXPLAIN on the empty schema."""

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.tables_json import load_schemas
from veridical.check.checker import Checker
from veridical.contracts.call import SqlCall
from veridical.contracts.checked import CheckedQuery
from veridical.contracts.schema import Schema
from veridical.contracts.violation import Code
from veridical.ontology.compile import compile_catalog

_UNKNOWN = frozenset({Code.FIELD_NOT_FOUND, Code.TABLE_NOT_FOUND, Code.FUNCTION_NOT_ALLOWED})
_ANY_DATABASE = "debit_card_specializing"
_SEPARATOR = "\t----- bird -----\t"


class Prediction(NamedTuple):
    """One model's SQL for one database, and the engine's error, if any."""

    db: str
    sql: str
    error: str | None


def run(data: Path, limit: int | None = None) -> dict[str, Any]:
    """Rejected among those that fail on the schema, and rejected among those that don't."""
    schemas = load_schemas(data / "bird" / "dataset" / "dev_tables.json")
    checkers = {db: Checker(compile_catalog(schema), "sqlite") for db, schema in schemas.items()}
    counts: Counter[str] = Counter()
    for prediction in predictions(data, schemas, limit):
        verdict = checkers[prediction.db].check(SqlCall(sql=prediction.sql))
        blocked = not isinstance(verdict, CheckedQuery)
        kind = "fails" if prediction.error else "runs"
        counts[kind] += 1
        counts[f"{kind}_blocked"] += blocked
        if blocked:
            for each in verdict.violations:
                if each.code in _UNKNOWN:
                    counts["names"] += 1
                    counts["suggested"] += each.suggestion is not None
    return {
        "bird_total": counts["fails"],
        "bird_caught": counts["fails_blocked"],
        "bird_runs": counts["runs"],
        "bird_runs_blocked": counts["runs_blocked"],
        "bird_unknown_names": counts["names"],
        "bird_suggested": counts["suggested"],
    }


def predictions(
    data: Path, schemas: dict[str, Schema], limit: int | None = None
) -> Iterator[Prediction]:
    """All predictions written for SQLite, each with what SQLite says of it."""
    databases = {db: _empty_database(schema) for db, schema in schemas.items()}
    for number, (db, sql) in enumerate(_texts(data)):
        if limit is not None and number >= limit:
            return
        yield Prediction(db, sql, _explain(databases[db], sql))


def _texts(data: Path) -> Iterator[tuple[str, str]]:
    root = data / "bird"
    files = sorted(root.glob("mini_dev/llm/exp_result/*/*.json"))
    files = [path for path in files if path.stem.casefold().endswith("sqlite")]
    files += sorted(root.glob("damo/bird/llm/exp_result/*/predict_dev.json"))
    for path in files:
        for text in json.loads(path.read_text("utf-8")).values():
            # a model that gave no SQL left a bare number: it fails on any database
            sql, _, db = str(text).partition(_SEPARATOR)
            yield db.strip() or _ANY_DATABASE, sql


def _empty_database(schema: Schema) -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    for table in schema.tables.values():
        columns = ", ".join(f'"{column.name}" {column.type.value}' for column in table.columns)
        connection.execute(f'CREATE TABLE "{table.name}" ({columns})')
    return connection


def _explain(connection: sqlite3.Connection, sql: str) -> str | None:
    try:
        connection.execute(f"EXPLAIN {sql}")
    except (sqlite3.Error, sqlite3.Warning) as error:
        return str(error)
    return None


def run_bugs(data: Path) -> dict[str, Any]:
    """NL2SQL-Bugs, half of which are valid and wrong in meaning: how many right and wrong ones are
    blocked. The limit of a check that knows the schema and nothing of the question's sense."""
    schemas = load_schemas(data / "bird" / "dataset" / "dev_tables.json")
    checkers = {db: Checker(compile_catalog(schema), "sqlite") for db, schema in schemas.items()}
    path = data / "nl2sql_bugs" / "data" / "NL2SQL-Bugs-with-evidence.json"
    counts: Counter[str] = Counter()
    for row in json.loads(path.read_text("utf-8")):
        verdict = checkers[row["db_id"]].check(SqlCall(sql=row["sql"]))
        kind = "right" if row["label"] else "wrong"
        counts[kind] += 1
        counts[f"{kind}_blocked"] += not isinstance(verdict, CheckedQuery)
    return {
        "bugs_right_total": counts["right"],
        "bugs_false_blocks": counts["right_blocked"],
        "bugs_wrong_total": counts["wrong"],
        "bugs_wrong_caught": counts["wrong_blocked"],
    }
