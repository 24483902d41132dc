"""A requirement's meaning in a form that can be compared across wordings and languages."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from veridical.requirements.form import Form
from veridical.requirements.lexicon import word_file
from veridical.requirements.morphology import is_infinitive, is_word_of, lemma
from veridical.requirements.quantity import number_words, units
from veridical.requirements.rules.mark import phrases
from veridical.requirements.rules.story import benefit_places
from veridical.requirements.tokens import Tokens

OBLIGED, WISHED, PERMITTED, STATED = "obliged", "wished", "permitted", "stated"
_SHORTEST_PART = 3
_SHORTEST_STEM = 4
_SYMBOL = 3
"""Letters of a unit that is no word."""
_FAINT = 0.35
"""The weight of a generic concept; others weigh 1."""
_SIGNS = frozenset("<>≤≥=≠")
_LINKS = ("", "s", "n", "en", "es")
"""The letters that German puts between the parts of a compound."""
_BEFORE = 4
"""Tokens between a limit and its figure."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A quantity and the limit it is: max, min, after, every, or none."""

    dimension: str
    amount: float
    limit: str
    written: str


@dataclass(frozen=True)
class Signature:
    """The concepts, figures, polarity and force of one requirement."""

    language: str
    concepts: frozenset[str]
    unknown: frozenset[str]
    """Those of the concepts that no list of both languages has."""
    subject: frozenset[str]
    """The head of the phrase that the requirement is about."""
    phrase: frozenset[str]
    """That phrase."""
    figures: tuple[Figure, ...]
    denied: bool
    contrary: frozenset[str]
    """Concepts that the main clause states by a word for the contrary."""
    force: str
    exclusive: bool
    order: tuple[str, str] | None
    """Before or after, and the first concept behind that word."""
    condition: frozenset[str]
    compared: tuple[str, ...]
    """The signs of comparison between names: T < LIMIT."""
    purpose: frozenset[str]
    """What it is good for: no part of the demand."""
    is_topic: bool
    """True for a keyword without a verb, which names what others demand in a sentence."""
    written: Mapping[str, str]
    """Each concept in the requirement's own word."""

    @cached_property
    def own(self) -> frozenset[str]:
        """The specific concepts."""
        return self.concepts - generic()

    @cached_property
    def weight(self) -> float:
        """The weight of all concepts."""
        return weight_of(self.concepts)


def weight_of(concepts: frozenset[str]) -> float:
    """The weight of these concepts; a generic one weighs less."""
    specific = len(concepts - generic())
    return specific + _FAINT * (len(concepts) - specific)


def signature(tokens: Tokens) -> Signature:
    """The signature of a requirement."""
    placed = list(_placed(tokens))
    denials = sum(
        hit.first in tokens.main and not _is_bound(tokens, hit.first)
        for hit in phrases(tokens, "NEG", "words")
    )
    concepts = frozenset(concept for _, concept, _ in placed)
    return Signature(
        tokens.language,
        concepts,
        concepts - _listed(),
        *_subject(tokens, placed),
        tuple(_figures(tokens)),
        denials % 2 == 1,
        frozenset(each for place, each, flipped in placed if flipped and place in tokens.main),
        _force(tokens),
        tokens.has("EXCLUSIVE"),
        _order(tokens, placed),
        frozenset(concept for place, concept, _ in placed if place not in tokens.main),
        tuple(low for low in tokens.lows if low in _SIGNS),
        frozenset(concept for place, concept, _ in placed if place in _purpose(tokens)),
        _is_topic(tokens),
        {concept: tokens.all[place].text for place, concept, _ in reversed(placed)},
    )


def _is_topic(tokens: Tokens) -> bool:
    if tokens.form is not Form.FRAGMENT or tokens.has("PERMIT"):
        return False
    if tokens.language == "de":
        return not any(is_infinitive(token.text) for token in tokens.all)
    return not tokens.is_in("action_verbs", 0)


def _purpose(tokens: Tokens) -> range:
    """The places of a purpose that ends the text: for copyright, damit ich nicht warte."""
    found = benefit_places(tokens)
    if found or tokens.form is not Form.FRAGMENT:
        return found
    serves = next(tokens.at("serves", range(1, len(tokens.all))), len(tokens.all))
    return range(serves, len(tokens.all))


