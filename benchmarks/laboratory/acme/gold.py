"""The ACME questions as gold cases, with the published SQL as the truth."""

import datetime as dt
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from benchmarks.laboratory.acme.turtle import Statement, read_turtle
from veridical.contracts.language import Language
from veridical.evals.gold.case import Case, Difficulty, Expected, GoldSet, Oracle
from veridical.evals.gold.oracle import RunSql, Truth
from veridical.ontology.errors import LoadError

NAME = "acme"
TODAY = "2023-11-14"
"""The day of the published data; no question depends on it."""

_DIALECT = "bigquery"
"""The nearest to what the statements are written in: texts in double quotes, comments after #."""
_DIFFICULTIES = {
    "LQLS": Difficulty.EASY,
    "HQLS": Difficulty.MEDIUM,
    "LQHS": Difficulty.MEDIUM,
    "HQHS": Difficulty.HARD,
}
"""Titles begin with low or high complexity of question (Q) and schema (S); the level is ours."""
_FINE_ENOUGH = 2
"""Decimals for a figure that is a quotient, which may have no last one; our choice."""
_SHORT_ID = 8
_KEY = "_identifier"


@dataclass(frozen=True, slots=True)
class Inquiry:
    """One published question with its SQL."""

    id: str
    question: str
    kind: str
    """``LQLS``, ``HQLS``, ``LQHS`` or ``HQHS``."""
    statements: tuple[str, ...]
    """All that answer it, the shortest first."""


def read_inquiries(path: Path) -> tuple[Inquiry, ...]:
    """The questions of an investigation, by id. Raises ``LoadError``."""
    try:
        subjects = read_turtle(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise LoadError(f"{path} can't be read: {error}") from error
    found = tuple(sorted(_inquiries(subjects), key=lambda each: each.id))
    if not found:
        raise LoadError(f"{path} asks nothing that SQL answers")
    return found


def acme_set(inquiries: tuple[Inquiry, ...], run: RunSql) -> GoldSet:
    """The questions with their truth: every column of the published SQL, from its owner's run."""
    cases = tuple(_case(inquiry, run) for inquiry in inquiries)
    return GoldSet(name=NAME, feature=NAME, today=TODAY, cases=cases)


def in_duckdb(statement: str) -> str:
    """A published statement as DuckDB runs it, with a name for every column.

    ``DATE_DIFF`` is read as counting from its first day to its second, the other way round than
    in BigQuery: the question is how long something took, and the dbt project's own statement for it
    counts so. Everything else is only spelled differently.
    """
    tree = _parsed(statement, _DIALECT)
    for span in tree.find_all(exp.DateDiff):
        first, second = span.this, span.expression
        span.set("this", second)
        span.set("expression", first)
    tree.set("expressions", list(_named(tree.expressions)))
    return tree.sql("duckdb", comments=False)


def _parsed(statement: str, dialect: str) -> exp.Select:
    try:
        tree = sqlglot.parse_one(statement, dialect=dialect)
    except SqlglotError as error:
        raise LoadError(f"{error}: {' '.join(statement.split())[:120]}") from error
    if not isinstance(tree, exp.Select):
        raise LoadError(f"no query: {' '.join(statement.split())[:120]}")
    return tree


def _inquiries(subjects: Mapping[str, Statement]) -> Iterator[Inquiry]:
    for subject, statement in subjects.items():
        if "QandA:Inquiry" not in statement.get("rdf:type", ()):
            continue
        queries = [
            subjects[name] for name in statement.get("QandA:expects", ()) if name in subjects
        ]
        answers = [query for query in queries if "QandA:SQL" in query.get("QandA:inLanguage", ())]
        statements = sorted((query["QandA:queryText"][0] for query in answers), key=len)
        if statements:
            yield Inquiry(
                subject.rpartition("_")[2][:_SHORT_ID],
                " ".join(statement["QandA:prompt"][0].split()),
                next(iter(answers[0].get("dct:title", ())), "").partition(":")[0],
                tuple(statements),
            )


def _named(columns: list[exp.Expr]) -> Iterator[exp.Expr]:
    """Each column under a name of its own: two may be called alike, or not at all."""
    taken: set[str] = set()
    for number, column in enumerate(columns, start=1):
        name = column.alias_or_name
        if name and name.casefold() not in taken:
            yield column
        else:
            name = f"{name or 'value'}_{number}"
            yield exp.alias_(column.unalias(), name)
        taken.add(name.casefold())


def _case(inquiry: Inquiry, run: RunSql) -> Case:
    sql = in_duckdb(inquiry.statements[0])
    truth = run(sql)
    keys = _keys(sql, truth)
    figures = [name for name in _columns(truth, int, Decimal, float) if name not in keys]
    named = {*keys, *_columns(truth, str, dt.date)}
    return Case(
        id=f"{NAME}-{inquiry.id}",
        question=inquiry.question,
        language=Language.EN,
        intent=inquiry.kind,
        difficulty=_DIFFICULTIES.get(inquiry.kind, Difficulty.MEDIUM),
        expected=Expected.ANSWER if truth.rows else Expected.EMPTY,
        expected_answer_numeric=tuple(figures),
        expected_answer_names=tuple(name for name in truth.columns if name in named),
        decimals=_FINE_ENOUGH if any(_columns(truth, float)) else None,
        truth=Oracle(sql=sql),
    )


def _columns(truth: Truth, *kinds: type) -> Iterator[str]:
    """The columns with values of these kinds; one that is empty throughout says nothing."""
    for name in truth.columns:
        if any(isinstance(value, kinds) for value in truth.values(name)):
            yield name


def _keys(sql: str, truth: Truth) -> set[str]:
    """The columns of identifiers: a number there is a name and no figure."""
    selected = _parsed(sql, "duckdb").selects
    return {
        name
        for name, column in zip(truth.columns, selected, strict=True)
        if column.unalias().name.casefold().endswith(_KEY) and any(truth.values(name))
    }
