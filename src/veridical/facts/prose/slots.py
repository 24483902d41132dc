"""Words beside a slot that make another claim of what it prints: a scale or a unit behind a figure
that prints its own, a sign before a change the other way, a remainder that is not named as one."""

from collections.abc import Iterator
from itertools import pairwise

from veridical.evidence.dimension import NUMBER, Quantity
from veridical.evidence.unit import unit_dimension
from veridical.facts.fact import Fact, Role
from veridical.facts.prose.context import Context
from veridical.facts.prose.filled import Piece
from veridical.facts.prose.finding import Code, Level, ProseFinding
from veridical.facts.prose.sentences import Sentence
from veridical.late_pattern import late_pattern

_UP, _DOWN = "+▲↑↗", "−▼↓↘"
_UNIT = late_pattern(r"[ \u00a0]?([%€$£¥]|[A-Z]{3}\b|°C|℃)")
_LEFT_OVER = frozenset({"rest", "left", "others"})
_OF = frozenset({"count", "which", "list", "share", "missing"})


def check(sentence: Sentence, context: Context) -> Iterator[ProseFinding]:
    """Scales change the figure; another unit than its own is another claim, as is a remainder that
    no word of the sentence stands for."""
    for before, piece in pairwise(sentence.pieces):
        sign = "" if before.fact else before.text.rstrip(" *")[-1:]
        if piece.source is not None and piece.source.form == "change" and _turns(sign, piece):
            yield ProseFinding(
                Code.OPPOSITE, Level.REFUSED, sign, before.end - 1, before.end, piece.text
            )
        if before.part is not None and before.part.role in (Role.FIGURE, Role.COUNT):
            yield from _scaled(before, piece, context)
    for piece in sentence.pieces:
        fact = piece.source
        if fact is None or fact.form not in _OF or piece.path not in _LEFT_OVER:
            continue
        named = context.words.others.search(sentence.words) is not None
        if not named and not _is_half(fact, piece.path):
            yield ProseFinding(
                Code.COMPLEMENT, Level.MARKED, piece.text, piece.start, piece.end, piece.path
            )


def _turns(sign: str, piece: Piece) -> bool:
    """True if a figure that prints without its sign has another one."""
    value = piece.part.value if piece.part is not None and piece.part.unsigned else None
    if value is None or not sign:
        return False
    return value.number < 0 if sign in _UP else sign in _DOWN and value.number > 0


def _scaled(piece: Piece, after: Piece, context: Context) -> Iterator[ProseFinding]:
    scale, unit = context.words.scale.match(after.text), _UNIT.match(after.text)
    match = scale or (unit if unit is not None and _differs(unit[1], piece) else None)
    if match is not None and not after.fact:
        text, end = match[0].strip(), after.start + match.end()
        yield ProseFinding(Code.SCALE, Level.REFUSED, text, after.start, end, piece.text)


def _differs(sign: str, piece: Piece) -> bool:
    meant = unit_dimension(sign)
    value = piece.part.value if piece.part else None
    if meant is None or value is None:
        return False
    own = value.dimension or NUMBER
    plain = own.quantity in (Quantity.NUMBER, Quantity.COUNT)
    same = meant.quantity is own.quantity and meant.unit in ("", own.unit)
    return not same and not (plain and meant.quantity is Quantity.MEASURE)


def _is_half(fact: Fact, path: str) -> bool:
    """True if what is left over is as much as the part itself."""
    part, left = fact.parts.get("n"), fact.parts.get(path)
    if part is None or left is None or part.value is None or left.value is None:
        return False
    return part.value.value == left.value.value