def _is_bound(tokens: Tokens, place: int) -> bool:
    return any(
        hit.first <= place < hit.end
        for rule in ("BOUND", "LIMIT", "EXCLUSIVE")
        for hit in tokens.hits.get(rule, ())
    )


def _placed(tokens: Tokens) -> Iterator[tuple[int, str, bool]]:
    """The concepts with their places, and whether a word says the contrary of its concept."""
    stop, known = stop_words(tokens.language), _concepts(tokens.language)
    measured = {
        place for each in tokens.quantities for place in range(each.first, each.end)
    }  # a unit without a number is the topic itself: in degrees Celsius
    joined = -1
    for place, token in enumerate(tokens.all):
        if place == joined:
            continue
        pair = _pair(token.low, tokens.low(place + 1), tokens.language)
        if pair:
            joined = place + 1
            yield place, *_positive(known[pair])
            continue
        if not token.is_word or token.low in stop or place in measured or len(token.low) < 2:
            continue
        if token.low in units() and (len(token.low) <= _SYMBOL or tokens.is_in("periods", place)):
            continue
        for concept in concepts_of(token.low, tokens.language):
            yield place, *_positive(concept)


@cache
def _pair(word: str, following: str, language: str) -> str:
    """Two words that are listed as one: switch off."""
    known = _concepts(language)
    for first in (word, lemma(word, language)):
        if f"{first}_{following}" in known:
            return f"{first}_{following}"
    return ""


def _positive(concept: str) -> tuple[str, bool]:
    """The concept that this one is the contrary of, and that it is; or itself."""
    contrary = opposites().get(concept)
    return contrary or concept, contrary is not None


@cache
def concepts_of(word: str, language: str) -> tuple[str, ...]:
    """The concepts of a word; those of a compound's parts where one is known."""
    known = _concepts(language)
    base = lemma(word, language)
    for form in (word, base):
        if form in known:
            return (known[form],)
    parts = word.split("-") if "-" in word else ()
    if len(parts) > 1:
        return tuple(each for part in parts if part for each in concepts_of(part, language))
    stem = stem_of(base, language)
    if stem in _stems(language):
        return (_stems(language)[stem],)
    if language == "de":
        return _compound(base, known) or (stem,)
    return (stem,)


@cache
def stem_of(word: str, language: str) -> str:
    """A word without its ending, so that a noun and the verb that it is made of are one."""
    for ending in word_file(language)["shape"]["stem_endings"]:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
            return word[: -len(ending)]
    return word


@cache
def _stems(language: str) -> Mapping[str, str]:
    """The listed words by their stems; a stem of two concepts is none."""
    found: dict[str, set[str]] = {}
    for word, concept in _concepts(language).items():
        found.setdefault(stem_of(word, language), set()).add(concept)
    return {stem: min(concepts) for stem, concepts in found.items() if len(concepts) == 1}


def _compound(word: str, known: Mapping[str, str]) -> tuple[str, ...]:
    """The parts of a German compound of which at least one is listed."""
    for cut in range(len(word) - _SHORTEST_PART, _SHORTEST_PART - 1, -1):
        head, tail = word[:cut], word[cut:]
        for link in _LINKS:
            first = head.removesuffix(link) if link else head
            if first in known and len(first) >= _SHORTEST_PART:
                return known[first], _part(tail)
    for cut in range(_SHORTEST_STEM, len(word) - _SHORTEST_STEM + 1):
        head, tail = word[:cut].removesuffix("s"), _part(word[cut:])
        if tail in _listed() and (_part(head) in _listed() or is_word_of(head, "de")):
            return _part(head), tail
    return ()


@cache
def _part(word: str) -> str:
    """The concept of a German word that is no compound, or its stem."""
    known, base = _concepts("de"), lemma(word, "de")
    stem = stem_of(base, "de")
    return known.get(word) or known.get(base) or _stems("de").get(stem) or stem


@cache
def _concepts(language: str) -> Mapping[str, str]:
    column = {"en": 0, "de": 1}[language]
    return {
        word: concept
        for concept, words in _file()["concepts"].items()
        for word in words[column].split()
    }


@cache
def _listed() -> frozenset[str]:
    return frozenset(_file()["concepts"])


@cache
def opposites() -> Mapping[str, str]:
    """Concepts that are the contrary of another one."""
    return _file()["opposites"]


@cache
def generic() -> frozenset[str]:
    """Generic concepts."""
    return frozenset(_file()["generic"]["words"])


