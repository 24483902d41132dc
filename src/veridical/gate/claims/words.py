"""What is said in words: numbers, months without digits, quarters and halves of a year."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

from veridical.contracts.proof import ClaimKind
from veridical.gate.claims.calendar import month_number
from veridical.gate.claims.counting import counted
from veridical.gate.claims.dates import part_of_year
from veridical.gate.claims.draft import Draft
from veridical.late_pattern import late_pattern
from veridical.reading.after import after
from veridical.reading.before import before
from veridical.reading.listed import listed
from veridical.reading.number_words import NUMBER_WORDS
from veridical.reading.period_words import MONTH_NUMBERS, QUARTER_NUMBERS

_ONE = listed("only exactly just nur genau lediglich")
_NO_COUNT = listed(
    "teil auszug ausschnitt bruchteil part excerpt portion fraction subset bit sample"
)
_SAYS_SO = listed(
    "are were is was have had of remain sind waren ist war haben hatten davon von wurden der"
)
_DOUBTFUL_MONTHS = listed("May March Mar Jan Sun Sep Dec Dez")
_MONTH_CUES = listed(
    "in im ende anfang mitte end of by since seit bis ab until through during monat month und and "
    "to from für for vom per zum early late mid last next"
)
_PART = late_pattern(
    r"(?P<which>[eE]rste[nmrs]?|[zZ]weite[nmrs]?|[dD]ritte[nmrs]?|[vV]ierte[nmrs]?"
    r"|[fF]irst|[sS]econd|[tT]hird|[fF]ourth)"
    r"[ ](?:fiscal[ ])?(?P<part>Quartals?|[qQ]uarter|Halbjahr(?:es)?|[hH]alf)\b"
    r"(?:,?[ ](?:(?:of|des|im|in)[ ])?(?:(?:the|fiscal|financial|year|Jahres?|FY)[ ])*"
    r"(?P<year>(?:19|20)[0-9]{2})(?![0-9]))?"
)
_PART_HINTS = ("uarter", "uartal", "albjahr", "half")


def _by_first_letter(words: Iterable[str]) -> str:
    """An expression for any of the words; one that starts otherwise is passed over quickly."""
    rests: dict[str, list[str]] = defaultdict(list)
    for word in sorted(words, key=len, reverse=True):
        rests[word[0]].append(re.escape(word[1:]))
    return "|".join(f"{first}(?:{'|'.join(rest)})" for first, rest in rests.items())


_LATIN_MONTHS = {name.capitalize() for name in MONTH_NUMBERS if name[0] < "\u2e80"}
_ARTICLES = listed("one ein eine einen einer einem")
_NUMBERS = {*NUMBER_WORDS, *(word.capitalize() for word in NUMBER_WORDS), *_ARTICLES}
_SCAN = late_pattern(
    rf"\b(?:(?P<number>{_by_first_letter(_NUMBERS)})\b(?!-)"
    rf"|(?P<month>{_by_first_letter(_LATIN_MONTHS)})\b(?!-|\.?[ \u00a0][0-9]{{4}}\b))"
)


_TELLING = frozenset(
    f"{before}{word}{behind}"
    for word in {
        *_NUMBERS - _ARTICLES,
        *_LATIN_MONTHS,
        *_ONE,
        *(word.capitalize() for word in _ONE),
    }
    for before in ("", "(", "**", "„", '"')
    for behind in ("", ",", ".", ":", ";", ")", "?", "!", "**")
)
"""What a text must have between its blanks for a number or a month to be written out in it."""


def said_in_words(text: str) -> Iterator[Draft]:
    """Numbers, months, quarters and halves that are written out."""
    at = 0
    words = text.split()
    for word in () if _TELLING.isdisjoint(words) else words:
        if word not in _TELLING:
            continue
        begin = text.find(word, at)
        match = _SCAN.search(text, begin) if begin >= 0 else None
        if match is None or match.start() > begin + len(word) + 1:
            continue
        at = match.end()
        draft = _number(text, match) if match["number"] else _month(text, match)
        if draft is not None:
            yield draft
    if any(hint in text for hint in _PART_HINTS):
        yield from _parts(text)


def _number(text: str, match: re.Match[str]) -> Draft | None:
    """A number as a word, where it counts something or stands before a unit or a scale."""
    start, end = match.span()
    number = NUMBER_WORDS.get(match[0].lower(), 1)
    lead = before(text, start)
    if (number == 1 and lead.lower not in _ONE) or text[start - 1 : start] == "-":
        return None
    tail = after(text, end)
    if tail.unit or tail.scale != 1.0:
        noun = counted(text, tail.end, tail.word)
        kind = ClaimKind.COUNT if noun else ClaimKind.NUMBER
        if tail.unit:
            kind = ClaimKind.PERCENT if tail.unit == "%" else ClaimKind.AMOUNT
        # two dozen are 24 and two hundred 200: only greater scales round
        small = tail.scale < 1000
        value = number * tail.scale if small else float(number)
        return Draft(
            kind, start, tail.end, ((value, 0.5),), tail.unit, tail.factor,
            (1.0 if small else tail.scale,), mark=lead.mark, counted=noun,
        )  # fmt: skip
    noun = counted(text, end, tail.word) or (tail.word if number == 1 else "")
    if number == 1 and noun.lower() in _NO_COUNT:
        return None
    if not noun and tail.word not in _SAYS_SO:
        return None
    digits = ((float(number), 0.5),)
    return Draft(ClaimKind.COUNT, start, end, digits, mark=lead.mark, counted=noun)


def _month(text: str, match: re.Match[str]) -> Draft | None:
    """A month without a year: "Ende März", "in April"; the years come from elsewhere."""
    start, name = match.start(), match[0]
    lead = before(text, start).lower
    if lead not in _MONTH_CUES and (name in _DOUBTFUL_MONTHS or len(name) <= 3):
        return None
    if lead == "ende":
        start -= len("ende ")
    elif text[max(0, start - 7) : start].lower() == "end of ":
        start -= len("end of ")
    at_end = start < match.start()
    month = (month_number(name), 1, 0)
    return Draft(ClaimKind.PERIOD, start, match.end(), yearless=month, at_end=at_end)


def _parts(text: str) -> Iterator[Draft]:
    """Quarters and halves: "third quarter of 2025", "im ersten Halbjahr"."""
    for match in _PART.finditer(text):
        which = match["which"].lower()
        number = QUARTER_NUMBERS.get(which) or QUARTER_NUMBERS[which[:-1]]
        part = "Q" if "uart" in match["part"] else "H"
        draft = part_of_year(match, match["year"] or "", part, number)
        if draft is not None:
            yield draft
