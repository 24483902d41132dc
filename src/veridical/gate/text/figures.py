"""The figures of a text: digits of any country, number words, their units and signs."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from veridical.contracts.input_budget import keep_time
from veridical.contracts.language import Language
from veridical.evidence.dimension import Dimension, Quantity
from veridical.evidence.unit import unit_dimension
from veridical.gate.languages.forms import any_of, forms
from veridical.gate.languages.vocabulary import Vocabulary, vocabulary
from veridical.gate.text.passage import Span
from veridical.gate.text.taken import Taken
from veridical.late_pattern import late_pattern
from veridical.ontology.terms import HAN
from veridical.reading.after import After, after
from veridical.reading.before import Before, before
from veridical.reading.figure import DIGITS, Digits, Reading, read_digits
from veridical.reading.number_words import HAN_NUMERAL, HAN_ONES, read_han
from veridical.reading.numbers import read_scaled
from veridical.reading.punctuation import LIST_MARKS

_FIGURE = late_pattern(rf"(?<![A-Za-z0-9_]){DIGITS}")
_FORMS = forms()
_POINTS = late_pattern(rf"\s?(?:{'|'.join(_FORMS.points)})", re.I)
_TIMES = late_pattern(rf"\s?(?:[x×](?!\w)|{'|'.join(_FORMS.times)})")
_ORDINAL = late_pattern(rf"(?:{any_of(_FORMS.ordinal)})\b")
_SMALLER = late_pattern(
    rf"\s?(?:{any_of(_FORMS.longer_time)})(?:\s|,)*(?:{any_of(_FORMS.time_joint)})?\s?"
    rf"(\d{{1,2}})\s?({any_of(_FORMS.shorter_time)})(?![A-Za-z])",
    re.I,
)
# a word needs a boundary before it, a Chinese sign does not
_PLACE = late_pattern(rf"(?:\b|(?=[{HAN}]))(?:{any_of((*_FORMS.place, '#'))})\s?$", re.I)
_TEN = 10
_MARKER = late_pattern(r"\(?\d{1,2}[.)]\s")
_CODE_TAIL = late_pattern(r"[-/]?[A-Za-z0-9]*[A-Za-z][A-Za-z0-9]*|-\d")


_EXACT = 1000
_DISTINCT = 100
_WHOLE = 0.5


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of the answer."""

    start: int
    end: int
    readings: tuple[Reading, ...]
    dimension: Dimension | None
    """The dimension of its unit; none for a bare number."""
    sign: int = 0
    """1 or -1 where a sign is written."""
    mark: str = ""
    """``about``, ``over`` or ``under``, from the words beside it."""
    is_word: bool = False
    in_points: bool = False
    """Percentage points: a difference of two shares."""
    is_ratio: bool = False
    """A multiple: 3 times."""
    has_unit: bool = False
    """True if it has a unit, known or not."""

    @property
    def is_whole(self) -> bool:
        """True if it may count things."""
        return (
            self.dimension is None
            and not self.is_ratio
            and any(
                reading.value == int(reading.value)
                and reading.half_step == _WHOLE
                and reading.scale == 1
                for reading in self.readings
            )
        )

    @property
    def is_exact(self) -> bool:
        """True if it has too many digits for another pair of cells to give it by chance."""
        reading = self.readings[0]
        return abs(reading.value) >= _EXACT * 2 * reading.half_step > 0

    @property
    def is_distinct(self) -> bool:
        """True if a match by chance is unlikely: it has a unit, decimals or several digits."""
        reading = self.readings[0]
        large = abs(reading.value) >= _DISTINCT
        return self.dimension is not None or reading.half_step != _WHOLE or large


def find_figures(text: str, words: Vocabulary, taken: Sequence[Span]) -> list[Figure]:
    """All figures outside of names and times, in order."""
    busy = Taken(len(text), taken)
    found: list[Figure] = []
    number_words = _han if words.language is Language.ZH else _words
    for figure in (*_digits(text, busy), *number_words(text, words, busy)):
        if not busy.meets(figure.start, figure.end):
            found.append(figure)
            busy.add(figure.start, figure.end)
    return _with_shared_units(text, sorted(found, key=lambda each: each.start))


_JOINTS = frozenset({",", "–", "-", "/", "→", *LIST_MARKS, *_FORMS.unit_joint})


def _with_shared_units(text: str, figures: list[Figure]) -> list[Figure]:
    """A figure before another of a list has its unit: 18, 6 and 4 minutes."""
    for at in range(len(figures) - 2, -1, -1):
        one, other = figures[at], figures[at + 1]
        between = text[one.end : other.start].strip()
        if between == "," and (other.sign or one.readings[0].value >= 1000):
            continue
        if one.dimension is None and other.dimension is not None and between in _JOINTS:
            scale = other.readings[0].scale
            readings = tuple(
                Reading(each.value * scale, each.half_step * scale, each.unit, scale)
                for each in one.readings
            )
            figures[at] = replace(
                one, readings=readings, dimension=other.dimension, in_points=other.in_points
            )
    return figures


