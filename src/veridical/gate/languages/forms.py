"""Forms around figures and names, of all languages together: texts mix them."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, fields
from functools import cache

from veridical.contracts.language import Language
from veridical.gate.languages.vocabulary import language_file


@dataclass(frozen=True, slots=True)
class Forms:
    """The ``[forms]`` tables of the language files; a language may leave out keys."""

    points: tuple[str, ...]
    """Percentage points behind a figure, as regular expressions."""
    times: tuple[str, ...]
    """Words for "times" behind a figure, as regular expressions."""
    ordinal: tuple[str, ...]
    """Endings that make digits an ordinal."""
    place: tuple[str, ...]
    """Words before a figure that only numbers something."""
    longer_time: tuple[str, ...]
    shorter_time: tuple[str, ...]
    """The two units of one duration, and the words that join them: 2 hours and 5 minutes."""
    time_joint: tuple[str, ...]
    unit_joint: tuple[str, ...]
    """Words between figures that share a unit."""
    name_joint: tuple[str, ...]
    """Words between names that are listed together."""
    change: tuple[str, ...]
    """Words between the figures of a change."""
    change_end: tuple[str, ...]
    """Words before a figure that is an end of a change, not its size."""
    time_range: tuple[str, ...]
    """Words between the first and the last time of a range."""
    comparing: tuple[str, ...]
    """Endings of words that compare two things."""
    limit_behind: tuple[str, ...]
    """Words of comparison that follow their limit."""
    fraction: tuple[str, ...]
    """Words between the whole and the part of a fraction in words."""
    tenths: tuple[str, ...]
    """Signs that make a numeral a number of tenths."""
    number_part: tuple[str, ...]
    """Signs before a numeral that is part of a longer word."""
    shortened: tuple[str, ...]
    """Abbreviations whose point doesn't end a sentence, without that point."""


@cache
def forms() -> Forms:
    """The forms of all languages."""
    tables = [language_file(language)["forms"] for language in Language]
    return Forms(
        **{
            field.name: tuple(
                dict.fromkeys(form for table in tables for form in table.get(field.name, ()))
            )
            for field in fields(Forms)
        }
    )


def any_of(words: Iterable[str]) -> str:
    """An expression for any of the words, the longest first."""
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
