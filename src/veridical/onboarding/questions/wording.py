"""A known question in three languages: its wordings, its title, and the words that mean it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Any

from veridical.contracts.language import Language
from veridical.contracts.schema import ValueType
from veridical.messages import message
from veridical.onboarding.display_names import (
    Name,
    column_name,
    day_words,
    group_name,
    head_name,
    merged,
    notion,
    table_name,
)
from veridical.onboarding.names import words_of
from veridical.onboarding.nouns import table_noun
from veridical.onboarding.questions.subject import Figure, Subject, Time
from veridical.ontology.model import (
    Asks,
    CanonicalQueryPattern,
    PeriodKind,
    Slot,
    SlotKind,
    Words,
)

_YEAR_WRITTEN = re.compile(r"(19|20)\d{2}")
_DAY_WRITTEN = re.compile(r"(?:19|20)\d{2}-\d\d(-\d\d)?")
_LIMIT = Slot(name="limit", type=ValueType.INTEGER, examples=(5, 10), kind=SlotKind.COUNT)
_TOTAL, _ENTRIES, _AROUND, _MEASURED = "total", "entries", "around", "measured"


@dataclass(frozen=True)
class Form:
    """One way to ask: what a question must name beside the figure, and what it may."""

    period: PeriodKind | None = None
    must: tuple[str, ...] = ()
    may: tuple[str, ...] = ()
    asks: Asks = Asks.HOW_MUCH
    limited: bool = False


FORMS: Mapping[str, Form] = {
    "total": Form(may=(_TOTAL,)),
    "mean": Form(must=("mean",)),
    "year": Form(PeriodKind.YEAR, may=(_TOTAL,)),
    "month": Form(PeriodKind.MONTH, may=(_TOTAL,)),
    "months": Form(PeriodKind.YEAR, must=("months",), may=(_TOTAL, "develops")),
    "trend": Form(must=("trend",), may=(_TOTAL, "develops")),
    "by": Form(must=("each",), may=(_TOTAL,)),
    "by_day": Form(PeriodKind.DAY, must=("each",), may=(_TOTAL,)),
    "top": Form(must=("most",), may=(_TOTAL, "by"), asks=Asks.WHICH, limited=True),
    "value": Form(may=(_TOTAL,)),
    "flag": Form(may=(_TOTAL,)),
    "now": Form(may=(_TOTAL,)),
    "day": Form(PeriodKind.DAY, may=(_TOTAL,)),
    "month_ends": Form(PeriodKind.YEAR, must=("months",), may=(_TOTAL, "develops")),
    "split": Form(must=("each",), may=(_TOTAL,)),
}
"""All ways to ask, by the last part of the key of their messages."""


@dataclass(frozen=True)
class Division:
    """What a form divides or filters by."""

    column: str
    names: tuple[Name, ...]
    slot: Slot | None = None
    is_named: bool = True
    """True if a question must name it."""

    def shown(self, several: bool, language: Language) -> str:
        """What it is called, in the plural for several."""
        name = group_name(self.column) if several else column_name(self.column)
        return name.shown[language]


def pattern_of(
    subject: Subject,
    kind: str,
    call: dict[str, Any],
    division: Division | None = None,
    suffix: str = "",
) -> CanonicalQueryPattern:
    """The known question of this form, with its call."""
    form = FORMS[kind]
    is_count = subject.figure is Figure.COUNT
    must, may = _named(subject)
    must += tuple(map(notion, form.must))
    may += tuple(notion(each) for each in form.may if not (is_count and each == _TOTAL))
    may += (notion("now"),) if subject.time in (Time.STANDS, Time.HOLDS) and not form.period else ()
    if division is not None:
        (must, may) = _with(division, must, may)
    asks = Asks.HOW_MANY if is_count and form.asks is Asks.HOW_MUCH else form.asks
    values = _values(subject, kind, division)
    slots = (*_period_slots(subject, form.period), *((_LIMIT,) if form.limited else ()))
    slots += (division.slot,) if division and division.slot else ()
    named = ("count", "" if kind == _TOTAL else kind) if is_count else (kind,)
    code = "_".join(filter(None, (*named, subject.table.name, subject.measure, suffix)))
    return CanonicalQueryPattern(
        intent="_".join(words_of(code)).upper(),
        pattern=call,
        slots=slots,
        questions={each.value: (_capital(_worded(f"question_{kind}", each, values, subject)),)
                   for each in Language},
        asks=asks,
        period=form.period,
        words=must,
        also=may,
        title={each: _title(kind, each, values, subject) for each in Language},
    )  # fmt: skip


def _with(
    division: Division, must: tuple[Words, ...], may: tuple[Words, ...]
) -> tuple[tuple[Words, ...], tuple[Words, ...]]:
    words = merged(*division.names)
    return ((*must, words), may) if division.is_named else (must, (*may, words))


def _named(subject: Subject) -> tuple[tuple[Words, ...], tuple[Words, ...]]:
    """The words that name the figure, and those that may stand beside them."""
    rows = table_name(subject.thing or subject.table.name)
    day = (day_words(subject.day),) if subject.time is Time.MOVES else ()
    around = (notion(_AROUND), *day)
    if subject.figure is Figure.COUNT:
        return (rows.words,), (notion(_ENTRIES), *around)
    measure = column_name(subject.measure)
    beside = (notion(_MEASURED), *around)
    if subject.only and subject.figure is Figure.SUM and subject.time is not Time.MOVES:
        head = head_name(subject.table.name)
        named = (measure, rows, head) if subject.alone else (rows, head)
        return (merged(*named),), (measure.words, rows.words, *beside)
    if subject.alone and subject.figure is Figure.SUM:
        return (measure.words,), (rows.words, *beside)
    return (measure.words, rows.words), beside


def _values(
    subject: Subject, kind: str, division: Division | None
) -> dict[Language, dict[str, str]]:
    """What fills the messages, by language."""
    rows = table_name(subject.table.name)
    found: dict[Language, dict[str, str]] = {}
    for language in Language:
        table = rows.shown[language]
        values = {"table": table, "figure": _figure(subject, kind, language, table)}
        if division is not None:
            values["group"] = division.shown(kind == "top", language)
        found[language] = values
    return found


def _figure(subject: Subject, kind: str, language: Language, table: str) -> str:
    """The figure as a noun: total of invoices, number of orders."""
    if subject.figure is Figure.COUNT:
        return message("onboarding.figure_count", language, table=table)
    name = column_name(subject.measure)
    if not set(name.phrases[Language.EN]).isdisjoint(
        table_name(subject.table.name).phrases[Language.EN]
    ):
        rows = table if language is Language.EN else name.shown[language]  # the stock of the stock
        return message("onboarding.figure_rows", language, table=rows)
    measure = name.shown[language]
    if kind == _TOTAL:
        measure = _without_total(measure)
        if not measure:
            return message("onboarding.figure_rows", language, table=table)
    return message("onboarding.figure_sum", language, measure=measure, table=table)


def _without_total(measure: str) -> str:
    """The measure without its own word for a total, to avoid "total total"."""
    first, _, rest = measure.partition(" ")
    return rest if first.casefold() in _total_words() else measure


@cache
def _total_words() -> frozenset[str]:
    return frozenset(word.casefold() for words in notion(_TOTAL).values() for word in words)


def _worded(
    key: str, language: Language, values: dict[Language, dict[str, str]], subject: Subject
) -> str:
    if subject.figure is Figure.COUNT and key in ("question_total", "title_total"):
        countable = table_noun(subject.table.name).is_countable
        key = key.replace("total", "count" if countable else "entries")
    return message(f"onboarding.{key}", language, **values[language])


def _title(
    kind: str, language: Language, values: dict[Language, dict[str, str]], subject: Subject
) -> str:
    """The title of the answer, with the rows that are left out."""
    title = _capital(_worded(f"title_{kind}", language, values, subject))
    if not subject.without:
        return title
    columns = ", ".join(column_name(each).shown[language] for each in subject.without)
    return message("onboarding.title_without", language, title=title, columns=columns)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _period_slots(subject: Subject, period: PeriodKind | None) -> tuple[Slot, ...]:
    """The slots of a time, with the latest ones with rows as examples."""
    column = subject.table.by_name.get(subject.day)
    if period is None or column is None:
        return ()
    if period is PeriodKind.DAY:
        return (Slot(name="day", examples=(_last_day(str(column.high)),), kind=SlotKind.DAY),)
    year = Slot(
        name="year",
        type=ValueType.INTEGER,
        examples=_years(str(column.low), str(column.high)),
        kind=SlotKind.YEAR,
    )
    month = Slot(name="month", type=ValueType.INTEGER, examples=(1,), kind=SlotKind.MONTH)
    return (year, month) if period is PeriodKind.MONTH else (year,)


def _years(low: str, high: str) -> tuple[int, ...]:
    found = [_YEAR_WRITTEN.match(each) for each in (low, high)]
    years = [int(each[0]) for each in found if each]
    if len(years) < len(found):
        return (date.today().year - 1, date.today().year - 2)
    last = min(years[1], date.today().year)
    return tuple(year for year in (last, last - 1) if year >= years[0]) or (last,)


def _last_day(high: str) -> str:
    found = _DAY_WRITTEN.match(high)
    today = date.today().isoformat()
    if found is None:
        return today
    day = found[0] if found[1] else f"{found[0]}-28"
    return min(day, today)
