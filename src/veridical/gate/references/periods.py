"""Periods: a figure stands with its own year, and no figure stands where two are meant."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from veridical.evidence.moment import Moment, find_moments
from veridical.gate.kernel import expression as ex
from veridical.gate.kernel.evaluate import Evaluator
from veridical.gate.references.finding import Finding, Problem
from veridical.gate.references.leaves import Leaf, leaves
from veridical.gate.references.sentences import PARTING, Sentence
from veridical.gate.references.shown import Part, Piece
from veridical.gate.references.times import column_moment, row_moments

_APART = 60
_CLOSE = 8


def period_findings(found: Sequence[Sentence], evaluator: Evaluator) -> Iterator[Finding]:
    """All figures that stand with another time, and all that stand twice."""
    for sentence in found:
        yield from _years(sentence, evaluator)
        yield from _repeated(sentence)
        if sentence.head is not None:
            yield from _headed(sentence, found[sentence.head])


def _headed(row: Sentence, head: Sentence) -> Iterator[Finding]:
    """A figure of a table under the head of another time."""
    heads = head.text.split("|")
    for piece in row.pieces:
        cell = row.text[: piece.start - row.start].count("|")
        if piece.part is not Part.FIGURE or len(piece.leaves) != 1 or not cell < len(heads):
            continue
        own = _own_moments(piece.leaves[0])
        said = [each.moment for each in find_moments(heads[cell])]
        if own and said and all(_conflict(one, other) for one in said for other in own):
            yield Finding(Problem.PERIOD, piece.start, piece.end, piece.source)


def _own_moments(leaf: Leaf) -> list[Moment]:
    """The times of a figure: its column's, else what its call asked for."""
    columns = [moment for name in leaf.columns if (moment := column_moment(name))]
    if columns:
        return columns
    values = map(str, leaf.rows.table.held.values())
    return [moment for value in values if (moment := column_moment(value))]


def _years(sentence: Sentence, evaluator: Evaluator) -> Iterator[Finding]:
    """Years of columns that the sentence does not name, or names without a figure."""
    years = [each for each in sentence.pieces if each.part is Part.YEAR]
    dated = [
        (piece, moment)
        for piece in sentence.pieces
        for leaf in piece.leaves
        for column in leaf.columns
        if (moment := column_moment(column)) is not None
    ]
    claimed = {
        moment.year
        for claim in sentence.claims
        if claim.expression is not None
        for leaf in leaves(claim.expression, evaluator)
        for column in leaf.columns
        if (moment := column_moment(column)) is not None
    }
    said = {each.moment.year for each in years if each.moment}
    told = {moment.year for _, moment in dated}
    for piece, moment in dated:
        spans = len({other.year for each, other in dated if each is piece}) > 1
        if said and moment.year not in said and not spans:
            yield Finding(Problem.PERIOD, piece.start, piece.end, piece.source)
            return
    for piece in years:
        lacking = piece.moment is not None and piece.moment.year not in told | claimed
        if dated and lacking:
            yield Finding(Problem.PERIOD, piece.start, piece.end, piece.source)
            return
    if len(years) > 1 and (told | claimed) - said:
        yield Finding(Problem.PERIOD, years[0].start, years[-1].end, years[0].source)
    yield from _quoted_periods(sentence)
    yield from _held_periods(sentence)


def _quoted_periods(sentence: Sentence) -> Iterator[Finding]:
    """A period of the question beside figures of columns or rows from another."""
    leaves_of = [leaf for piece in sentence.pieces for leaf in piece.leaves]
    moments: list[Moment] = []
    for leaf in leaves_of:
        columns = [m for c in leaf.columns if (m := column_moment(c))]
        moments += columns or row_moments(leaf.rows.table, leaf.rows.rows)
    for piece in sentence.pieces:
        if piece.part is not Part.QUOTE:
            continue
        for said in find_moments(piece.text):
            if moments and all(_conflict(said.moment, each) for each in moments):
                yield Finding(Problem.PERIOD, piece.start, piece.end, piece.text)


def _held_periods(sentence: Sentence) -> Iterator[Finding]:
    """A year right beside a figure of a call that asked for another."""
    years = [
        (piece, moment)
        for piece in sentence.pieces
        if piece.part in (Part.QUOTE, Part.YEAR)
        for moment in _said_moments(piece)
        if moment.year
    ]
    for piece in sentence.pieces:
        if piece.part is not Part.FIGURE or len(piece.leaves) != 1 or not years:
            continue
        values = map(str, piece.leaves[0].rows.table.held.values())
        held = [m for value in values if (m := column_moment(value)) is not None and m.year]
        if any(column_moment(name) for name in piece.leaves[0].columns):
            continue  # its column says the time itself
        said = _beside(sentence, piece, years)
        if held and said is not None and all(said.year != moment.year for moment in held):
            yield Finding(Problem.PERIOD, piece.start, piece.end, piece.source)
            return


def _said_moments(piece: Piece) -> list[Moment]:
    if piece.moment is not None:
        return [piece.moment]
    return [each.moment for each in find_moments(piece.text)]


def _beside(
    sentence: Sentence, figure: Piece, years: Sequence[tuple[Piece, Moment]]
) -> Moment | None:
    """The year right behind a figure, else the last one before it."""
    for piece, moment in years:
        gap = sentence.text[figure.end - sentence.start : piece.start - sentence.start]
        if figure.end <= piece.start and len(gap) <= _CLOSE and not PARTING.search(gap.strip("( ")):
            return moment
    before = [moment for piece, moment in years if piece.end <= figure.start]
    return before[-1] if before else None


def _conflict(said: Moment, held: Moment) -> bool:
    """Whether two times say the same part differently."""
    one, other = said.filled, held.filled
    pairs = (
        (one.year, other.year), (one.half, other.half), (one.quarter, other.quarter),
        (one.month, other.month), (one.day, other.day),
    )  # fmt: skip
    return any(a is not None and b is not None and a != b for a, b in pairs)


def _repeated(sentence: Sentence) -> Iterator[Finding]:
    """The same figure twice in one sentence, item or row of a table."""
    figures = [each for each in sentence.pieces if each.part is Part.FIGURE]
    for one, other in combinations(figures, 2):
        apart = other.start - one.end > _APART and isinstance(one.expression, ex.Cells)
        if one.expression == other.expression and one.item == other.item and not apart:
            yield Finding(Problem.REPEATED, other.start, other.end, other.source)
            return
