"""Obligations: none at all (IMP0), or one that hides who has to act (ISTZU)."""

from collections.abc import Iterator

from veridical.requirements.form import Form
from veridical.requirements.morphology import is_infinitive, is_participle, is_zu_infinitive
from veridical.requirements.rules.mark import Mark, in_main, phrases
from veridical.requirements.tokens import Tokens


def hidden_obligations(tokens: Tokens) -> Iterator[Mark]:
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
    return any(is_role(tokens, low) for low in subject) and subject[-1] not in systems


def _subject(tokens: Tokens, place: int) -> tuple[str, ...]:
    """The words before the modal since the last pause; in German also those right behind it."""
    start = tokens.sentence_of(place).start
    for before in range(place - 1, start - 1, -1):
        if tokens.all[before].text in ",;:":
            start = before + 1
            break
    words = tokens.lows[start:place]
    return words if words else tokens.lows[place + 1 : place + 4]


def is_role(tokens: Tokens, low: str) -> bool:
    """True if a word names a person by what they do."""
    roles = tokens.words.sets["roles"]
    return low in roles or low.endswith(tokens.words.endings["role_endings"])


_WITHOUT_MODAL = (Form.STORY, Form.SCENARIO)


def missing_obligation(tokens: Tokens) -> Iterator[Mark]:
    """The whole text, where no main clause has a modal or its like."""
    if not tokens.all or tokens.form in _WITHOUT_MODAL or _obliges(tokens):
        return
    yield Mark(0, len(tokens.all))


def _obliges(tokens: Tokens) -> bool:
    return (
        any(in_main(tokens, hit) for hit in phrases(tokens, "IMP"))
        or permits(tokens)
        or any(tokens.is_defined(place) for place in tokens.at("modals", range(len(tokens.all))))
        or _forbids(tokens)
        or any(True for _ in hidden_obligations(tokens))
        or _has_to(tokens)
    )


def _forbids(tokens: Tokens) -> bool:
    """German "darf … nicht" and "darf … höchstens", however far apart."""
    return any(hit.first in tokens.main for hit in phrases(tokens, "PERMIT")) and (
        any(other.first in tokens.main for other in phrases(tokens, "NEG", "words"))
        or any(place in tokens.main for place in tokens.at("limits", range(len(tokens.all))))
    )


def _has_to(tokens: Tokens) -> bool:
    """German "hat … zu löschen"."""
    return any(
        end is not None
        for place in tokens.at("have_to", sorted(tokens.main))
        for end in (infinitive_after(tokens, place),)
    )


def is_bare_state(tokens: Tokens) -> bool:
    """True if a requirement demands a state by its name alone: "shall be available". What it does,
    where or in what form would say how to tell."""
    modals = [hit.first for hit in phrases(tokens, "IMP") if hit.first in tokens.main]
    if not modals:
        return False
    words = [place for place in range(modals[0] + 1, len(tokens.all)) if tokens.all[place].is_word]
    if tokens.language == "de":
        if not words or tokens.low(words[-1]) not in tokens.words.sets["state_verbs"]:
            return False
        words = words[:-1]
        if words and is_participle(tokens.all[words[-1]].text, tokens.words.sets):
            return False
    else:
        if not words or not tokens.is_in("be", words[0]):
            return False
        words = words[1:]
        if words and tokens.low(words[-1]).endswith("ed"):
            return False
    named = [place for place in words if not tokens.is_in("adverbs", place)]
    return len(named) == 1
