"""PAS: a passive without an actor."""

from collections.abc import Iterator

from veridical.requirements.clauses import between_pauses
from veridical.requirements.form import Form
from veridical.requirements.morphology import is_participle, is_passive
from veridical.requirements.rules.mark import Mark, phrases
from veridical.requirements.rules.obligation import hidden_obligations
from veridical.requirements.tokens import Tokens


def find(tokens: Tokens) -> Iterator[Mark]:
    """Passives of main clauses, one for each auxiliary."""
    if tokens.form is Form.STORY:
        return
    taken = [*(range(mark.first, mark.end) for mark in hidden_obligations(tokens))]
    taken += [range(hit.first, hit.end) for rule in ("TBD", "INF") for hit in phrases(tokens, rule)]
    passives = _german(tokens) if tokens.language == "de" else _english(tokens)
    for mark in passives:
        if not any(mark.first in each or mark.end - 1 in each for each in taken):
            yield mark


def _english(tokens: Tokens) -> Iterator[Mark]:
    sets = tokens.words.sets
    last = -1
    for place in sorted(tokens.main):
        if place < last or tokens.low(place) not in sets["be"]:
            continue
        end = place + 1
        while tokens.is_in("adverbs", end) or tokens.low(end).endswith("ly"):
            end += 1
        if _is_participle(tokens, end) and not _english_agent(tokens, end):
            last = end + 1
            yield Mark(place, end + 1)


def _is_participle(tokens: Tokens, place: int) -> bool:
    low, sets = tokens.low(place), tokens.words.sets
    if low in sets["no_participles"] or place in tokens.names:
        return False
    return (low.endswith("ed") and len(low) > 4) or low in sets["irregular_participles"]


def _english_agent(tokens: Tokens, place: int) -> bool:
    sets = tokens.words.sets
    for by in range(place + 1, tokens.sentence_of(place).stop):
        if tokens.low(by) in ",;":
            return False
        if tokens.is_in("agents", by):
            after = tokens.low(by + 1)
            named = after and not after[0].isdigit() and not after.endswith("ing")
            if named and after not in sets["not_agents"]:
                return True
    return False


def _german(tokens: Tokens) -> Iterator[Mark]:
    for sentence in tokens.sentences:
        for part in between_pauses(tokens.all, sentence):
            if part.start in tokens.main and not _german_agent(tokens, part):
                yield from list(_german_passive(tokens, part))[:1]


def _german_passive(tokens: Tokens, part: range) -> Iterator[Mark]:
    sets = tokens.words.sets
    for place in part:
        low = tokens.low(place)
        if low not in sets["become"]:
            continue
        if place > part.start and is_passive(tokens.all[place - 1].text, sets):
            first = place - 1
            while tokens.low(first - 1) in sets["joins"] and is_participle(
                tokens.all[first - 2].text, sets
            ):
                first -= 2
            yield Mark(first, place + 1)
            return
        if low in sets["finite_become"]:
            ends = [
                p for p in range(place + 1, part.stop) if is_participle(tokens.all[p].text, sets)
            ]
            if ends and _at_end(tokens, ends[0], part):
                yield Mark(place, ends[0] + 1)
                return


def _at_end(tokens: Tokens, place: int, part: range) -> bool:
    """True if a participle ends its clause: else it stands before a noun."""
    after = tokens.low(place + 1)
    return place + 1 >= part.stop or after in ".;!" or tokens.is_in("alternatives", place + 1)


def _german_agent(tokens: Tokens, part: range) -> bool:
    sets = tokens.words.sets
    for place in tokens.at("agents", part):
        nouns = [p for p in range(place + 1, min(place + 5, part.stop)) if tokens.is_noun(p)]
        if not nouns or tokens.low(nouns[0]) in sets["not_agents"]:
            continue
        if any(tokens.all[p].is_number for p in range(place + 1, nouns[0])):
            continue
        if tokens.is_in("sure_agents", place) or tokens.is_in("determiners", place + 1):
            return True
    return False
