"""The residue: what claims something in the prose of an answer, outside references and claims."""

import re
import unicodedata
from collections.abc import Iterator, Sequence

from veridical.contracts.language import Language
from veridical.evidence.moment import find_moments
from veridical.evidence.table import Table
from veridical.gate.kernel import expression as ex
from veridical.gate.kernel.value import Figure
from veridical.gate.languages.vocabulary import Cue
from veridical.gate.references.finding import Finding, Problem
from veridical.gate.references.label_cues import LabelCues
from veridical.gate.references.sentences import Sentence
from veridical.gate.references.shown import Listed, Part, Piece, Shown
from veridical.gate.references.typed import TypedName
from veridical.gate.references.words import Words, claims_something
from veridical.late_pattern import late_pattern
from veridical.ontology.terms import HAN, split_name
from veridical.reading.punctuation import marks

_TOKEN = late_pattern(r"[\w.,'’%/-]*\w")
_LIST_NUMBER = late_pattern(r"(?m)^\s*\d+[.)] ")
_LATER_LIST_NUMBER = late_pattern(r"(?<=\n)\s*\d+[.)] ")
_BESIDE = late_pattern(rf"[\s*_{re.escape(marks('('))}]*")
_START = late_pattern(r"[\s*_#>-]*")


class Residue:
    """Looks through the prose of an answer."""

    def __init__(
        self, tables: Sequence[Table], shown: Shown, found: Sequence[Sentence],
        typed: Sequence[TypedName], question: str, words: Words, labels: LabelCues,
    ) -> None:  # fmt: skip
        self._labels = labels
        self._shown = shown
        self._text = shown.text
        self._sentences = found
        self._typed = typed
        self._question = question.casefold()
        self._words = words
        self._totals = {table.name: table.totals for table in tables}
        self._known = {
            word
            for table in tables
            for column in table.columns
            for word in re.findall(r"\w+", split_name(column.name).casefold().replace("_", " "))
            if not word.isdecimal()
        }

    def findings(self) -> Iterator[Finding]:
        """All that is typed or claimed and should not be."""
        for piece in self._shown.pieces:
            if piece.part is Part.QUOTE:
                yield from self._quote(piece)
            elif piece.part is Part.PROSE and piece.claim is None:
                yield from self._digits(piece)
                yield from self._number_words(piece)
                yield from self._moments(piece)
        for name in self._typed:
            known = self._is_quoted(name.start) or name.text in self._question
            if not known and not self._is_meant(name):
                said = self._text[name.start : name.end]
                yield Finding(Problem.TYPED, name.start, name.end, said)
        for sentence in self._sentences:
            yield from self._claimed(sentence)

    def _is_meant(self, name: TypedName) -> bool:
        """Whether a figure or claim of the sentence is about just the rows of a typed value, or
        the value is that of a total."""
        if all(rows <= self._totals.get(table, frozenset()) for table, rows in name.rows):
            return True
        for sentence in self._sentences:
            if sentence.start <= name.start < sentence.end:
                about = {leaf.row_set for piece in sentence.pieces for leaf in piece.leaves}
                return any(rows in about for rows in name.rows)
        return False

    def _is_quoted(self, start: int) -> bool:
        return any(
            piece.start <= start < piece.end
            for piece in self._shown.pieces
            if piece.part is Part.QUOTE or piece.claim is not None
        )

    def _quote(self, piece: Piece) -> Iterator[Finding]:
        if _folded(piece.text) not in _folded(self._question):
            yield Finding(Problem.QUOTE, piece.start, piece.end, piece.text)

    def _digits(self, piece: Piece) -> Iterator[Finding]:
        at_start = piece.start == 0 or self._text[piece.start - 1] == "\n"
        listed = _LIST_NUMBER if at_start else _LATER_LIST_NUMBER
        text = listed.sub(lambda match: " " * len(match[0]), piece.text)
        for match in _TOKEN.finditer(text):
            token = match[0].casefold()
            if not any(unicodedata.numeric(sign, None) is not None for sign in _unhan(token)):
                continue
            if self._is_known(token):
                continue
            start, end = piece.start + match.start(), piece.start + match.end()
            yield Finding(Problem.TYPED, start, end, match[0])

    def _is_known(self, token: str) -> bool:
        """A code of a column's name or of the question: CO2, 30-day."""
        has_letters = any(sign.isalpha() for sign in token)
        parts = re.findall(r"\w+", token)
        if has_letters and all(part in self._known or part.isalpha() for part in parts):
            return True
        return bool(re.search(rf"(?<!\w){re.escape(token)}(?!\w)", self._question))

    def _number_words(self, piece: Piece) -> Iterator[Finding]:
        base = self._words.base
        lowered = piece.text.lower()
        if base.language is Language.ZH:
            counters = "".join(base.counters)
            for match in re.finditer(rf"[{self._words.numerals}]+(?=[{counters}])", lowered):
                start, end = piece.start + match.start(), piece.start + match.end()
                if self._text[start - 1 : start] not in self._words.number_part and self._is_new(
                    match[0]
                ):
                    yield Finding(Problem.TYPED, start, end, match[0])
            return
        for match in base.number.finditer(lowered):
            if match[0] not in base.articles and self._is_new(match[0]):
                start, end = piece.start + match.start(), piece.start + match.end()
                yield Finding(Problem.TYPED, start, end, match[0])

    def _is_new(self, word: str) -> bool:
        return word not in self._words.free

    def _moments(self, piece: Piece) -> Iterator[Finding]:
        for found in find_moments(piece.text):
            said = piece.text[found.start : found.end]
            if any(sign.isdecimal() for sign in said) or said.casefold() in self._question:
                continue  # digits are told of already
            start, end = piece.start + found.start, piece.start + found.end
            yield Finding(Problem.TYPED, start, end, said)

    def _claimed(self, sentence: Sentence) -> Iterator[Finding]:
        licensed = self._licensed(sentence)
        used = frozenset(
            name for each in sentence.pieces for leaf in each.leaves for name in leaf.columns
        )
        for piece in sentence.pieces:
            if piece.part is not Part.PROSE or piece.claim is not None:
                continue
            start = max(piece.start, sentence.start)
            text = self._text[start : min(piece.end, sentence.end)]
            cues = self._words.cues(text)
            hedged = any(cue.has("cause.hedges") for cue in cues)
            for cue in cues:
                kinds = {kind for kind in cue.kinds if claims_something(kind)}
                if not kinds or kinds & licensed or "cause.hedges" in kinds:
                    continue
                if self._labels.is_name(cue, text, used):
                    continue
                if kinds == {"cause"}:
                    if not hedged:
                        yield _at(Problem.CAUSE, start, cue)
                elif self._counts_here(cue, start):
                    yield _at(Problem.CLAIMED, start, cue)

    def _counts_here(self, cue: Cue, offset: int) -> bool:
        """Words of several meanings count beside a figure only; yes and no at the beginning."""
        kinds = {kind for kind in cue.kinds if claims_something(kind)}
        place = offset + cue.start
        if kinds <= {"affirm.yes", "affirm.no"}:
            return self._is_start(place)
        if cue.text not in self._words.free:
            return True
        if cue.text not in self._words.beside:
            return False
        behind = _BESIDE.match(self._text, offset + cue.end)
        after = behind.end() if behind else offset + cue.end
        return any(
            piece.start == after and piece.part is Part.FIGURE for piece in self._shown.pieces
        )

    def _is_start(self, place: int) -> bool:
        return any(
            (match := _START.match(self._text, sentence.start)) is not None and match.end() == place
            for sentence in self._sentences
        )

    def _following(self, at: int) -> list[Listed]:
        """The lists in lines that a sentence leads up to."""
        lines = [each for each in self._sentences[at + 1 : at + 3] if each.lead == at]
        return [listed for line in lines for listed in line.lists]

    def _licensed(self, sentence: Sentence) -> set[str]:
        """What the figures and lists of a sentence say themselves."""
        found: set[str] = set()
        pieces = list(sentence.pieces)
        if sentence.lead is not None:
            pieces += self._sentences[sentence.lead].pieces
        for piece in pieces:
            found |= _licensed(piece)
        at = self._sentences.index(sentence)
        lists = [*sentence.lists, *self._following(at)]
        if any(_is_whole(each.rows.table, each.rows.rows) for each in lists):
            found.add("quantity.all")
        for claim in sentence.claims:
            if isinstance(claim.expression, ex.Quantified):
                found.add("quantity." + claim.expression.quantifier.value)
        return found


