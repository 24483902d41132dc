"""The labels of an answer: which words of a sentence speak of which column, and of which figure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from veridical.evidence.column import Kind
from veridical.gate.kernel import expression as ex
from veridical.gate.languages.vocabulary import Cue
from veridical.gate.references.host import Host
from veridical.gate.references.label_index import Label
from veridical.gate.references.leaves import leaves
from veridical.gate.references.sentences import Sentence
from veridical.gate.references.shown import Part, Piece
from veridical.gate.references.words import Words
from veridical.reading.punctuation import LIST_MARKS, marks

_JOINTS = (*marks(",;:()"), *LIST_MARKS, "–", "—", "|")
PENALTY = 24
FAR = 10**9
_GAP = 2


class LabelledText:
    """The sentences of an answer with the labels in them."""

    def __init__(self, host: Host, found: Sequence[Sentence], question: str, words: Words) -> None:
        self.evaluator = host.evaluator
        self.sentences = found
        self.words = words
        self.tables = tuple(host.tables.values())
        self.index = host.index
        self.labels = [self._of_sentence(each) for each in found]
        exact = [each.is_own for labels in self.labels for each in labels if each.is_exact]
        self._speaks_own = bool(exact) and 2 * sum(exact) >= len(exact)
        self.labels = [list(map(self._weighed, each)) for each in self.labels]
        self.asked = self.index.find(question)
        self.joint = re.compile(
            "|".join([*map(re.escape, _JOINTS), *(rf"\b{re.escape(w)}\b" for w in words.joint)])
        )
        every = [each for labels in (*self.labels, self.asked) for each in labels]
        self._speakable = {name for each in every for name in each.columns}
        if self._speaks_own:
            self._speakable |= {each.name for table in self.tables for each in table.columns}
        self.owners = [self._owned(at) for at in range(len(found))]
        self.question = question.casefold()
        self.cues = [words.cues(prose_only(each)) for each in found]

    def _weighed(self, label: Label) -> Label:
        """Where an answer calls columns by their own names, other words for them prove little."""
        return replace(label, is_exact=label.is_exact and (label.is_own or not self._speaks_own))

    def _of_sentence(self, sentence: Sentence) -> list[Label]:
        text = prose_only(sentence)
        cues = [cue for cue in self.words.cues(text) if any(map(_says_how, cue.kinds))]
        per = [cue.end for cue in self.words.cues(text) if cue.has("aggregate.per")]
        return [
            replace(
                each, start=each.start + sentence.start, end=each.end + sentence.start,
                is_per=any(0 <= each.start - end <= _GAP for end in per),
            )
            for each in self.index.find(text)
            if not self._is_no_label(each, text, cues)
        ]  # fmt: skip

    def _is_no_label(self, label: Label, text: str, cues: Sequence[Cue]) -> bool:
        """Whether a word that also names a column says something else here: a share of, in second
        place."""
        over = [cue for cue in cues if cue.start < label.end and label.start < cue.end]
        same = any(cue.start == label.start and cue.end == label.end for cue in over)
        if same or (over and not label.is_own):
            return True
        before = text[: label.start].rstrip().casefold()
        return any(match.end() == len(before) for match in self.words.base.ordinal.finditer(before))

    def _owned(self, at: int) -> dict[int, list[tuple[int, Label]]]:
        """The labels that each figure of a sentence is the nearest to, with their distance."""
        sentence = self.sentences[at]
        figures = [each for each in sentence.pieces if each.part is Part.FIGURE]
        found: dict[int, list[tuple[int, Label]]] = {}
        for label in self.labels[at]:
            if any(claim.start <= label.start < claim.end for claim in sentence.claims):
                continue
            distances = [
                (self.distance(sentence, label, piece, figures), piece.start) for piece in figures
            ]
            nearest = min(distances, default=(FAR, 0))
            tied = [each for each in distances if each[0] == nearest[0]]
            if nearest[0] < FAR and len(tied) == 1:
                found.setdefault(nearest[1], []).append((nearest[0], label))
        return found

    def beside_claim(self, at: int, piece: Piece) -> frozenset[str]:
        """The columns of the nearest claim that ranks or compares, where no figure stands between:
        the most pages, 41."""
        sentence = self.sentences[at]
        figures = [each for each in sentence.pieces if each.part is Part.FIGURE]
        near = [
            (self.distance(sentence, label, piece, figures), label.start, label.columns)
            for label in self._of_claims(sentence)
        ]
        near = [each for each in near if each[1] < piece.start or each[0] < PENALTY]
        found = min(near, default=(FAR, 0, frozenset[str]()))
        return found[2] if found[0] < FAR else frozenset()

    def _of_claims(self, sentence: Sentence) -> Iterator[Label]:
        for claim in sentence.claims:
            found = claim.expression
            if not isinstance(found, ex.Same | ex.Ranked | ex.Compare):
                continue
            names = frozenset(
                name for leaf in leaves(found, self.evaluator) for name in leaf.columns
            )
            figures = frozenset(filter(self.is_figure, names))
            if figures:
                yield Label(claim.start, claim.end, figures)

    def is_speakable(self, name: str) -> bool:
        """Whether an answer in this language could call a column by a word that is known."""
        return name in self._speakable

    def distance(
        self, sentence: Sentence, label: Label, piece: Piece, figures: Sequence[Piece]
    ) -> int:
        """How far a label stands from a figure; commas and conjunctions part them further."""
        first, last = (label.end, piece.start), (piece.end, label.start)
        start, end = first if label.start < piece.start else last
        between = sentence.text[start - sentence.start : end - sentence.start].replace("*", "")
        crossed = any(start <= each.start and each.end <= end for each in figures)
        if crossed:
            return FAR
        return len(between) + PENALTY * len(self.joint.findall(between))

    def is_figure(self, name: str) -> bool:
        """Whether a column holds figures, which alone have labels."""
        return any(
            each.name == name and each.kind is Kind.FIGURE
            for table in self.tables
            for each in table.columns
        )

    def is_counted(self, sentence: Sentence, label: Label) -> bool:
        """Whether a word follows a number of rows, and so says what they are: three rounds."""
        return any(
            isinstance(each.expression, ex.Count) and 0 <= label.start - each.end <= _GAP
            for each in sentence.pieces
        )

    def columns(self, piece: Piece) -> frozenset[str]:
        """The columns that a figure reads."""
        return frozenset(column for leaf in piece.leaves for column in leaf.columns)

    def head_cell(self, at: int, piece: Piece) -> tuple[int, int]:
        """Where the head of a table stands over a cell, within the head's own text."""
        sentence = self.sentences[at]
        if sentence.head is None:
            return 0, 0
        head = self.sentences[sentence.head].text
        cell = sentence.text[: piece.start - sentence.start].count("|")
        bars = [match.end() for match in re.finditer(r"\|", head)]
        return (bars[cell - 1], bars[cell] - 1) if 0 < cell < len(bars) else (0, 0)

    def claimed(self, at: int) -> frozenset[str]:
        """The columns that the claims of a sentence read."""
        return frozenset(
            column
            for claim in self.sentences[at].claims
            if claim.expression is not None
            for leaf in leaves(claim.expression, self.evaluator)
            for column in leaf.columns
            if self.is_figure(column)
        )


def _says_how(kind: str) -> bool:
    """Whether a word says how a figure came about, or joins two statements."""
    return kind.startswith("aggregate.") or kind in ("joint", "respectively")


def prose_only(sentence: Sentence) -> str:
    """The text of a sentence with everything that is referred to blanked out."""
    signs = list(sentence.text)
    for piece in sentence.pieces:
        if piece.part is not Part.PROSE:
            start = max(piece.start, sentence.start) - sentence.start
            end = min(piece.end, sentence.end) - sentence.start
            signs[start:end] = "\x00" * (end - start)
    return "".join(signs)


def listed_columns(names: frozenset[str]) -> str:
    """Columns as a message names them."""
    return ", ".join(sorted(names))
