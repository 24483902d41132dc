"""Punctuation in all scripts: for each plain mark also the Chinese one."""

from veridical.word_file import word_file

_LOADED = word_file("veridical.reading", "punctuation.toml")
_QUOTATION = _LOADED["quotation"]
QUOTE_PAIRS: tuple[str, ...] = tuple(_QUOTATION["pairs"])
"""Marks around a quotation, an opening and a closing one each."""
OPENING: str = _QUOTATION["opening"]
CLOSING: str = _QUOTATION["closing"]
"""Marks that stand for nothing but the beginning or the end of a quotation."""
QUOTED_NAME = rf"[{OPENING}]([^{OPENING}{CLOSING}]{{2,80}})[{CLOSING}]"
"""An expression for a name in quotation marks."""
CORNERS: str = _QUOTATION["corners"]
HAN_CLOSING: str = _QUOTATION["han_closing"]
"""Those that close a quotation of Chinese, which opens one with what others close it with."""
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
