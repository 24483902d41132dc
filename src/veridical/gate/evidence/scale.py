"""The scale of a table's figures, read from its head or a line above it."""

import re

from veridical.late_pattern import late_pattern
from veridical.reading.units import HAN_SCALES, SCALES
from veridical.word_file import word_file

_PATTERNS = word_file("veridical.gate")["scale"]
_SCALE = late_pattern(
    rf"""(?: \b (?:{_PATTERNS["lead"]})
            \s+ (?:[a-z$€£.]+\s+(?:of\s+)?){{0,3}}?
          | \( \s* (?:[a-z$€£]{{1,4}}\s*)? | [$€£] \s? | (?:chf|eur|usd|rmb|hkd?|us)\s?[$']? )
        (?P<word> {_PATTERNS["word"]} )
        (?![a-z0-9,.]*[a-z0-9])
      | (?P<apostrophe> [$€£a-z] ['’]? 000 \b | ['’] 000s? \b )
      | (?P<coded> \b (?:tchf|teur|kchf|keur|kusd|mchf|meur|musd) \b )
      | (?P<han> {_PATTERNS["han"]} )""",
    re.VERBOSE,
)
_THOUSAND, _MILLION = 1e3, 1e6
_WORDS = {word.casefold(): scale for word, scale in SCALES.items()} | SCALES
_FOOTNOTES = ("(k", "(m")
_HAN = tuple((sign, HAN_SCALES[sign]) for sign in _PATTERNS["han_scales"].split())


def scale_in(text: str) -> float | None:
    """1000000 for ``(in millions)``; none if the text names no scale."""
    found = _SCALE.search(text.casefold())
    if found is None or found.group() in _FOOTNOTES:
        return None
    if found["word"]:
        return _WORDS.get(found["word"], _THOUSAND)
    if found["coded"]:
        return _MILLION if found["coded"].startswith("m") else _THOUSAND
    if found["han"]:
        return next(scale for sign, scale in _HAN if sign in found["han"])
    return _THOUSAND
