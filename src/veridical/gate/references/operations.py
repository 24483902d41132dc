"""Operations: an average is called an average, a total a total, and a cut list is called so."""

import re
from collections.abc import Iterator, Sequence

from veridical.evidence.column import Kind
from veridical.evidence.column_words import name_words
from veridical.evidence.dimension import Quantity
from veridical.gate.kernel import expression as ex
from veridical.gate.kernel.value import Figure
from veridical.gate.languages.vocabulary import Cue
from veridical.gate.prover.names import tokens
from veridical.gate.references.finding import Finding, Problem
from veridical.gate.references.label_index import Label
from veridical.gate.references.labelled import (
    FAR,
    PENALTY,
    LabelledText,
    prose_only,
)
from veridical.gate.references.leaves import Leaf, leaves
from veridical.gate.references.sentences import Sentence
from veridical.gate.references.shown import Part, Piece

_TIMES = (Kind.PERIOD, Kind.DAY, Kind.MOMENT)
_NO_TOTALS = ("mean", "median", "min", "max", "difference")
_SAID_BY = {
    "mean": {"aggregate.mean", "aggregate.per", "aggregate.weighted"},
    "median": {"aggregate.median"},
    "min": {"rank.low", "rank.either", "compare.at_least"},
    "max": {"rank.high", "rank.either", "compare.at_most"},
    "difference": {
        "aggregate.difference", "aggregate.rest", "change", "compare.more", "compare.less",
        "delta.up", "delta.down", "direction.up", "direction.down", "rank.high", "rank.low",
        "rank.either",
    },
    "change": {
        "direction.up", "direction.down", "compare.more", "compare.less", "delta.up",
        "delta.down", "aggregate.difference", "rank.high", "rank.low", "change",
    },
    "plus": {"aggregate.total", "quantity.all"},
}  # fmt: skip


