"""What a table's figures are counted in, where its head or a line above it says so."""

import re

from veridical.late_pattern import late_pattern

_SCALE = late_pattern(
    r"""(?: \b (?:in|amounts?\s+in|expressed\s+in|dollars\s+in|figures\s+in|angaben\s+in)
            \s+ (?:[a-z$€£.]+\s+(?:of\s+)?){0,3}?
          | \( \s* (?:[a-z$€£]{1,4}\s*)? | [$€£] \s? | (?:chf|eur|usd|rmb|hkd?|us)\s?[$']? )
        (?P<word> thousands? | millions? | billions? | tsd | tausend | mio | mrd | millionen
            | milliarden | 000s? | 000['’]s | m | mm | bn | k )
        (?![a-z0-9,.]*[a-z0-9])
      | (?P<apostrophe> [$€£a-z] ['’]? 000 \b | ['’] 000s? \b )
      | (?P<coded> \b (?:tchf|teur|kchf|keur|kusd|mchf|meur|musd) \b )
      | (?P<han> 单位 \s* [::] \s* (?:人民币)? (?:千|万|百万|亿) 元?
          | (?:千|百万|万|亿) 元 )""",
    re.VERBOSE,
)
_THOUSAND, _MILLION, _BILLION = 1e3, 1e6, 1e9
_WORDS = {
    "k": _THOUSAND,
    "m": _MILLION,
    "mm": _MILLION,
    "mio": _MILLION,
    "bn": _BILLION,
    "mrd": _BILLION,
}
_FOOTNOTES = ("(k", "(m")
_HAN = (("百万", _MILLION), ("千", _THOUSAND), ("万", 1e4), ("亿", 1e8))


def told_scale(text: str) -> float | None:
    """1000000 for ``(in millions)``; none where nothing is said of it."""
    found = _SCALE.search(text.casefold())
    if found is None or found.group() in _FOOTNOTES:
        return None
    if found["word"]:
        return _of_word(found["word"])
    if found["coded"]:
        return _MILLION if found["coded"].startswith("m") else _THOUSAND
    if found["han"]:
        return next(scale for sign, scale in _HAN if sign in found["han"])
    return _THOUSAND


def _of_word(word: str) -> float:
    if word in _WORDS:
        return _WORDS[word]
    if word.startswith("milliard"):
        return _BILLION
    if word.startswith("mill"):
        return _MILLION
    return _BILLION if word.startswith("bill") else _THOUSAND
