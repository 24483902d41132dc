"""Words that claim a direction, an order or a quantity, against the facts beside them."""

import re
from collections.abc import Iterator, Mapping, Sequence

from veridical.evidence.column import Kind
from veridical.facts.fact import Fact
from veridical.facts.kernel.frame import Frame
from veridical.facts.prose.columns import columns_of
from veridical.facts.prose.finding import Code, Finding, Level
from veridical.facts.prose.sentences import Sentence
from veridical.facts.prose.shown import denies, shown_by
from veridical.facts.prose.vocabulary import Vocabulary

_SHORTEST = 3
_NEAR = 24
"""Signs before a word within which a negation turns it."""
_NEVER = frozenset({"cause", "period"})
"""What no fact shows: a reason, a time that is named by today."""
_DENIED = frozenset({"average", "together", "better", "worse"})
"""What is marked only beside facts that say otherwise."""
_REPEATED = frozenset({"period", "cause"})
"""What may be taken over from the question."""
_FIRM = frozenset({"up", "down", "highest", "lowest", "better", "worse"})
"""What a fact can deny; quantities are marked at most."""
_SLOTS = {
    "up": ("up",), "down": ("down",), "up_rows": ("up",), "down_rows": ("down",),
    "rise": ("up", "highest"), "drop": ("down", "highest"), "high": ("highest",),
    "low": ("lowest",), "high_at": ("highest",), "low_at": ("lowest",),
    "higher": ("more", "highest"), "lower": ("less", "lowest"), "diff": ("more", "less"),
    "pct": ("more", "less"), "ratio": ("double", "triple", "more"), "others": ("only", "less"),
    "rest": ("only", "less"), "share": ("half", "third", "quarter"),
}  # fmt: skip
_SIBLINGS = {
    "up": ("up", "more", "growth"), "down": ("down", "less"),
    "highest": ("highest", "most", "steady"), "lowest": ("lowest",),
    "more": ("more", "above", "up", "highest", "most"),
    "less": ("less", "below", "down", "lowest"),
    "all": ("all", "none_left", "together", "steady"), "none": ("none", "missing"),
    "only": ("only", "some", "one", "highest", "lowest", "less"),
    "most": ("most",), "yes": ("yes",), "no": ("no", "none", "missing"),
}  # fmt: skip


def check(
    sentence: Sentence, facts: Mapping[str, Fact], words: Vocabulary, labels: re.Pattern[str],
    question: str,
) -> Iterator[Finding]:  # fmt: skip
    """The words that the facts deny, and those that none shows; names of columns claim
    nothing."""
    here = [facts[name] for name in sentence.facts if name in facts]
    shown_here = shown_by(here) | _by_slots(sentence)
    shown = shown_by(facts.values())
    named = " ".join(name for fact in here for name in columns_of(fact)).casefold()
    denied = frozenset(each for fact in here for each in denies(fact))
    for piece in sentence.pieces:
        if piece.fact:
            continue
        at, text = piece.start, labels.sub(_masked, piece.text)
        for claimed, pattern in words.polarity:
            accepted = frozenset(_SIBLINGS.get(claimed, (claimed,)))
            for match in pattern.finditer(text):
                if (
                    accepted & shown_here
                    or _negated(text, match.start(), words)
                    or (match[0].casefold() in named)
                ):
                    continue
                if claimed in _DENIED and not _all_deny(here, claimed):
                    continue
                if claimed in _REPEATED and match[0].casefold() in question:
                    continue
                opposite = claimed in denied and claimed in _FIRM and not accepted & shown
                if not opposite and (accepted & shown or not here) and claimed not in _NEVER:
                    continue
                yield Finding(
                    Code.OPPOSITE if opposite else Code.UNSHOWN,
                    Level.REFUSED if opposite else Level.MARKED,
                    match[0], at + match.start(), at + match.end(), claimed,
                )  # fmt: skip


def _all_deny(facts: Sequence[Fact], claimed: str) -> bool:
    return bool(facts) and all(claimed in denies(fact) for fact in facts)


def _by_slots(sentence: Sentence) -> frozenset[str]:
    """Slots that count steps or give the largest one say their direction themselves."""
    paths = {piece.path.rpartition(".")[2] for piece in sentence.pieces if piece.fact}
    found = {way for path, ways in _SLOTS.items() if path in paths for way in ways}
    return frozenset(found)


def _negated(text: str, at: int, words: Vocabulary) -> bool:
    before = text[max(0, at - (3 if words.is_han else _NEAR)) : at]
    return words.negation.search(before) is not None


def label_pattern(frames: Mapping[str, Frame], facts: Mapping[str, Fact]) -> re.Pattern[str]:
    """The names of measures, as they stand in prose."""
    names = {
        name
        for frame in frames.values()
        for column in frame.table.columns
        for name in (column.name, *column.labels)
        if column.kind is Kind.FIGURE and len(name) >= _SHORTEST
    }
    for fact in facts.values():
        measures = fact.grid.measures if fact.grid is not None else ()
        names |= {each.label.text for each in measures if each.label.text}
    readable = {" ".join(name.replace("_", " ").replace(".", " ").split()) for name in names}
    found = sorted(filter(None, names | readable), key=len, reverse=True)
    return re.compile("|".join(map(re.escape, found)) or r"(?!)", re.IGNORECASE)


def _masked(match: re.Match[str]) -> str:
    return "\u0000" * len(match[0])
