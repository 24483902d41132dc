"""Examples of follow-ups, taken from the slots of the known questions."""

from collections.abc import Iterable, Iterator

from veridical.contracts.language import Language
from veridical.messages import message
from veridical.ontology.model import CanonicalQueryPattern, Slot, SlotKind

_NEXT = 1
"""The first example stands in the question itself."""


def follow_ups(patterns: Iterable[CanonicalQueryPattern], language: Language) -> str:
    """Another year, another value: one example of each; empty where no question takes any."""
    slots = [slot for pattern in patterns for slot in pattern.slots]
    found = [each for each in (_of(_years(slots)), _of(_values(slots, language))) if each]
    examples = [message(key, language, **values) for key, values in found]
    if len(examples) > 1:
        return message("flow.help_or", language, first=examples[0], second=examples[1])
    return examples[0] if examples else ""


def _of(found: Iterator[tuple[str, dict[str, str]]]) -> tuple[str, dict[str, str]] | None:
    return next(found, None)


def _years(slots: Iterable[Slot]) -> Iterator[tuple[str, dict[str, str]]]:
    for slot in slots:
        if slot.kind is SlotKind.YEAR and len(slot.examples) > _NEXT:
            yield "flow.help_and_year", {"year": str(slot.examples[_NEXT])}


def _values(slots: Iterable[Slot], language: Language) -> Iterator[tuple[str, dict[str, str]]]:
    for slot in slots:
        if slot.kind not in (SlotKind.CODE, SlotKind.VALUE) or len(slot.examples) <= _NEXT:
            continue
        cue = next(iter(slot.cues.get(language.value, ())), "")
        between = "" if language is Language.ZH else " "
        yield "flow.help_and_value", {"value": f"{cue}{between}{slot.examples[_NEXT]}".strip()}
