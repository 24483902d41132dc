"""How texts name a time within a timeline: dates without a year, weekdays, the third day."""

import re

from veridical.late_pattern import late_pattern
from veridical.reading import weekday_words
from veridical.reading.number_words import NUMBER_WORDS
from veridical.reading.period_words import MONTH_NUMBERS

_LAST_CARDINAL = 10

MONTHS: dict[str, int] = {
    name: number for name, number in MONTH_NUMBERS.items() if name.isascii() and name.isalpha()
} | {"märz": 3, "jänner": 1}

WEEKDAYS: dict[str, int] = {
    name: number for number, day in enumerate(weekday_words.WEEKDAYS) for name in day.names
}

ORDINALS: dict[str, int] = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7,
    "eighth": 8, "ninth": 9, "tenth": 10, "ersten": 1, "zweiten": 2, "dritten": 3, "vierten": 4,
    "fünften": 5, "sechsten": 6, "siebten": 7,
}  # fmt: skip
CARDINALS: dict[str, int] = {"one": 1, "eins": 1} | {
    word: number for word, number in NUMBER_WORDS.items() if number <= _LAST_CARDINAL
}

# "may" and "mar" are also words, so a month alone must be written as a name.
_NAMES = "|".join(sorted((name.capitalize() for name in MONTHS), key=len, reverse=True))
_MONTH = rf"(?P<month>{_NAMES})\b\.?"
_DAY = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th|\.(?=\s))?(?![\d%°:/]|[.,]\d)"
_YEAR = r"(?P<year>(?:1[5-9]|20)\d\d)(?![\d%°]|[.,]\d)"
_PART = (
    r"(?:(?P<part>[Ee]arly|[Mm]id|[Ll]ate|(?:[Tt]he\s)?[Bb]eginning\sof|(?:[Tt]he\s)?[Ss]tart\sof|"
    r"(?:[Tt]he\s)?[Mm]iddle\sof|(?:[Tt]he\s)?[Ee]nd\sof|Anfang|Mitte|Ende)[\s-]+)?"
)
_WORDED = "|".join([*ORDINALS, *CARDINALS])

MENTION = late_pattern(
    rf"""
    (?<![\w.,-])(?P<iso>\d{{4}}-\d\d-\d\d)(?!\d)
  | (?<![\w.,])(?P<iso_month>\d{{4}}-\d\d)(?![\d-])
  | (?<![\w.,:])(?P<day2>[0-3]?\d)(?:st|nd|rd|th|\.)?\s(?:of\s)?(?P<month2>{_NAMES})\b\.?
      (?:,?\s(?P<year2>(?:1[5-9]|20)\d\d)(?!\d))?
  | {_PART}(?:
        \b{_MONTH}\s{_DAY}(?:,?\s{_YEAR})?(?!\s?%)
      | \b(?P<month3>{_NAMES})\b\.?,?\s(?:of\s)?(?P<year3>(?:1[5-9]|20)\d\d)(?!\d)
      | \b(?P<month4>{_NAMES})\b(?!\s\w+ed\b)
      | (?<![\w.,:/$€£-])(?P<decade>(?:1[5-9]|20)\d0)s\b
      | (?<![\d.,:/$€£])(?<![A-Za-z])(?P<year4>(?:1[5-9]|20)\d\d)(?![\d%°'’]|[.,]\d|-\d|\w)
    )
  | \b(?P<weekday>{"|".join(name.capitalize() for name in WEEKDAYS)})s?\b
  | \b[Dd]ays?\s(?P<nth>{"|".join(CARDINALS)}|\d{{1,2}})\b
  | \b(?P<nth2>{"|".join(ORDINALS)}|[Ff]inal|[Ll]ast)\s[Dd]ay\b
  | \b(?:the\s)?first\s(?P<firsts>{"|".join(CARDINALS)}|\d{{1,2}})\sdays\b
  | \b(?P<next>(?:the\s)?(?:following|next)\sday|am\s(?:folgenden|nächsten)\s[Tt]ag)\b
  | \b(?P<whole>(?:[Oo]ver|[Ff]or|[Ii]n|[Dd]uring|[Tt]hroughout|[Aa]cross)\s(?:the\s)?
      (?:next|coming|upcoming|past|entire|whole|forecast|observed|given)\s[\w-]+(?:\s[\w-]+)?|
      [Tt]hroughout\s(?:the|this|these)\s(?:[\w-]+\s)?(?:period|week|days|forecast|series|time|data)|
      (?:[Dd]uring|[Oo]ver|[Aa]cross)\s(?:the|this|these)\s(?:[\w-]+\s)?(?:period|days|week)|
      [Oo]verall|[Ii]nsgesamt|[Gg]esamten\s[Zz]eitraum)\b
    """,
    re.VERBOSE,
)
FURTHER_DAY = late_pattern(
    r"(?:,\s(?:and\s)?|\s?(?:and|und|&|-|–|to|bis)\s?)(\d{1,2})(?:(?:st|nd|rd|th)\b|(?=[.,;](?:\s|\Z)))"
)
BESIDE = late_pattern(r",?\s*(?:the\s|den\s)?")
JOINED = late_pattern(r"\s*,?\s*(?:to|through|until|till|up\sto|bis|-|–|—)\s*(?:the\s)?")
AND = late_pattern(r"\s*(?:,\s*)?(?:and|und|&)\s*")
BETWEEN = late_pattern(r"(?:between|zwischen)\s*\Z", re.IGNORECASE)
SINCE = late_pattern(r"(?:since|seit)\s(?:the\s)?\Z", re.IGNORECASE)
