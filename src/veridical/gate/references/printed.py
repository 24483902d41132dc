"""How a language prints values: separators, units, currencies, dates, lists, number words."""

import math
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

from veridical.contracts.language import Language
from veridical.evidence.dimension import Quantity, paid
from veridical.evidence.moment import Moment, of_date
from veridical.evidence.unit import unit_dimension, unit_name
from veridical.gate.kernel.value import Figure, Time, Value, Word
from veridical.gate.languages.vocabulary import vocabulary
from veridical.late_pattern import late_pattern

_MOST_WORD = 20
_PERCENT = 0.01
_UNIT_AFTER = late_pattern(r"[ \u00a0]?(°C|℃|[^\W\d_]+|[%€$£¥])")
_UNIT_BEFORE = late_pattern(r"([€$£¥]|\b[A-Z]{3})[ \u00a0]?\**$")
_THOUSAND = 1000
_HOUR, _DAY = 3600, 86_400


@dataclass(frozen=True, slots=True)
class Form:
    """How a reference wants to be printed."""

    digits: int | None = None
    flags: frozenset[str] = frozenset()

    def has(self, flag: str) -> bool:
        """Whether it is asked for."""
        return flag in self.flags


_FLAGS = {
    "%": "percent", "m": "compact", "~": "about", "+": "sign", "w": "word", "h": "hours",
    "bare": "bare", "d": "day", "month": "month", "time": "time", "q": "quarter",
}  # fmt: skip


def read_form(text: str) -> Form | None:
    """The format behind a colon; none where there is no such."""
    digits: int | None = None
    flags: set[str] = set()
    for word in re.findall(r"\d+%?|[~+%]|[^\s,~+%\d]+", text):
        number = re.match(r"\d+", word)
        if number:
            digits = min(int(number[0]), 6)
            word = word[number.end() :]
        if word:
            if word not in _FLAGS:
                return None
            flags.add(_FLAGS[word])
    return Form(digits, frozenset(flags))


