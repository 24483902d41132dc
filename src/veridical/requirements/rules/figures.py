"""Figures: missing (NUM), without a unit (UNIT), only about right (APX), without a bound (RNG)."""

from collections.abc import Iterator
from functools import cache

from veridical.requirements.lexicon import Hit, lexicon
from veridical.requirements.quantity import Quantity
from veridical.requirements.rules.mark import Mark, phrases
from veridical.requirements.tokens import Tokens

_AFTER, _BEFORE = 8, 3
"""Tokens between a quality and the figure that settles it."""


def missing_figures(tokens: Tokens) -> Iterator[Mark]:
    """Quality nouns with what qualifies them, where no figure settles them."""
    end = -1
    hits = (*phrases(tokens, "NUM"), *_qualified(tokens))
    for hit in sorted(hits, key=lambda each: (each.first, -each.end)):
        if hit.first < end or _is_settled(tokens, hit):
            continue
        lead = _lead(tokens, hit.first)
        if lead is None and (hit.group == "heads" or not _is_demanded(tokens, hit)):
            continue
        end = hit.end
        yield Mark(hit.first if lead is None else lead, hit.end)


def _qualified(tokens: Tokens) -> Iterator[Hit]:
    """Nouns that are qualities only beside a word that says how much: a short boot time."""
    for place, low in enumerate(tokens.lows):
        if not _is_head(low, tokens.language) or place in tokens.names:
            continue
        if tokens.language != "de" or tokens.is_noun(place):
            yield Hit(place, place + 1, "heads")


@cache
def _is_head(low: str, language: str) -> bool:
    words = lexicon(language)
    if low in words.sets["not_quality"]:
        return False
    if language == "de":  # the last part of a compound decides
        return low.endswith(words.endings["quality_heads"])
    return low in words.sets["quality_heads"]


def _lead(tokens: Tokens, first: int) -> int | None:
    """The word that says how much, right before the noun; in English one noun may stand between."""
    if tokens.is_in("quality_leads", first - 1):
        return first - 1
    between = tokens.low(first - 1)
    if (
        tokens.language == "en"
        and between.isalpha()
        and between not in tokens.words.sets["phrase_ends"]
        and between not in tokens.words.sets["not_quality"]
        and tokens.is_in("quality_leads", first - 2)
    ):
        return first - 2
    return None


def _is_settled(tokens: Tokens, hit: Hit) -> bool:
    """True if a figure stands behind the noun, or right before it: 99.5 % availability."""
    sentence = tokens.sentence_of(hit.first)
    return any(
        each.unit
        and each.first in sentence
        and (
            hit.end <= each.first <= hit.end + _AFTER
            or (
                each.end <= hit.first <= each.end + _BEFORE
                and not any(True for _ in tokens.at("prepositions", range(each.end, hit.first)))
            )
        )
        for each in tokens.quantities
    )


def _is_demanded(tokens: Tokens, hit: Hit) -> bool:
    """Bare, and no part of a name: not after a comparative or superlative, before no other noun;
    behind an article only where it is to be ensured."""
    if tokens.has_any("shows"):
        return False  # something to show, log or measure
    taken = {
        place
        for rule in ("CMP", "SUP")
        for other in phrases(tokens, rule)
        for place in range(other.first, other.end)
    }
    before, after = tokens.low(hit.first - 1), hit.end
    ensured = tokens.has_any("ensures")
    article = ensured and before in tokens.words.sets["articles_of_quality"]
    named = before in tokens.words.sets["names_quality"] and not article
    if hit.first - 1 in taken or named:
        return False
    if tokens.language == "de":
        return not tokens.is_noun(after)
    follows = tokens.low(after)
    return not follows or not follows[0].isalpha() or follows in tokens.words.sets["phrase_ends"]


_DASHES = frozenset("-–")
_REACH = 4
"""Words between a number and what it counts: 5 gleichzeitig angemeldete Personen."""


def missing_units(tokens: Tokens) -> Iterator[Mark]:
    """Bare numbers behind a word that measures, where no counted thing follows."""
    end = -1
    for quantity in tokens.quantities:
        place = quantity.first
        if quantity.unit or not tokens.all[place].is_number or place in tokens.names:
            continue
        if place < end or not _measures(tokens, place) or _is_named(tokens, quantity):
            continue
        last = _last_of_range(tokens, place)
        if _is_bare(tokens, last):
            end = last + 1
            yield Mark(place, end)


def _measures(tokens: Tokens, place: int) -> bool:
    return tokens.is_in("measure_leads", _word_before(tokens, place))


def _word_before(tokens: Tokens, place: int) -> int:
    """The word before a number; the full stop of "max." is no word."""
    before = place - 1
    if (
        tokens.low(before) == "."
        and before
        and tokens.all[before - 1].end == tokens.all[before].start
    ):
        return before - 1
    return before


