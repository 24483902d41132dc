"""A text as quotations are compared: marks, dashes, blanks and forms of signs made alike.

Every place of the folded text knows its place in the text itself. Only what changes the length is
kept for that, so that a long text costs little more than a look at it.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from veridical.late_pattern import late_pattern
from veridical.reading.punctuation import DASHES, HYPHENS, QUOTES_ALIKE, UNSPACED, marks

QUOTE = "'"
ELLIPSIS = "..."
_IS_EAST_ASIAN = late_pattern(f"[{UNSPACED}]")
_SHORT_DASH, _LONG_DASHES = DASHES[0], DASHES[1:]
_ANY_DASH = re.escape(HYPHENS + DASHES)
_UNSEEN = "\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff"
_PERCENT = marks("%") + "\u2030"
_PIECES = (
    rf"(?P<gone>[{_UNSEEN}]+"
    r"|\*\*|__|`|~~|(?<!\w)[*_](?=\w)|(?<=[^\s*_])[*_](?!\w)"  # emphasis
    rf"|\s+(?=[{_PERCENT}])|(?<=[{UNSPACED}])\s+(?=\S)|\s+(?=[{UNSPACED}]))"
    rf"|(?P<dash>\s*(?:[{_LONG_DASHES}]+|--+)\s*|\s+[{_ANY_DASH}]+\s+)"
    r"|(?P<dots>(?:\u2026|\.{3})[.\u2026]*)"
    r"|(?P<blank>\s{2,}|[^\S ])"
)
_BLANKS = r"\t-\r\x1c-\x1f\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
_ODD = rf"{_BLANKS}{_UNSEEN}*_`~\u2026{_LONG_DASHES}"
_RUN = (
    rf"[{_ODD} .{re.escape(HYPHENS)}](?:(?<=[{_ODD}])"
    rf"|(?<=[ ])(?=[\s{_ODD}{_ANY_DASH}{_PERCENT}{UNSPACED}])|(?<=[{UNSPACED}][ ])"
    rf"|(?<=\.)(?=\.\.)|(?<=-)(?=-))[\s{_ODD}{_ANY_DASH}.]*"
)
"""Where something may have to be folded: one class of signs first, so that plain text is run
over quickly."""
_REPLACEMENTS = {"gone": "", "dash": " - ", "dots": ELLIPSIS, "blank": " "}
_ALIKE = {
    **dict.fromkeys(QUOTES_ALIKE, QUOTE),
    **dict.fromkeys(HYPHENS + _SHORT_DASH, HYPHENS[0]),
}
_RAISED = ("<super>", "<sub>")
"""A power is no digit beside its base."""


@dataclass(frozen=True, slots=True)
class Folded:
    """The folded text, and where its pieces begin in it and in the text itself."""

    text: str
    places: tuple[int, ...]
    origins: tuple[int, ...]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The stretch of the text itself that this one is folded from."""
        first = bisect_right(self.places, start) - 1
        begin = self.origins[first]
        if self._is_plain(first):
            begin += start - self.places[first]
        if end <= start:
            return begin, begin
        last = bisect_right(self.places, end - 1) - 1
        if self._is_plain(last):
            return begin, self.origins[last] + end - self.places[last]
        return begin, self.origins[last + 1]

    def _is_plain(self, piece: int) -> bool:
        """True if the piece is as long as its original."""
        if piece + 1 >= len(self.places):
            return True
        length = self.places[piece + 1] - self.places[piece]
        return length == self.origins[piece + 1] - self.origins[piece]


def fold(text: str) -> Folded:
    """The text with all spellings that a quotation may vary made alike."""
    alike, longer, joining = _odd_signs(text)
    parts: list[str] = []
    places, origins = [0], [0]
    at = length = 0
    for match in _odd_pieces(text, longer, joining):
        begin, end = match.span()
        replacement = _REPLACEMENTS.get(match.lastgroup or "")
        if replacement is None:
            replacement = unicodedata.normalize("NFKC", match[0])
        parts += (text[at:begin], replacement)
        length += begin - at
        if len(replacement) != end - begin:
            places += (length, length + len(replacement))
            origins += (begin, end)
        length += len(replacement)
        at = end
    parts.append(text[at:])
    folded = "".join(parts)
    for sign, plain in alike.items():  # few signs: faster than one look at each place
        folded = folded.replace(sign, plain)
    return Folded(folded, tuple(places), tuple(origins))


def is_east_asian(sign: str) -> bool:
    """True for a sign of a script that writes no blanks between words."""
    return _IS_EAST_ASIAN.match(sign) is not None


def is_letter(sign: str) -> bool:
    """True for a letter or digit of a script that writes blanks between words."""
    return sign.isalnum() and not is_east_asian(sign)


def _odd_signs(text: str) -> tuple[dict[str, str], str, str]:
    """Signs with one replacement each, signs with several, and signs that join others."""
    used = set(text)
    alike = {sign: plain for sign, plain in _ALIKE.items() if sign in used}
    longer: list[str] = []
    joining: list[str] = []
    for sign in used if not text.isascii() else ():
        if sign <= "\x7f" or sign in alike:
            continue
        if unicodedata.combining(sign):
            joining.append(sign)
            continue
        made_of = unicodedata.decomposition(sign)
        if not made_of or made_of.startswith(_RAISED):
            continue
        plain = unicodedata.normalize("NFKC", sign)
        if len(plain) == 1 and plain != sign:
            alike[sign] = _ALIKE.get(plain, plain)
        elif len(plain) > 1 and not sign.isspace() and plain.strip("."):
            longer.append(sign)
    return alike, "".join(sorted(longer)), "".join(sorted(joining))


def _odd_pieces(text: str, longer: str, joining: str) -> Iterator[re.Match[str]]:
    runs, pieces = _forms(longer, joining)
    if joining:  # the sign before is changed with it
        yield from pieces.finditer(text)
        return
    for run in runs.finditer(text):
        yield from pieces.finditer(text, run.start(), run.end() + 1)


@lru_cache(maxsize=256)
def _forms(longer: str, joining: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    runs, pieces = _RUN, _PIECES
    if joining:
        pieces += rf"|(?P<joined>[^\W{re.escape(joining)}][{re.escape(joining)}]+)"
    if longer:
        pieces += rf"|(?P<longer>[{re.escape(longer)}]+)"
        runs = runs.replace(_ODD, _ODD + re.escape(longer))
    return re.compile(runs), re.compile(pieces)
