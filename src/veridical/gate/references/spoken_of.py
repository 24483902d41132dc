"""Columns that claims and sentences speak of: those of their own figures and conditions."""

from collections.abc import Iterator, Sequence

from veridical.gate.kernel import expression as ex
from veridical.gate.references.finding import Finding, Problem
from veridical.gate.references.label_index import Label
from veridical.gate.references.labelled import (
    LabelledText,
    listed_columns,
)
from veridical.gate.references.leaves import leaves
from veridical.gate.references.sentences import Sentence
from veridical.gate.references.shown import Asserted, Part

_LEAST = 4


class SpokenOf:
    """Checks the words for columns in claims, and in lines that lead up to lists."""

    def __init__(self, text: LabelledText) -> None:
        self._text = text

    def findings(self) -> Iterator[Finding]:
        """All words for columns that nothing beside them is about."""
        for at, sentence in enumerate(self._text.sentences):
            for claim in sentence.claims:
                yield from self._claim(at, claim)
            yield from self._led(at, sentence)
            yield from self._strange(at, sentence)

    def _is_turned(self, found: ex.Expression, said: list[Label]) -> bool:
        """Whether words compare with the left side of a condition: above actual."""
        match found:
            case ex.Where(_, ex.Own(left), comparator, ex.Own(right)):
                pass
            case ex.Compare(ex.Cells(_, left), comparator, ex.Cells(_, right)):
                pass
            case _:
                return False
        names = frozenset(name for label in said for name in label.columns)
        if comparator not in (ex.Comparator.MORE, ex.Comparator.LESS):
            return False
        return left != right and left in names and right not in names and len(said) == 1

    def _before_claim(self, at: int, claim: Asserted) -> list[Label]:
        """The label that a claim without one of its own follows: the cost stayed below 4,000."""
        sentence = self._text.sentences[at]
        figures = [each for each in sentence.pieces if each.part is Part.FIGURE]
        last = max((each.end for each in figures if each.end <= claim.start), default=0)
        owned = {
            label
            for start, each in self._text.owners[at].items()
            for _, label in each
            if start < label.start
        }
        before = [
            each
            for each in self._text.labels[at]
            if last <= each.start < claim.start
            and each not in owned
            and not any(other.start <= each.start < other.end for other in sentence.claims)
        ]
        if not before or not before[-1].is_own:
            return []
        between = sentence.text[before[-1].end - sentence.start : claim.start - sentence.start]
        return before[-1:] if not self._text.joint.search(between) else []

    def _claim(self, at: int, claim: Asserted) -> Iterator[Finding]:
        """A column in the words of a claim that its condition does not read."""
        if claim.expression is None:
            return
        own = frozenset(
            column
            for leaf in leaves(claim.expression, self._text.evaluator)
            for column in leaf.columns
            if self._text.is_figure(column)
        )
        said = [
            each
            for each in self._text.labels[at]
            if each.is_exact and claim.start <= each.start < claim.end
        ]
        said = said or self._before_claim(at, claim)
        turned = self._is_turned(claim.expression, said)
        strange = [each for each in said if each.is_own and not each.columns & own]
        if own and said and (turned or strange or not any(each.columns & own for each in said)):
            yield Finding(
                Problem.MEASURE, claim.start, claim.end, claim.source, listed_columns(own)
            )

    def _shown(self, found: Sequence[Sentence]) -> set[str]:
        """The columns that the figures of some sentences read."""
        return {
            name for each in found for piece in each.pieces for name in self._text.columns(piece)
        }

    def _led(self, at: int, sentence: Sentence) -> Iterator[Finding]:
        """A line that leads up to a list of other columns."""
        lines = [each for each in self._text.sentences[at + 1 :] if each.lead == at]
        if not lines or any(each.part is Part.FIGURE for each in sentence.pieces):
            return
        shown = self._shown(lines)
        said = [each for each in self._text.labels[at] if each.is_own and each.is_exact]
        fitting = any(each.columns & (shown | self._text.claimed(at)) for each in said)
        if said and shown and not fitting:
            start, end = said[0].start, said[0].end
            text = sentence.text[start - sentence.start : end - sentence.start]
            yield Finding(Problem.MEASURE, start, end, text, listed_columns(frozenset(shown)))

    def _strange(self, at: int, sentence: Sentence) -> Iterator[Finding]:
        """Words for a column that nothing in the sentence, or beside it, is a figure of."""
        if sentence.is_row or not any(piece.leaves for piece in sentence.pieces):
            return
        near = [sentence, *(each for each in self._text.sentences if each.lead == at)]
        if sentence.lead is not None:
            near.append(self._text.sentences[sentence.lead])
        shown = self._shown(near)
        for each in near:
            for claim in each.claims:
                if claim.expression is not None:
                    found = leaves(claim.expression, self._text.evaluator)
                    shown |= {name for leaf in found for name in leaf.columns}
        left_out = any(word in sentence.text.casefold() for word in self._text.words.leaving_out)
        for label in () if left_out else self._text.labels[at]:
            if self._text.is_counted(sentence, label):
                continue
            if label.is_own and label.is_exact and shown and not label.columns & shown:
                start, end = label.start - sentence.start, label.end - sentence.start
                said = sentence.text[start:end]
                if len(said) >= _LEAST or not said.isascii():
                    wanted = listed_columns(frozenset(shown))
                    yield Finding(Problem.MEASURE, label.start, label.end, said, wanted)
                    return
