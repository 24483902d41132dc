"""Measures: the words beside a figure say its own column."""

from collections.abc import Iterator

from veridical.evidence.column import Kind
from veridical.evidence.dimension import comparable
from veridical.gate.kernel import expression as ex
from veridical.gate.kernel.value import Figure
from veridical.gate.prover.names import tokens
from veridical.gate.references.finding import Finding, Problem
from veridical.gate.references.labelled import (
    PENALTY,
    LabelledText,
    listed_columns,
    prose_only,
)
from veridical.gate.references.sentences import Sentence
from veridical.gate.references.shown import Part, Piece
from veridical.late_pattern import late_pattern
from veridical.ontology.terms import HAN
from veridical.reading.language import small_words
from veridical.reading.punctuation import marks

_WORD_AFTER = late_pattern(r"[*_]*[ \u00a0]?([^\W\d_]+)")
_WORD_BEFORE = late_pattern(r"([^\W\d_]+)[ \u00a0]?[*_]*[" + marks(":") + r"]?[ ]?[*_]*$")
_HAN_SIGN = late_pattern(f"[{HAN}]")
_ADJECTIVE = late_pattern(r" [a-z]{3,}")
"""A word behind a label makes it a quality of something: overdue items."""
_BESIDE = 4
_TOUCHING = 2
_BOTH = 2


