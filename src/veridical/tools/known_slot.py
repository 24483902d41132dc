"""The slots of known questions as arguments: how each is described, and what is read from it."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from veridical.contracts.language import Language, Text, in_language
from veridical.messages import say
from veridical.ontology.model import CanonicalQueryPattern, PeriodKind, Slot, SlotKind
from veridical.ontology.terms import fold, split_name
from veridical.reading.stored import stored_date

Names = Mapping[str, Text]
"""By value: what people call it."""

_ENDS = frozenset({PeriodKind.YEAR_END, PeriodKind.MONTH_END})
_CHOOSING = frozenset({SlotKind.SUBCLASS, SlotKind.VALUE})
_RANGES: Mapping[SlotKind | None, tuple[int, int]] = {
    SlotKind.YEAR: (1900, 2100),
    SlotKind.MONTH: (1, 12),
    SlotKind.COUNT: (1, 999),
}
_WHOLE = re.compile(r"\d{1,9}(?:\.0+)?")
_DAY = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
_LONGEST_TEXT = 80
_QUOTES = "\"'“”„«»「」『』 "
_WILDCARDS = frozenset("%_\\")


def read_value(slot: Slot, given: Any, names: Names) -> str | int | None:
    """The slot's value, whether it came as text or as a number; none for what is no such value."""
    if isinstance(given, bool) or not isinstance(given, str | int | float):
        return None
    text = str(given).strip(_QUOTES)
    if slot.kind in _RANGES:
        low, high = _RANGES[slot.kind]
        number = int(float(text)) if _WHOLE.fullmatch(text) else 0
        return number if low <= number <= high else None
    match slot.kind:
        case SlotKind.SUBCLASS | SlotKind.VALUE:
            return _chosen(slot, text, names)
        case SlotKind.DAY:
            return text if _is_day(text) else None
        case SlotKind.CODE:
            return text if re.fullmatch(slot.format, text) else None
        case _:
            fits = 0 < len(text) <= _LONGEST_TEXT and _WILDCARDS.isdisjoint(text)
            return text if fits else None


def example_of(slot: Slot) -> str | int:
    """A value as a caller would write it; empty where the ontology gives none."""
    if slot.kind in _CHOOSING:
        return slot.values[0] if slot.values else ""
    if not slot.examples:
        return ""
    if slot.kind is SlotKind.DAY and slot.encoding is not None:
        return stored_date(slot.examples[0], slot.encoding).isoformat()
    return str(slot.examples[0]) if slot.kind is SlotKind.CODE else slot.examples[0]


def expected(slot: Slot) -> str:
    """What the slot takes, in few words."""
    if slot.kind in _RANGES:
        low, high = _RANGES[slot.kind]
        return f"{low}–{high}"
    if slot.kind in _CHOOSING:
        return ", ".join(slot.values)
    return str(example_of(slot))


def settled(
    pattern: CanonicalQueryPattern, told: Mapping[str, Any], slots: Mapping[str, Sequence[Slot]]
) -> dict[str, Any]:
    """What was told, with a period's end in the pattern's own slots: who asks for the end of 2025
    may well say December, or its last day."""
    kinds = {name: slots[name][0].kind for name in told if name in slots}
    own = {slot.kind: slot.name for slot in pattern.slots}
    kept = dict(told)
    for name, kind in kinds.items():
        if kind in own or pattern.period not in _ENDS:
            continue
        if kind is SlotKind.MONTH and str(told[name]) == "12":
            del kept[name]
        elif kind is SlotKind.DAY and _ends(str(told[name]), pattern.period):
            day = date.fromisoformat(told[name])
            parts = {own.get(SlotKind.YEAR): day.year, own.get(SlotKind.MONTH): day.month}
            meant = {part: value for part, value in parts.items() if part is not None}
            if all(str(told.get(part, value)) == str(value) for part, value in meant.items()):
                del kept[name]
                kept |= meant
    return kept


def slot_schema(slots: Sequence[Slot], names: Names, language: Language) -> dict[str, Any]:
    """The argument for all slots of one name: it takes what any of them takes."""
    kinds = {slot.kind for slot in slots}
    told = {"description": _described(slots, names, language)}
    (kind,) = kinds if len(kinds) == 1 else (None,)
    if kind in _RANGES:
        low, high = _RANGES[kind]
        return {"type": "integer", "minimum": low, "maximum": high, **told}
    if kind in _CHOOSING:
        return {"type": "string", "enum": list(_values(slots)), **told}
    formats = {_DAY if slot.kind is SlotKind.DAY else slot.format for slot in slots}
    plain = _plain_expression(next(iter(formats))) if len(formats) == 1 else ""
    return {"type": "string", **({"pattern": f"^{plain}$"} if plain else {}), **told}


def _described(slots: Sequence[Slot], names: Names, language: Language) -> str:
    slot = slots[0]
    own = in_language(slot.description, language)
    if slot.kind not in (SlotKind.CODE, *_CHOOSING):
        return say(f"tools.slot_{slot.kind}", language)
    texts = dict.fromkeys(in_language(each.description, language) or each.name for each in slots)
    called = "; ".join(_called(_values(slots), names, language))
    return " / ".join(texts) + (f" ({called})" if called else "") if own else called


def _called(values: Iterable[str], names: Names, language: Language) -> Iterator[str]:
    """The values whose own name does not say what people call them."""
    for value in values:
        name = in_language(names.get(value, value), language)
        if fold(name) != fold(split_name(value)):
            yield f"{value}: {name}"


def _values(slots: Iterable[Slot]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(value for slot in slots for value in slot.values))


def _chosen(slot: Slot, text: str, names: Names) -> str | None:
    """The one value that is meant by its own name or by what people call it."""
    if text in slot.values:
        return text
    said = fold(text)
    meant = [value for value in slot.values if said in map(fold, _spellings(slot, value, names))]
    return meant[0] if len(meant) == 1 else None


def _spellings(slot: Slot, value: str, names: Names) -> Iterator[str]:
    name = names.get(value, value)
    yield from (value, split_name(value), *slot.words.get(value, ()))
    yield from [name] if isinstance(name, str) else name.values()


def _ends(text: str, period: PeriodKind | None) -> bool:
    """True for the last day of a year, or of a month where the pattern goes by months."""
    if not _is_day(text):
        return False
    after = date.fromisoformat(text) + timedelta(days=1)
    return after.day == 1 and (period is PeriodKind.MONTH_END or after.month == 1)


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _plain_expression(expression: str) -> str:
    """The expression as every server's grammar reads it; empty when that can't be told."""
    plain = re.sub(r"(?<!\\)\\d(?![^\[]*\])", "[0-9]", expression)
    return plain if "\\" not in plain and "(?" not in plain else ""
