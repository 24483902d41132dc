"""Words that claim a direction, an order or a quantity, against the facts beside them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest

from veridical.evidence.column import CellKind
from veridical.facts.fact import Fact, Role
from veridical.facts.kernel.frame import Frame
from veridical.facts.prose.columns import columns_of
from veridical.facts.prose.filled import Piece
from veridical.facts.prose.finding import Code, Level, ProseFinding
from veridical.facts.prose.sentences import Sentence
from veridical.facts.prose.shown import denies, shown_by
from veridical.facts.prose.vocabulary import Vocabulary

_SHORTEST = 3
_BESIDE = 12
"""Signs between a word and the name that it is about."""
_NEVER = frozenset({"cause", "period"})
"""Claims that no fact shows: a reason, a time relative to today."""
_DENIED = frozenset({"average", "together", "better", "worse"})
"""Claims that are marked only beside facts that deny them."""
_REPEATED = frozenset({"period", "cause"})
"""Claims that may be repeated from the question."""
_FIRM = frozenset({"up", "down", "highest", "lowest", "better", "worse"})
"""Claims that a fact can deny; quantities are marked at most."""
_SLOTS = {
    "up": ("up",), "down": ("down",), "up_rows": ("up",), "down_rows": ("down",),
    "rise": ("up", "highest"), "drop": ("down", "highest"), "high": ("highest",),
    "low": ("lowest",), "high_at": ("highest",), "low_at": ("lowest",),
    "higher": ("more", "highest"), "lower": ("less", "lowest"),
    "ratio": ("double",), "others": ("only",),
    "rest": ("only",), "share": ("half",),
}  # fmt: skip
_SIBLINGS = {
    "up": ("up", "more", "growth"), "down": ("down", "less"),
    "highest": ("highest", "most", "steady"), "lowest": ("lowest",),
    "all": ("all", "none_left", "together", "steady"), "none": ("none", "missing"),
    "only": ("only", "some", "one"),
}  # fmt: skip


def check(
    sentence: Sentence, facts: Mapping[str, Fact], words: Vocabulary, labels: re.Pattern[str],
    question: str,
) -> Iterator[ProseFinding]:  # fmt: skip
    """The words that the facts deny, and those that none shows; names of columns claim
    nothing."""
    here = [facts[name] for name in sentence.facts if name in facts]
    if not here:
        return
    shown_here = shown_by(here) | _by_slots(sentence, facts)
    shown = shown_by(facts.values())
    named = " ".join(name for fact in here for name in columns_of(fact)).casefold()
    denied = frozenset(each for fact in here for each in denies(fact))
    for claimed, match, piece in _claims(sentence, words, labels):
        accepted = frozenset(_SIBLINGS.get(claimed, (claimed,)))
        word = match[0].casefold()
        if accepted & shown_here or word in named or not _is_decided(claimed, here):
            continue
        if claimed in _REPEATED and word in question:
            continue
        opposite = claimed in denied and claimed in _FIRM and not accepted & shown
        if not opposite and accepted & shown and claimed not in _NEVER:
            continue
        yield ProseFinding(
            Code.OPPOSITE if opposite else Code.UNSHOWN,
            Level.REFUSED if opposite else Level.MARKED,
            match[0], piece.start + match.start(), piece.start + match.end(), claimed,
        )  # fmt: skip


def _claims(
    sentence: Sentence, words: Vocabulary, labels: re.Pattern[str]
) -> Iterator[tuple[str, re.Match[str], Piece]]:
    """The words of the lists in the model's own text, but for those that are negated."""
    for piece, after in zip_longest(sentence.pieces, sentence.pieces[1:]):
        if piece is None or piece.fact:
            continue
        text = labels.sub(_masked, piece.text)
        for claimed, pattern in words.polarity:
            for match in pattern.finditer(text):
                before, behind = text[: match.start()], text[match.end() :]
                if words.negation.search(before[-_near(words) :]) is not None:
                    continue
                if claimed == "all" and (_counts(behind, after) or words.of_all.search(before)):
                    continue
                if claimed != "only" or _names(behind, after):
                    yield claimed, match, piece


def _near(words: Vocabulary) -> int:
    """Signs before a word within which a negation turns it."""
    return 3 if words.is_han else 24


def _counts(between: str, after: Piece | None) -> bool:
    """True if a number of rows follows directly: all 9, of all 1,554."""
    slot = after is not None and after.path.rpartition(".")[2] in ("of", "n", "whole")
    return slot and not between.strip()


def _names(between: str, after: Piece | None) -> bool:
    """True if names follow directly: only West, and not only 6.5 %."""
    part = after.part if after is not None else None
    return part is not None and part.role in (Role.NAME, Role.NAMES) and len(between) < _BESIDE


def _is_decided(claimed: str, facts: Sequence[Fact]) -> bool:
    """True if facts like these could show it or deny it."""
    return claimed not in _DENIED or all(claimed in denies(fact) for fact in facts)


def _by_slots(sentence: Sentence, facts: Mapping[str, Fact]) -> frozenset[str]:
    """The directions that slots state themselves: counts of steps, the largest one."""
    pieces = [piece for piece in sentence.pieces if piece.fact]
    paths = {piece.path.rpartition(".")[2] for piece in pieces}
    found = {way for path, ways in _SLOTS.items() if path in paths for way in ways}
    for piece in pieces:
        fact = facts.get(piece.fact)
        if fact is not None and fact.form == "change" and piece.part is not None:
            found |= _sign(piece)
        elif fact is not None and fact.template == "compare.rows":
            found |= _subject(sentence, piece.fact, fact)
    return frozenset(found)


def _sign(piece: Piece) -> set[str]:
    """The way of a change that a slot prints, as a figure or as a list of them."""
    part = piece.part
    parts = [part] if part is not None and part.value is not None else [
        each for item in (part.items if part is not None else ()) for each in item
    ]  # fmt: skip
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


def label_pattern(frames: Mapping[str, Frame], facts: Mapping[str, Fact]) -> re.Pattern[str]:
    """The names of measures, as they stand in prose."""
    names = {
        name
        for frame in frames.values()
        for column in frame.table.columns
        for name in (column.name, *column.labels)
        if column.kind is CellKind.FIGURE and len(name) >= _SHORTEST
    }
    for fact in facts.values():
        measures = fact.grid.measures if fact.grid is not None else ()
        names |= {each.label.text for each in measures if each.label.text}
    readable = {" ".join(name.replace("_", " ").replace(".", " ").split()) for name in names}
    found = sorted(filter(None, names | readable), key=len, reverse=True)
    return re.compile("|".join(map(re.escape, found)) or r"(?!)", re.IGNORECASE)


def _masked(match: re.Match[str]) -> str:
    return "\u0000" * len(match[0])
