"""The words of human languages that the record reader looks for, from ``words.toml``."""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from veridical.late_pattern import late_pattern


@cache
def _written() -> Mapping[str, Mapping[str, Any]]:
    text = files(__package__ or "").joinpath("words.toml").read_text("utf-8")
    return tomllib.loads(text)


def word_list(name: str) -> tuple[str, ...]:
    """The words of a list in all its languages, in the order of the file."""
    found: list[str] = []
    for written in _written()[name].values():
        found += written.split() if isinstance(written, str) else written
    return tuple(found)


def word_set(name: str) -> frozenset[str]:
    """The same without an order."""
    return frozenset(word_list(name))


def word_values(name: str) -> dict[str, int]:
    """What each word of a list stands for."""
    return {word: value for words in _written()[name].values() for word, value in words.items()}


def alternatives(name: str, *more: str) -> str:
    """One expression for all entries of a list."""
    return "|".join((*word_list(name), *more))


def expression(name: str, *more: str) -> re.Pattern[str]:
    """The same, compiled; case does not count."""
    return late_pattern(alternatives(name, *more), re.IGNORECASE)
