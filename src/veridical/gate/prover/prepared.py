"""Evidence that is read once for several answers, and an answer as it is read against it."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from veridical.contracts.language import Language
from veridical.evidence.moment import FoundMoment, Moment, find_moments
from veridical.evidence.read import read_tables
from veridical.evidence.table import EvidenceTable
from veridical.gate.languages.vocabulary import Cue, Vocabulary, vocabulary
from veridical.gate.prover.facts import FactReader
from veridical.gate.prover.measures import MeasureIndex, MeasureMention
from veridical.gate.prover.names import NameIndex, NameMention, tokens
from veridical.gate.prover.texts import Texts
from veridical.gate.text.figures import Figure, find_figures
from veridical.gate.text.passage import CleanText, Passage, clean_text, passages
from veridical.gate.text.taken import Taken
from veridical.reading.language import language_of


class _Mention(Protocol):
    @property
    def start(self) -> int: ...


_M = TypeVar("_M", bound=_Mention)


def _start(mention: _Mention) -> int:
    return mention.start


@dataclass(frozen=True, slots=True)
class Prepared:
    """Typed tables with their indexes."""

    tables: tuple[EvidenceTable, ...]
    facts: FactReader
    names: NameIndex
    measures: MeasureIndex
    texts: Texts
    call_moments: tuple[tuple[int, Moment], ...]
    """The times of the calls' filters, by table."""


def prepare(evidence: Any) -> Prepared:
    """Reads evidence of any shape."""
    return prepare_tables(read_tables(evidence))


def prepare_tables(tables: tuple[EvidenceTable, ...]) -> Prepared:
    """Indexes tables that are typed already."""
    facts = FactReader(tables)
    moments = tuple(
        (at, found.moment)
        for at, table in enumerate(tables)
        for value in table.held.values()
        for found in find_moments(str(value))
    )
    names, measures = NameIndex(tables), MeasureIndex(tables)
    return Prepared(tables, facts, names, measures, Texts(tables), moments)


@dataclass(frozen=True, slots=True)
class ReadText:
    """A text as it is read: passages with their mentions."""

    text: str
    words: Vocabulary
    passages: tuple[Passage, ...]
    moments: tuple[FoundMoment, ...]
    names: tuple[NameMention, ...]
    measures: tuple[MeasureMention, ...]
    cues: tuple[Cue, ...]
    figures: tuple[Figure, ...]
    clean: CleanText = field(default_factory=lambda: CleanText("", ()))

    def within(self, items: Sequence[_M], start: int, end: int) -> list[_M]:
        """The mentions between two places; all lists of mentions are in order."""
        first = bisect_left(items, start, key=_start)
        return list(items[first : bisect_left(items, end, key=_start)])

    def figure_at(self, start: int) -> Figure | None:
        """The figure that begins there."""
        at = bisect_left(self.figures, start, key=_start)
        found = self.figures[at] if at < len(self.figures) else None
        return found if found is not None and found.start == start else None


def read_text(text: str, ready: Prepared, language: Language | None = None) -> ReadText:
    """A text as it is read against evidence."""
    clean = clean_text(text)
    plain = clean.text
    words = vocabulary(language or language_of(plain, Language.EN))
    moments = find_moments(plain)
    text_tokens = tokens(plain)
    names = ready.names.find(plain, text_tokens, moments)
    lowered = plain.lower() if len(plain.lower()) == len(plain) else plain
    cues = words.cues(lowered, plain)
    taken = [(each.start, each.end) for each in moments]
    taken += [(each.start, each.end) for each in cues if each.has("proportion")]
    taken += [
        (each.start, each.end)
        for each in names
        if any(c.isnumeric() for c in plain[each.start : each.end])
    ]
    keys = Taken(len(plain), ((each.start, each.end) for each in names if each.is_key))
    measures = [
        each
        for each in ready.measures.find(plain, text_tokens)
        if not keys.meets(each.start, each.end)
    ]
    parts = passages(plain)
    return ReadText(
        text=plain,
        words=words,
        passages=parts,
        moments=tuple(moments),
        names=tuple(names),
        measures=tuple(measures),
        cues=tuple(cues),
        figures=tuple(find_figures(plain, words, taken)),
        clean=clean,
    )
