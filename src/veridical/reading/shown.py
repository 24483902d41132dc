"""Numbers and days as each language writes them. Nothing is rounded away that was not said."""

from datetime import date
from decimal import Decimal
from typing import Any

from veridical.contracts.language import Language
from veridical.ontology.model import Encoding
from veridical.reading.period_words import month_name
from veridical.reading.periods import At, Period
from veridical.reading.stored import stored_date
from veridical.reading.units import CURRENCIES, CURRENCY_SIGNS, HAN_CURRENCIES

_THOUSANDS = {Language.DE: "'", Language.EN: ",", Language.ZH: ","}


def is_currency(unit: str) -> bool:
    """True for what amounts of money are counted in: CHF, €, 元."""
    return unit in CURRENCIES or unit in CURRENCY_SIGNS or unit in HAN_CURRENCIES


def money(value: Any, language: Language) -> str:
    """An amount with two places, or with as many as it has: 1'234.50 in German, else 1,234.50."""
    exact = Decimal(str(value))
    places = max(2, -int(exact.normalize().as_tuple().exponent))
    return f"{exact:,.{places}f}".replace(",", _THOUSANDS[language])


def count(value: Any, language: Language) -> str:
    """A whole number with its thousands set off; any other number with the places it has."""
    exact = Decimal(str(value))
    text = f"{exact:,f}" if exact % 1 else f"{exact:,.0f}"
    return text.replace(",", _THOUSANDS[language])


def day(value: date, language: Language) -> str:
    """A day: 31.12.2025, 31 December 2025, 2025年12月31日."""
    match language:
        case Language.DE:
            return f"{value:%d.%m.%Y}"
        case Language.EN:
            return f"{value.day} {month_name(value.month, language)} {value.year}"
        case Language.ZH:
            return f"{value.year}年{value.month}月{value.day}日"


def stored_day(value: Any, encoding: Encoding, language: Language) -> str:
    """A day as a database keeps it."""
    return day(stored_date(value, encoding), language)


def period(value: Period, language: Language) -> str:
    """A period as a title names it; of one at its end, the day."""
    if value.at is At.END:
        return day(value.end, language)
    year = f"{value.start.year}年" if language is Language.ZH else str(value.start.year)
    if value.grain == "year":
        return year
    name = month_name(value.start.month, language)
    return f"{year}{name}" if language is Language.ZH else f"{name} {year}"