def _digits(text: str, busy: Taken) -> Iterator[Figure]:
    for match in _FIGURE.finditer(text):
        keep_time()
        start, end = match.span()
        if busy.meets(start, end):
            continue
        line = text.rfind("\n", 0, start) + 1
        if not text[line:start].strip() and _MARKER.match(text, start):
            continue
        digits = read_digits(match[0].rstrip(".,"))
        end = start + len(match[0].rstrip(".,"))
        if (
            not digits
            or _ORDINAL.match(text, end)
            or _PLACE.search(text, max(0, start - 12), start)
        ):
            continue
        lead = before(text, start)
        tail = after(text, end, currency=bool(lead.unit))
        if not tail.unit and tail.scale == 1 and _is_code(text, end):
            continue
        yield _figure(text, (lead.start, end), digits, lead, tail)


def _is_code(text: str, end: int) -> bool:
    tail = _CODE_TAIL.match(text, end)
    return tail is not None and tail.end() > end and not _TIMES.match(text, end)


def _figure(text: str, span: Span, digits: tuple[Digits, ...], lead: Before, tail: After) -> Figure:
    end = max(span[1], tail.end)
    points = _POINTS.match(text, span[1])
    times = _TIMES.match(text, span[1])
    unit = lead.unit or tail.unit
    if tail.unit == "%":
        unit = "%"
    scales = (1.0, tail.scale) if tail.unsure else (tail.scale,)
    readings = read_scaled(digits, scales, unit, tail.factor, negative=lead.negative)
    dimension = _dimension(text, span[1], unit)
    smaller = _SMALLER.match(text, span[1])
    if smaller and dimension and dimension.quantity is Quantity.DURATION:
        unit_below = unit_dimension(smaller[2].rstrip("."))
        if unit_below is not None and unit_below.factor < dimension.factor:
            ratio = dimension.factor / unit_below.factor
            more = float(smaller[1])
            readings = tuple(Reading(each.value * ratio + more, 0.5) for each in readings)
            dimension, end = unit_below, smaller.end()
    plus = text[span[0] : span[0] + 1] == "+" or text[span[0] - 1 : span[0]] == "+"
    return Figure(
        span[0],
        max(end, points.end() if points else 0, times.end() if times else 0),
        tuple(dict.fromkeys(readings)),
        unit_dimension("%") if points else dimension,
        sign=-1 if lead.negative else int(plus),
        mark=lead.mark,
        in_points=points is not None,
        is_ratio=times is not None and dimension is None,
        has_unit=bool(unit),
    )


_NEXT = late_pattern(
    rf"\s?(°[CF]|ppb|ppm|[kMGT]Wh|[kMG]W|Wh|(?i:{any_of(_FORMS.longer_time)}))(?![A-Za-z])"
)


def _dimension(text: str, end: int, unit: str) -> Dimension | None:
    """The dimension of the unit behind the digits."""
    if unit:
        return unit_dimension(unit)
    sign = _NEXT.match(text, end)
    return unit_dimension(sign[1].rstrip(".")) if sign else None


def _words(text: str, words: Vocabulary, busy: Taken) -> Iterator[Figure]:
    lowered = text.casefold() if len(text.casefold()) == len(text) else text.lower()
    for match in words.number.finditer(lowered):
        if match[0] in words.articles or busy.meets(*match.span()):
            continue
        if _PLACE.search(text, max(0, match.start() - 12), match.start()):
            continue
        yield _worded(text, match.span(), float(words.numbers[match[0]]))


@cache
def _fraction() -> re.Pattern[str]:
    """A fraction in Chinese: the whole of signs from two to ten, then a part of one digit each."""
    numbers = vocabulary(Language.ZH).numbers
    whole = any_of(sign for sign, number in numbers.items() if 1 < number <= _TEN)
    part = any_of(sign for sign, number in numbers.items() if 0 < number < _TEN)
    return re.compile(f"((?:{whole})+)(?:{any_of(_FORMS.fraction)})((?:{part})+)")


def _han(text: str, words: Vocabulary, busy: Taken) -> Iterator[Figure]:
    for match in _fraction().finditer(text):
        whole, part = read_han(match[1]), read_han(match[2])
        if whole and part and not busy.meets(*match.span()):
            reading = Reading(100 * part[0] / whole[0], 4.0, "%")
            yield Figure(*match.span(), (reading,), unit_dimension("%"), is_word=True)
    for match in HAN_NUMERAL.finditer(text):
        counts = match[0][0] in HAN_ONES or match[0][0] in words.numbers
        digits = read_han(match[0]) if counts else None
        follows = text[match.end() : match.end() + 1]
        if digits is None or busy.meets(*match.span()):
            continue
        if follows in _FORMS.tenths:
            yield Figure(
                match.start(),
                match.end() + 1,
                (Reading(digits[0] * 10, 5.0, "%"),),
                unit_dimension("%"),
                mark="about",
                is_word=True,
            )
            continue
        if digits[0] < 2 or (follows not in words.counters and not after(text, match.end()).unit):
            continue
        if text[match.start() - 1 : match.start()] in _FORMS.number_part:
            continue
        if text.startswith(_FORMS.fraction, match.end()):
            continue
        yield _worded(text, match.span(), digits[0])


def _worded(text: str, span: Span, value: float) -> Figure:
    tail = after(text, span[1])
    lead = before(text, span[0])
    times = _TIMES.match(text, span[1])
    dimension = unit_dimension(tail.unit) if tail.unit else None
    readings = read_scaled(((value, 0.5),), (tail.scale,), tail.unit, tail.factor)
    end = max(span[1], tail.end, times.end() if times else 0)
    return Figure(
        span[0],
        end,
        readings,
        dimension,
        mark=lead.mark,
        is_word=True,
        is_ratio=times is not None and dimension is None,
    )
