"""The words for times in each language: months, quarters, ends, and those relative to today.

A rule is a grain, the relation of the question to the period, and the expression that finds it.
More specific rules come first; each takes its part of the text away from the next.
"""

import re

from veridical.contracts.language import Language
from veridical.late_pattern import late_pattern

Rule = tuple[str, str, re.Pattern[str]]

_MONTHS: dict[Language, tuple[str, ...]] = {
    Language.DE: (
        "januar|jan|jänner", "februar|feb", "märz|maerz|mrz|mär", "april|apr", "mai", "juni|jun",
        "juli|jul", "august|aug", "september|sept|sep", "oktober|okt", "november|nov",
        "dezember|dez",
    ),
    Language.EN: (
        "january|jan", "february|feb", "march|mar", "april|apr", "may", "june|jun", "july|jul",
        "august|aug", "september|sept|sep", "october|oct", "november|nov", "december|dec",
    ),
    Language.ZH: (
        "一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二",
    ),
}  # fmt: skip
_QUARTERS: dict[Language, tuple[str, ...]] = {
    Language.DE: ("erste[sn]?", "zweite[sn]?", "dritte[sn]?", "vierte[sn]?"),
    Language.EN: ("first", "second", "third", "fourth"),
    Language.ZH: ("一", "二", "三", "四"),
}

MONTH_NUMBERS: dict[str, int] = {
    name: number
    for months in _MONTHS.values()
    for number, names in enumerate(months, start=1)
    for name in names.split("|")
}
QUARTER_NUMBERS: dict[str, int] = {
    name + ending: number
    for language, quarters in _QUARTERS.items()
    for number, each in enumerate(quarters, start=1)
    for name in [each.removesuffix("[sn]?")]
    for ending in (("", "s", "n") if language is Language.DE else ("",))
} | {"1st": 1, "2nd": 2, "3rd": 3, "4th": 4}

_DIGITS = r"(?<![\d.,'’])"
_YEAR = r"(?P<y>(?:19|20)\d\d)(?![\d'’]|[.,]\d)"
_ANY_DAY: tuple[tuple[str, str, str], ...] = (
    ("day", "end", _DIGITS + r"(?P<d>\d{1,2})\.\s?(?P<m>\d{1,2})\.\s?(?P<y>(?:20|19)?\d\d)(?!\d)"),
    ("day", "end", _DIGITS + r"(?P<y>(?:19|20)\d\d)-(?P<m>\d\d)-(?P<d>\d\d)(?!\d)"),
    ("day", "end", _DIGITS + r"(?P<d>1[3-9]|2\d|3[01])/(?P<m>\d{1,2})/(?P<y>(?:19|20)\d\d)(?!\d)"),
    ("day", "end", _DIGITS + r"(?P<m>\d{1,2})/(?P<d>1[3-9]|2\d|3[01])/(?P<y>(?:19|20)\d\d)(?!\d)"),
)
_NUMBERED_MONTH = _DIGITS + r"(?P<m>1[0-2]|0?[1-9])\s?/\s?" + _YEAR
_ISO_MONTH = _DIGITS + r"(?P<y>(?:19|20)\d\d)-(?P<m>0[1-9]|1[0-2])(?![\d-])"

