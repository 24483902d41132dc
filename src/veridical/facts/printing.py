"""Values printed in a language: separators, units, currencies, days, lists, number words."""

import math
import tomllib
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

from veridical.contracts.language import Language
from veridical.evidence.column import TIMES, CellKind
from veridical.evidence.dimension import NUMBER, Quantity, paid
from veridical.evidence.moment import Moment
from veridical.evidence.unit import unit_name
from veridical.facts.fact import Part, Role
from veridical.facts.kernel.frame import moment_of
from veridical.facts.kernel.value import FactError, Reason, Value
from veridical.late_pattern import late_pattern

_HOUR, _DAY = 3600.0, 86_400.0
_MONTH = 2_629_746.0
_MOST_DIGITS = 6
_THOUSAND = 1000
_WRITTEN_OUT = (Quantity.MONEY, Quantity.COUNT, Quantity.NUMBER)
"""Printed in full, in spite of the scale of their column: 12,500 for 12.5 thousand."""
_FLAG = late_pattern(r"\d+|%|[+~]|[a-z]+")
_FLAGS = {"m": "short", "w": "word", "o": "ordinal", "s": "sign", "+": "sign", "%": "percent",
          "short": "short", "word": "word", "ordinal": "ordinal", "sign": "sign", "d": "day",
          "f": "plain", "~": "about"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Format:
    """The format of a slot."""

    digits: int | None = None
    flags: frozenset[str] = frozenset()

    def has(self, flag: str) -> bool:
        """True if the slot has the flag."""
        return flag in self.flags


PLAIN = Format()
SIGNED = Format(flags=frozenset({"sign"}))


def read_format(text: str) -> Format:
    """The format behind a colon. Raises ``FactError``."""
    digits: int | None = None
    flags: set[str] = set()
    for word in _FLAG.findall(text.casefold().replace(".", "")):
        if word.isdecimal():
            digits = min(int(word), _MOST_DIGITS)
        elif word in _FLAGS:
            flags.add(_FLAGS[word])
        else:
            raise FactError(Reason.PART, f":{text}", ("0", "1", "m", "w", "o", "s"))
    return Format(digits, frozenset(flags))


class Printer:
    """Prints values in one language."""

    def __init__(self, language: Language, currencies: Collection[str] = ()) -> None:
        self.language = language
        self._raw = printed(language)
        for code, other in self._raw.get("beside", {}).items():
            self._raw = self._raw | other if code in currencies else self._raw
        self._group, self._decimal = str(self._raw["group"]), str(self._raw["decimal"])

    def _put(self, text: str, /, **values: Any) -> str:
        """A text of the language's file with these values."""
        return str(self._raw[text]).format(**values)

    def part(self, part: Part, form: Format = PLAIN) -> str:
        """A part of a fact."""
        if part.role in (Role.NAMES, Role.LIST) or part.items:
            return self._items(part, form)
        if part.value is None:
            return self.blank
        value = part.value
        if part.role is Role.VERDICT:
            return str(self._raw["improved" if value.value else "worsened"])
        if part.role is Role.LIMIT and form == PLAIN:
            return self.constant(value)
        number = value.value
        if part.unsigned and not form.has("sign") and isinstance(number, float) and number < 0:
            value = replace(value, value=-number)
        return self.value(value, form)

    def _items(self, part: Part, form: Format) -> str:
        if part.role is Role.NAME:
            return " ".join(self.part(each) for item in part.items for each in item)
        if not part.items:
            return str(self._raw["nothing"])
        figures = [self.evened([each.value for each in column], form)
                   for column in list(zip(*part.items, strict=True))[1:]]  # fmt: skip
        texts = [self.part(item[0], form) for item in part.items]
        if figures:
            texts = [self._put("item", name=name, value=", ".join(values))
                     for name, *values in zip(texts, *figures, strict=True)]  # fmt: skip
        if part.more:
            texts.append(self._put("more", n=self.number(part.more, 0)))
        return self.joined(texts)

    def evened(self, values: Sequence[Value | None], form: Format = PLAIN) -> list[str]:
        """The values of one column; computed ones with as many decimals as the longest of them."""
        texts = [self.value(each, form) if each is not None else self.blank for each in values]
        free = {at: each for at, each in enumerate(values) if each and _is_free(each, form)}
        digits = {at: self._decimals(texts[at]) for at in free}
        most = max(digits.values(), default=0)
        for at, each in free.items():
            if digits[at] < most:
                texts[at] = self.value(replace(each, decimals=most), form)
        return texts

    def _decimals(self, text: str) -> int:
        _, point, tail = text.rpartition(self._decimal)
        return len(tail) - len(tail.lstrip("0123456789")) if point else 0

    def value(self, value: Value, form: Format = PLAIN) -> str:
        """A value as the reader sees it."""
        if value.kind is CellKind.FIGURE and isinstance(value.value, float):
            return self._figure(value, value.value, form)
        if isinstance(value.value, bool):
            return str(self._raw["yes" if value.value else "no"])
        if isinstance(value.value, float):  # a code that is a number
            return f"{value.value:.15g}"
        when = moment_of(value.value) if value.kind in TIMES else None
        return self.moment(when, form) if when is not None else str(value.value)

    def constant(self, value: Value) -> str:
        """A limit as its author wrote it: with all its decimals, since rows lie on either side."""
        if value.kind is not CellKind.FIGURE or not isinstance(value.value, float):
            return self.value(value)
        shown = value.value / _print_scale(value, value.value)
        digits = next((each for each in range(_MOST_DIGITS)
                       if math.isclose(round_half_up(shown, each), shown, rel_tol=1e-12)),
                      _MOST_DIGITS)  # fmt: skip
        return self.value(value, Format(digits))

    def span(self, first: str, last: str) -> str:
        """From one day to another."""
        return self._put("span", first=first, last=last)

    @property
    def blank(self) -> str:
        """The sign for an empty cell."""
        return str(self._raw["blank"])

    @property
    def months(self) -> list[str]:
        """The names of the months."""
        return str(self._raw["months"]).split()

    def joined(self, texts: Sequence[str]) -> str:
        """Texts as a list that runs on."""
        if len(texts) < 2:
            return "".join(texts)
        return str(self._raw["list"]).join(texts[:-1]) + str(self._raw["last"]) + texts[-1]

    def moment(self, moment: Moment, form: Format = PLAIN) -> str:
        """A day, a week, a month, a quarter, a year."""
        month, clock = moment.month, moment.clock
        parts = {"y": moment.year, "m": month, "d": moment.day, "w": moment.week,
                 "q": moment.quarter, "h": moment.half}  # fmt: skip
        values: dict[str, Any] = {name: each or "" for name, each in parts.items()}
        values |= {"month": self.months[(month or 1) - 1],
                   "han": self._raw.get("quarters", "1234")[(moment.quarter or 1) - 1],
                   "clock": f"{clock[0]:02d}:{clock[1]:02d}" if clock else ""}  # fmt: skip
        short = form.has("day") or not moment.year
        if month is not None and moment.day is not None:
            values["day"] = str(self._raw["short_day" if short else "day"]).format(**values)
            timed = values["clock"] not in ("", "00:00") and not form.has("day")
            return self._put("moment", **values) if timed else values["day"]
        name = "month" if month is not None else "week" if moment.week is not None else \
            "quarter" if moment.quarter else "half" if moment.half else ""  # fmt: skip
        if not name:
            return str(moment.year or values["clock"])
        only = f"only_{name}"
        return self._put(only if not moment.year and only in self._raw else name, **values).strip()

    def _figure(self, value: Value, number: float, form: Format) -> str:
        if form.has("ordinal"):
            return self._ordinal(number)
        if form.has("word") and number.is_integer() and number in range(13):
            return str(self._raw["number_words"].split()[int(number)])
        dimension = value.dimension or NUMBER
        if form.has("percent") or dimension.quantity is Quantity.SHARE:
            return self._percent(value, number, form)
        money = paid(dimension)
        if money is not dimension:
            value = replace(value, dimension=money)
        return self._amount(value, number, form)

    def _ordinal(self, number: float) -> str:
        if not number.is_integer():
            return self.number(number, 1)
        known = self._raw["ordinals"]
        whole = int(number)
        if str(whole) in known:
            return str(known[str(whole)])
        ending = known.get(f"-{whole % 10}") if whole % 100 not in (11, 12, 13) else None
        return str(ending or known["other"]).format(n=whole)

    def _percent(self, value: Value, number: float, form: Format) -> str:
        digits = form.digits if form.digits is not None else value.decimals
        if digits is None:
            shift = 2 if value.scale == 1 else 0
            computed = 1 if abs(number) >= 0.01 else 2 if abs(number) >= 0.001 else 3
            digits = computed if value.digits is None else max(0, value.digits - shift)
        percent = number * 100
        while digits < _MOST_DIGITS and self._rounds_to_whole(percent, digits):
            digits += 1
        text = self.number(percent, digits, sign=form.has("sign"))
        if form.digits is None and value.digits is None and value.decimals is None:
            text = self._trimmed(text)
        points = value.dimension is not None and value.dimension.unit == "pp"
        return self._put("points" if points else "percent", n=text)

    @staticmethod
    def _rounds_to_whole(percent: float, digits: int) -> bool:
        """True if rounding would turn nearly all into all, or hardly any into none."""
        rounded = round_half_up(percent, digits)
        return rounded != percent and abs(rounded) in (0.0, 100.0) and abs(
            rounded - percent) > 1e-9  # fmt: skip

    def _trimmed(self, text: str) -> str:
        return text.rstrip("0").rstrip(self._decimal) if self._decimal in text else text

    def _amount(self, value: Value, number: float, form: Format) -> str:
        dimension = value.dimension or NUMBER
        quantity, scale = dimension.quantity, _print_scale(value, number)
        shown = number / scale
        text = self._short(shown, form) if form.has("short") else self._scaled(value, number, form)
        if text is None:
            digits = self._digits(value, shown, form)
            text = self.number(shown, digits, sign=form.has("sign"))
            free = form.digits is None and value.digits is None and value.decimals is None
            if free and quantity is not Quantity.MONEY:
                text = self._trimmed(text)
        if quantity is Quantity.MONEY:
            return self._money(text, dimension.unit)
        if dimension.per:
            return text
        if quantity in (Quantity.DURATION, Quantity.MEASURE):
            return self._with_unit(text, unit_name(replace(dimension, factor=scale)))
        return text

    def _scaled(self, value: Value, number: float, form: Format) -> str | None:
        """A figure of a column in thousands or the like, where the language writes it so."""
        if not self._raw.get("keeps_scale") or form.digits is not None:
            return None
        named = {float(size): pattern for size, pattern in self._raw["compact"]}
        if value.scale not in named:
            return None
        digits = value.digits if value.digits is not None else 2
        text = self.number(number / value.scale, digits, sign=form.has("sign"))
        return str(named[value.scale]).format(n=text)

    def _digits(self, value: Value, shown: float, form: Format) -> int:
        money = (value.dimension or NUMBER).quantity is Quantity.MONEY
        if form.digits is not None:
            return 2 if money and form.digits == 1 else form.digits  # never €7,887.8
        if value.decimals is not None:
            return value.decimals
        if value.digits is not None:
            if money:
                return 2 if value.digits and value.scale == 1 else 0
            if value.scale > 1 and (value.dimension or NUMBER).quantity in _WRITTEN_OUT:
                return max(0, value.digits - round(math.log10(value.scale)))
            return value.digits
        if money:
            return 0 if abs(shown) >= 10 * _THOUSAND or float(shown).is_integer() else 2
        if math.isclose(shown, round(shown), abs_tol=1e-9):
            return 0
        size = abs(shown)
        return 0 if size >= _THOUSAND else 1 if size >= 10 else 2 if size >= 0.1 else 4

    def _short(self, number: float, form: Format) -> str | None:
        for size, pattern in self._raw["compact"]:
            if abs(number) >= size:
                digits = form.digits if form.digits is not None else 2
                text = self.number(number / size, digits, sign=form.has("sign"))
                text = self._trimmed(text) if form.digits is None else text
                return str(pattern).format(n=text)
        return None

    def _money(self, text: str, unit: str) -> str:
        sign = self._raw["signs"].get(unit)
        if sign is None:
            return self._put("money", n=text, code=unit).strip()
        lead = text[:1] if text[:1] in "+-−" else ""
        return lead + self._put("sign_money", n=text[len(lead) :], sign=sign)

    def _with_unit(self, text: str, unit: str) -> str:
        named = self._raw["unit"].get(unit) or self._raw["unit"]["other"]
        shown = str(named).format(n=text, unit=unit)
        return str(self._raw["one"].get(shown, shown))

    def after(self, before: str, text: str) -> str:
        """A printed part in the case that the word before it requires: *mit 10 Tagen*."""
        rule = self._raw.get("dative")
        if rule is None or before.split()[-1:] == [] or not before[-1:].isspace():
            return text
        head, gap, unit = text.rpartition(" ")
        if before.split()[-1].casefold() not in rule["after"].split() or not gap:
            return text
        return head + gap + str(rule["endings"].get(unit, unit))

    def number(self, number: float, digits: int, *, sign: bool = False) -> str:
        """A number with the separators of the language."""
        rounded = round_half_up(number, digits)
        if rounded == 0 and number != 0 and digits < _MOST_DIGITS:
            return self.number(number, digits + 1, sign=sign)
        whole, point, rest = f"{abs(rounded):,.{digits}f}".partition(".")
        text = whole.replace(",", self._group) + (self._decimal + rest if point else "")
        if rounded < 0:
            return f"−{text}"
        return f"+{text}" if sign and rounded > 0 else text


def _is_free(value: Value, form: Format) -> bool:
    """True if the decimals of a figure are unknown."""
    computed = value.digits is None and value.decimals is None and form.digits is None
    return computed and value.kind is CellKind.FIGURE and isinstance(value.value, float)


def _print_scale(value: Value, number: float) -> float:
    """The unit of a printed figure: amounts and counts in full, shares in percent."""
    dimension = value.dimension or NUMBER
    if dimension.quantity is Quantity.SHARE:
        return 0.01
    if dimension.quantity is Quantity.DURATION and not dimension.per:
        return _duration_scale(value, number)
    if dimension.quantity in _WRITTEN_OUT and not dimension.per:
        return 1.0
    if dimension.quantity is not Quantity.MEASURE:
        return value.scale
    nameless = unit_name(replace(dimension, factor=value.scale)) == dimension.unit
    return 1.0 if nameless else value.scale  # no unit is so many of its base


def _duration_scale(value: Value, number: float) -> float:
    """The unit of its column; of what was computed between clocks, one that fits its size."""
    if value.scale != 1.0 or value.digits is not None:
        return value.scale
    return _DAY if abs(number) >= 2 * _DAY else _HOUR if abs(number) >= 2 * _HOUR else 60.0


def round_half_up(number: float, digits: int) -> float:
    """Half up, as people round: 0.125 is 0.13."""
    step = 10.0**digits
    return math.copysign(math.floor(abs(number) * step + 0.5 + 1e-9), number) / step


@cache
def language_data(language: Language) -> dict[str, Any]:
    """The content of a language's file."""
    name = f"{language.value}.toml"
    return tomllib.loads(files("veridical.facts.languages").joinpath(name).read_text("utf-8"))


@cache
def printed(language: Language) -> dict[str, Any]:
    """The printing section of a language's file."""
    found: dict[str, Any] = language_data(language)["printed"]
    return found
