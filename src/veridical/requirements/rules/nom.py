"""NOM: a light verb and a noun where one verb would do."""

from collections.abc import Iterator

from veridical.requirements.form import Form
from veridical.requirements.rules.mark import Mark, in_main, phrases
from veridical.requirements.tokens import Tokens

_REACH = 5


def find(tokens: Tokens) -> Iterator[Mark]:
    """Light verbs of main clauses with the action noun that they carry."""
    if tokens.form is Form.STORY:
        return
    for hit in phrases(tokens, "NOM"):
        if not in_main(tokens, hit):
            continue
        noun = (
            _german(tokens, hit.first)
            if tokens.language == "de"
            else _english(tokens, hit.first, hit.end)
        )
        if noun is not None:
            yield Mark(min(noun, hit.first), max(noun + 1, hit.end))
        elif hit.group == "place":
            yield Mark(hit.first, hit.end)


def _english(tokens: Tokens, first: int, end: int) -> int | None:
    """The noun behind the verb, or before it in a passive."""
    sets = tokens.words.sets
    for place in range(end, min(end + _REACH, len(tokens.all))):
        low = tokens.low(place)
        if low in sets["no_nom"] or low in sets["phrase_ends"]:
            break
        if low in sets["action_nouns"] or low.endswith(tokens.words.endings["action_endings"]):
            return place
    if tokens.is_in("be", first - 1):
        for place in range(first - 2, max(first - 10, -1), -1):
            if tokens.low(place) in sets["action_nouns"] or tokens.low(place).endswith(
                tokens.words.endings["action_endings"]
            ):
                return place
    return None


def _german(tokens: Tokens, place: int) -> int | None:
    """The nearest action noun of the clause before the verb, else behind it."""
    sentence = tokens.sentence_of(place)
    for here in [*range(place - 1, sentence.start - 1, -1), *range(place + 1, sentence.stop)]:
        if tokens.low(here) in ",;:":
            if here > place:
                return None
            continue
        if tokens.is_noun(here) and _is_action(tokens, here):
            return here
    return None


def _is_action(tokens: Tokens, place: int) -> bool:
    low, sets = tokens.low(place), tokens.words.sets
    before = tokens.low(place - 1)
    if low.endswith(tokens.words.endings["no_nom"]) or before in sets["prepositions"]:
        return False
    if before in sets["articles"] and tokens.low(place - 2) in sets["prepositions"]:
        return False
    return low in sets["action_nouns"] or any(
        low.endswith(noun) for noun in sets["action_nouns"] if len(noun) > 5
    )
