"""The slots of known questions as arguments: their descriptions and values."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from veridical.contracts.language import Language, Text, in_language
from veridical.ontology.model import CanonicalQueryPattern, PeriodKind, Slot, SlotKind
from veridical.ontology.terms import HAN, fold, split_name
from veridical.reading.punctuation import CLOSING, OPENING
from veridical.reading.stored import stored_date

Names = Mapping[str, Text]
"""Display names by value."""

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
_HAN_WORD = re.compile(f"[{HAN}]")
_QUOTES = f"' {OPENING}{CLOSING}"
_WILDCARDS = frozenset("%_\\")


def read_value(slot: Slot, given: Any, names: Names) -> str | int | None:
    """The slot's value, given as text or as a number; None if it is not valid."""
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
    """A value as a caller would write it; empty if the ontology has none."""
    if slot.kind in _CHOOSING:
        return slot.values[0] if slot.values else ""
    if not slot.examples:
        return ""
    if slot.kind is SlotKind.DAY and slot.encoding is not None:
        return stored_date(slot.examples[0], slot.encoding).isoformat()
    return str(slot.examples[0]) if slot.kind is SlotKind.CODE else slot.examples[0]


def expected(slot: Slot) -> str:
    """A short description of the values that the slot takes."""
    if slot.kind in _RANGES:
        low, high = _RANGES[slot.kind]
        return f"{low}–{high}"
    if slot.kind in _CHOOSING:
        return ", ".join(slot.values)
    return str(example_of(slot))


def settled(
    pattern: CanonicalQueryPattern, inputs: Mapping[str, Any], slots: Mapping[str, Sequence[Slot]]
) -> dict[str, Any]:
    """The inputs with a period's end in the pattern's own slots: a caller may write December or its
    last day for the end of 2025."""
    kinds = {name: slots[name][0].kind for name in inputs if name in slots}
    own = {slot.kind: slot.name for slot in pattern.slots}
    kept = dict(inputs)
    for name, kind in kinds.items():
        if kind in own or pattern.period not in _ENDS:
            continue
        if kind is SlotKind.MONTH and str(inputs[name]) == "12":
            del kept[name]
        elif kind is SlotKind.DAY and _ends(str(inputs[name]), pattern.period):
            day = date.fromisoformat(inputs[name])
            parts = {own.get(SlotKind.YEAR): day.year, own.get(SlotKind.MONTH): day.month}
            meant = {part: value for part, value in parts.items() if part is not None}
            if all(str(inputs.get(part, value)) == str(value) for part, value in meant.items()):
                del kept[name]
                kept |= meant
    return kept


def slot_schema(slot: Slot) -> dict[str, Any]:
    """The argument for this slot."""
    if slot.kind is SlotKind.MONTH:
        low, high = _RANGES[slot.kind]
        return {"type": "integer", "minimum": low, "maximum": high}
    if slot.kind in _RANGES:
        return {"type": "integer"}
    if slot.kind in _CHOOSING:
        return {"type": "string", "enum": list(slot.values)}
    plain = _plain_expression(_DAY if slot.kind is SlotKind.DAY else slot.format)
    return {"type": "string", **({"pattern": f"^{plain}$"} if plain else {})}


def either_slot(one: dict[str, Any] | None, other: dict[str, Any]) -> dict[str, Any]:
    """The argument for two slots of the same name: what either takes."""
    if one is None or one == other:
        return other
    if "enum" in one and "enum" in other:
        return {**other, "enum": list(dict.fromkeys((*one["enum"], *other["enum"])))}
    return {"type": other["type"]} if one["type"] == other["type"] else {}


def called_values(slots: Sequence[Slot], names: Names, language: Language) -> str:
    """The display names of the values of slots with closed lists, where they add something."""
    if slots[0].kind not in _CHOOSING:
        return ""
    words = {value: called for slot in slots for value, called in slot.words.items()}
    return "; ".join(_called(_values(slots), names, words, language))


def _called(
    values: Iterable[str], names: Names, words: Mapping[str, Sequence[str]], language: Language
) -> Iterator[str]:
    """The values whose own name does not contain their display name."""
    for value in values:
        name = in_language(names.get(value, value), language)
        own = [word for word in words.get(value, ()) if _is_read_by(word, language)]
        titles = {fold(each): each for each in (name, *own)}
        titles.pop(fold(split_name(value)), None)
        if titles:
            yield f"{value}: {', '.join(titles.values())}"


def _is_read_by(word: str, language: Language) -> bool:
    return bool(_HAN_WORD.search(word)) is (language is Language.ZH)


def _values(slots: Iterable[Slot]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(value for slot in slots for value in slot.values))


def _chosen(slot: Slot, text: str, names: Names) -> str | None:
    """The one value with this name or display name."""
    if text in slot.values:
        return text
    folded = fold(text)
    meant = [value for value in slot.values if folded in map(fold, _spellings(slot, value, names))]
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
    """The expression in the grammar of every server; empty if there is none."""
    plain = re.sub(r"(?<!\\)\\d(?![^\[]*\])", "[0-9]", expression)
    return plain if "\\" not in plain and "(?" not in plain else ""
