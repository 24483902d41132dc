"""Numbers of a requirement with their units, and what they come to in the unit of their kind."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache

from veridical.contracts.language import Language
from veridical.reading.number_words import COUNTS
from veridical.requirements.lexicon import word_file
from veridical.requirements.token import Token

_TEN, _TWENTY, _HUNDRED = 10, 20, 100
_THOUSANDS = frozenset({"k"})
_LONGEST = 5
"""Letters of a unit that is no word."""
_BEFORE = frozenset({"€", "$", "eur", "chf", "usd"})
"""Currencies that may stand before the number."""
_SEPARATORS = {"de": (",", "."), "en": (".", ",")}
"""The mark before the decimals and the mark between thousands."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with its unit, if it has one: its first token and the one behind its last."""

    first: int
    end: int
    value: Decimal
    unit: str
    dimension: str
    amount: Decimal
    """The value in the first unit of its dimension, so that 2 s and 2000 ms are the same."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit as the file of units has it."""

    name: str
    dimension: str
    factor: Decimal


@cache
def units() -> Mapping[str, Unit]:
    """The units of both languages by each way to write them, in lower case."""
    return {
        form: Unit(name, dimension, Decimal(entry["factor"]))
        for dimension, entries in word_file("units").items()
        for name, entry in entries.items()
        for form in (name.lower(), *entry["forms"])
    }


@cache
def number_words(language: str) -> Mapping[str, float]:
    """The numbers that are written as words."""
    counts = COUNTS[Language(language)]
    ones = {word_file(language)["one"]: 1} | {w: n for w, n in counts.items() if n < _TEN}
    joined = {
        word_file(language)["between_tens"].format(one=one, ten=ten): number + digit
        for ten, number in counts.items()
        if _TWENTY <= number < _HUNDRED
        for one, digit in ones.items()
    }
    return counts | joined | word_file(language)["numbers"]


def number_of(token: Token, language: str) -> Decimal | None:
    """The number that a token is, in digits or as a word."""
    if not token.is_number:
        word = number_words(language).get(token.low)
        return None if word is None else Decimal(word)
    decimal, thousands = _SEPARATORS[language]
    text = token.text.replace("'", "").replace("’", "")
    head, *groups = text.split(thousands)
    if groups and all(len(group.partition(decimal)[0]) == 3 for group in groups):
        text = head + "".join(groups)
    parts = text.replace(",", ".").split(".")
    if len(parts) > 2:
        return None  # a version or a date
    return Decimal(".".join(parts))


def quantities(
    tokens: Sequence[Token], language: str, per: frozenset[str] = frozenset()
) -> Iterator[Quantity]:
    """The numbers among these tokens, each with the unit that stands behind it."""
    words = number_words(language)
    done = -1
    for place, token in enumerate(tokens):
        if place < done or not (token.is_number or token.low in words):
            continue
        value = number_of(token, language)
        if value is None:
            continue
        behind = place + 1
        if behind < len(tokens) and (power := _power(token, tokens[behind], words)) > 1:
            value *= power
            behind += 1
        done = behind
        unit, end = _unit_at(tokens, behind, per)
        if unit is None and place and tokens[place - 1].low in _BEFORE:
            unit = units()[tokens[place - 1].low]
        if unit is None:
            yield Quantity(place, end, value, "", "", value)
        else:
            yield Quantity(place, end, value, unit.name, unit.dimension, value * unit.factor)


def _power(token: Token, following: Token, words: Mapping[str, float]) -> int:
    """The factor of the word behind a number: ten thousand, 10k."""
    if following.low in _THOUSANDS and following.start == token.end:
        return 1000
    power = words.get(following.low, 1)
    return int(power) if power >= _HUNDRED else 1


def _unit_at(tokens: Sequence[Token], place: int, per: frozenset[str]) -> tuple[Unit | None, int]:
    """The unit that stands here, of up to three tokens, and the place behind it."""
    if place < len(tokens) and tokens[place].text == "-":  # 5-second timeout
        place += 1
    unit, end = _compound(tokens, place, per)
    if unit is not None:
        return unit, end
    for length in (2, 1):
        part = tokens[place : place + length]
        if len(part) == length:
            written = "".join(token.low for token in part)
            if written in units() and (len(written) > 1 or part[0].text not in {"A", "a"}):
                return units()[written], place + length
    return None, place


def _compound(tokens: Sequence[Token], place: int, per: frozenset[str]) -> tuple[Unit | None, int]:
    """A unit per another: 12 m³/h, 20 ml per minute."""
    part = tokens[place : place + 3]
    if len(part) < 3:
        return None, place
    slashed = part[1].text == "/" and part[0].end == part[1].start
    over, under = units().get(part[0].low), units().get(part[2].low)
    if under is None or not (slashed or part[1].low in per):
        return None, place
    if over is not None:
        dimension = f"{over.dimension}/{under.dimension}"
        return Unit(f"{over.name}/{under.name}", dimension, over.factor / under.factor), place + 3
    if part[1].low in per and part[0].is_word:  # 200 bookings per second
        return Unit(f"{part[0].low}/{under.name}", f"count/{under.dimension}", 1 / under.factor), (
            place + 3
        )
    if slashed and len(part[0].low) <= _LONGEST:
        name = f"{part[0].low}/{under.name}"
        return Unit(name, name, 1 / under.factor), place + 3
    return None, place