class OperationChecker:
    """Checks the words for what was done with figures."""

    def __init__(self, text: LabelledText) -> None:
        self._text = text

    def findings(self) -> Iterator[Finding]:
        """All figures that stand beside the word for another operation, or for none."""
        for at, sentence in enumerate(self._text.sentences):
            for piece in sentence.pieces:
                if piece.part is Part.FIGURE and isinstance(piece.value, Figure):
                    yield from self._operation(at, piece)
            yield from self._aggregates(at, sentence)
            yield from self._truncated(at, sentence)

    def _operation(self, at: int, piece: Piece) -> Iterator[Finding]:
        wanted = _operation(piece)
        if wanted is None:
            return
        if wanted in ("difference", "change"):
            said = self._kinds_around(at, piece) & {"aggregate.difference", "aggregate.rest"}
            total = wanted == "difference" and self._is_nearest_total(at, piece)
            if total and not said and not self._is_of_totals(piece):
                yield Finding(Problem.OPERATION, piece.start, piece.end, piece.source, wanted)
            return
        if wanted == "plus" and self._is_headed_otherwise(at, piece):
            head = self._kinds_around(at, piece)
            if head & {"aggregate.difference", "change"}:
                yield Finding(Problem.OPERATION, piece.start, piece.end, piece.source, wanted)
            return
        kinds = self._kinds_around(at, piece)
        if wanted in ("min", "max"):
            said = _outside(self._text.sentences[at])
            kinds = {kind for cue in self._text.words.cues(said) for kind in cue.kinds}
            kinds |= self._extremes(at)
        fits = bool(kinds & _SAID_BY[wanted])
        if wanted == "plus":
            fits = fits and self._is_nearest_total(at, piece)
        if not fits and wanted in ("min", "max"):
            fits = self._is_range(at)
        if not fits and wanted == "mean":
            fits = any(name_words(name).has("never_adds_up") for name in self._text.columns(piece))
            fits = fits and not kinds & {"aggregate.total", "aggregate.median"}
        if not fits:
            yield Finding(Problem.OPERATION, piece.start, piece.end, piece.source, wanted)

    def _is_of_totals(self, piece: Piece) -> bool:
        """Whether both sides are totals, so that the sentence may speak of one."""
        return all(leaf.operation in ("sum", "count") for leaf in piece.leaves)

    def _extremes(self, at: int) -> set[str]:
        """What claims say that are about a highest or lowest value themselves."""
        found = [claim.expression for claim in self._text.sentences[at].claims]
        reduced = [each for each in found if isinstance(each, ex.Reduced)]
        return {"rank.high" if each.function is ex.Function.MAX else "rank.low" for each in reduced}

    def _is_nearest_total(self, at: int, piece: Piece) -> bool:
        """Whether a word for a total stands nearer to this figure than to any other."""
        sentence = self._text.sentences[at]
        figures = [each for each in sentence.pieces if each.part is Part.FIGURE]
        for cue in self._text.cues[at]:
            if cue.has("aggregate.total") or cue.has("quantity.all"):
                label = Label(cue.start + sentence.start, cue.end + sentence.start, frozenset())
                near = min(
                    figures, key=lambda each: self._text.distance(sentence, label, each, figures)
                )
                if near is piece:
                    return True
        return False

    def _nearest_to(self, sentence: Sentence, label: Label, figures: Sequence[Piece]) -> Piece:
        return min(figures, key=lambda each: self._text.distance(sentence, label, each, figures))

    def _is_otherwise(self, at: int, piece: Piece, figures: Sequence[Piece]) -> bool:
        """Whether a figure beside a word for a total is none, and nothing beside it says what."""
        wanted = _operation(piece)
        if wanted not in _NO_TOTALS:
            return False
        return not any(
            cue.kinds & _SAID_BY[wanted] and self._figure_of(at, cue, figures, FAR) is piece
            for cue in self._text.cues[at]
        )

    def _figure_of(
        self, at: int, cue: Cue, figures: Sequence[Piece], limit: int = PENALTY
    ) -> Piece | None:
        """The figure that a word for an operation stands beside."""
        sentence = self._text.sentences[at]
        label = Label(cue.start + sentence.start, cue.end + sentence.start, frozenset())
        distances = [
            (self._text.distance(sentence, label, piece, figures), number)
            for number, piece in enumerate(figures)
        ]
        nearest = min(distances, default=(FAR, 0))
        return figures[nearest[1]] if nearest[0] < limit else None

    def _is_headed_otherwise(self, at: int, piece: Piece) -> bool:
        """Whether a table's head calls a difference by a name of its own."""
        if self._text.sentences[at].head is None:
            return False
        start, end = self._text.head_cell(at, piece)
        text = self._text.sentences[self._text.sentences[at].head or 0].text[start:end]
        return bool(text.strip(" |*")) and not self._text.index.find(text)

    def _kinds_around(self, at: int, piece: Piece | None = None) -> set[str]:
        """What the words of the sentence and of what leads up to it claim."""
        sentence = self._text.sentences[at]
        places = [at]
        if sentence.lead is not None:
            places.append(sentence.lead)
        if sentence.head is not None:
            places.append(sentence.head)
        if sentence.head is not None and piece is not None:
            places.remove(sentence.head)
            start, end = self._text.head_cell(at, piece)
            head = self._text.words.cues(self._text.sentences[sentence.head].text[start:end])
        else:
            head = []
        found = {kind for place in places for cue in self._text.cues[place] for kind in cue.kinds}
        found |= {kind for cue in head for kind in cue.kinds}
        text = " ".join(self._text.sentences[place].text.casefold() for place in places)
        for ending in self._text.words.compounds:
            if re.search(rf"\w{ending}\b", text):
                found.add("aggregate.difference")
        return found

    def _is_range(self, at: int) -> bool:
        sentence = self._text.sentences[at]
        figures = [piece for piece in sentence.pieces if piece.part is Part.FIGURE]
        ends = {_operation(piece) for piece in figures}
        columns = {
            self._text.columns(piece) for piece in figures if _operation(piece) in ("min", "max")
        }
        if len(columns) > 1:
            return False
        said = prose_only(sentence).casefold()
        return {"min", "max"} <= ends and any(word in said for word in self._text.words.range)

    def _aggregates(self, at: int, sentence: Sentence) -> Iterator[Finding]:
        """Words for an average or a median without any figure or claim that is one."""
        figures = [each for each in sentence.pieces if each.part is Part.FIGURE]
        if not figures or sentence.is_row:
            return
        columns = {
            name for each in figures for name in self._text.columns(each)
        } | self._text.claimed(at)
        never = any(name_words(name).has("never_adds_up") for name in columns)
        for cue in self._text.cues[at]:
            problem = None
            nearest = self._figure_of(at, cue, figures)
            if _is_total(cue) and nearest is not None and self._is_otherwise(at, nearest, figures):
                problem = None if self._is_of_totals(nearest) else "total"
            if cue.has("aggregate.median") and not _any_operation(figures, "median"):
                problem = "median"
            claimed = [claim.expression for claim in sentence.claims]
            if any(map(_is_averaging, claimed)) and not _any_operation(figures, "sum"):
                continue
            if cue.has("aggregate.mean") and nearest is not None and _is_sum(nearest):
                problem = "mean"
            if cue.has("aggregate.mean") and not never and not _any_mean(figures):
                problem = None if _any_unknown(figures) else "mean"
            if _is_total(cue) and not _any_total(figures, sentence) and not self._is_own(cue, at):
                problem = "total"
            if problem:
                start = sentence.start + cue.start
                end = sentence.start + cue.end
                yield Finding(Problem.OPERATION, start, end, cue.text, problem)
                return

    def _truncated(self, at: int, sentence: Sentence) -> Iterator[Finding]:
        """What is said of all rows of a result that is cut, unless the text says that it is."""
        near = [
            each.text.casefold()
            for each in self._text.sentences
            if abs(each.paragraph - sentence.paragraph) <= 1
        ]
        if any(word in text for text in near for word in self._text.words.incomplete):
            return
        for piece in sentence.pieces:
            if any(_is_cut(leaf) for leaf in piece.leaves):
                yield Finding(Problem.TRUNCATED, piece.start, piece.end, piece.source)
        for claim in sentence.claims:
            found = claim.expression
            told = leaves(found, self._text.evaluator) if found is not None else ()
            if not isinstance(found, ex.Compare) and any(
                leaf.rows.table.truncated for leaf in told
            ):
                yield Finding(Problem.TRUNCATED, claim.start, claim.end, claim.source)
        _ = at

    def _is_own(self, cue: Cue, at: int) -> bool:
        """Whether the word is part of a column's name: total_cost."""
        stems = {token.stem for token in tokens(cue.text)}
        names = {c.name for table in self._text.tables for c in table.columns}
        known = {token.stem for name in names for token in tokens(name.replace("_", " "))}
        _ = at
        return bool(stems & known) or any(cue.text in name for name in names)


