"""The words and signs around a figure: currencies, scales, percent, units of measure."""

from collections.abc import Mapping

from veridical.word_file import word_file

_WORDS = word_file("veridical.reading", "figures.toml")
_MONEY = _WORDS["currencies"]


def _by_word(words: Mapping[str, str]) -> dict[str, str]:
    return {word: key for key, each in words.items() for word in each.split()}


def _factors(words: Mapping[str, str]) -> dict[str, float]:
    return {word: float(factor) for word, factor in _by_word(words).items()}


CURRENCY_SIGNS = _by_word(_MONEY["signs"])
CURRENCIES = {code: code for code in _MONEY["codes"].split()} | _by_word(_MONEY["names"])
"""Currencies by code or by name, as they are spelt beside a figure."""
HAN_CURRENCIES = _by_word(_MONEY["han"])
HAN_MONEY = tuple(_MONEY["before"].split())
"""Those of them that stand before their figure."""
SCALES = _factors(_WORDS["scales"])
UNSURE_SCALES = frozenset({"m", "M", "mm", "MM", "B", "b", "T", "k", "K"})
"""Also units of measure (metres, millimetres, bytes) or letters where no currency stands by."""
HAN_SCALES = _factors(_WORDS["han_scales"])
PERCENTS = {word: float(each) for each, words in _WORDS["percents"].items() for word in words}
"""The value of one unit in percent."""
UNITS = frozenset(_WORDS["units"]["plain"].split())
HAN_UNITS: tuple[str, ...] = tuple(_WORDS["units"]["han"].split())
