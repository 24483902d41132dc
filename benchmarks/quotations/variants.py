"""A quotation as different hands set it: the same words with other marks, blanks and forms."""

import unicodedata
from collections.abc import Callable
from random import Random

from veridical.reading.punctuation import DASHES, QUOTES_ALIKE

_WIDE_DIGITS = {ord("0") + digit: chr(0xFF10 + digit) for digit in range(10)}
_SPACED = (" - ", f" {DASHES[0]} ", DASHES[1])


def varied(quoted: str, random: Random) -> str:
    """Up to three such changes."""
    for change in random.sample(_CHANGES, 3):
        if random.random() < 0.5:
            quoted = change(quoted, random)
    return quoted


def marked(quoted: str, pair: str) -> str:
    """In quotation marks; those within become others, as one writes it."""
    inner = "’" if pair != "‘’" else "”"
    for mark in QUOTES_ALIKE:
        if mark in pair or (mark in '"“”„«»「」『』' and mark in quoted):
            quoted = quoted.replace(mark, inner)
    return f"{pair[0]}{quoted}{pair[1]}"


def _blanks(quoted: str, random: Random) -> str:
    return quoted.replace(" ", random.choice(("\u00a0", "  ", "\u202f")), 3)


def _line_break(quoted: str, random: Random) -> str:
    places = [at for at, sign in enumerate(quoted) if sign == " "]
    at = random.choice(places) if places else 0
    return f"{quoted[:at]}\n{quoted[at + 1 :]}" if at else quoted


def _apostrophes(quoted: str, random: Random) -> str:
    return quoted.replace("'", "’") if "'" in quoted else quoted.replace("’", "'")


def _dashes(quoted: str, random: Random) -> str:
    for dash in _SPACED:
        if dash in quoted:
            return quoted.replace(dash, random.choice(_SPACED))
    return quoted.replace("-", "\u2011")


def _decomposed(quoted: str, random: Random) -> str:
    return unicodedata.normalize("NFD", quoted)


def _wide(quoted: str, random: Random) -> str:
    return quoted.translate(_WIDE_DIGITS)


def _first_letter(quoted: str, random: Random) -> str:
    return quoted[0].swapcase() + quoted[1:] if len(quoted[0].swapcase()) == 1 else quoted


def _closed(quoted: str, random: Random) -> str:
    return quoted.rstrip(".。,，") + random.choice(",.")


def _bold(quoted: str, random: Random) -> str:
    words = quoted.split(" ")
    at = random.randrange(len(words))
    if not words[at].isalpha():
        return quoted
    return " ".join((*words[:at], f"**{words[at]}**", *words[at + 1 :]))


_CHANGES: tuple[Callable[[str, Random], str], ...] = (
    _blanks,
    _line_break,
    _apostrophes,
    _dashes,
    _decomposed,
    _wide,
    _first_letter,
    _closed,
    _bold,
)