_GERMAN_LAST = (
    r"(?P<last>(?:letzte|vergangene|vorige)[sn]\s(?:geschäfts)?jahr(?:es)?|vorjahr(?:es)?)"
)
_GERMAN_THIS = r"(?P<this>(?:dieses|diesem|laufende[sn])\s(?:geschäfts)?jahr(?:es)?)"
_GERMAN: dict[str, str] = {
    "Y": rf"(?:(?:des\s|dem\s)?(?:geschäfts|kalender|rechnungs)?jahr(?:es|e)?\s)?(?:{_YEAR}|"
    rf"{_GERMAN_LAST}|{_GERMAN_THIS})",
    "M": rf"(?P<m>(?:{'|'.join(_MONTHS[Language.DE])})\b\.?)",
    "D": _DIGITS + r"(?P<d>[0-3]?\d)\.?",
    "Q": r"(?:q(?P<q>[1-4])|(?P<q2>[1-4])\.\squartals?|(?P<q3>(?:erste|zweite|dritte|vierte)[sn]?)"
    r"\squartals?)",
    "LM": r"(?P<lastmonth>(?:letzte|vergangene|vorige)[ns]\smonat(?:s|es)?)",
    "E": r"\b(?:am\s|per\s|zum\s)?(?:ende|monatsende|quartalsende|jahresende|jahresabschluss)"
    r"\s(?:von\s|vom\s|des\s)?(?:monats?\s)?",
}
_ENGLISH_LAST = r"(?P<last>(?:the\s)?(?:last|previous|past|prior)\s(?:fiscal\s|financial\s)?year)"
_ENGLISH_THIS = r"(?P<this>(?:this|the\scurrent)\s(?:fiscal\s|financial\s)?year)"
_ENGLISH: dict[str, str] = {
    "Y": rf"(?:(?:the\s)?(?:(?:fiscal|financial|business|calendar)\s)?year\s|fy\s?)?(?:{_YEAR}|"
    rf"{_ENGLISH_LAST}|{_ENGLISH_THIS})",
    "M": rf"(?P<m>(?:{'|'.join(_MONTHS[Language.EN])})\b\.?)",
    "D": _DIGITS + r"(?P<d>[0-3]?\d)(?:st|nd|rd|th)?\b",
    "Q": r"(?:the\s)?(?:q(?P<q>[1-4])|(?P<q2>first|second|third|fourth|1st|2nd|3rd|4th)\squarter)",
    "LM": r"(?P<lastmonth>(?:the\s)?(?:last|previous)\smonth)",
    "E": r"\b(?:(?:the\s)?end\sof|(?:month|quarter|year)[\s-]?end(?:\sof)?|(?:the\s)?close\sof)"
    r"\s(?:the\s)?(?:month\s(?:of\s)?)?",
}
_CHINESE: dict[str, str] = {
    "Y": r"(?:(?<!\d)(?P<y>(?:19|20)\d\d)(?!\d)\s?年?度?|(?P<last>去年|上一?年度?)|"
    r"(?P<this>今年|本年度?))",
    "M": r"(?P<m>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])\s?月份?",
    "Q": r"(?:第?(?P<q>[1-4一二三四])季度?|q(?P<q2>[1-4]))",
    "LM": r"(?P<lastmonth>上个?月)",
    "E": r"的?(?:年|月|季)?(?:底|末|终)",
}
_BY_LANGUAGE: dict[Language, tuple[tuple[str, str, str], ...]] = {
    Language.DE: (
        ("day", "end", r"{D}\s?{M}\s{Y}"),
        ("day", "end", r"(?P<today>\bheute\b|\bheutigen\stag\b)"),
        ("quarter", "end", r"{E}{Q}\s(?:des\s)?{Y}"),
        ("month", "end", r"{E}{M}\s{Y}"),
        ("month", "end", r"{E}" + _NUMBERED_MONTH),
        ("month", "end", r"{E}{LM}"),
        ("year", "end", r"{E}{Y}"),
        ("year", "since", r"\b(?:seit|ab)\s(?:anfang\s)?{Y}"),
        ("month", "during", r"(?:\bmonat\s)?{M}\s{Y}"),
        ("month", "during", r"(?:\bmonat\s)?" + _NUMBERED_MONTH),
        ("month", "during", _ISO_MONTH),
        ("month", "during", r"{LM}"),
        ("quarter", "during", r"{Q}\s?(?:des\s)?{Y}"),
        ("year", "during", _DIGITS + r"\b{Y}"),
    ),
    Language.EN: (
        ("day", "end", r"{D}\s(?:of\s)?{M},?\s{Y}"),
        ("day", "end", r"\b{M}\s{D},?\s{Y}"),
        ("day", "end", r"(?P<today>\btoday\b)"),
        ("quarter", "end", r"{E}{Q}(?:\sof)?\s{Y}"),
        ("month", "end", r"{E}{M}(?:\sof)?,?\s{Y}"),
        ("month", "end", r"{E}" + _NUMBERED_MONTH),
        ("month", "end", r"{E}{LM}"),
        ("year", "end", r"{E}{Y}"),
        ("year", "since", r"\bsince\s{Y}"),
        ("month", "during", r"\b(?:(?:the\s)?month\s(?:of\s)?)?{M}(?:\sof)?,?\s{Y}"),
        ("month", "during", r"(?:\bmonth\s)?" + _NUMBERED_MONTH),
        ("month", "during", _ISO_MONTH),
        ("month", "during", r"{LM}"),
        ("quarter", "during", r"{Q}(?:\sof)?\s?{Y}"),
        ("year", "during", _DIGITS + r"\b{Y}"),
    ),
    Language.ZH: (
        ("day", "end", r"{Y}{M}\s?(?P<d>[0-3]?\d)\s?[日号]"),
        ("day", "end", r"(?P<today>今天|今日)"),
        ("quarter", "end", r"{Y}的?{Q}{E}"),
        ("month", "end", r"{Y}的?{M}{E}"),
        ("month", "end", r"{LM}{E}"),
        ("year", "end", r"{Y}{E}"),
        ("year", "since", r"(?:自从|自|从){Y}(?:以来|起|开始)?"),
        ("year", "since", r"{Y}(?:以来|起)"),
        ("quarter", "during", r"{Y}的?{Q}"),
        ("month", "during", r"{Y}的?{M}"),
        ("month", "during", _ISO_MONTH),
        ("month", "during", r"{LM}"),
        ("year", "during", r"(?:整个)?{Y}(?:全年)?"),
    ),
}
_PARTS = {Language.DE: _GERMAN, Language.EN: _ENGLISH, Language.ZH: _CHINESE}


