"""One finding of a rule: where it is, what it weighs, which criterion it lowers, and its texts."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from veridical.contracts.language import Language
from veridical.messages import message
from veridical.requirements.criterion import Criterion


class Weight(StrEnum):
    """How much a finding counts."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault that a rule found, from ``start`` to ``end`` of the requirement's text."""

    rule: str
    start: int
    end: int
    said: str
    weight: Weight
    criterion: Criterion
    variant: str = ""

    def reason(self, language: Language) -> str:
        """Why this is a fault."""
        return message(f"requirements.{self._key}_reason", language, said=self.said)

    def fix(self, language: Language) -> str:
        """Advice on how to write it instead."""
        return message(f"requirements.{self._key}_fix", language, said=self.said)

    def as_json(self, language: Language) -> dict[str, Any]:
        """As it is printed for programs."""
        return {
            "rule": self.rule,
            "start": self.start,
            "end": self.end,
            "said": self.said,
            "weight": self.weight.value,
            "criterion": self.criterion.value,
            "reason": self.reason(language),
            "fix": self.fix(language),
        }

    @property
    def _key(self) -> str:
        return f"{self.rule}_{self.variant}" if self.variant else self.rule
