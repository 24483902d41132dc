"""The answer to a canonical question, written from the rows alone: no model, no invention.

What is empty, forbidden, cut short or out of date is said as such.
"""

import re
from collections.abc import Sequence
from datetime import date
from typing import Any

from veridical.contracts.language import Language, in_language
from veridical.contracts.result import Emptiness, Receipt
from veridical.contracts.schema import ValueType
from veridical.messages import message
from veridical.ontology.model import Asks, PeriodKind, Role, SlotKind
from veridical.route import figures
from veridical.route.pattern_cover import phrase_key
from veridical.route.patterns import MissingSlot, PatternMatch
from veridical.route.slots import words_of

Row = Sequence[Any]
MOST_LINES = 20
_WHOLE = ValueType.INTEGER
_SLOT = re.compile(r"\{(\w+)\}")
_OPEN = re.compile(r"[(（][^)）]*$")
_EMPTY = {
    Emptiness.NO_MATCH: "pattern.no_match",
    Emptiness.VALUE_UNKNOWN: "pattern.value_unknown",
    Emptiness.NOT_PERMITTED: "pattern.not_permitted",
}


def render_answer(
    match: PatternMatch,
    columns: Sequence[str],
    rows: Sequence[Row],
    receipt: Receipt,
    language: Language,
) -> str:
    """The text of the answer."""
    body = _body(match, columns, rows, receipt, language)
    notes: list[str] = []
    if receipt.truncated and not _asked_for_some(match):
        notes.append(message("pattern.truncated", language, count=receipt.row_count))
    if receipt.emptiness is Emptiness.STALE:
        notes.append(message("pattern.stale", language))
    if match.unfinished:
        notes.append(message("pattern.unfinished", language))
    return "\n".join((body, *notes))


def render_question(
    missing: MissingSlot, language: Language, today: date
) -> tuple[str, tuple[str, ...]]:
    """The one question back, and answers to choose from."""
    slot = missing.slot
    if slot is None:
        return _ask_period(missing.periods, language, today)
    match slot.kind:
        case SlotKind.COUNT:
            return message("pattern.ask_count", language), tuple(map(str, slot.examples))
        case SlotKind.QUOTED:
            return message("pattern.ask_name", language), ()
        case SlotKind.SUBCLASS:
            names = (in_language(missing.index.names[name], language) for name in slot.values)
            choices = tuple(names)
        case SlotKind.VALUE:
            choices = slot.values
        case _:
            choices = ()
    what = in_language(slot.description, language) or slot.name
    return message("pattern.ask_value", language, what=what), choices


def _ask_period(
    kinds: frozenset[PeriodKind], language: Language, today: date
) -> tuple[str, tuple[str, ...]]:
    last = today.year - 1
    if kinds <= {PeriodKind.YEAR, PeriodKind.SINCE_YEAR}:
        return message("pattern.ask_year", language), (str(last), str(last - 1))
    if kinds <= {PeriodKind.MONTH}:
        return message("pattern.ask_month", language), ()
    ends = (date(year, 12, 31) for year in (last, last - 1))
    return message("pattern.ask_day", language), tuple(figures.day(end, language) for end in ends)


def title(match: PatternMatch, language: Language) -> str:
    """What the question asks for, by its name: with the user's own word where that is another."""
    shown = {name: str(value) for name, value in match.slots.items()}
    for slot in match.pattern.slots:
        if slot.kind is SlotKind.SUBCLASS:
            shown[slot.name] = in_language(match.index.names[match.slots[slot.name]], language)
    if match.period is not None:
        shown["period"] = figures.period(match.period, language)
    named = in_language(match.pattern.title, language) or match.intent

    def told(slot: re.Match[str]) -> str:
        name, said = shown.get(slot[1], slot[0]), match.said.get(slot[1])
        if said is None or phrase_key(words_of(said)) == phrase_key(words_of(name)):
            return name
        within = _OPEN.search(slot.string, 0, slot.start())
        key = "pattern.as_asked_in_brackets" if within else "pattern.as_asked"
        return message(key, language, said=said, name=name)

    return _SLOT.sub(told, named)


