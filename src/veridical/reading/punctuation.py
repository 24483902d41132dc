"""Punctuation in all scripts: for each plain mark also the Chinese one."""

import tomllib
from importlib.resources import files
from typing import Any

_LOADED: dict[str, dict[str, Any]] = tomllib.loads(
    files("veridical.reading").joinpath("punctuation.toml").read_text("utf-8")
)

_QUOTATION = _LOADED["quotation"]
QUOTE_PAIRS: tuple[str, ...] = tuple(_QUOTATION["pairs"])
"""Marks around a quotation, an opening and a closing one each."""
SINGLE_QUOTES: str = _QUOTATION["single"]
"""Those of them that may be apostrophes."""
QUOTES_ALIKE: str = _QUOTATION["alike"]
HYPHENS: str = _QUOTATION["hyphens"]
DASHES: str = _QUOTATION["dashes"]
"""Marks that may be written for one another."""
BRACKETS: tuple[str, ...] = tuple(_QUOTATION["brackets"])
ROUND_BRACKETS: tuple[str, ...] = tuple(_QUOTATION["rounds"])
VERBATIM: tuple[str, ...] = tuple(_QUOTATION["verbatim"])
"""Words in brackets that mark a quotation as exact."""
UNSPACED: str = "".join(_LOADED["unspaced"].values())
"""Ranges of signs that have no blanks beside them, as a class of an expression has them."""
LIST_MARKS = "".join(_LOADED["list"].values())
"""Marks that only separate the items of a list."""


def marks(plain: str) -> str:
    """These marks, and their forms in other scripts."""
    return plain + wide_marks(plain)


def wide_marks(plain: str) -> str:
    """The forms of these marks in other scripts."""
    return "".join(_LOADED["wide"].get(mark, "") for mark in plain)