def _compiled(language: Language) -> tuple[Rule, ...]:
    named = _PARTS[language]
    rules = (*_ANY_DAY, *_BY_LANGUAGE[language])
    return tuple((grain, at, late_pattern(_with(text, named))) for grain, at, text in rules)


def _with(text: str, named: dict[str, str]) -> str:
    for name, expression in named.items():
        text = text.replace(f"{{{name}}}", expression)
    return text


RULES: dict[Language, tuple[Rule, ...]] = {
    language: _compiled(language) for language in _BY_LANGUAGE
}

CUES: dict[Language, re.Pattern[str]] = {
    Language.DE: late_pattern(r"\d|heut|vor|letzte|vergangene|dieses|diesem|laufende"),
    Language.EN: late_pattern(r"\d|today|last|previous|past|prior|this|current"),
    Language.ZH: late_pattern(r"\d|[今去上本]"),
}
"""Words of which a text must have one to name a period."""

END_MARKS: dict[Language, re.Pattern[str]] = {
    Language.DE: late_pattern(
        r"\b(?P<year>jahresend)(?=s?(?:saldo|salden|best[aä]nd|stand|guthaben))"
        r"|\b(?P<month>monatsend)(?=s?(?:saldo|salden|best[aä]nd|stand))"
    ),
    Language.EN: late_pattern(r"\b(?:(?P<year>year)|(?P<month>month))[\s-]?end\b"),
    Language.ZH: late_pattern(r"(?P<year>年[末底])|(?P<month>月[末底])"),
}  # fmt: skip
"""Words apart from the period that select its end."""


def month_name(month: int, language: Language) -> str:
    """The month in the words of a text: März, March, 3月."""
    if language is Language.ZH:
        return f"{month}月"
    return _MONTHS[language][month - 1].split("|")[0].capitalize()
