"""What an answer speaks of, and how people write it in four locales."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_HALF_UP, Decimal

_CENT = Decimal("0.01")
_TENTH = Decimal("0.1")
_ONE = Decimal(1)


@dataclass(frozen=True, slots=True)
class Money:
    """An amount in one currency."""

    value: Decimal
    currency: str


@dataclass(frozen=True, slots=True)
class Percent:
    """A share or a change, in percent."""

    value: Decimal


@dataclass(frozen=True, slots=True)
class Count:
    """How many there are."""

    value: Decimal


@dataclass(frozen=True, slots=True)
class Rate:
    """A price with four decimals."""

    value: Decimal


@dataclass(frozen=True, slots=True)
class Year:
    """A calendar year."""

    year: int


@dataclass(frozen=True, slots=True)
class Quarter:
    """Three months."""

    year: int
    quarter: int


@dataclass(frozen=True, slots=True)
class Month:
    """One month."""

    year: int
    month: int


@dataclass(frozen=True, slots=True)
class Day:
    """One day."""

    day: date


@dataclass(frozen=True, slots=True)
class Word:
    """A name, a number of an account or an invoice: written as it is stored."""

    text: str


Figure = Money | Percent | Count | Rate
Time = Year | Quarter | Month | Day
Value = Figure | Time | Word


@dataclass(frozen=True, slots=True)
class Locale:
    """How one part of the world writes figures and days."""

    name: str
    language: str
    group: str
    decimal: str
    minus: str
    money: str
    percent: str
    months: tuple[str, ...]
    words: tuple[str, ...]
    last: str
    """What joins the last item of a list in a sentence."""
    comma: str = ", "


_GERMAN = (
    "Januar", "Februar", "März", "April", "Mai", "Juni",
    "Juli", "August", "September", "Oktober", "November", "Dezember",
)  # fmt: skip
_ENGLISH = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_DE_WORDS = ("null", "eine", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun")
_EN_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_ZH_MONTHS = tuple(f"{month}月" for month in range(1, 13))

LOCALES: dict[str, Locale] = {
    each.name: each
    for each in (
        Locale("de-CH", "de", "'", ".", "-", "{c} {n}", "{n} %", _GERMAN, _DE_WORDS, " und "),
        Locale("de-DE", "de", ".", ",", "−", "{n} {c}", "{n} %", _GERMAN, _DE_WORDS, " und "),
        Locale("en", "en", ",", ".", "-", "{c} {n}", "{n}%", _ENGLISH, _EN_WORDS, " and "),
        Locale("zh", "zh", ",", ".", "-", "{n}{c}", "{n}%", _ZH_MONTHS, (), "和", "、"),
    )
}
_ZH_CURRENCIES = {"CHF": "瑞郎", "EUR": "欧元", "USD": "美元"}


def show(value: Value, style: str, locale: Locale) -> str:
    """The value as this locale writes it. A style ``up|down`` chooses a word by the sign."""
    if "|" in style and isinstance(value, Money | Percent):
        up, down = style.split("|")
        return down if value.value < 0 else up
    return _SHOWN[type(value)](value, style, locale)


def _number(value: Decimal, places: Decimal, locale: Locale, style: str) -> str:
    rounded = value.quantize(places, ROUND_HALF_UP)
    text = f"{abs(rounded):,f}".replace(",", "\0").replace(".", locale.decimal)
    sign = locale.minus if rounded < 0 and style != "abs" else ""
    if style == "signed" and rounded > 0:
        sign = "+"
    return sign + text.replace("\0", locale.group)


def _money(value: Money, style: str, locale: Locale) -> str:
    if style == "short":
        return _short(value, locale)
    number = _number(value.value, _CENT, locale, style)
    if style == "bare":
        return number
    return _with_currency(number, value.currency, locale)


def _with_currency(number: str, currency: str, locale: Locale) -> str:
    named = _ZH_CURRENCIES[currency] if locale.language == "zh" else currency
    return locale.money.format(n=number, c=named)


_SCALES: dict[str, tuple[tuple[int, str, str], ...]] = {
    "de": ((10**9, " Mrd.", "0.1"), (10**6, " Mio.", "0.1"), (10**3, " Tsd.", "1")),
    "en": ((10**9, " billion", "0.1"), (10**6, " million", "0.1"), (10**3, "k", "1")),
    "zh": ((10**8, "亿", "0.01"), (10**4, "万", "0.1")),
}


def _short(value: Money, locale: Locale) -> str:
    for scale, word, places in _SCALES[locale.language]:
        if abs(value.value) >= scale:
            number = _number(value.value / scale, Decimal(places), locale, "")
            return _with_currency(number + word, value.currency, locale)
    return _with_currency(_number(value.value, _ONE, locale, ""), value.currency, locale)


def _percent(value: Percent, style: str, locale: Locale) -> str:
    return locale.percent.format(n=_number(value.value, _TENTH, locale, style))


def _count(value: Count, style: str, locale: Locale) -> str:
    if style == "word" and 0 <= value.value < len(locale.words):
        return locale.words[int(value.value)]
    return _number(value.value, _ONE, locale, style)


def _rate(value: Rate, style: str, locale: Locale) -> str:
    return _number(value.value, Decimal("0.0001"), locale, style)


def _year(value: Year, style: str, locale: Locale) -> str:
    return str(value.year)


def _quarter(value: Quarter, style: str, locale: Locale) -> str:
    forms = {"de": "{q}. Quartal {y}", "en": "Q{q} {y}", "zh": "{y}年第{q}季度"}
    return forms[locale.language].format(q=value.quarter, y=value.year)


def _month(value: Month, style: str, locale: Locale) -> str:
    name = locale.months[value.month - 1]
    if style == "name":
        return name
    return f"{value.year}年{name}" if locale.language == "zh" else f"{name} {value.year}"


def _day(value: Day, style: str, locale: Locale) -> str:
    day = value.day
    forms = {
        "de": f"{day:%d.%m.%Y}",
        "en": f"{day.day} {_ENGLISH[day.month - 1]} {day.year}",
        "zh": f"{day.year}年{day.month}月{day.day}日",
    }
    return forms[locale.language]


def _word(value: Word, style: str, locale: Locale) -> str:
    return value.text


_SHOWN: dict[type[Value], Callable[..., str]] = {
    Money: _money,
    Percent: _percent,
    Count: _count,
    Rate: _rate,
    Year: _year,
    Quarter: _quarter,
    Month: _month,
    Day: _day,
    Word: _word,
}
