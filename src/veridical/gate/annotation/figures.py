"""What the expression of an annotated figure may not do: reach any figure that is wanted.

With a factor of one's own everything can be reached, with ratios of any two columns and differences
from any average a great deal. So numbers come from the results, and words say what was done.
"""

from collections.abc import Iterator

from veridical.gate.kernel import expression as ex
from veridical.gate.references.host import Host
from veridical.gate.references.leaves import Leaf
from veridical.gate.references.sentences import Sentence, sentences
from veridical.gate.references.shown import Part, Piece, Shown
from veridical.gate.references.words import Words

_NEUTRAL = frozenset({0.0, 1.0, 100.0})
"""A sign, the rest of a share, points of a percent."""
_PER = frozenset({"aggregate.per", "aggregate.mean"})
_SAID_BY = {
    "mean": _PER | {"aggregate.weighted"},
    "median": frozenset({"aggregate.median"}),
    "min": frozenset({"rank.low", "rank.either"}),
    "max": frozenset({"rank.high", "rank.either"}),
}


def reached(shown: Shown, host: Host, vocabulary: Words) -> Iterator[Piece]:
    """The figures that words beside them do not explain."""
    for sentence in sentences(shown):
        kinds = {kind for cue in vocabulary.cues(sentence.text) for kind in cue.kinds}
        for piece in sentence.pieces:
            if piece.part is Part.FIGURE and piece.expression is not None:
                by_numbers = any(each.value not in _NEUTRAL for each in _numbers(piece.expression))
                if by_numbers or not _is_said(piece, piece.expression, sentence, host, kinds):
                    yield piece


def _is_said(
    piece: Piece, expression: ex.Expression, sentence: Sentence, host: Host, kinds: set[str]
) -> bool:
    if isinstance(expression, ex.Arithmetic):
        done = {leaf.operation for leaf in piece.leaves} & _SAID_BY.keys()
        if not all(kinds & _SAID_BY[each] for each in done):
            return False
    return not _is_ratio(expression, piece.leaves) or bool(
        kinds & _PER or _columns(piece.leaves) <= _labels(sentence, host)
    )


def _is_ratio(expression: ex.Expression, found: tuple[Leaf, ...]) -> bool:
    """Whether two measures are divided or multiplied."""
    by = (ex.Operator.BY, ex.Operator.TIMES)
    return (
        isinstance(expression, ex.Arithmetic)
        and expression.operator in by
        and len(_columns(found)) > 1
    )


def _columns(found: tuple[Leaf, ...]) -> set[str]:
    return {name for leaf in found for name in leaf.columns}


def _labels(sentence: Sentence, host: Host) -> set[str]:
    return {name for label in host.index.find(sentence.text) for name in label.columns}


def _numbers(expression: ex.Expression) -> Iterator[ex.Number]:
    """Without the limits by which rows are chosen: words beside the figure must say those."""
    match expression:
        case ex.Number():
            yield expression
        case ex.Arithmetic(_, left, right) | ex.Share(left, right) | ex.Change(left, right):
            yield from _numbers(left)
            yield from _numbers(right)
        case ex.Reduced(_, series):
            yield from _numbers(series)
        case _:
            return
