"""Results of an ontology with labels, nouns and judgements, as a host types them."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from tests.ontology.judged import ONTOLOGY
from veridical.contracts.answer import Source
from veridical.contracts.language import Language
from veridical.contracts.result import Receipt
from veridical.evidence.read import typed_tables
from veridical.evidence.table import EvidenceTable
from veridical.facts.answer import Stated, state_answer
from veridical.gate.evidence.source import exhibit_of, meaning_of
from veridical.ontology.compile import compile_catalog
from veridical.ontology.model import OntologyDescriptor

TODAY = date(2026, 11, 18)
FLIGHTS = "SELECT number, day, dly_min, load, freight FROM flight"
DELAYS = (
    ("LX1", "2025-01-01", 40.0, 50.25, 1.5),
    ("LX2", "2025-01-02", 45.0, 60.0, 2.0),
    ("LX3", "2025-01-03", 5.0, 70.0, 3.0),
    ("LX4", "2025-01-04", None, 80.0, 4.0),
)
INVOICES = "SELECT number, due_on, paid_on, amount FROM invoice"
DUE = (
    ("A", "2026-10-01", None, 100.0),
    ("B", "2026-10-02", "2026-10-01", 200.0),
    ("C", "2026-12-01", None, 300.0),
)


def table_of(
    sql: str,
    rows: Sequence[Sequence[Any]],
    ontology: OntologyDescriptor = ONTOLOGY,
    asked_on: date | None = TODAY,
) -> EvidenceTable:
    """What a statement returned, typed by the ontology."""
    columns = tuple(part.split()[-1] for part in sql[7 : sql.index(" FROM")].split(", "))
    receipt = Receipt(
        call_id="1", query_hash="", ontology_hash="", sql=sql, row_count=len(rows),
        truncated=False, elapsed_ms=1,
    )  # fmt: skip
    source = Source(
        tool="executeSqlSafe", arguments={"sql": sql}, columns=columns,
        rows=tuple(map(tuple, rows)), receipt=receipt,
    )  # fmt: skip
    meaning = meaning_of(ontology, compile_catalog(None, ontology))
    return typed_tables(exhibit_of(source, meaning), asked_on)[0]


def stated(
    fact: dict[str, Any],
    table: EvidenceTable,
    language: Language = Language.EN,
    answer: str = "{a}",
) -> Stated:
    """An answer with one fact."""
    return state_answer({"facts": {"a": fact}, "answer": answer}, [table], "?", language)


def exact(fact: dict[str, Any], table: EvidenceTable, language: Language = Language.EN) -> str:
    """The exact sentence of one fact."""
    found = stated(fact, table, language)
    assert found.accepted, found.refused
    return found.exact["a"]
