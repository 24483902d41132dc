"""A long answer is bound part by part: what decides about a claim stands near it.

Each part has what it is told under with it: the last heading above, and the head of the table that
it goes on with. So the work grows with the length of an answer, and not with its square.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from veridical.contracts.input_budget import keep_time
from veridical.contracts.language import Language
from veridical.gate.bind.bind import bind_claims
from veridical.gate.bound import Bound
from veridical.gate.claim import Claim
from veridical.gate.evidence.evidence import Evidence
from veridical.gate.layout import Segment, SegmentKind, read_layout
from veridical.gate.records.lexicon import RecordLexicon

_WHOLE = 250
"""Answers with fewer claims are bound as one."""
_PART = 60
_LONGEST_PART = 4_000
_LONGEST_HEAD = 500


@dataclass(frozen=True, slots=True)
class _Piece:
    """A stretch of the answer, and which claims stand in it."""

    start: int
    end: int
    claims: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Part:
    """A stretch with the pieces that it is told under, which come first."""

    above: tuple[_Piece, ...]
    own: _Piece


def bind_answer(
    claims: Sequence[Claim],
    text: str,
    evidence: Evidence,
    question: str = "",
    language: Language | None = None,
    lexicon: RecordLexicon | None = None,
) -> tuple[Bound, ...]:
    """How each claim stands to the evidence, in the order of the claims."""
    question = question[:_LONGEST_PART]  # what is asked for is said at the beginning, or not at all
    if len(claims) <= _WHOLE:
        return bind_claims(claims, text, evidence, question, language, lexicon)

    def bind(some: Sequence[Claim], said: str) -> tuple[Bound, ...]:
        return bind_claims(some, said, evidence, question, language, lexicon)

    found: dict[int, Bound] = {}
    for part in _parts(claims, text):
        found |= _bound(part, claims, text, bind)
        keep_time(now=True)
    across = [at for at in range(len(claims)) if at not in found]
    lists = bind([claims[at] for at in across], text)
    found |= zip(across, lists, strict=True)
    return tuple(found[at] for at in range(len(claims)))


def _bound(
    part: _Part,
    claims: Sequence[Claim],
    text: str,
    bind: Callable[[Sequence[Claim], str], tuple[Bound, ...]],
) -> dict[int, Bound]:
    said = ""
    shifted: list[Claim] = []
    which: list[int] = []
    for piece in (*part.above, part.own):
        by = len(said) - piece.start
        shifted += (_moved(claims[at], by) for at in piece.claims)
        which += piece.claims
        said += text[piece.start : piece.end] + ("" if piece is part.own else "\n")
    back = part.own.start + len(text[part.own.start : part.own.end]) - len(said)
    own = set(part.own.claims)
    return {
        at: bound._replace(
            claim=_moved(bound.claim, back), operands=tuple(which[each] for each in bound.operands)
        )
        for at, bound in zip(which, bind(shifted, said), strict=True)
        if at in own
    }


def _moved(claim: Claim, by: int) -> Claim:
    return claim._replace(start=claim.start + by, end=claim.end + by) if by else claim


def _parts(claims: Sequence[Claim], text: str) -> Iterator[_Part]:
    """Segments together up to the size of a part; a segment that is longer by itself is cut."""
    segments = read_layout(text).segments
    starts = [claim.start for claim in claims]
    above: tuple[Segment, ...] = ()
    heading: Segment | None = None
    head: Segment | None = None
    begin = 0
    for at, segment in enumerate(segments):
        last = at + 1 == len(segments)
        if segment.kind is SegmentKind.HEADING:
            heading, head = segment, None
        elif segment.kind is not SegmentKind.ROW:
            head = None
        elif head is None:
            head = segment
        end = len(text) if last else segments[at + 1].start
        many = bisect_left(starts, end) - bisect_left(starts, begin)
        if last or many >= _PART or end - begin >= _LONGEST_PART:
            pieces = tuple(
                _piece(each.start, each.end, claims, starts)
                for each in above
                if each.end <= begin and each.end - each.start <= _LONGEST_HEAD
            )
            for own in _cut(begin, end, claims, starts):
                yield _Part(pieces, own)
            begin = end
            above = tuple(each for each in (heading, head) if each is not None)


def _cut(begin: int, end: int, claims: Sequence[Claim], starts: Sequence[int]) -> Iterator[_Piece]:
    """The stretch itself, unless one segment alone has too many claims."""
    first, last = bisect_left(starts, begin), bisect_left(starts, end)
    while last - first > 2 * _PART:
        stop = starts[first + _PART]
        if stop > begin:
            yield _piece(begin, stop, claims, starts)
            begin = stop
        first += _PART
    yield _piece(begin, end, claims, starts)


def _piece(begin: int, end: int, claims: Sequence[Claim], starts: Sequence[int]) -> _Piece:
    """With the claims that stand wholly inside; a list across parts is bound by itself."""
    inside = range(bisect_left(starts, begin), bisect_left(starts, end))
    return _Piece(begin, end, tuple(at for at in inside if claims[at].end <= end))