class Printer:
    """Prints values in one language."""

    def __init__(self, language: Language) -> None:
        self.language = language
        raw = _printed(language)
        self._raw = raw | raw.get("beside", {}).get("CHF", {})

    def value(self, value: Value, form: Form, *, unsigned: bool = False, bare: bool = False) -> str:
        """A value as the reader sees it."""
        match value:
            case Figure():
                shown = replace(value, value=abs(value.value)) if unsigned else value
                return self._figure(shown, form, bare=bare or form.has("bare"))
            case Time(when):
                return self.moment(of_date(when), form)
            case Word(text):
                return text

    def flag(self, value: bool) -> str:
        """Yes or no."""
        return str(self._raw["yes" if value else "no"])

    @property
    def signs(self) -> tuple[str, str]:
        """What groups thousands, and the decimal sign."""
        return self._raw["group"], self._raw["decimal"]

    @property
    def months(self) -> list[str]:
        """The names of the months."""
        return str(self._raw["months"]).split()

    @property
    def blank(self) -> str:
        """What stands for an empty cell."""
        return str(self._raw["blank"])

    def alias(self, alias: str, name: str) -> str:
        """A translated name with its own."""
        return str(self._raw["alias"].format(alias=alias, name=name))

    def listed(self, texts: Sequence[str]) -> list[str]:
        """What stands behind each of the texts of a list that runs on."""
        joints = [str(self._raw["list"])] * max(0, len(texts) - 1)
        return [*joints[:-1], str(self._raw["last"]), ""] if joints else [""]

    def span(self, first: str, last: str) -> str:
        """A period from one time to another."""
        return str(self._raw["span"].format(first=first, last=last))

    def moment(self, moment: Moment, form: Form) -> str:
        """A day, a month, a quarter, a year."""
        names = self.months
        parts = {
            "y": moment.year or "", "m": moment.month or "", "d": moment.day or "",
            "month": names[(moment.month or 1) - 1],
        }  # fmt: skip
        clock = f"{moment.clock[0]:02d}:{moment.clock[1]:02d}" if moment.clock else ""
        if form.has("time") and clock:
            return clock
        if form.has("month") and moment.month:
            return str(parts["month"])
        if clock and moment.day is None and moment.month is None:
            return clock
        if moment.week is not None and moment.month is None:
            return str(moment.week)
        quarter = moment.filled.quarter
        if quarter and (form.has("quarter") or moment.month is None):
            shown = self._raw["quarter"].format(
                q=quarter, han=self._raw.get("quarters", "1234")[quarter - 1], y=parts["y"]
            )
            return str(shown).strip()
        if moment.day is None:
            if moment.month is None:
                return str(moment.year or "")
            return str(self._raw["month"].format(**parts)).strip()
        short = form.has("day") or moment.year is None
        day = str(self._raw["short_day" if short else "day"].format(**parts))
        if not clock or clock == "00:00" or short:
            return day
        return str(self._raw["moment"].format(day=day, clock=clock))

    def _figure(self, figure: Figure, form: Form, *, bare: bool) -> str:
        if form.has("word") and figure.value.is_integer() and 0 <= figure.value <= _MOST_WORD:
            return self.number_word(int(figure.value))
        quantity = figure.dimension.quantity
        if form.has("percent") or quantity is Quantity.SHARE:
            digits = self._share_digits(figure, form)
            number = self.number(figure.value * 100, digits, sign=form.has("sign"))
            text = number if bare else str(self._raw["percent"].format(n=number))
        else:
            text = self._amount(figure, form, bare=bare)
        return str(self._raw["about"].format(n=text)) if form.has("about") else text

    def _share_digits(self, figure: Figure, form: Form) -> int:
        if form.digits is not None:
            return form.digits
        if form.has("about"):
            return 0
        shift = 2 if figure.scale == 1 else 0
        return 1 if figure.digits is None else max(0, figure.digits - shift)

    def _amount(self, figure: Figure, form: Form, *, bare: bool) -> str:
        figure = replace(figure, dimension=paid(figure.dimension))
        quantity, unit = figure.dimension.quantity, figure.dimension.unit
        scale = figure.scale
        if quantity is Quantity.MONEY and not figure.dimension.per:
            scale = 1.0
        if quantity is Quantity.DURATION:
            if form.has("hours"):
                scale = float(_HOUR)
            elif scale == 1.0 and figure.digits is None:
                scale = float(_DAY if abs(figure.value) >= 2 * _DAY else _HOUR)
        number = figure.value / scale
        text = self._compact(number, form) if form.has("compact") else None
        if text is None:
            text = self.number(number, self._digits(figure, number, form), sign=form.has("sign"))
        if bare or (figure.dimension.per and quantity is not Quantity.MONEY):
            return text  # of a rate the text says both units
        if quantity is Quantity.MONEY:
            return self._money(text, unit)
        if quantity in (Quantity.DURATION, Quantity.MEASURE):
            return self._with_unit(text, unit_name(replace(figure.dimension, factor=scale)))
        return text

    def _digits(self, figure: Figure, number: float, form: Form) -> int:
        if form.digits is not None:
            return form.digits
        if form.has("about"):
            return 0
        money = figure.dimension.quantity is Quantity.MONEY
        if figure.digits is not None:
            if money:
                return 2 if figure.digits and figure.scale == 1 else 0
            return figure.digits
        if money:
            return 2 if abs(number) < _THOUSAND or not float(number).is_integer() else 0
        if math.isclose(number, round(number), abs_tol=1e-9):
            return 0
        return 2 if abs(number) < 1 else 1

    def _compact(self, number: float, form: Form) -> str | None:
        for size, pattern in self._raw["compact"]:
            if abs(number) >= size:
                digits = form.digits if form.digits is not None else 2
                text = self.number(number / size, digits, sign=form.has("sign"))
                if form.digits is None and self._raw["decimal"] in text:
                    text = text.rstrip("0").rstrip(self._raw["decimal"])
                return str(pattern.format(n=text))
        return None

    def _money(self, text: str, unit: str) -> str:
        sign = self._raw["signs"].get(unit)
        if sign is None:
            return str(self._raw["money"].format(n=text, code=unit)).strip()
        lead = text[:1] if text[:1] in "+-−" else ""
        plain = text[len(lead) :]
        return lead + str(self._raw["sign_money"].format(n=plain, sign=sign))

    def _with_unit(self, text: str, unit: str) -> str:
        named = self._raw["unit"].get(unit) or self._raw["unit"]["other"]
        shown = str(named.format(n=text, unit=unit))
        return str(self._raw["one"].get(shown, shown))

    def number(self, number: float, digits: int, *, sign: bool = False) -> str:
        """A number with the separators of the language."""
        rounded = round_half_up(number, digits)
        text = f"{abs(rounded):,.{digits}f}"
        text = text.translate(str.maketrans({",": self._raw["group"], ".": self._raw["decimal"]}))
        if rounded < 0:
            return f"−{text}" if sign else f"-{text}"
        return f"+{text}" if sign and rounded > 0 else text

    def number_word(self, number: int) -> str:
        """A small number as a word."""
        words = vocabulary(self.language).numbers
        known = str(self._raw["number_words"]).split()
        if number < len(known):
            return known[number]
        return next((word for word, value in words.items() if value == number), str(number))


def round_half_up(number: float, digits: int) -> float:
    """As people round: 0.125 is 0.13."""
    step = 10.0**digits
    return math.copysign(math.floor(abs(number) * step + 0.5 + 1e-9), number) / step


@cache
def _printed(language: Language) -> dict[str, Any]:
    name = f"{language.value}.toml"
    text = files("veridical.facts.languages").joinpath(name).read_text("utf-8")
    found: dict[str, Any] = tomllib.loads(text)["printed"]
    return found


def says_unit(value: Figure, before: str, after: str) -> bool:
    """Whether the text says the unit itself, so that it need not be printed."""
    value = replace(value, dimension=paid(value.dimension))
    behind = _UNIT_AFTER.match(after.lstrip("*"))
    ahead = _UNIT_BEFORE.search(before)
    for match in (behind, ahead):
        unit = unit_dimension(match[1]) if match else None
        if unit is not None and unit.quantity is value.dimension.quantity:
            same = not unit.unit or unit.unit == value.dimension.unit
            money = unit.quantity is Quantity.MONEY
            return same and (money or unit.factor == value.scale or unit.factor == _PERCENT)
    return False
