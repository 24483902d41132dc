"""How things are called and printed: nouns of rows, percents, and which way is better."""

from enum import StrEnum

from pydantic import Field as Pydantic

from veridical.contracts.language import Language
from veridical.contracts.wire import Wire


class Gender(StrEnum):
    """Of a German noun."""

    MASCULINE = "m"
    FEMININE = "f"
    NEUTER = "n"


class Percent(StrEnum):
    """What the cells of a share are written in."""

    FRACTION = "fraction"
    """0.12 is 12 %"""
    POINTS = "points"
    """12 is 12 %"""


class Favourable(StrEnum):
    """Which way a measure gets better."""

    UP = "up"
    DOWN = "down"


class Noun(Wire):
    """What one row of an entity is called in one language, and what several are."""

    one: str
    many: str = Pydantic(default="", exclude_if=lambda text: not text)
    """The plural; a language without plurals needs none."""
    gender: Gender | None = Pydantic(default=None, exclude_if=lambda gender: gender is None)
    accusative: str = Pydantic(default="", exclude_if=lambda text: not text)
    """The singular behind "den", where it differs: Kunden."""
    counter: str = Pydantic(default="", exclude_if=lambda text: not text)
    """What stands between a number and the noun in Chinese."""


Nouns = dict[Language, Noun]