def _body(
    match: PatternMatch,
    columns: Sequence[str],
    rows: Sequence[Row],
    receipt: Receipt,
    language: Language,
) -> str:
    named = title(match, language)
    counted = match.pattern.asks is Asks.HOW_MANY and receipt.emptiness is Emptiness.NO_MATCH
    key = _EMPTY.get(receipt.emptiness) if receipt.emptiness else None
    if key and not (counted and rows):
        return message(key, language, title=named)
    if not rows:
        return message("pattern.no_match", language, title=named)
    writer = _Writer(match, tuple(columns), rows, language)
    if len(rows) == 1 and writer.is_figure(rows[0]):
        return message("pattern.figure", language, title=named, value=writer.figures(rows[0]))
    lines = [message("pattern.heading", language, title=named)]
    lines += [f"- {writer.line(row)}" for row in rows[:MOST_LINES]]
    if len(rows) > MOST_LINES:
        lines.append(message("pattern.more_rows", language, count=len(rows) - MOST_LINES))
    return "\n".join(lines)


def _asked_for_some(match: PatternMatch) -> bool:
    return any(slot.kind is SlotKind.COUNT for slot in match.pattern.slots)


class _Writer:
    """Writes the rows of one result: what they are of, then their figures with the unit."""

    def __init__(
        self, match: PatternMatch, columns: tuple[str, ...], rows: Sequence[Row], language: Language
    ) -> None:
        self._match = match
        self._shapes = match.index.shapes
        self._columns = columns
        self._language = language
        roles = {name: self._role(name) for name in columns}
        self._units = [at for at, name in enumerate(columns) if roles[name] is Role.UNIT]
        self._measures = [at for at, name in enumerate(columns) if roles[name] is Role.MEASURE]
        self._others = [
            at for at in range(len(columns)) if at not in (*self._units, *self._measures)
        ]
        self._amounts = {at for at in self._measures if not self._is_counted(at, rows)}

    def is_figure(self, row: Row) -> bool:
        """True when the title says all that a row says beside its figures."""
        said = {str(value) for value in self._match.slots.values()}
        return len(self._columns) == 1 or all(str(row[at]) in said for at in self._others)

    def line(self, row: Row) -> str:
        """One row."""
        named = " · ".join(self._cell(at, row) for at in self._others)
        told = self.figures(row) if self._measures else ""
        return ": ".join(part for part in (named, told) if part)

    def figures(self, row: Row) -> str:
        """The figures of a row; several are told apart by their labels."""
        units = "/".join(str(row[at]) for at in self._units if row[at] is not None)
        cells = [f"{self._cell(at, row)} {units}".strip() for at in self._measures]
        if len(cells) > 1:
            labels = [self._label(at) for at in self._measures]
            cells = [f"{label} {cell}" for label, cell in zip(labels, cells, strict=True)]
        return ", ".join(cells) or " · ".join(self._cell(at, row) for at in self._others)

    def _role(self, name: str) -> Role:
        """A column that no field has is a figure that the statement computed."""
        shape = self._shapes.get(name)
        return shape.role if shape else Role.MEASURE

    def _is_counted(self, at: int, rows: Sequence[Row]) -> bool:
        """True for pieces and the like: whole numbers by their type, which are no money."""
        shape = self._shapes.get(self._columns[at])
        if self._match.pattern.asks is Asks.HOW_MANY or (shape and shape.type is _WHOLE):
            return True
        units = {str(row[unit]) for row in rows for unit in self._units}
        units |= {shape.unit} if shape else set()
        is_money = any(map(figures.is_currency, units))
        return not is_money and all(isinstance(row[at], int | None) for row in rows)

    def _label(self, at: int) -> str:
        name = self._columns[at]
        return in_language(self._match.pattern.labels.get(name, name), self._language)

    def _cell(self, at: int, row: Row) -> str:
        value, shape = row[at], self._shapes.get(self._columns[at])
        if value is None:
            return message("pattern.nothing", self._language)
        if shape is not None and shape.encoding is not None:
            return figures.stored_day(value, shape.encoding, self._language)
        if at in self._amounts:
            return figures.money(value, self._language)
        if isinstance(value, float) or (at in self._measures and isinstance(value, int)):
            return figures.count(value, self._language)
        return str(value)