def _is_whole(table: Table, rows: tuple[int, ...]) -> bool:
    return frozenset(rows) == frozenset(table.members)


def _licensed(piece: Piece) -> set[str]:
    """The words that a figure licenses in its own sentence."""
    found: set[str] = set()
    if any(leaf.is_whole and leaf.operation != "cell" for leaf in piece.leaves):
        found.add("quantity.all")
    match piece.expression:
        case ex.Reduced(ex.Function.MAX, _):
            found.add("rank.high")
        case ex.Reduced(ex.Function.MIN, _):
            found.add("rank.low")
        case ex.Change() | ex.Arithmetic(ex.Operator.MINUS, _, _) if isinstance(
            piece.value, Figure
        ):
            up, down = {"direction.up", "delta.up"}, {"direction.down", "delta.down"}
            found |= up if piece.value.value > 0 else down if piece.value.value < 0 else set()
        case _:
            pass
    return found


def _at(problem: Problem, offset: int, cue: Cue) -> Finding:
    return Finding(problem, offset + cue.start, offset + cue.end, cue.text)


def _folded(text: str) -> str:
    return re.sub(r"\s+", " ", text.casefold()).strip(" " + marks(".?!"))


def _unhan(token: str) -> str:
    """Without the characters that are numbers in Chinese: those are words."""
    return re.sub(f"[{HAN}]", "", token)
