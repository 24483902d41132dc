"""Texts within the evidence, such as reviews and notes: what an answer repeats of them.

Nobody can evaluate what a text says. But a figure, a time or a strong word that stands in a text
of the evidence, in a sentence about the same things, was not made up by the answer.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from veridical.evidence.table import Table
from veridical.gate.prover.basis import Basis
from veridical.gate.prover.claim import Claim, Stand
from veridical.gate.prover.how import How
from veridical.gate.prover.names import root
from veridical.late_pattern import late_pattern
from veridical.ontology.terms import HAN
from veridical.reading.language import small_words
from veridical.reading.punctuation import marks

if TYPE_CHECKING:
    from veridical.gate.prover.prover import Prover

_SHORTEST = 60
"""A cell from so many signs on is a text rather than a name."""
_SENTENCE = late_pattern(rf"(?<=[{marks('.!?')}])\s+|\n+|(?<=[{marks('.!?').replace('.!?', '')}])")
_STOPS = marks(".!?")
_WORD = late_pattern(rf"[^\W\d_{HAN}]{{4,}}|[{HAN}]{{2}}")
_NUMBER = late_pattern(r"\d+(?:[.,'’]\d+)*")
_QUOTED = frozenset({"figure", "time", "rank", "proportion", "cause", "compare", "word"})
_OWN_WORDS = frozenset({"figure", "rank", "proportion", "compare", "word"})


class Sentence(NamedTuple):
    """A sentence of a text: its words, its numbers, and how it reads."""

    stems: frozenset[str]
    numbers: frozenset[str]
    lowered: str


class Texts:
    """The sentences of all texts of an evidence."""

    def __init__(self, tables: Sequence[Table]) -> None:
        self._sentences = tuple(
            Sentence(_stems(each), frozenset(_NUMBER.findall(each)), each.lower())
            for text in _texts(tables)
            for each in _SENTENCE.split(text)
            if each
        )

    def has(self, claim: Claim, text: str, around: str, small: frozenset[str]) -> bool:
        """Whether a sentence has what is claimed, and speaks of something that is beside it."""
        said = text[claim.start : claim.end].lower()
        numbers = frozenset(_NUMBER.findall(said))
        near = _stems(around) - {root(word) for word in small}
        for sentence in self._sentences:
            if near.isdisjoint(sentence.stems):
                continue
            if numbers and numbers <= sentence.numbers:
                return True
            if not numbers and claim.kind in _OWN_WORDS and said in sentence.lowered:
                return True
        return claim.kind == "cause" and self._has_most(_stems(text[claim.end :]) & near)

    def has_whole(self, sentence: str) -> bool:
        """Whether it stands in a text word for word."""
        wanted = sentence.strip().rstrip(_STOPS).lower()
        return any(wanted == each.lowered.strip().rstrip(_STOPS) for each in self._sentences)

    def _has_most(self, stems: frozenset[str]) -> bool:
        """Whether most of these words stand in one sentence."""
        return bool(stems) and any(
            2 * len(stems & each.stems) >= len(stems) for each in self._sentences
        )

    def __bool__(self) -> bool:
        return bool(self._sentences)


def quoted(prover: "Prover", claims: Iterable[Claim]) -> Iterator[Claim]:
    """The claims; those that a text of the evidence makes itself are proven by it."""
    texts = prover.ready.texts
    small = small_words(prover.answer.words.language)
    for claim in claims:
        if not texts or claim.stand is not Stand.UNPROVEN or claim.kind not in _QUOTED:
            yield claim
            continue
        passages = prover.answer.passages
        here = (each for each in passages if each.start <= claim.start < each.end)
        around = "".join(prover.answer.text[each.start : each.end] for each in here)
        if texts.has(claim, prover.answer.text, around, small):
            yield replace(claim, stand=Stand.PROVEN, reason=How.TEXT, basis=Basis(How.TEXT))
        else:
            yield claim


def _texts(tables: Sequence[Table]) -> Iterator[str]:
    for table in tables:
        yield from table.passages
        for row in table.rows:
            yield from (cell for cell in row if isinstance(cell, str) and len(cell) >= _SHORTEST)


def _stems(text: str) -> frozenset[str]:
    return frozenset(root(word) for word in _WORD.findall(text))
