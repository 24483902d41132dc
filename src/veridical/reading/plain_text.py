"""A text as a reader sees its figures: plain digits for every script and style, no markup.

Every place of the plain text knows its place in the shown text, so that a match in one can be
marked in the other.
"""

import html
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from veridical.late_pattern import late_pattern
from veridical.word_file import word_file

_S = "[ \u00a0\u202f\u2009]"
_HINT = late_pattern(
    r"[<&\\`{]|[\d)][eE][+\d-]|10(?:\^|\*\*)|\$[\d.,]+\$|[IVXLCDM]{4}|[^\x00-\x7f]"
)
_INVISIBLE = late_pattern("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]+")
_RAISED = late_pattern(r"<(?:sup|sub)\b[^<>]{0,80}>", re.IGNORECASE)
_TAG = late_pattern(
    r"</?(?:a|b|big|code|del|em|font|i|ins|kbd|mark|s|small|span|strong|sub|sup|tt|u|var)"
    r"(?:\s[^<>]{0,200})?/?>",
    re.IGNORECASE,
)
_ENTITY = late_pattern(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,10});")
_CODE = late_pattern(
    rf"`(?P<inner>[-+−]?(?:[A-Z]{{3}}{_S}|[$€£¥]{_S}?)?[-+−]?[0-9][0-9.,'’{_S[1:-1]}]*"
    rf"(?:{_S}?(?:%|[A-Z]{{3}}|[€$£]))?)`"
)
_DOLLARS = late_pattern(
    r"(?<![\w$])\$(?P<inner>(?:[-+]?[0-9][0-9.,]*|[^$\n]{0,80}[{\\][^$\n]{0,80}))\$(?![\w$])"
)
_LATEX_COMMAND = late_pattern(r"\\(?:text|math|operator)[a-z]{0,6}\s?\{(?P<inner>[^{}]{0,80})\}")
_LATEX_COMMA = late_pattern(r"(?<=\d)\{(?P<inner>[,.])\}(?=\d)")
_LATEX_SPACE = late_pattern(r"(?<=\d)\\[,;:! ](?=\d{3}(?!\d))|(?<=\d)~(?=\d{3}(?!\d))")
_LATEX_SIGN = late_pattern(r"\\(?P<inner>[%$&#])|\\(?P<times>times|cdot)\b\s?|\\[()\[\]]")
_POWER = late_pattern(
    rf"(?<![\w.,])(?P<digits>[0-9]+(?:[.,][0-9]+)?)"
    rf"(?:[eE](?P<plain>[+-]?[0-9]{{1,2}})|{_S}?[×x*·]{_S}?10(?:\^|\*\*)\{{?(?P<power>[+-−]?[0-9]{{1,2}})\}}?"
    rf"|{_S}?[×x*·]{_S}?10(?P<raised>[⁻⁺]?[⁰¹²³⁴-⁹]{{1,2}}))(?!\w|\.\d)"
)
_WIDE_WORDS: dict[str, str] = word_file("veridical.reading", "figures.toml")["wide"]
_WIDE_SIGNS = late_pattern(
    rf"(?<=[0-9])[{_WIDE_WORDS[',']}](?=[0-9]{{3}}(?![0-9]))"
    rf"|(?<=[0-9])[{_WIDE_WORDS['.']}](?=[0-9])|[{_WIDE_WORDS['%']}]"
)
_WIDE = {wide: plain for plain, signs in _WIDE_WORDS.items() for wide in signs}
_FRACTION = late_pattern(r"(?P<whole>[0-9]{0,6})[\u2009 ]?(?P<part>[¼½¾⅐-⅞↉])")
_RUN = late_pattern(r"[⁰¹²³⁴-⁹₀-₉①-⑳⓪\u3251-\u325f\u32b1-\u32bf⓵-⓾⑴-⒇⒈-⒛❶-➓⓫-⓴⓿]{2,}")
_ROMAN = late_pattern(
    r"(?<![\w.&'’-])M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})(?![\w'’-])"
)
_NAME_BEFORE = late_pattern(r"[A-ZÄÖÜ][\w’'.-]*\s$")
_ROMAN_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
_SHORTEST_ROMAN = 4
_RAISED_DIGITS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")


