"""The slot for one value of a dimension, by its names in three languages: Kanada is Canada."""

from functools import cache

from veridical.contracts.language import Language
from veridical.onboarding.display_names import listed_words
from veridical.onboarding.names import words_of
from veridical.onboarding.profile import Value
from veridical.onboarding.questions.dimension import Dimension
from veridical.ontology.model import Asks, Slot, SlotKind
from veridical.route.pattern_fillers import fillers
from veridical.word_file import word_file

SLOT = "value"
_MOST = 60
_SHORTEST = 3


def value_slot(dimension: Dimension) -> Slot | None:
    """The slot of the values that a question can name; None if there are none."""
    names = {str(value): _names(dimension, value) for value in dimension.values[:_MOST]}
    named = {value: found for value, found in names.items() if found}
    if not named:
        return None
    return Slot(
        name=SLOT,
        kind=SlotKind.VALUE,
        values=tuple(named),
        words={value: tuple(found) for value, found in named.items()},
        examples=(next(iter(named)),),
        description=dict(dimension.names[0].shown),
    )


def _names(dimension: Dimension, value: Value) -> list[str]:
    """What a value is called; nothing for a code, which may be any word, or a number."""
    if not isinstance(value, str) or not words_of(value) or value.isdigit():
        return []
    if any(value.casefold() == each for each in _passed_over()):
        return []
    known = _countries().get(value.casefold(), []) if _is_country(dimension.column) else []
    known = [each for each in known if each.casefold() not in _passed_over()]
    return [value, *known] if len(value) >= _SHORTEST or not value.isascii() or known else []


def _is_country(column: str) -> bool:
    return not listed_words("countries").isdisjoint(words_of(column))


@cache
def _passed_over() -> frozenset[str]:
    """The words that mean nothing in a question."""
    return frozenset(
        word.casefold()
        for language in Language
        for asks in Asks
        for phrase in fillers(language, asks)
        for word in (phrase, *phrase.split())
    )


@cache
def _countries() -> dict[str, list[str]]:
    """All names of a country by each of them."""
    names: list[list[str]] = word_file("veridical.onboarding", "display_names.toml")["countries"][
        "names"
    ]
    return {each.casefold(): group for group in names for each in group}