def _last_of_range(tokens: Tokens, place: int) -> int:
    """The second number of 18-22; else the only one."""
    dash, second = place + 1, place + 2
    if tokens.low(dash) in _DASHES and second < len(tokens.all) and tokens.all[second].is_number:
        return second
    return place


def _is_named(tokens: Tokens, quantity: Quantity) -> bool:
    """Versions, chapters, years, dates, times of day: numbers that measure nothing."""
    place, sets = quantity.first, tokens.words.sets
    text = tokens.all[place].text
    before = tokens.lows[max(0, place - 2) : place]
    if any(low in sets["not_measured"] or low in sets["counted"] for low in before):
        return True
    year = len(text) == 4 and text[:2] in {"19", "20"}
    clock = tokens.low(place + 1) in {":", "/"} or tokens.low(place - 1) in {":", "/", "§"}
    dated = "." in text and text.count(".") > 1
    return year or clock or dated


def _is_bare(tokens: Tokens, place: int) -> bool:
    """True if no noun follows that is counted: the end, a mark, or a word that is no noun."""
    after = place + 1
    if after >= len(tokens.all) or tokens.all[after].text in ".,;)":
        return True
    if not tokens.all[after].is_word:
        return False
    if tokens.is_in("no_unit", after):
        return not _range_has_unit(tokens, after)
    if tokens.language == "de":
        return not _counts(tokens, after)
    return False


def _counts(tokens: Tokens, after: int) -> bool:
    """True if a German noun follows, perhaps behind its attributes."""
    for place in range(after, min(after + _REACH, len(tokens.all))):
        if tokens.is_noun(place):
            return True
        if not tokens.all[place].is_word or tokens.is_in("no_unit", place):
            return False
        if tokens.is_in("determiners", place) or tokens.is_in("prepositions", place):
            return False
    return False


def _range_has_unit(tokens: Tokens, join: int) -> bool:
    """True if the unit follows the second number: 18 to 22 °C; between 5 and 10 users."""
    nxt = next((each for each in tokens.quantities if each.first == join + 1), None)
    if nxt is None:
        return False
    return bool(nxt.unit) or not _is_bare(tokens, nxt.first)


_TOLERANCES = frozenset("±")
_NEAR = 2


def approximations(tokens: Tokens) -> Iterator[Mark]:
    """The approximating word with its value; some words need none."""
    ends = {quantity.first: quantity.end for quantity in tokens.quantities}
    for hit in phrases(tokens, "APX"):
        value = next((p for p in range(hit.end, hit.end + _NEAR) if p in ends), None)
        if value is not None and _adjoins(tokens, hit.end, value):
            if not _TOLERANCES & set(tokens.lows[value : value + 4]):
                yield Mark(hit.first, ends[value])
        elif hit.group == "alone":
            yield Mark(hit.first, hit.end)


def _adjoins(tokens: Tokens, end: int, value: int) -> bool:
    return value == end or tokens.low(end) in tokens.words.sets["before_value"]


_NEAR_BOUND = 6


def missing_bounds(tokens: Tokens) -> Iterator[Mark]:
    """Values of main clauses behind "is", "of", "beträgt" and their like."""
    for quantity in tokens.quantities:
        if not quantity.unit or quantity.first not in tokens.main:
            continue
        if _equals(tokens, quantity) and not _is_bounded(tokens, quantity):
            yield Mark(quantity.first, quantity.end)


def _equals(tokens: Tokens, quantity: Quantity) -> bool:
    place, sets = quantity.first, tokens.words.sets
    before = tokens.low(place - 1)
    if before in sets["of"]:
        return not _is_set(tokens, place - 2)
    after = tokens.low(quantity.end)
    return before in sets["equals"] or after in sets["equal_verbs_after"]


def _is_bounded(tokens: Tokens, quantity: Quantity) -> bool:
    """True if a bound or a tolerance stands near, or the value is a setting or a price."""
    sets, place = tokens.words.sets, quantity.first
    if quantity.dimension.startswith(("money", "resolution")):
        return True
    if quantity.dimension == "information":
        return True  # the length of a key
    sentence = tokens.sentence_of(place)
    first = max(sentence.start, place - _NEAR_BOUND)
    nouns = range(first, place - tokens.is_in("equals", place - 1))  # "hold 5 l" is no hold time
    before = tokens.lows[first:place]
    after = tokens.lows[quantity.end : min(quantity.end + 3, sentence.stop)]
    return (
        any(low in sets["bounds"] for low in before[-3:])
        or any(low in sets["approximations"] for low in before[-2:])
        or any(low in sets["bounds_after"] for low in after)
        or any(_is_set(tokens, each) for each in nouns)
    )


def _is_set(tokens: Tokens, place: int) -> bool:
    """True if the noun names a setting: a timeout, a limit, a price."""
    low = tokens.low(place)
    if tokens.language == "de":  # the last part of a compound decides
        return low.endswith(tokens.words.endings["no_range_nouns"])
    return low in tokens.words.sets["no_range_nouns"]
