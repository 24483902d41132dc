"""The results behind an answer as the tables that facts are stated over."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from veridical.answering.grounds import exhibits_of
from veridical.contracts.answer import Source
from veridical.contracts.question import Question
from veridical.evidence.column import CellKind, Column
from veridical.evidence.exhibit import Exhibit
from veridical.evidence.read import typed_tables
from veridical.evidence.table import EvidenceTable
from veridical.gate.evidence.source import Meaning

Named = tuple[str, Source, Sequence[Exhibit]]
"""A source under the name that facts use, with its results."""


def fact_tables(named: Iterable[Named]) -> tuple[EvidenceTable, ...]:
    """One table for each source, under its name. One that holds nothing has none."""
    return tuple(_tables(named))


def _tables(named: Iterable[Named]) -> Iterator[EvidenceTable]:
    for name, source, exhibits in named:
        if source.chunks:
            yield _passages(name, source)
            continue
        for exhibit in exhibits[:1]:
            yield from (replace(each, name=name) for each in typed_tables(exhibit)[:1])


def _passages(name: str, source: Source) -> EvidenceTable:
    """The passages found in documents, to be quoted."""
    columns = (Column("document", CellKind.NAME), Column("text", CellKind.NAME))
    rows = tuple((each.title or each.id, each.text) for each in source.chunks)
    return EvidenceTable(name, columns, rows, source.tool)


def of_run(
    sources: Sequence[Source], exhibits: Sequence[Exhibit], question: Question, meaning: Meaning
) -> Iterator[Named]:
    """The sources of a run as ``r1``, ``r2`` …; the exhibits are those of all of them."""
    in_step = len(exhibits) == len(sources)
    for at, source in enumerate(sources):
        found = exhibits[at : at + 1]
        if not in_step:  # some have several or none
            before = len(exhibits_of(sources[:at], question, meaning))
            found = exhibits_of(sources[: at + 1], question, meaning)[before:]
        yield f"r{at + 1}", source, found


def alone(named: Iterable[tuple[str, Source, Meaning]], question: str) -> Iterator[Named]:
    """Each source for itself: a calculation on figures without a source proves nothing."""
    for name, source, meaning in named:
        yield name, source, exhibits_of((source,), Question(text=question), meaning)


def numbered(sources: Iterable[Source], meaning: Meaning) -> Iterator[tuple[str, Source, Meaning]]:
    """Sources of one meaning as ``r1``, ``r2`` … in their order."""
    for at, source in enumerate(sources, start=1):
        yield f"r{at}", source, meaning
