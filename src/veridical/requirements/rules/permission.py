"""Permissions: what a person or an office may do is a whole requirement."""

from veridical.requirements.rules.mark import phrases
from veridical.requirements.tokens import Tokens


def permits(tokens: Tokens) -> bool:
    """True if the requirement permits something to a role, or to one role only."""
    return any(
        is_permission(tokens, place) for hit in phrases(tokens, "PERMIT") for place in (hit.first,)
    )


def is_permission(tokens: Tokens, place: int) -> bool:
    """True if "may" at this place permits something to a role."""
    sentence = tokens.sentence_of(place)
    subject = _subject(tokens, place)
    if tokens.low(sentence.start) in tokens.words.sets["only"]:
        return True
    systems = tokens.words.sets["systems"]
    return any(_is_role(tokens, low) for low in subject) and subject[-1] not in systems


def _subject(tokens: Tokens, place: int) -> tuple[str, ...]:
    """The words before the modal since the last pause; in German also those right behind it."""
    start = tokens.sentence_of(place).start
    for before in range(place - 1, start - 1, -1):
        if tokens.all[before].text in ",;:":
            start = before + 1
            break
    words = tokens.lows[start:place]
    return words if words else tokens.lows[place + 1 : place + 4]


def _is_role(tokens: Tokens, low: str) -> bool:
    roles = tokens.words.sets["roles"]
    return low in roles or low.endswith(tokens.words.endings["role_endings"])
