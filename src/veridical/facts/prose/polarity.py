"""Words that claim a direction, an order or a quantity, against the facts beside them."""

import re
from collections.abc import Iterator
from itertools import zip_longest

from veridical.facts.fact import Fact, Role
from veridical.facts.prose.context import Context
from veridical.facts.prose.filled import Piece
from veridical.facts.prose.finding import Code, Level, ProseFinding
from veridical.facts.prose.sentences import Sentence
from veridical.facts.prose.shown import by_figures, shown_by, standing

_BESIDE = 12
"""Signs between a word and the name that it is about."""
_NEVER = frozenset({"cause", "period"})
"""Claims that no fact shows, a reason and a time relative to today; the question's may be
repeated."""
_DENIED = frozenset({"average", "median", "together", "better", "worse"})
"""Claims that are marked only beside facts that deny them."""
_ORDERS = frozenset({"highest", "lowest"})
_FIRM = frozenset({"up", "down", "highest", "lowest", "better", "worse"})
"""Claims that a fact can deny; quantities are marked at most."""
_SLOTS = {
    "up": ("up",), "down": ("down",), "up_rows": ("up", "only"), "down_rows": ("down", "only"),
    "rise": ("up", "highest"), "drop": ("down", "highest"), "high": ("highest",),
    "low": ("lowest",), "high_at": ("highest",), "low_at": ("lowest",),
    "higher": ("more", "highest"), "lower": ("less", "lowest"),
    "ratio": ("double",), "others": ("only", "none"),
    "rest": ("only",), "share": ("half",),
}  # fmt: skip
_SIBLINGS = {
    "up": ("up", "more", "growth"), "down": ("down", "less"),
    "highest": ("highest", "most", "steady"), "lowest": ("lowest",),
    "all": ("all", "none_left", "together", "steady"), "none": ("none", "missing"),
    "only": ("only", "some", "one"),
}  # fmt: skip


def check(sentence: Sentence, context: Context) -> Iterator[ProseFinding]:
    """The words that the facts deny, and those that none shows; names of columns claim
    nothing."""
    here = sentence.sources
    if not here:
        return
    shown_here = shown_by(here) | _by_slots(sentence) | by_figures(here)
    named = " ".join(name for fact in here for name in fact.columns).casefold()
    denied = frozenset(each for fact in here for each in fact.claim.denies)
    for claimed, match, piece in _claims(sentence, context):
        accepted = frozenset(_SIBLINGS.get(claimed, (claimed,)))
        word = match[0].casefold()
        if accepted & shown_here or word in named:
            continue
        if claimed in _DENIED and not all(claimed in fact.claim.denies for fact in here):
            continue
        standings = [standing(fact, context.frames) for fact in here if claimed in _ORDERS]
        if claimed in standings:
            continue
        if claimed in _NEVER:
            if word in context.question or (claimed == "period" and context.is_dated):
                continue
        elif accepted & context.shown and not any(standings):
            continue
        opposite = claimed in denied & _FIRM and not accepted & context.shown
        yield ProseFinding(
            Code.OPPOSITE if opposite else Code.UNSHOWN,
            Level.REFUSED if opposite else Level.MARKED,
            match[0], piece.start + match.start(), piece.start + match.end(), claimed,
        )  # fmt: skip


def _claims(sentence: Sentence, context: Context) -> Iterator[tuple[str, re.Match[str], Piece]]:
    """The words of the lists in the model's own text, but for those that are negated."""
    words = context.words
    for piece, after in zip_longest(sentence.pieces, sentence.pieces[1:]):
        if piece is None or piece.fact:
            continue
        text = context.measures.sub(_masked, piece.text)
        for claimed, pattern in words.polarity:
            for match in pattern.finditer(text):
                before, behind = text[: match.start()], text[match.end() :]
                if words.negation.search(before[-words.near :]) is not None:
                    continue
                if claimed == "all" and (_counts(behind, after) or words.of_all.search(before)
                                         or words.others.match(behind.lstrip())):  # fmt: skip
                    continue
                if claimed != "only" or _names(behind, after):
                    yield claimed, match, piece


def _masked(match: re.Match[str]) -> str:
    return "\u0000" * len(match[0])


def _counts(between: str, after: Piece | None) -> bool:
    """True if a number of rows follows directly: all 9, of all 1,554."""
    slot = after is not None and after.path.rpartition(".")[2] in ("of", "n", "whole")
    return slot and not between.strip()


def _names(between: str, after: Piece | None) -> bool:
    """True if names follow directly: only West, and not only 6.5 %."""
    part = after.part if after is not None else None
    return part is not None and part.role in (Role.NAME, Role.NAMES) and len(between) < _BESIDE


def _by_slots(sentence: Sentence) -> frozenset[str]:
    """The directions that slots state themselves: counts of steps, the largest one."""
    paths = {piece.path.rpartition(".")[2] for piece in sentence.pieces if piece.fact}
    found = {way for path, ways in _SLOTS.items() if path in paths for way in ways}
    for piece in sentence.pieces:
        if piece.source is None:
            continue
        if piece.source.form == "change":
            found |= _sign(piece)
        elif piece.source.template == "compare.rows":
            found |= _subject(sentence, piece.fact, piece.source)
    return frozenset(found)


def _sign(piece: Piece) -> set[str]:
    """The way of a change that a slot prints, as a figure or as a list of them."""
    part = piece.part
    if part is None:
        return set()
    parts = [part] if part.value is not None else [each for item in part.items for each in item]
    values = [each.value.value for each in parts if each.value is not None]
    return {"up" if value > 0 else "down" for value in values
            if isinstance(value, float) and value}  # fmt: skip


def _subject(sentence: Sentence, name: str, fact: Fact) -> set[str]:
    """Whether the row that is named first has more or less; both where none is, or where they
    differ by measure."""
    named = [piece.path for piece in sentence.pieces if piece.fact == name
             and piece.path in ("row", "other", "higher", "lower")]  # fmt: skip
    pairs = fact.words["compared"]
    ways = {each["a"].value.value > each["b"].value.value for each in pairs
            if isinstance(each["a"].value.value, float)}  # fmt: skip
    if not named or len(ways) != 1 or named[0] in ("higher", "lower"):
        return {"up", "down", "more", "less"}
    more = next(iter(ways)) is (named[0] == "row")
    return {"more", "up"} if more else {"less", "down"}
