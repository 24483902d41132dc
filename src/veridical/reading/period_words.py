"""The words for times in each language: months, weekdays, quarters, ends, relative to today.

A rule is a grain, the relation of the question to the period, and the expression that finds it.
More specific rules come first; each takes its part of the text away from the next.
"""

import re

from veridical.contracts.language import Language
from veridical.late_pattern import late_pattern
from veridical.word_file import word_file

Rule = tuple[str, str, re.Pattern[str]]

_WORDS = word_file("veridical.reading", "times.toml")
_MONTHS: dict[str, list[str]] = {
    language: months.split() for language, months in _WORDS["months"].items()
}


def _numbers(months: list[str]) -> dict[str, int]:
    return {
        name: number for number, names in enumerate(months, start=1) for name in names.split("|")
    }


MONTH_NUMBERS = {
    name: number for months in _MONTHS.values() for name, number in _numbers(months).items()
}
LATIN_MONTHS = _numbers(_MONTHS["de"]) | _numbers(_MONTHS["en"])
"""Those of languages with letters."""
QUARTER_NUMBERS = {
    name: number
    for quarters in _WORDS["quarters"].values()
    for name, number in _numbers(quarters.split()).items()
}


def _compiled(language: Language) -> tuple[Rule, ...]:
    named = {**_WORDS["parts"][language], **_WORDS["parts"]["any"]}
    named["MONTHS"] = "|".join(_MONTHS[language])
    rules = (*_WORDS["rules"]["any"], *_WORDS["rules"][language])
    return tuple((grain, at, late_pattern(_with(text, named))) for grain, at, text in rules)


def _with(text: str, named: dict[str, str]) -> str:
    for name, expression in named.items():
        text = text.replace(f"<{name}>", expression)
    return text


RULES: dict[Language, tuple[Rule, ...]] = {language: _compiled(language) for language in Language}

CUES: dict[Language, re.Pattern[str]] = {
    language: late_pattern(_WORDS["cues"][language]) for language in Language
}
"""Words of which a text must have one to name a period."""

END_MARKS: dict[Language, re.Pattern[str]] = {
    language: late_pattern(_WORDS["end_marks"][language]) for language in Language
}
"""Words apart from the period that select its end."""

_DAYS = _WORDS["weekdays"]
WEEKDAYS: tuple[tuple[str, str], ...] = tuple(zip(_DAYS["names"], _DAYS["signs"], strict=True))
"""Monday first: the names as alternatives of an expression, and the signs of Chinese."""
WEEK: str = _DAYS["week"]
"""Characters before the sign of a day."""


def month_name(month: int, language: Language) -> str:
    """The month in the words of a text: März, March, 3月."""
    if language in _WORDS["shown"]:
        return _WORDS["shown"][language]["month"].format(month=month)
    return _MONTHS[language][month - 1].split("|")[0].capitalize()


def shown_year(year: int, language: Language) -> str:
    """The year as a title names it: 2025, 2025年."""
    forms = _WORDS["shown"].get(language)
    return forms["year"].format(year=year) if forms else str(year)


def shown_day(year: int, month: int, day: int, language: Language) -> str:
    """The day with the month's name: 31 December 2025, 2025年12月31日."""
    forms = _WORDS["shown"].get(language)
    if forms:
        return forms["day"].format(year=year, month=month, day=day)
    return f"{day} {month_name(month, language)} {year}"
