"""ATM: a user story with two goals."""

import itertools
from collections.abc import Iterator

from veridical.requirements.form import Form
from veridical.requirements.morphology import lemma
from veridical.requirements.rules.imp2 import german_verbs
from veridical.requirements.rules.mark import Mark
from veridical.requirements.tokens import Tokens


def find(tokens: Tokens) -> Iterator[Mark]:
    """The second verb of what is wanted; the benefit may have as many as it likes."""
    if tokens.form is not Form.STORY:
        return
    goal = _goal(tokens)
    marks = _german(tokens, goal) if tokens.language == "de" else _english(tokens, goal)
    yield from list(marks)[:1]


def _goal(tokens: Tokens) -> range:
    start = tokens.hits["STOWANT"][0].end
    ends = [hit.first for hit in tokens.hits.get("STOBENEFIT", ()) if hit.first > start]
    return range(start, min(ends, default=len(tokens.all)))


def _english(tokens: Tokens, goal: range) -> Iterator[Mark]:
    for place in tokens.at("joins", goal):
        verb = place + 1
        while tokens.is_in("adverbs", verb) or tokens.low(verb).endswith("ly"):
            verb += 1
        if verb in goal and _is_verb(tokens, verb):
            yield Mark(verb, verb + 1)


def _is_verb(tokens: Tokens, place: int) -> bool:
    """A verb that is no noun here: behind another verb, or before what it acts on."""
    sets, low = tokens.words.sets, tokens.low(place)
    if lemma(low, "en") not in sets["action_verbs"] or low.endswith("ing"):
        return False
    if low not in sets["noun_verbs"] or lemma(tokens.low(place - 2), "en") in sets["action_verbs"]:
        return True
    after = tokens.low(place + 1)
    return after in sets["determiners"] or after in sets["pronouns"]


def _german(tokens: Tokens, goal: range) -> Iterator[Mark]:
    verbs = german_verbs(tokens, goal)
    for first, second in itertools.pairwise(verbs):
        if any(True for _ in tokens.at("joins", range(first, second))):
            yield Mark(second, second + 1)
