"""Consultations who decide as they are told to, and what they were asked."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from veridical.contracts.person import Decision, PersonNeeded


def decision(needed: PersonNeeded, *, approved: bool, **choice: Any) -> Decision:
    return Decision(
        approved=approved,
        choice=choice,
        decided_by="Grace",
        evidence_hash=needed.evidence_hash,
        at=needed.at + 60,
    )


@dataclass
class Person:
    """Decides each question by a rule; approves where none is given."""

    rule: Callable[[PersonNeeded], Decision] = lambda needed: decision(needed, approved=True)
    asked: list[PersonNeeded] = field(default_factory=list[PersonNeeded])

    async def ask(self, needed: PersonNeeded) -> Decision:
        self.asked.append(needed)
        return self.rule(needed)


def denying() -> Person:
    return Person(lambda needed: decision(needed, approved=False))
