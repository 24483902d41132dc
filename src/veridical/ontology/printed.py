"""Names and formats in answers: nouns of rows, percents, and the favourable direction."""

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
    """The scale of the cells of a share."""

    FRACTION = "fraction"
    """0.12 is 12 %"""
    POINTS = "points"
    """12 is 12 %"""


class Favourable(StrEnum):
    """The favourable direction of a measure."""

    UP = "up"
    DOWN = "down"


class Noun(Wire):
    """The nouns for one row of an entity and for several, in one language."""

    one: str
    many: str = Pydantic(default="", exclude_if=lambda text: not text)
    """The plural; a language without plurals needs none."""
    gender: Gender | None = Pydantic(default=None, exclude_if=lambda gender: gender is None)
    accusative: str = Pydantic(default="", exclude_if=lambda text: not text)
    """The singular behind "den", if it differs: Kunden."""
    counter: str = Pydantic(default="", exclude_if=lambda text: not text)
    """The measure word between a number and the noun in Chinese."""


Nouns = dict[Language, Noun]