class MeasureChecker:
    """Checks what an answer calls its figures."""

    def __init__(self, text: LabelledText) -> None:
        self._text = text

    def findings(self) -> Iterator[Finding]:
        """All figures that stand beside the words of another column."""
        for at, sentence in enumerate(self._text.sentences):
            for piece in sentence.pieces:
                if piece.part in (Part.FIGURE, Part.BLANK):
                    yield from self._measure(at, piece)
                if piece.part is Part.FIGURE:
                    yield from self._shared(at, piece)

    def _measure(self, at: int, piece: Piece) -> Iterator[Finding]:
        own = self._text.columns(piece)
        if not own:
            yield from self._counted(at, piece)
            return
        sentence = self._text.sentences[at]
        if sentence.is_row and sentence.head is not None:
            said = self._headed(at, piece) or self._at_row_start(at)
        else:
            said = self._nearest(at, piece) or self._in_context(at, piece)
        if len(own) > 1 and (unspoken := self._unspoken(at, piece, own)):
            wanted = listed_columns(unspoken)
            yield Finding(Problem.MEASURE, piece.start, piece.end, piece.source, wanted)
            return
        said = self._of_table(said, piece)
        if said and not said & own and not self._is_derived(at, piece, own):
            if self._has_free_label(at, piece, own):
                return
            yield Finding(
                Problem.MEASURE, piece.start, piece.end, piece.source, listed_columns(own)
            )

    def _of_table(self, said: frozenset[str], piece: Piece) -> frozenset[str]:
        """Only columns of the figure's own results can speak against it."""
        tables = [leaf.rows.table for leaf in piece.leaves]
        return said & {each.name for table in tables for each in table.columns}

    def _has_free_label(self, at: int, piece: Piece, own: frozenset[str]) -> bool:
        """Whether the sentence has a word for the figure's own column that is no other's."""
        return bool(self._said(at, piece) & own)

    def _unspoken(self, at: int, piece: Piece, own: frozenset[str]) -> frozenset[str]:
        """The columns of a computed figure that nothing near it speaks of, though it could."""
        sentence = self._text.sentences[at]
        places = {at, *range(max(0, at - _BOTH), at)}
        places |= {each for each in (sentence.lead, sentence.head) if each is not None}
        said = {name for each in self._text.asked for name in each.columns}
        for place in places:
            said |= {name for each in self._text.labels[place] for name in each.columns}
            said |= self._text.claimed(place)
            for other in self._text.sentences[place].pieces:
                if other is not piece and other.item in (None, piece.item):
                    said |= self._text.columns(other)
        return frozenset(name for name in own - said if self._text.is_speakable(name))

    def _is_derived(self, at: int, piece: Piece, own: frozenset[str]) -> bool:
        """Whether a figure of several columns goes by a name of its own, and nothing right beside
        it says otherwise."""
        if len(own) == 1:
            return False
        owned = sorted(self._text.owners[at].get(piece.start, []), key=lambda each: each[0])
        if not owned:
            return True
        distance, label = owned[0]
        return distance > (PENALTY if label.is_own else _BESIDE)

    def _headed(self, at: int, piece: Piece) -> frozenset[str]:
        """The columns that the head of the table says over a cell."""
        head = self._text.sentences[self._text.sentences[at].head or 0]
        start, end = self._text.head_cell(at, piece)
        spans = self._text.index.find(head.text[start:end])
        return frozenset(name for span in spans for name in span.columns)

    def _at_row_start(self, at: int) -> frozenset[str]:
        """The columns that the first cell of a row says, where rows are measures."""
        sentence = self._text.sentences[at]
        cells = prose_only(sentence).split("|")
        found = self._text.index.find(cells[1]) if len(cells) > 1 else []
        return frozenset(name for label in found for name in label.columns)

    def _shared(self, at: int, piece: Piece) -> Iterator[Finding]:
        """A share of one column in another beside the words of only one of them, twice."""
        found = piece.expression
        if not isinstance(found, ex.Share) or len(piece.leaves) != _BOTH:
            return
        part, whole = (frozenset(leaf.columns) for leaf in piece.leaves)
        sentence = self._text.sentences[at]
        near = [
            label.columns
            for label in self._text.labels[at]
            if self._text.distance(sentence, label, piece, [piece]) < PENALTY
        ]
        if part == whole or len(near) != _BOTH or sentence.is_row:
            return
        for one in (part, whole):
            if not any(each & one for each in near):
                wanted = listed_columns(part | whole)
                yield Finding(Problem.MEASURE, piece.start, piece.end, piece.source, wanted)
                return

    def _nearest(self, at: int, piece: Piece) -> frozenset[str]:
        """The columns of the label that stands nearest to a figure, and to no other; where two
        touch it, only what both may say."""
        own = self._text.columns(piece)
        owned = sorted(
            (
                each
                for each in self._text.owners[at].get(piece.start, [])
                if (each[1].is_exact and (len(own) > 1 or not each[1].is_per))
                or each[1].columns & own
            ),
            key=lambda each: each[0],
        )
        if not owned:
            return frozenset()
        for distance, label in owned:
            if distance <= _TOUCHING and not label.columns & own:
                return label.columns
        if owned[0][0] >= PENALTY and self._has_noun(self._text.sentences[at], piece):
            return frozenset()
        return owned[0][1].columns

    def _in_context(self, at: int, piece: Piece) -> frozenset[str]:
        """What the sentence speaks of elsewhere, then what leads up to it, then the question.
        Words that nobody knows right beside a figure may be its label."""
        sentence = self._text.sentences[at]
        if self._has_noun(sentence, piece):
            return frozenset()
        claimed = self._text.beside_claim(at, piece)
        if claimed:
            return claimed | self._said(at, piece)
        places = [at]
        if sentence.lead is not None:
            places.append(sentence.lead)
        elif at and self._text.sentences[at - 1].paragraph == sentence.paragraph:
            places.append(at - 1)
        for place in places:
            said = frozenset(
                name for each in self._text.labels[place] if each.is_exact for name in each.columns
            )
            said |= self._text.claimed(place)
            if said:
                return said
        asked = frozenset(name for each in self._text.asked for name in each.columns)
        return asked if self._is_alike(asked, piece) else frozenset()

    def _said(self, at: int, piece: Piece) -> frozenset[str]:
        """The columns of the sentence's words that are no other figure's."""
        taken = {
            label
            for start, labels in self._text.owners[at].items()
            if start != piece.start
            for distance, label in labels
            if distance < PENALTY
        }
        free = [each for each in self._text.labels[at] if each not in taken]
        return frozenset(name for each in free for name in each.columns)

    def _is_alike(self, said: frozenset[str], piece: Piece) -> bool:
        """Whether any of these columns is measured in the unit that a figure is shown with."""
        return isinstance(piece.value, Figure) and any(
            comparable(piece.value.dimension, each.dimension)
            for table in self._text.tables
            for each in table.columns
            if each.name in said and each.dimension is not None
        )

    def _has_noun(self, sentence: Sentence, piece: Piece) -> bool:
        """Whether a word stands right beside that is no small word, label or name."""
        text = prose_only(sentence)
        behind = _WORD_AFTER.match(text, piece.end - sentence.start)
        ahead = _WORD_BEFORE.search(text[: piece.start - sentence.start])
        words = self._text.words
        small = {*small_words(words.base.language), *words.behind, *words.range, *words.beside}
        for match in (behind, ahead):
            word = match[1].casefold() if match else ""
            if (
                not word
                or word in small
                or word in self._text.words.joint
                or self._text.index.find(word)
            ):
                continue
            if _HAN_SIGN.match(word):
                word = word.strip(
                    self._text.words.particles + "".join(self._text.words.base.counters)
                )
                for cue in reversed(self._text.words.cues(word)):
                    word = word[: cue.start] + word[cue.end :]
                if word:
                    return True
                continue
            if not self._text.words.cues(word):
                return True
        return False

    def _counted(self, at: int, piece: Piece) -> Iterator[Finding]:
        """A number of rows beside the label of a column of figures."""
        sentence = self._text.sentences[at]
        behind = sentence.text[piece.end - sentence.start :]
        for label in self._text.labels[at]:
            gap = sentence.text[piece.end - sentence.start : label.start - sentence.start]
            if (
                label.start >= piece.end
                and behind
                and label.is_exact
                and not _ADJECTIVE.match(sentence.text, label.end - sentence.start)
                and not gap.strip(" *" + self._text.words.counter)
            ):
                tables = {leaf.rows.table.name for leaf in piece.leaves}
                if not self._is_plain_noun(label.columns, tables):
                    yield Finding(Problem.MEASURE, piece.start, piece.end, piece.source, "")

    def _is_plain_noun(self, names: frozenset[str], tables: set[str]) -> bool:
        """Whether the word also names what rows are of: tickets of a table of tickets."""
        title = " ".join(
            [table.title for table in self._text.tables if table.name in tables]
            + [
                c.name
                for table in self._text.tables
                for c in table.columns
                if c.kind is not Kind.FIGURE
            ]
        )
        own = {token.stem for token in tokens(title.replace("_", " "))}
        said = {token.stem for name in names for token in tokens(name.replace("_", " "))}
        return bool(own & said)
