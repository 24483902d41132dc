"""A pattern's call with its slots filled: each value in the form that its place allows.

Nothing of the question's own text reaches a statement: a statement takes whole numbers, codes of
digits, and what the ontology itself wrote. Free text stays within a structured filter.
"""

from collections.abc import Mapping
from datetime import date
from typing import Any

from veridical.contracts.language import Language
from veridical.contracts.schema import ValueType
from veridical.late_pattern import late_pattern
from veridical.messages import message
from veridical.ontology.filling import SLOT, filled
from veridical.ontology.model import CanonicalQueryPattern, Encoding, Slot, SlotKind

_SECONDS_A_DAY = 86_400
_FOR_STATEMENTS = frozenset(SlotKind) - {SlotKind.QUOTED}
_CLOSED_VALUE = late_pattern(r"\w+")


class UnfillablePatternError(ValueError):
    """A pattern whose slots can't be filled safely for any question."""

    def __init__(self, key: str, **values: str) -> None:
        self._key = key
        self._values = values
        super().__init__(self.message(Language.EN))

    def message(self, language: Language) -> str:
        """The error in the pattern, for its author."""
        return message(f"pattern.{self._key}", language, **self._values)


def ensure_fillable(pattern: CanonicalQueryPattern) -> None:
    """Raise ``UnfillablePatternError`` for a pattern that would put free text in a statement."""
    slots = {slot.name: slot for slot in pattern.slots}
    for name in SLOT.findall(str(pattern.pattern.get("sql", ""))):
        slot = slots.get(name)
        if slot is None or slot.kind not in _FOR_STATEMENTS:
            raise UnfillablePatternError("free_text", intent=pattern.intent, slot=name)
        if slot.kind is SlotKind.VALUE and not all(map(_CLOSED_VALUE.fullmatch, slot.values)):
            raise UnfillablePatternError("no_words", intent=pattern.intent, slot=name)


def fill_call(
    pattern: CanonicalQueryPattern, values: Mapping[str, Any], conditions: Mapping[str, str]
) -> dict[str, Any]:
    """The call for these values; ``conditions`` holds those of the sub-classes by name."""
    ready = {slot.name: _ready(slot, values[slot.name], conditions) for slot in pattern.slots}
    return filled(pattern.pattern, ready)


def _ready(slot: Slot, value: Any, conditions: Mapping[str, str]) -> str | int:
    match slot.kind:
        case SlotKind.SUBCLASS:
            return conditions[value]
        case SlotKind.DAY:
            return _encoded(date.fromisoformat(value), slot.encoding)
        case SlotKind.VALUE if value not in slot.values:
            raise UnfillablePatternError("no_value", value=repr(value), slot=slot.name)
        case _:
            return int(value) if slot.type is ValueType.INTEGER else str(value)


def _encoded(day: date, encoding: Encoding | None) -> str | int:
    seconds = (day - date(1970, 1, 1)).days * _SECONDS_A_DAY
    match encoding:
        case Encoding.UNIX_SECONDS:
            return seconds
        case Encoding.UNIX_MILLISECONDS:
            return seconds * 1000
        case Encoding.YYYYMMDD:
            return int(f"{day:%Y%m%d}")
        case _:
            return day.isoformat()
