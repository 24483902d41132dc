"""A scale, a percent sign or a currency right behind a slot that prints its own unit."""

from collections.abc import Iterator
from itertools import pairwise

from veridical.evidence.dimension import NUMBER, Quantity
from veridical.evidence.unit import unit_dimension
from veridical.facts.fact import Role
from veridical.facts.prose.filled import Piece
from veridical.facts.prose.finding import Code, Level, ProseFinding
from veridical.facts.prose.sentences import Sentence
from veridical.facts.prose.vocabulary import Vocabulary
from veridical.late_pattern import late_pattern

_UNIT = late_pattern(r"[ \u00a0]?([%€$£¥]|[A-Z]{3}\b|°C|℃)")


def check(sentence: Sentence, words: Vocabulary) -> Iterator[ProseFinding]:
    """Scales change the figure; another unit than its own is another claim."""
    for piece, after in pairwise(sentence.pieces):
        if piece.part is None or piece.part.role not in (Role.FIGURE, Role.COUNT) or after.fact:
            continue
        match = words.scale.match(after.text)
        if match is not None:
            yield _finding(after, match.end(), match[0].strip(), piece)
            continue
        unit = _UNIT.match(after.text)
        if unit is not None and _differs(unit[1], piece):
            yield _finding(after, unit.end(), unit[1], piece)


def _differs(sign: str, piece: Piece) -> bool:
    meant = unit_dimension(sign)
    value = piece.part.value if piece.part else None
    if meant is None or value is None:
        return False
    own = value.dimension or NUMBER
    plain = own.quantity in (Quantity.NUMBER, Quantity.COUNT)
    same = meant.quantity is own.quantity and meant.unit in ("", own.unit)
    return not same and not (plain and meant.quantity is Quantity.MEASURE)


def _finding(after: Piece, length: int, text: str, piece: Piece) -> ProseFinding:
    return ProseFinding(
        Code.SCALE, Level.REFUSED, text, after.start, after.start + length, piece.text
    )
