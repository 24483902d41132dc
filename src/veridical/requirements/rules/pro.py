"""PRO: a pronoun that may stand for two things named before it."""

from collections.abc import Iterator

from veridical.requirements.rules.antecedents import candidates, genders_of
from veridical.requirements.rules.mark import Mark
from veridical.requirements.tokens import Tokens

_FEWEST = 2


def find(tokens: Tokens) -> Iterator[Mark]:
    """Pronouns with two nouns or more before them that agree."""
    for place in tokens.at("pronouns", range(len(tokens.all))):
        if place in tokens.names or _is_empty(tokens, place) or _determines(tokens, place):
            continue
        if _opens(tokens, place) or len(_agreeing(tokens, place)) >= _FEWEST:
            yield Mark(place, place + 1)


def _agreeing(tokens: Tokens, place: int) -> set[str]:
    """The nouns that agree; those of the same sentence, unless it has none."""
    wanted = genders_of(tokens, place)
    begun = tokens.sentence_of(place).start
    nouns = [
        (tokens.low(at), at >= begun) for at, kinds in candidates(tokens, place) if kinds & wanted
    ]
    here = {noun for noun, same in nouns if same}
    return here or {noun for noun, _ in nouns}


def _opens(tokens: Tokens, place: int) -> bool:
    """True if the requirement begins with it: what it stands for is in another one."""
    return place == 0 and tokens.is_in("opening_pronouns", place)


def _is_empty(tokens: Tokens, place: int) -> bool:
    """it is possible, es gibt."""
    sets = tokens.words.sets
    if tokens.low(place) not in sets["empty"]:
        return False
    near = tokens.lows[place + 1 : place + 4]
    return any(low in sets["expletive_after"] for low in near)


def _determines(tokens: Tokens, place: int) -> bool:
    """True if a demonstrative stands before its noun: "this message", "diese Meldung"."""
    sets = tokens.words.sets
    if tokens.low(place) not in sets["demonstratives"]:
        return False
    if tokens.language == "de":
        return tokens.is_noun(place + 1) or (
            tokens.is_noun(place + 2) and not tokens.is_in("determiners", place + 1)
        )
    return tokens.low(place + 1) not in sets["after_demonstratives"]
