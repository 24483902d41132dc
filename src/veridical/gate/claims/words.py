"""What is said in words: numbers, months without digits, quarters and halves of a year."""

import re
from collections.abc import Iterator

from veridical.contracts.proof import ClaimKind
from veridical.gate.claims.calendar import month_number
from veridical.gate.claims.dates import part_of_year
from veridical.gate.claims.draft import Draft
from veridical.gate.claims.figures import counted
from veridical.reading.listed import listed
from veridical.reading.number_words import NUMBER_WORDS
from veridical.reading.period_words import MONTH_NUMBERS, QUARTER_NUMBERS
from veridical.reading.surroundings import after, before

_WORD = re.compile(r"[A-Za-zäöüßÄÖÜ]+(?:-[a-z]+)?")
_ONE = listed("only exactly just nur genau lediglich")
_ONES = listed("one ein eine einen einer einem")
_SAYS_SO = listed(
    "are were is was have had of remain sind waren ist war haben hatten davon von wurden der"
)
_LATIN_MONTHS = sorted((name for name in MONTH_NUMBERS if name[0] < "\u2e80"), key=len)[::-1]
_MONTH = re.compile(
    r"[JFMASOND](?<![\w-].)(?:"
    + "|".join(dict.fromkeys(name[1:] for name in _LATIN_MONTHS))
    + r")\b\.?(?![ \u00a0][0-9]|-)"
)
_DOUBTFUL_MONTHS = listed("May March Mar Jan Sun Sep Dec Dez")
_MONTH_CUES = listed(
    "in im ende anfang mitte end of by since seit bis ab until through during monat month und and "
    "to from für for vom per zum to: early late mid- mid last next per"
)
_ENDS = listed("ende end")
_PART = re.compile(
    r"(?i:\b(?P<which>erste[nmrs]?|zweite[nmrs]?|dritte[nmrs]?|vierte[nmrs]?|first|second|third|fourth)"
    r"[ ](?:fiscal[ ])?(?P<part>quartals?|quarter|halbjahr(?:es)?|half))\b"
    r"(?:(?:,)?[ ](?:(?:of|des|im|in)[ ])?(?:(?:the|fiscal|financial|year|Jahres?|FY)[ ])*"
    r"(?P<year>(?:19|20)[0-9]{2})(?![0-9]))?"
)


def number_words(text: str) -> Iterator[Draft]:
    """Numbers as words, where they count something or stand before a unit or a scale."""
    for match in _WORD.finditer(text):
        word = match[0]
        number = NUMBER_WORDS.get(word) or NUMBER_WORDS.get(word.lower())
        if number is None:
            if word not in _ONES:
                continue
            number = 1
        draft = _counting(text, match, number)
        if draft is not None:
            yield draft


def _counting(text: str, match: re.Match[str], number: int) -> Draft | None:
    start, end = match.span()
    lead = before(text, start)
    if number == 1 and lead.word not in _ONE:
        return None
    if text[end : end + 1] == "-" or text[start - 1 : start] == "-":
        return None
    tail = after(text, end)
    digits = ((float(number), 0.5),)
    if tail.unit or tail.scale != 1.0:
        noun = counted(text, tail.end, tail.word)
        kind = ClaimKind.PERCENT if tail.unit == "%" else ClaimKind.AMOUNT
        if not tail.unit:
            kind = ClaimKind.COUNT if noun else ClaimKind.NUMBER
        # in words a scale is exact: two dozen are 24
        if tail.scale < 1000:
            digits = ((number * tail.scale, 0.5),)
            scales = (1.0,)
        else:
            scales = (tail.scale,)
        return Draft(
            kind, start, tail.end, digits, tail.unit, tail.factor, scales, mark=lead.mark,
            counted=noun,
        )  # fmt: skip
    noun = counted(text, end, tail.word) or (tail.word if number == 1 else "")
    if not noun and (tail.word not in _SAYS_SO or number == 1):
        return None
    return Draft(ClaimKind.COUNT, start, end, digits, mark=lead.mark, counted=noun)


def bare_months(text: str) -> Iterator[Draft]:
    """Months without a year: "Ende März", "in April"; the years come from elsewhere."""
    for match in _MONTH.finditer(text):
        lead = before(text, match.start())
        name = match[0].rstrip(".")
        if name.lower() not in MONTH_NUMBERS:  # a first letter and a tail of two months: Man, San
            continue
        if lead.word not in _MONTH_CUES and (name in _DOUBTFUL_MONTHS or len(name) <= 3):
            continue
        start = match.start()
        at_end = lead.word in _ENDS or text[max(0, start - 7) : start].lower() == "end of "
        if at_end:
            start = text.lower().rindex("end", 0, start)
        end = match.start() + len(name)
        month = (month_number(name), 1, 0)
        yield Draft(ClaimKind.PERIOD, start, end, yearless=month, at_end=at_end)


def quarters_in_words(text: str) -> Iterator[Draft]:
    """Quarters and halves: "third quarter of 2025", "im ersten Halbjahr"."""
    for match in _PART.finditer(text):
        which = match["which"].lower()
        number = QUARTER_NUMBERS.get(which) or QUARTER_NUMBERS[which[:-1]]
        part = "Q" if "uart" in match["part"].lower() else "H"
        draft = part_of_year(match, match["year"] or "", part, number)
        if draft is not None:
            yield draft
