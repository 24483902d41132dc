"""Two actions in one requirement (IMP2), or two goals in one user story (ATM)."""

import itertools
from collections.abc import Iterator, Sequence

from veridical.requirements.form import Form
from veridical.requirements.morphology import (
    is_infinitive,
    is_participle,
    is_passive,
    is_zu_infinitive,
    lemma,
)
from veridical.requirements.rules.mark import Mark, in_main, phrases
from veridical.requirements.rules.obligation import hidden_obligations
from veridical.requirements.tokens import Tokens

_OTHER_FORMS = (Form.STORY, Form.SCENARIO)


def second_actions(tokens: Tokens) -> Iterator[Mark]:
    """The second modal, or the second verb of the only one."""
    if tokens.form in _OTHER_FORMS:
        return
    modals = [
        hit.first
        for hit in phrases(tokens, "IMP")
        if in_main(tokens, hit) and _own(tokens, hit.first)
    ]
    dues = [mark.first for mark in hidden_obligations(tokens)]
    if len(modals) > 1:
        yield Mark(modals[1], min(modals[1] + 2, len(tokens.all)))
        return
    for place in [*modals, *dues][:1]:
        verbs = (
            _german(tokens, place, due=not modals)
            if tokens.language == "de"
            else _english(tokens, place)
        )
        yield from list(verbs)[:1]


def _own(tokens: Tokens, place: int) -> bool:
    """True if the modal is not that of an inverted condition: "Sollte … ausfallen, muss …"."""
    return place != tokens.sentence_of(place).start


def _english(tokens: Tokens, modal: int) -> Iterator[Mark]:
    sets = tokens.words.sets
    for place in range(modal + 1, tokens.sentence_of(modal).stop):
        low = tokens.low(place)
        if low in sets["allow"]:
            return
        if low not in sets["joins"] or place not in tokens.main:
            continue
        verb = place + 1
        while tokens.is_in("adverbs", verb):
            verb += 1
        if _is_action_verb(tokens, verb) or _is_second_participle(tokens, place, verb):
            yield Mark(verb, verb + 1)


def _is_action_verb(tokens: Tokens, place: int) -> bool:
    if not tokens.is_in("action_verbs", place):
        return False
    if not tokens.is_in("noun_verbs", place):
        return True
    after = tokens.low(place + 1)
    sets = tokens.words.sets
    return (
        after in sets["determiners"] or after in sets["pronouns"] or after in sets["verb_particles"]
    )


def _is_second_participle(tokens: Tokens, join: int, place: int) -> bool:
    """be logged and archived."""
    before = range(join - 1, max(join - 9, -1), -1)
    begun = next(tokens.at("be", before), None)
    if begun is None or not _english_participle(tokens, place):
        return False
    first = begun + 1
    while tokens.is_in("adverbs", first):
        first += 1
    return _english_participle(tokens, first) and not _noun_follows(tokens, place + 1)


def _noun_follows(tokens: Tokens, place: int) -> bool:
    """True if the participle is an attribute: "be sent to named and verified users"."""
    if place >= len(tokens.all) or not tokens.all[place].is_word:
        return False
    return not any(tokens.is_in(name, place) for name in ("prepositions", "no_unit", "adverbs"))


def _english_participle(tokens: Tokens, place: int) -> bool:
    low, sets = tokens.low(place), tokens.words.sets
    return (low.endswith("ed") and low not in sets["no_participles"]) or low in sets[
        "irregular_participles"
    ]


def _german(tokens: Tokens, modal: int, *, due: bool) -> Iterator[Mark]:
    sets = tokens.words.sets
    sentence = tokens.sentence_of(modal)
    places = [place for place in range(modal, sentence.stop) if place in tokens.main]
    if any(tokens.low(place) in sets["allow"] for place in sentence):
        return
    verbs = german_verbs(tokens, places, due=due)
    for first, second in itertools.pairwise(verbs):
        between = tokens.lows[first:second]
        joined = "," in between or not sets["joins"].isdisjoint(between)
        if joined and not sets["joins"].isdisjoint(tokens.lows[first : verbs[-1]]):
            yield Mark(second - tokens.is_in("to", second - 1), second + 1)
    yield from _passives(tokens, places)


def german_verbs(tokens: Tokens, places: Sequence[int], *, due: bool = False) -> list[int]:
    """The infinitives that end a phrase among these places; with "zu" where something is due."""
    return [
        place
        for place in places
        if _ends_phrase(tokens, place)
        and _verb(tokens, place, due)
        and not _is_attribute(tokens, place)
    ]


def _is_attribute(tokens: Tokens, place: int) -> bool:
    """der alten und neuen Daten: a word that looks like a verb, paired with one before a noun."""
    other = place + 2
    if not tokens.is_in("joins", place + 1) or tokens.is_in("determiners", other):
        return False
    paired = tokens.low(other)[-2:] == tokens.low(place)[-2:] and not tokens.is_noun(other)
    return paired and tokens.is_noun(other + 1)


def _ends_phrase(tokens: Tokens, place: int) -> bool:
    after = tokens.low(place + 1)
    return not after or after in ",.;:" or after in tokens.words.sets["joins"]


def _verb(tokens: Tokens, place: int, due: bool) -> bool:
    low = tokens.all[place].text
    preceded = tokens.is_in("to", place - 1)
    if due:
        return is_zu_infinitive(low, tokens.words.sets) or (preceded and is_infinitive(low))
    if preceded or is_zu_infinitive(low, tokens.words.sets):
        return False
    if low in tokens.words.sets["state_verbs"]:
        return tokens.low(place - 1) not in tokens.words.sets["modals"]
    return is_infinitive(low) and low not in tokens.words.sets["no_verbs"]


def _passives(tokens: Tokens, places: Sequence[int]) -> Iterator[Mark]:
    """gesendet und protokolliert werden; also with words between."""
    sets = tokens.words.sets
    for place in places:
        if not tokens.is_in("become", place) or not is_passive(tokens.all[place - 1].text, sets):
            continue
        joined = [p for p in places if p < place and tokens.low(p) in sets["joins"]]
        if any(is_participle(tokens.all[p - 1].text, sets) for p in joined if p):
            yield Mark(place - 1, place)


def second_goals(tokens: Tokens) -> Iterator[Mark]:
    """The second verb of what is wanted; the benefit may have as many as it likes."""
    if tokens.form is not Form.STORY:
        return
    goal = _goal(tokens)
    marks = _german_goals(tokens, goal) if tokens.language == "de" else _english_goals(tokens, goal)
    yield from list(marks)[:1]


def _goal(tokens: Tokens) -> range:
    start = tokens.hits["STOWANT"][0].end
    ends = [hit.first for hit in tokens.hits.get("STOBENEFIT", ()) if hit.first > start]
    return range(start, min(ends, default=len(tokens.all)))


def _english_goals(tokens: Tokens, goal: range) -> Iterator[Mark]:
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


def _german_goals(tokens: Tokens, goal: range) -> Iterator[Mark]:
    verbs = german_verbs(tokens, goal)
    for first, second in itertools.pairwise(verbs):
        if any(True for _ in tokens.at("joins", range(first, second))):
            yield Mark(second, second + 1)
