"""One finding as a review judges it: in a requirement or between two, with its state."""

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from typing import Any

from veridical.contracts.language import Language
from veridical.contracts.violation import Mode
from veridical.messages import message
from veridical.requirements.files.requirement import Requirement
from veridical.requirements.finding import Finding, Weight
from veridical.requirements.policy.dismissal import Dismissal
from veridical.requirements.relations.relation import Relation, RelationKind

PAIR_WEIGHTS = {
    RelationKind.CONFLICT: Weight.HIGH,
    RelationKind.DUPLICATE: Weight.MEDIUM,
    RelationKind.VARIANT: Weight.LOW,
}


class IssueState(StrEnum):
    """The state of a finding."""

    NEW = "new"
    KNOWN = "known"
    SHADOW = "shadow"
    DISMISSED = "dismissed"


@dataclass(frozen=True, slots=True)
class Issue:
    """A finding with its mode, and whether it is known or dismissed."""

    rule: str
    place: int
    """The place of its requirement in the review."""
    cause: Finding | Relation
    excerpt: str
    mode: Mode
    fingerprint: str
    other: int | None = None
    """The place of the other requirement, where it is between two."""
    is_known: bool = False
    dismissal: Dismissal | None = None

    @property
    def state(self) -> IssueState:
        """Its state."""
        if self.dismissal:
            return IssueState.DISMISSED
        if self.mode not in (Mode.WARN, Mode.BLOCK):
            return IssueState.SHADOW
        return IssueState.KNOWN if self.is_known else IssueState.NEW

    @property
    def counts(self) -> bool:
        """True if it is reported and lowers the score."""
        return self.dismissal is None and self.mode in (Mode.WARN, Mode.BLOCK)

    @property
    def blocks(self) -> bool:
        """True if it fails a build."""
        return self.state is IssueState.NEW and self.mode is Mode.BLOCK

    @property
    def weight(self) -> Weight:
        """The weight of the finding."""
        if isinstance(self.cause, Finding):
            return self.cause.weight
        return PAIR_WEIGHTS[self.cause.kind]

    def reason(self, language: Language) -> str:
        """Why this is a fault."""
        return self.cause.reason(language)

    def fix(self, language: Language) -> str:
        """Advice on how to fix it."""
        if isinstance(self.cause, Finding):
            return self.cause.fix(language)
        return message(f"review.fix_{self.cause.kind}", language)

    def as_json(self, requirement: Requirement, language: Language) -> dict[str, Any]:
        """As it is printed for programs."""
        fields: dict[str, Any] = {
            "rule": self.rule,
            "id": requirement.id,
            "source": requirement.source,
            "line": requirement.line,
            "said": self.excerpt,
            "weight": self.weight.value,
            "mode": self.mode.value,
            "state": self.state.value,
            "blocks": self.blocks,
            "reason": self.reason(language),
            "fingerprint": self.fingerprint,
        }
        if self.dismissal:
            fields["dismissed"] = {
                "by": self.dismissal.by,
                "why": self.dismissal.why,
                "on": self.dismissal.on,
            }
        return fields


_LENGTH = 32


class Fingerprints:
    """Gives each finding of a review its fingerprint; repeated findings are numbered."""

    def __init__(self) -> None:
        self._seen: Counter[tuple[str, ...]] = Counter()

    def of(self, rule: str, excerpt: str, *requirements: Requirement) -> str:
        """The fingerprint of what a rule found in a requirement, or between two."""
        stands = sorted(map(_identity, requirements))
        parts = (rule, " ".join(excerpt.casefold().split()), *stands)
        self._seen[parts] += 1
        return digest(*parts, str(self._seen[parts]))


def digest(*parts: str) -> str:
    """A short hash of several texts, none of which can run into the next."""
    return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:_LENGTH]


def wording(requirement: Requirement) -> str:
    """A hash of what a requirement says, however it is broken into lines."""
    return digest(" ".join(requirement.text.split()))


def _identity(requirement: Requirement) -> str:
    """The file's name with its own id of the requirement; without one, with its wording."""
    key = requirement.id if requirement.is_named else wording(requirement)
    name = requirement.source.replace("\\", "/").rpartition("/")[2]
    return f"{name}\1{key}"
