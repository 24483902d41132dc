"""A small company in DuckDB, asked through the whole flow with a model that follows a script."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import pytest

from veridical.answering.feature import Feature, open_feature
from veridical.answering.flow import answer
from veridical.answering.session import Session
from veridical.contracts.answer import Answer
from veridical.contracts.caller import Caller
from veridical.contracts.question import Question, Turn
from veridical.contracts.schema import Schema
from veridical.engines.duckdb import open_duckdb
from veridical.ontology.model import OntologyDescriptor
from veridical.ontology.pack import Pack
from veridical.skills.load import load_skill
from veridical.skills.skill import Skill
from veridical.testing.script import Line, Script
from veridical.trace.recorder import Recorder

_STATEMENTS = """
CREATE TABLE staff (id INTEGER, name VARCHAR, team VARCHAR, salary DOUBLE);
INSERT INTO staff VALUES
  (1, 'Erika Mustermann', 'Sales', 81250.5), (2, 'Jonas Weber', 'Sales', 74100),
  (3, 'Mia Brunner', 'Support', 69900), (4, 'Luca Frei', 'Support', 66000);
CREATE TABLE orders (id INTEGER, amount DOUBLE, currency VARCHAR, rate DOUBLE);
INSERT INTO orders VALUES
  (1, 1000.5, 'USD', 0.9), (2, 2000.25, 'EUR', NULL), (3, 500, 'CHF', 1.05);
CREATE TABLE invoices (month VARCHAR, amount DOUBLE);
INSERT INTO invoices VALUES ('2025-11', 33360.75), ('2025-12', 41870.5);
"""
NAMES = ("Erika Mustermann", "Jonas Weber", "Mia Brunner")


@pytest.fixture(scope="module")
def staff(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Feature]:
    path = tmp_path_factory.mktemp("staff") / "staff.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(_STATEMENTS)
    pack = Pack(
        "staff",
        OntologyDescriptor(feature_code="staff"),
        Schema({}),
        shared_tables=frozenset({"staff", "orders", "invoices"}),
    )
    feature = open_feature(pack, open_duckdb(path), without_ontology=True)
    yield feature
    feature.engine.database.close()


def sql(statement: str) -> tuple[str, dict[str, Any]]:
    """The call that runs a statement."""
    return "executeSqlSafe", {"sql": statement}


def asked(
    feature: Feature, question: str, *lines: Line, thread: tuple[Turn, ...] = (), **parts: Any
) -> tuple[Answer, Recorder]:
    """What the flow makes of a model that says these lines."""
    recorder = Recorder("run")
    session = Session(feature, Caller(), Script(lines).model, emit=recorder.emit)
    given = answer(Question(text=question, thread=thread), replace(session, **parts))
    return asyncio.run(given), recorder


def skill(folder: Path, header: str, name: str = "staff-list") -> Skill:
    """A skill that questions about staff follow, with more lines in its front matter."""
    path = folder / name / "SKILL.md"
    path.parent.mkdir(exist_ok=True)
    path.write_text(
        f"---\nname: {name}\ndescription: Lists staff.\nintent:\n  keywords: [staff]\n"
        f"{header}\n---\nList the staff.\n"
    )
    return load_skill(path)
