"""Plain arithmetic as people write it: "what is 15 % of 80", "12 mal 7", "3加5等于多少".

Only a request that is arithmetic from end to end is read. Whatever may be a date, a range of
accounts, or a number with two readings is left alone.
"""

import re
from decimal import Decimal

from veridical.arithmetic import ArithmeticRefusedError, Calculation, compute
from veridical.contracts.language import Language
from veridical.late_pattern import late_pattern
from veridical.ontology.terms import fold
from veridical.reading.number_words import COUNTS
from veridical.route.request_text import RequestText
from veridical.route.request_words import any_of
from veridical.word_file import word_file

_WRITING = word_file("veridical.route", "sums.toml")
_LONGEST = 160
_START = late_pattern(_WRITING["start"].replace("\n", ""))
_END = late_pattern(_WRITING["end"])
_SEPARATOR = late_pattern(_WRITING["separator"])
_UNITS = late_pattern(_WRITING["units"])
_DATE, _FRACTION, _RANGE, _LONG_RANGE = (
    late_pattern(_WRITING[name]) for name in ("date", "fraction", "range", "long_range")
)
_OPERATORS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (late_pattern(pattern.replace("‹n›", r"(\(?[\d.]+%?\)?)")), sign)
    for pattern, sign in _WRITING["spoken"]
)
_NUMBERS: dict[str, int] = _WRITING["numbers"] | {
    word: number for words in COUNTS.values() for word, number in words.items() if number < 100
}
_SCALES: dict[str, int] = _WRITING["scales"]
_WORDS = frozenset(_WRITING["words"].split()) | _NUMBERS.keys() | _SCALES.keys()
_NUMBER_WORDS = frozenset(fold(word) for word in (*_NUMBERS, *_SCALES))
_SMALL, _SCALE = any_of(_NUMBERS), any_of(_SCALES)
_SPELLED = late_pattern(
    rf"\b(?:(?:(?:{_SMALL})(?:[\s-](?:{_SMALL}))?|\d[\d.]*|an?)(?:\s(?:{_SCALE}))+"
    rf"(?:\s(?:and\s)?(?:{_SMALL})(?:[\s-](?:{_SMALL}))?(?:\s(?:{_SCALE}))?)*"
    rf"|(?:{_SMALL})(?:-(?:{_SMALL})|(?<=ty)\s(?:{_SMALL}))?)\b"
)
_DIGIT = late_pattern(r"\d")
_LETTERS = late_pattern(r"[a-zäöüß]+")
_WRITTEN = late_pattern(r"(?<![\d.,'])\d[\d.,']*\d|(?<![\d.,'])\d")
_OPERATION = late_pattern(r"(?<=[\d)%])\s*[-+*/^]|sqrt")
"""Between two numbers: "and 2024" goes on with something, and adds nothing up."""
_YEARS_NAMED = late_pattern(_WRITING["years"])
_EXPRESSION = late_pattern(r"(?:[\d.\s()+*/^%-]|sqrt)+")
_SIGN = late_pattern(r"[.,]")


def may_be_sum(request: RequestText) -> bool:
    """False for a request without any number: a cheap look before the closer one."""
    return _DIGIT.search(request.request) is not None or not request.word_set.isdisjoint(
        _NUMBER_WORDS
    )


def plain_sum(text: str, language: Language) -> tuple[str, Calculation] | None:
    """The expression that a request is, and its value; None if it is anything else."""
    lowered = text.casefold().replace("’", "'")
    if len(text) > _LONGEST or not _WORDS.issuperset(_LETTERS.findall(lowered)):
        return None
    expression = _expression(lowered, language)
    if expression is None:
        return None
    try:
        return expression, compute(expression)
    except ArithmeticRefusedError:
        return None


def _expression(lowered: str, language: Language) -> str | None:
    start = _START.match(lowered)
    is_question, listed = (start["asked"], start["listed"]) if start else (None, None)
    body = _END.sub("", lowered[start.end() :] if start else lowered)
    if not is_question and not listed and _YEARS_NAMED.fullmatch(body.strip()):
        return None
    if any(
        sign.search(body) for sign in (_DATE, _FRACTION, _LONG_RANGE if is_question else _RANGE)
    ):
        return None
    if len(set(_UNITS.findall(body))) > 1:
        return None
    if listed:
        body = _SEPARATOR.sub(" + ", body)
    expression = _in_digits(_UNITS.sub(" ", body), language)
    if expression is None:
        return None
    for pattern, sign in _OPERATORS:
        expression = pattern.sub(sign, expression)
    expression = expression.strip()
    if expression.startswith("+"):
        return None
    return (
        expression if _EXPRESSION.fullmatch(expression) and _OPERATION.search(expression) else None
    )


def _in_digits(body: str, language: Language) -> str | None:
    """The text with every number in plain digits; None if one has two readings."""
    readings = [_number(written, language) for written in _WRITTEN.findall(body)]
    if None in readings:
        return None
    numbers = iter(readings)
    plain = _WRITTEN.sub(lambda _: next(numbers) or "", body)
    return _SPELLED.sub(lambda found: _spelled(found[0]), " ".join(plain.split()))


def _spelled(words: str) -> str:
    """``twelve hundred and five`` and ``3 million`` in digits."""
    total = current = Decimal(0)
    for word in re.split(r"[\s-]", words):
        if word in _SCALES:
            current = max(current, Decimal(1)) * _SCALES[word]
            if _SCALES[word] > 100:
                total, current = total + current, Decimal(0)
        elif word not in {"and", "a", "an"}:
            current += _NUMBERS.get(word) or Decimal(word if word[0].isdigit() else 0)
    return f"{total + current:f}"


def _number(written: str, language: Language) -> str | None:
    """A number in plain digits; None if a reader in another country would read another."""
    plain = written.replace("'", "")
    signs = _SIGN.findall(plain)
    groups = _SIGN.split(plain)
    if not signs:
        return plain.lstrip("0") or "0"
    if len(signs) == 1:
        return _one_sign(groups[0], groups[1], signs[0], language)
    decimals = "" if len(set(signs)) == 1 else f".{groups.pop()}"
    grouped = all(len(group) == 3 for group in groups[1:])
    well_formed = len(set(signs[: len(groups) - 1])) == 1 and signs.count(signs[-1]) in {
        1,
        len(signs),
    }
    return "".join(groups) + decimals if grouped and well_formed else None


def _one_sign(whole: str, last: str, sign: str, language: Language) -> str | None:
    may_be_thousands = len(last) == 3 and whole.strip("0") != "" and len(whole) <= 3
    if may_be_thousands and language is Language.DE:
        return None
    if may_be_thousands and sign == ",":
        return whole + last
    return f"{whole}.{last}"
