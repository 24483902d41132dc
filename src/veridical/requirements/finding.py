"""One finding of a rule, with its place, weight, criterion and texts."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from veridical.contracts.language import Language
from veridical.messages import message

PASS_MARK = 0.7
"""The score from which a requirement is good enough."""


class Criterion(StrEnum):
    """A quality of a good requirement."""

    CLARITY = "clarity"
    UNAMBIGUITY = "unambiguity"
    TESTABILITY = "testability"
    MEASURABILITY = "measurability"
    COMPLETENESS = "completeness"
    ATOMICITY = "atomicity"
    CONSISTENCY = "consistency"
    NEUTRALITY = "neutrality"
    """States the need, not the solution."""


class Weight(StrEnum):
    """The weight of a finding."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault that a rule found, from ``start`` to ``end`` of the requirement's text."""

    rule: str
    start: int
    end: int
    words: str
    weight: Weight
    criterion: Criterion
    variant: str = ""

    def reason(self, language: Language) -> str:
        """Why this is a fault."""
        return message(f"requirements.{self._key}_reason", language, said=self.words)

    def effect(self, criterion: Criterion, language: Language) -> str:
        """What the fault means for one of its criteria; for the first one, the fault itself."""
        if criterion is self.criterion:
            return self.reason(language)
        return message(f"requirements.effect_{criterion}", language, said=self.words)

    def fix(self, language: Language) -> str:
        """Advice on how to write it instead."""
        return message(f"requirements.{self._key}_fix", language, said=self.words)

    def as_json(self, language: Language) -> dict[str, Any]:
        """As it is printed for programs."""
        return {
            "rule": self.rule,
            "start": self.start,
            "end": self.end,
            "said": self.words,
            "weight": self.weight.value,
            "criterion": self.criterion.value,
            "reason": self.reason(language),
            "fix": self.fix(language),
        }

    @property
    def _key(self) -> str:
        return f"{self.rule}_{self.variant}" if self.variant else self.rule