def _file() -> dict[str, Any]:
    return word_file("concepts")


@cache
def stop_words(language: str) -> frozenset[str]:
    """Words that name nothing."""
    read = word_file(language)
    sets = read["sets"]
    return frozenset(
        (
            *read["stop"],
            *sets["modals"],
            *sets["determiners"],
            *sets["prepositions"],
            *sets["fillers"],
            *number_words(language),
        )
    ) - frozenset(read["sets"]["content"])


def _subject(
    tokens: Tokens, placed: list[tuple[int, str, bool]]
) -> tuple[frozenset[str], frozenset[str]]:
    """Head and whole of the first noun phrase of the main clause, before the modal or behind it."""
    modal = next(
        (hit.first for hit in tokens.hits.get("IMP", ()) if hit.first in tokens.main), None
    )
    if modal is None:
        modal = next((h.first for h in tokens.hits.get("PERMIT", ())), len(tokens.all))
    ends = [p for p in tokens.at("prepositions", range(1, modal)) if p in tokens.main]
    end = ends[0] if ends and ends[0] > 1 else modal
    before = [place for place, _, _ in placed if place < end and place in tokens.main]
    head = before[-1:] or [place for place, _, _ in placed if modal < place <= modal + 3][:1]
    return (
        frozenset(concept for place, concept, _ in placed if place in head),
        frozenset(concept for place, concept, _ in placed if place in (*before, *head)),
    )


def _figures(tokens: Tokens) -> Iterator[Figure]:
    limits = tokens.hits.get("LIMIT", ())
    for quantity in tokens.quantities:
        near = [
            hit.group
            for hit in limits
            if quantity.first - _BEFORE <= hit.first and hit.end <= quantity.first
        ]
        behind = [hit.group for hit in limits if hit.first == quantity.end and hit.group == "min"]
        start, end = tokens.all[quantity.first].start, tokens.all[quantity.end - 1].end
        limit = (near[-1:] or behind or [""])[0]
        written = tokens.text[start:end]
        yield Figure(quantity.dimension, float(quantity.amount), limit, written)
    yield from _periods(tokens)
    for place in tokens.at("ones", range(len(tokens.all) - 1)):
        unit = units().get(tokens.low(place + 1))
        part = place > 0 and tokens.is_in("of", place - 1)  # a quarter of a year
        if unit is not None and len(tokens.low(place + 1)) > 2 and not part:
            written = f"1 {unit.name}"
            yield Figure(unit.dimension, float(unit.factor), "", written)


def _periods(tokens: Tokens) -> Iterator[Figure]:
    """Frequencies: each week, per month; a period that a number counts is a figure already."""
    counted = {place for each in tokens.quantities for place in range(each.first, each.end)}
    for place in tokens.at("periods", range(1, len(tokens.all))):
        if place not in counted and tokens.is_in("how_often", place - 1):
            unit = units()[tokens.low(place)]
            written = f"{tokens.all[place - 1].text} {tokens.all[place].text}"
            amount = float(unit.factor) / _times(tokens, place - 2)
            yield Figure(unit.dimension, amount, "every", written)


def _times(tokens: Tokens, place: int) -> float:
    """The number of times in a period: twice, viermal, four times; else once."""
    low, words = tokens.low(place), number_words(tokens.language)
    if low in word_file(tokens.language)["times"]:
        return word_file(tokens.language)["times"][low]
    if low.endswith("mal"):
        return words.get(low.removesuffix("mal"), 1)
    counted = tokens.low(place - 1) if tokens.is_in("times_words", place) else ""
    return int(counted) if counted.isdecimal() and int(counted) else words.get(counted, 1)


def _force(tokens: Tokens) -> str:
    own = [hit for hit in tokens.hits.get("IMP", ()) if hit.first in tokens.main]
    if any(hit.group != "weak" for hit in own):
        return OBLIGED
    if tokens.has("PERMIT"):
        return PERMITTED
    return WISHED if own else STATED


def _order(tokens: Tokens, placed: list[tuple[int, str, bool]]) -> tuple[str, str] | None:
    figures = {quantity.first for quantity in tokens.quantities}
    for hit in tokens.hits.get("ORDER", ()):
        if hit.end in figures:
            continue
        behind = [concept for place, concept, _ in placed if place >= hit.end]
        if behind:
            return hit.group, behind[0]
    return None