def _outside(sentence: Sentence) -> str:
    """The prose of a sentence that stands in no claim."""
    text = prose_only(sentence)
    for claim in sentence.claims:
        start, end = claim.start - sentence.start, claim.end - sentence.start
        text = text[:start] + "\x00" * (end - start) + text[end:]
    return text


def _operation(piece: Piece) -> str | None:
    """The operation that must be named; sums, counts, shares and ratios need no word."""
    match piece.expression:
        case ex.Reduced(function, _) if function.value in _SAID_BY:
            return function.value
        case ex.Count():
            return None
        case ex.Change():
            return "change"
        case ex.Arithmetic(ex.Operator.MINUS, ex.Number(), _):
            return None
        case ex.Arithmetic(ex.Operator.MINUS, _, _):
            return None if _is_elapsed(piece) else "difference"
        case ex.Arithmetic(ex.Operator.PLUS, _, _):
            return "plus"
        case _:
            return None


def _is_cut(leaf: Leaf) -> bool:
    return leaf.rows.table.truncated and leaf.operation != "cell"


def _is_elapsed(piece: Piece) -> bool:
    """Whether it is the time between two moments."""
    return all(
        leaf.rows.table.columns[at].kind in _TIMES
        for leaf in piece.leaves
        for name in leaf.columns
        if (at := leaf.rows.table.column(name)) is not None
    )


def _any_operation(figures: Sequence[Piece], operation: str) -> bool:
    return any(leaf.operation == operation for each in figures for leaf in each.leaves)


def _any_mean(figures: Sequence[Piece]) -> bool:
    is_ratio = any(
        isinstance(each.expression, ex.Arithmetic) and each.expression.operator is ex.Operator.BY
        for each in figures
    )
    return is_ratio or _any_operation(figures, "mean")


def _is_sum(piece: Piece) -> bool:
    found = piece.expression
    return isinstance(found, ex.Reduced) and found.function is ex.Function.SUM


def _is_averaging(found: ex.Expression | None) -> bool:
    """Whether a condition compares by a ratio or a mean."""
    match found:
        case ex.Where(_, left, _, right) | ex.Compare(left, _, right):
            return any(map(_is_averaging, (left, right)))
        case ex.Same(_, right) | ex.Within(_, right):
            return _is_averaging(right)
        case ex.Ranked(series, _, _) | ex.Sorted(series, _):
            return _is_averaging(series)
        case ex.Arithmetic(operator, _, _):
            return operator is ex.Operator.BY
        case ex.Reduced(function, _):
            return function is ex.Function.MEAN
        case _:
            return False


def _any_unknown(figures: Sequence[Piece]) -> bool:
    """Whether a cell may be a mean itself: a time, an amount, a number with decimals."""
    return any(
        isinstance(each.value, Figure)
        and each.value.dimension.quantity is not Quantity.COUNT
        and all(leaf.operation == "cell" for leaf in each.leaves)
        for each in figures
    )


def _is_total(cue: Cue) -> bool:
    return cue.kinds == frozenset({"aggregate.total"})


def _any_total(figures: Sequence[Piece], sentence: Sentence) -> bool:
    for each in figures:
        if isinstance(each.expression, ex.Share):
            return True
        for leaf in each.leaves:
            if leaf.operation in ("sum", "count") or "/" in leaf.rows.table.name:
                return True
            if leaf.rows.table.totals & set(leaf.rows.rows) or len(leaf.rows.table.members) == 1:
                return True
            if leaf.is_whole and leaf.operation != "cell":
                return True
        if isinstance(each.expression, ex.Arithmetic):
            return True
    return any(claim.expression is not None for claim in sentence.claims)
