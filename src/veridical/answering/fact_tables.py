"""The results behind an answer as the tables that facts are stated over."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from veridical.answering.grounds import exhibits_of
from veridical.contracts.answer import Source
from veridical.contracts.question import Question
from veridical.evidence.read import read_tables
from veridical.evidence.table import EvidenceTable
from veridical.gate.evidence.source import Meaning
from veridical.gate.typed_evidence import typed_tables


def fact_tables(
    named: Iterable[tuple[str, Source, Meaning]], question: str
) -> tuple[EvidenceTable, ...]:
    """One table for each source, under its name. One that holds nothing has none."""
    found = ((name, _tables(source, question, meaning)) for name, source, meaning in named)
    return tuple(replace(tables[0], name=name) for name, tables in found if tables)


def numbered(sources: Iterable[Source], meaning: Meaning) -> Iterator[tuple[str, Source, Meaning]]:
    """Sources of one meaning as ``r1``, ``r2`` … in their order."""
    for at, source in enumerate(sources, start=1):
        yield f"r{at}", source, meaning


def _tables(source: Source, question: str, meaning: Meaning) -> tuple[EvidenceTable, ...]:
    """Each source for itself: a calculation on figures without a source proves nothing."""
    if source.chunks:  # the first text of a row says where it is quoted from
        chunks = [{"source": each.title or each.id, "text": each.text} for each in source.chunks]
        return read_tables(chunks)
    return typed_tables(exhibits_of((source,), Question(text=question), meaning))
