"""NEG: a negation in what is required; two of them weigh more."""

from collections.abc import Iterator

from veridical.requirements.rules.mark import Mark, overlaps, phrases
from veridical.requirements.tokens import Tokens

DOUBLE = "double"


def find(tokens: Tokens) -> Iterator[Mark]:
    """Negations of main clauses, one mark for a double one."""
    end = -1
    for hit in phrases(tokens, "NEG", "words"):
        if hit.first < end or hit.first not in tokens.main:
            continue
        if overlaps(tokens, hit, "TBD", "OPN", "BOUND") or _is_bound(tokens, hit.first):
            continue
        second = _second(tokens, hit.end)
        end = hit.end if second is None else second
        yield Mark(hit.first, end, "" if second is None else DOUBLE)


def _is_bound(tokens: Tokens, place: int) -> bool:
    """True if it belongs to a limit (not exceed, nicht … überschreiten) or to an attribute."""
    sets = tokens.words.sets
    if tokens.low(place + 1) in sets["after_negation"]:
        return True
    if tokens.language != "de":
        return False
    if tokens.is_in("plain_negations", place) and _is_attribute(tokens, place + 1):
        return True
    part = range(place, tokens.sentence_of(place).stop)
    return any(tokens.low(p) in sets["limit_verbs"] for p in part)


def _is_attribute(tokens: Tokens, place: int) -> bool:
    """nicht benötigte Zugänge: the negation describes a thing."""
    inflected = tokens.low(place).endswith(tokens.words.endings["inflections"])
    return inflected and not tokens.is_noun(place) and tokens.is_noun(place + 1)


def _second(tokens: Tokens, start: int) -> int | None:
    """The end of a second marker in the same sentence: unless, außer, es sei denn."""
    stop = tokens.sentence_of(start - 1).stop
    ends = [hit.end for hit in phrases(tokens, "NEG", "second") if start <= hit.first < stop]
    return ends[0] if ends else None
