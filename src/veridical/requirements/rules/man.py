"""MAN: an actor that is no particular person."""

from collections.abc import Iterator

from veridical.requirements.rules.mark import Mark, phrases
from veridical.requirements.tokens import Tokens


def find(tokens: Tokens) -> Iterator[Mark]:
    """The indefinite pronouns; "one" where a verb follows; no abbreviation such as MAN."""
    for hit in phrases(tokens, "MAN"):
        word = tokens.all[hit.first].text
        if word.isupper() and len(word) > 1:
            continue
        if hit.group != "one" or _is_pronoun(tokens, hit.first):
            yield Mark(hit.first, hit.end)


def _is_pronoun(tokens: Tokens, place: int) -> bool:
    after = tokens.low(place + 1)
    sets = tokens.words.sets
    opened = tokens.is_in("subordinators", place - 1)  # when one presses the key
    return after in sets["modals"] or after in sets["after_one"] or (opened and after[-1:] == "s")
