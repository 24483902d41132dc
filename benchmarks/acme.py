"""The ACME insurance questions: what a semantic layer rejected must be refused before it runs.

The ontology is the project's own YAML through the dbt importer; the statements were written by
several models and carry the verdict of the engine that ran them.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.data import read_lines
from benchmarks.dbt_query import StatementError, parse_statement
from veridical.check.checker import Checker
from veridical.check.metric_call import metric_violations
from veridical.contracts.call import SqlCall
from veridical.contracts.checked import CheckedQuery
from veridical.contracts.language import Language
from veridical.contracts.violation import Code
from veridical.ontology.compile import compile_catalog
from veridical.ontology.ddl import schema_from_ddl
from veridical.ontology.importers import import_ontology
from veridical.ontology.metrics import MetricGraph

_ANSWERS = "sql_answers.jsonl"
_MODELS = Path("semantic_project/models/omg_semantics")
_OTHER_MODELS = "SL with more models created"
_REJECTED = "Query error"
_UNMAPPED = "Could not map all gold columns"


@dataclass(frozen=True, slots=True)
class Answer:
    """One statement of a model and what the engine made of it."""

    text: str
    rejected: bool
    correct: bool
    ran: bool


def run(data_dir: Path) -> dict[str, object]:
    """The figures over the statements to the semantic layer."""
    graph = MetricGraph(import_ontology(data_dir / _MODELS, "dbt-legacy").ontology)
    answers = [_answer(row, set()) for row in _rows(data_dir, "semantic_layer")]
    codes = {text: refusal_codes(text, graph) for text in {answer.text for answer in answers}}
    rejected = [answer for answer in answers if answer.rejected]
    correct = [answer for answer in answers if answer.correct]
    ran = [answer for answer in answers if answer.ran]
    unknown = [answer for answer in answers if not answer.rejected and not answer.ran]
    caught = [answer for answer in rejected if codes[answer.text]]
    blocked = [answer for answer in correct if codes[answer.text]]
    return {
        "acme_rejected_recall": _share(len(caught), len(rejected)),
        "acme_rejected_recall_distinct": _share(_distinct(caught), _distinct(rejected)),
        "acme_false_blocks": len(blocked),
        "acme_rejected": len(rejected),
        "acme_rejected_distinct": _distinct(rejected),
        "acme_correct": len(correct),
        "acme_correct_distinct": _distinct(correct),
        "acme_ran": len(ran),
        "acme_ran_blocked": sum(bool(codes[answer.text]) for answer in ran),
        "acme_without_verdict": len(unknown),
        "acme_without_verdict_blocked": sum(bool(codes[answer.text]) for answer in unknown),
        "acme_codes": dict(Counter(code.value for answer in caught for code in codes[answer.text])),
        "acme_misses": sorted({answer.text for answer in rejected if not codes[answer.text]}),
        "acme_wrongly_blocked": sorted({answer.text for answer in blocked}),
    }


def refusal_codes(text: str, graph: MetricGraph) -> tuple[Code, ...]:
    """Why a statement is refused before it runs; nothing when it may run."""
    try:
        statement = parse_statement(text)
    except StatementError:
        return (Code.SYNTAX_ERROR,)
    found = [
        violation.code
        for each in statement.calls
        for violation in metric_violations(each.call, graph, Language.EN)
    ]
    found += [Code.FIELD_NOT_FOUND] * bool(statement.missing_columns)
    return tuple(dict.fromkeys(found))


def sql_rows(data_dir: Path) -> Iterator[tuple[str, bool, bool]]:
    """Each distinct statement over ``ACME_small.ddl``: (SQL, rejected by the engine, correct)."""
    rows = [row for row in _rows(data_dir, "sql") if not row["config_comment"]]
    gold = {_columns_of(row) for row in rows if row["is_correct"] and row["data_json"]}
    seen = set[Answer]()
    for row in rows:
        answer = _answer(row, gold)
        if answer not in seen:
            seen.add(answer)
            yield answer.text, answer.rejected, answer.correct


def _rows(data_dir: Path, method: str) -> Iterator[dict[str, Any]]:
    """The rows of one method without failed model calls and without models we don't have."""
    for row in read_lines(data_dir / _ANSWERS):
        is_ours = row["method"] == method and row["config_comment"] != _OTHER_MODELS
        if is_ours and row["is_successful"] is not False:
            yield row


_Columns = tuple[str, frozenset[tuple[str, ...]]]


def _answer(row: dict[str, Any], gold: set[_Columns]) -> Answer:
    """The row as an answer; where only names kept it from being compared, its values decide."""
    error = row["comparison_error"] or ""
    correct = bool(row["is_correct"])
    if error.startswith(_UNMAPPED) and row["data_json"]:
        question, values = _columns_of(row)
        correct = any(question == asked and known <= values for asked, known in gold)
    rejected = error.startswith(_REJECTED)
    # A comparison that failed on names is proof that the engine returned a result.
    ran = correct or bool(error and not rejected)
    return Answer(" ".join(row["sql"].split()), rejected, correct, ran)


def _columns_of(row: dict[str, Any]) -> _Columns:
    """The question and the result's columns, each as its sorted values."""
    records: list[dict[str, Any]] = json.loads(row["data_json"])
    names = records[0] if records else {}
    columns = (tuple(sorted(_value(record[name]) for record in records)) for name in names)
    return row["challenge_text"], frozenset(columns)


def _value(cell: object) -> str:
    return f"{cell:.4f}" if isinstance(cell, int | float) else str(cell)


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0


def _distinct(answers: Iterable[Answer]) -> int:
    return len({answer.text for answer in answers})


def run_sql(folder: Path) -> dict[str, Any]:
    """The raw SQL that models wrote against the DDL they were shown: rejected by the warehouse and
    caught; right and blocked.

    The warehouse held whole numbers where the DDL says dates, so what it rejected for that reason
    can't be seen from the DDL.
    """
    script = (folder / "ACME_small.ddl").read_text("utf-8")
    separated = re.sub(r"\n(?=CREATE TABLE)", ";\n", script)
    checker = Checker(compile_catalog(schema_from_ddl(separated, "tsql")), "snowflake")
    counts: Counter[str] = Counter()
    for sql, rejected, correct in sql_rows(folder):
        blocked = not isinstance(checker.check(SqlCall(sql=sql)), CheckedQuery)
        kind = "rejected" if rejected else "correct" if correct else "other"
        counts[kind] += 1
        counts[f"{kind}_blocked"] += blocked
    return {
        "acme_sql_rejected_total": counts["rejected"],
        "acme_sql_rejected_caught": counts["rejected_blocked"],
        "acme_sql_correct_total": counts["correct"],
        "acme_sql_false_blocks": counts["correct_blocked"],
    }
