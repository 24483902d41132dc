"""Words of the vocabulary that only name something: a column, a value, a quality."""

from collections.abc import Sequence
from itertools import pairwise

from veridical.evidence.column import Kind
from veridical.evidence.concepts import value_words
from veridical.evidence.table import Table
from veridical.gate.languages.vocabulary import Cue
from veridical.gate.prover.names import root, tokens
from veridical.gate.references.label_index import LabelIndex
from veridical.late_pattern import late_pattern
from veridical.ontology.terms import HAN, split_name

_SMALL = 4
_HAN = late_pattern(f"[{HAN}]")
_LATIN = late_pattern(rf"[^\W\d_{HAN}]+")
_WORD = late_pattern(rf"\s+([^\W\d_{HAN}]+)")


class LabelCues:
    """The names of the evidence, as words of an answer may be part of them."""

    def __init__(self, tables: Sequence[Table], index: LabelIndex, question: str) -> None:
        columns = [column for table in tables for column in table.columns]
        self._index = index
        self._roots = {each.name: _roots(each.name) for each in columns}
        self._pairs = {
            pair
            for name in self._roots
            for pair in zip(_ordered(name), _ordered(name)[1:], strict=False)
        }
        self._whole = {
            _ordered(each.name)[0]
            for each in columns
            if len(_ordered(each.name)) == 1 and each.kind is Kind.FIGURE
        }
        asked = {token.stem for token in tokens(question)}
        self._whole |= {word for words in self._roots.values() for word in words if word in asked}
        self._han = "\n".join(name for name in self._roots if _HAN.search(name))

    def is_name(
        self, cue: Cue, text: str, used: frozenset[str] = frozenset(), values: Sequence[str] = ()
    ) -> bool:
        """Whether a word is part of a column's name, or of a value that is asked for."""
        if self._is_value(cue, text, values):
            return True
        if _HAN.search(cue.text):
            return self._is_in_han(cue, text)
        said = [token.stem for token in tokens(cue.text)]
        known = {word for name in used for word in self._roots.get(name, ())} | self._whole
        if any(word in known for word in said) and all(
            word in known or len(word) < _SMALL for word in said
        ):
            return True
        return self._is_in_pair(cue, text)

    def _is_value(self, cue: Cue, text: str, values: Sequence[str]) -> bool:
        lowered = text.casefold()
        for value in values:
            for form in (value.casefold(), *value_words(value)):
                start = lowered.find(form) if form else -1
                if 0 <= start <= cue.start and cue.end <= start + len(form):
                    return True
        return False

    def _is_in_han(self, cue: Cue, text: str) -> bool:
        """Whether the word with a sign more on either side stands in a column's name."""
        wider = [text[cue.start - 1 : cue.end], text[cue.start : cue.end + 1]]
        return any(len(each) > len(cue.text) and each in self._han for each in wider)

    def _is_in_pair(self, cue: Cue, text: str) -> bool:
        """Whether the word and its neighbour follow each other in a column's name."""
        if not self._pairs:
            return False
        said = tokens(text)
        return any(
            (first.stem, second.stem) in self._pairs
            for first, second in pairwise(said)
            if first.start == cue.start or (second.start <= cue.start and cue.end <= second.end)
        )

    def is_quality(self, behind: str) -> bool:
        """Whether a word that nobody knows as a label follows: most reliable."""
        word = _WORD.match(behind)
        if word is None:
            return False
        return not self._index.find(word[1])


def _ordered(name: str) -> list[str]:
    return [root(word) for word in _LATIN.findall(split_name(name))]


def _roots(name: str) -> frozenset[str]:
    return frozenset(_ordered(name))