@dataclass(frozen=True, slots=True)
class PlainText:
    """The text, and the start and end of each of its characters in the shown text."""

    text: str
    starts: list[int] | None = None
    ends: list[int] | None = None

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The stretch of the shown text for this one."""
        if self.starts is None or self.ends is None:
            return start, end
        if start >= len(self.starts):
            last = self.ends[-1] if self.ends else 0
            return last, last
        first = self.starts[start]
        return first, max(first, self.ends[min(end, len(self.ends)) - 1]) if end > start else first


_Replacement = Callable[[re.Match[str]], str | None]


def plain_text(shown: str) -> PlainText:
    """The plain text of the shown one; the same if nothing needs to be changed."""
    if _HINT.search(shown) is None:
        return PlainText(shown)
    plain = PlainText(shown)
    for sign, form, replacement in _STEPS:
        if sign is None or sign in plain.text:
            plain = _changed(plain, form, replacement)
    if not plain.text.isascii():
        plain = _with_plain_digits(plain)
        for form, replacement in _AFTER_DIGITS:
            plain = _changed(plain, form, replacement)
    return _changed(_changed(plain, _POWER, _powered), _ROMAN, _roman)


def _changed(plain: PlainText, form: re.Pattern[str], replacement: _Replacement) -> PlainText:
    """The text with every match replaced; a match without a replacement stays."""
    text = plain.text
    changes = [
        (match, new)
        for match in form.finditer(text)
        if (new := replacement(match)) is not None and new != match[0]
    ]
    if not changes:
        return plain
    old_starts = plain.starts or list(range(len(text)))
    old_ends = plain.ends or list(range(1, len(text) + 1))
    parts: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    at = 0
    for match, new in changes:
        begin, end = match.span()
        parts += (text[at:begin], new)
        kept = match[0].find(new) if new else -1
        if kept >= 0:  # the rest of it stays where it is
            first, last = begin + kept, begin + kept + len(new)
            starts += (*old_starts[at:begin], *old_starts[first:last])
            ends += (*old_ends[at:begin], *old_ends[first:last])
        else:
            starts += (*old_starts[at:begin], *([old_starts[begin]] * len(new)))
            ends += (*old_ends[at:begin], *([old_ends[end - 1]] * len(new)))
        at = end
    parts.append(text[at:])
    return PlainText("".join(parts), starts + old_starts[at:], ends + old_ends[at:])


def _with_plain_digits(plain: PlainText) -> PlainText:
    """Decimal digits of every script and style; each is one sign, so that every place stays."""
    odd = {
        ord(sign): str(unicodedata.decimal(sign))
        for sign in set(plain.text)
        if sign > "\x7f" and sign.isdecimal()
    }
    if not odd:
        return plain
    return PlainText(plain.text.translate(odd), plain.starts, plain.ends)


def _inner(match: re.Match[str]) -> str:
    return match["inner"]


def _nothing(_: re.Match[str]) -> str:
    return ""


def _entity(match: re.Match[str]) -> str | None:
    plain = html.unescape(match[0])
    return plain if plain != match[0] and plain not in ("<", "&") else None


def _latex_sign(match: re.Match[str]) -> str:
    return "×" if match["times"] else match["inner"] or ""


def _wide(match: re.Match[str]) -> str:
    return _WIDE[match[0]]


def _fraction(match: re.Match[str]) -> str:
    value = int(match["whole"] or 0) + unicodedata.numeric(match["part"])
    return f"{value:.4f}".rstrip("0")


def _numbered(match: re.Match[str]) -> str | None:
    """Digits in circles, brackets, above or below the line, where several make a number."""
    before = match.string[match.start() - 1 : match.start()]
    if before.isalpha() or (before.isdigit() and match[0][0] in "⁰¹²³⁴⁵⁶⁷⁸⁹"):
        return None
    values = [unicodedata.numeric(sign) for sign in match[0]]
    return "".join(f"{value:.0f}" for value in values) if max(values) < 10 else None


def _powered(match: re.Match[str]) -> str | None:
    """1.84e3 and 1.84 × 10³ are 1840."""
    power = match["plain"] or match["power"] or match["raised"].translate(_RAISED_DIGITS)
    try:
        value = Decimal(match["digits"].replace(",", ".")).scaleb(int(power.replace("−", "-")))
    except (InvalidOperation, ValueError):
        return None
    return f"{value:f}" if abs(int(power.replace("−", "-"))) <= 15 else None


def _roman(match: re.Match[str]) -> str | None:
    """A long Roman numeral as digits, unless it belongs to a name: Ludwig XVIII., initials."""
    numeral = match[0]
    if len(numeral) < _SHORTEST_ROMAN:
        return None
    if _NAME_BEFORE.search(match.string, max(0, match.start() - 30), match.start()):
        return None
    values = [_ROMAN_VALUES[sign] for sign in numeral]
    return str(
        sum(
            -value if at + 1 < len(values) and value < values[at + 1] else value
            for at, value in enumerate(values)
        )
    )


def _blank(_: re.Match[str]) -> str:
    return " "


def _narrow_blank(_: re.Match[str]) -> str:
    return "\u202f"


_STEPS: tuple[tuple[str | None, re.Pattern[str], _Replacement], ...] = (
    ("&", _ENTITY, _entity),
    (None, _INVISIBLE, _nothing),
    ("<", _RAISED, _blank),
    ("<", _TAG, _nothing),
    ("`", _CODE, _inner),
    ("$", _DOLLARS, _inner),
    ("\\", _LATEX_COMMAND, _inner),
    ("{", _LATEX_COMMA, _inner),
    ("\\", _LATEX_SPACE, _narrow_blank),
    ("~", _LATEX_SPACE, _narrow_blank),
    ("\\", _LATEX_SIGN, _latex_sign),
)
_AFTER_DIGITS: tuple[tuple[re.Pattern[str], _Replacement], ...] = (
    (_WIDE_SIGNS, _wide),
    (_FRACTION, _fraction),
    (_RUN, _numbered),
)
