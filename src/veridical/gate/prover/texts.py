"""Texts within the evidence, such as reviews and notes, and what an answer repeats of them.

The content of a text can't be evaluated. But a figure, a time or a strong word that stands in a
text of the evidence, in a sentence about the same things, was not made up by the answer.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from veridical.evidence.table import EvidenceTable
from veridical.gate.prover.claim import Claim
from veridical.gate.prover.names import root
from veridical.late_pattern import late_pattern
from veridical.ontology.terms import HAN
from veridical.reading.punctuation import marks

_SHORTEST = 60
"""The length from which a cell is a text rather than a name."""
_SENTENCE = late_pattern(rf"(?<=[{marks('.!?')}])\s+|\n+|(?<=[{marks('.!?').replace('.!?', '')}])")
_STOPS = marks(".!?")
_WORD = late_pattern(rf"[^\W\d_{HAN}]{{4,}}|[{HAN}]{{2}}")
_NUMBER = late_pattern(r"\d+(?:[.,'’]\d+)*")
_OWN_WORDS = frozenset({"figure", "rank", "proportion", "compare", "word"})


class Sentence(NamedTuple):
    """A sentence of a text: its words, its numbers, and how it reads."""

    stems: frozenset[str]
    numbers: frozenset[str]
    lowered: str


class Texts:
    """The sentences of all texts of an evidence."""

    def __init__(self, tables: Sequence[EvidenceTable]) -> None:
        self._sentences = tuple(
            Sentence(_stems(each), frozenset(_NUMBER.findall(each)), each.lower())
            for text in _texts(tables)
            for each in _SENTENCE.split(text)
            if each
        )

    def has(self, claim: Claim, text: str, around: str, small: frozenset[str]) -> bool:
        """True if a sentence has the claimed words and shares a word with the text around them."""
        wording = text[claim.start : claim.end].lower()
        numbers = frozenset(_NUMBER.findall(wording))
        near = _stems(around) - {root(word) for word in small}
        for sentence in self._sentences:
            if near.isdisjoint(sentence.stems):
                continue
            if numbers and numbers <= sentence.numbers:
                return True
            if not numbers and claim.kind in _OWN_WORDS and wording in sentence.lowered:
                return True
        return False

    def has_whole(self, sentence: str) -> bool:
        """True if a text has it word for word."""
        wanted = sentence.strip().rstrip(_STOPS).lower()
        return any(wanted == each.lowered.strip().rstrip(_STOPS) for each in self._sentences)

    def __bool__(self) -> bool:
        return bool(self._sentences)


def _texts(tables: Sequence[EvidenceTable]) -> Iterator[str]:
    for table in tables:
        yield from table.passages
        for row in table.rows:
            yield from (cell for cell in row if isinstance(cell, str) and len(cell) >= _SHORTEST)


def _stems(text: str) -> frozenset[str]:
    return frozenset(root(word) for word in _WORD.findall(text))
