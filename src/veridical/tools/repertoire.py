"""The canonical questions that one caller may call by name, ready to be filled in."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from veridical.contracts.call import TABLE_TOOLS
from veridical.gate.evidence.source import Meaning
from veridical.ontology.model import CanonicalQueryPattern, OntologyDescriptor, Slot, SlotKind
from veridical.route.pattern_index import PatternIndex, slot_values
from veridical.tools.known_slot import Names


@dataclass(frozen=True)
class Repertoire:
    """Questions by their intent; a slot with a closed list has its values."""

    patterns: Mapping[str, CanonicalQueryPattern]
    index: PatternIndex = field(repr=False)
    meaning: Meaning = field(repr=False)
    """The names and units of the columns of their results."""
    offered: dict[Any, Any] = field(default_factory=dict[Any, Any], repr=False, compare=False)
    """Values derived from the questions, computed once."""

    @property
    def conditions(self) -> Mapping[str, str]:
        """The conditions that fill slots, by sub-class."""
        return self.index.conditions

    @property
    def names(self) -> Names:
        """Display names by sub-class."""
        return self.index.names

    @cached_property
    def slots(self) -> Mapping[str, tuple[Slot, ...]]:
        """All slots by name: two questions may take different values under the same name."""
        found: dict[str, list[Slot]] = {}
        for pattern in self.patterns.values():
            for slot in pattern.slots:
                found.setdefault(slot.name, []).append(slot)
        return {name: tuple(slots) for name, slots in found.items()}

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The offered names of a call: intents and the values of closed lists."""
        values = (value for slots in self.slots.values() for slot in slots for value in slot.values)
        return (*self.patterns, *dict.fromkeys(values))


def repertoire_of(
    ontology: OntologyDescriptor, index: PatternIndex, meaning: Meaning
) -> Repertoire | None:
    """The questions of the visible part of an ontology; None if there are none."""
    seen = {entity.name for entity in ontology.entities}
    patterns = {
        pattern.intent: pattern.model_copy(update={"slots": slots})
        for pattern in ontology.canonical_patterns
        if pattern.pattern.get("tool") in TABLE_TOOLS
        and len(slots := tuple(_usable(pattern, ontology, seen))) == len(pattern.slots)
    }
    return Repertoire(patterns, index, meaning) if patterns else None


def _usable(
    pattern: CanonicalQueryPattern, ontology: OntologyDescriptor, seen: set[str]
) -> Iterator[Slot]:
    """The slots that define how they are filled and have values to choose from."""
    for slot in pattern.slots:
        values = slot_values(slot, ontology)
        if slot.kind is SlotKind.SUBCLASS:
            values = tuple(value for value in values if value in seen)
        chooses = slot.kind in (SlotKind.SUBCLASS, SlotKind.VALUE)
        if slot.kind is not None and (values or not chooses):
            yield slot.model_copy(update={"values": values})
