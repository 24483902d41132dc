"""ISTZU: "is to be" and "ist … zu", which hide who has to act."""

from collections.abc import Iterator

from veridical.requirements.morphology import is_infinitive, is_zu_infinitive
from veridical.requirements.rules.mark import Mark, phrases
from veridical.requirements.tokens import Tokens


def find(tokens: Tokens) -> Iterator[Mark]:
    """The stretch from the auxiliary to the verb, in main clauses."""
    due = tokens.has_any("is_due") if tokens.language == "de" else tokens.has("ISTZU")
    if not due or tokens.has_any("goals"):
        return  # a goal states nothing to do: "Ziel ist es, … zu …"
    open_points = [range(hit.first, hit.end) for hit in phrases(tokens, "TBD")]
    found = _german(tokens) if tokens.language == "de" else _english(tokens)
    for mark in found:
        if not any(mark.end - 1 in each for each in open_points):
            yield mark


def _english(tokens: Tokens) -> Iterator[Mark]:
    for hit in phrases(tokens, "ISTZU"):
        if hit.first not in tokens.main:
            continue
        end = hit.end + tokens.is_in("be", hit.end)
        while tokens.is_in("adverbs", end):
            end += 1
        verb = tokens.all[end] if end < len(tokens.all) else None
        if verb is not None and verb.is_word and not tokens.is_in("determiners", end):
            yield Mark(hit.first, end + 1)


def _german(tokens: Tokens) -> Iterator[Mark]:
    for place in tokens.at("is_due", sorted(tokens.main)):
        end = infinitive_after(tokens, place)
        if end is not None:
            yield Mark(place, end + 1)


def infinitive_after(tokens: Tokens, place: int) -> int | None:
    """The place of the infinitive with "zu" in the clause of this auxiliary."""
    sets = tokens.words.sets
    for here in range(place + 1, tokens.sentence_of(place).stop):
        if tokens.low(here) in ",;:" or here not in tokens.main:
            return None
        word = tokens.all[here].text
        if tokens.is_in("to", here - 1) and word not in sets["no_zu"] and is_infinitive(word):
            return here
        if is_zu_infinitive(word, sets):
            return here
    return None
