"""Questions of one run to people: each question and decision is emitted as an event."""

from collections.abc import Callable

from veridical.contracts.person import (
    AskPerson,
    Consulted,
    Decision,
    Hitl,
    ItemKind,
    PersonNeeded,
    hitl_of,
)
from veridical.contracts.trace import PersonAsked, PersonDecided


class UnboundDecisionError(ValueError):
    """A decision on other evidence than was shown."""


class Consultations:
    """Wraps the ``ask`` of one run: emits events and remembers denials.

    Its memory follows from the decisions, so a replayed run makes the same requests.
    """

    def __init__(self, ask: AskPerson, emit: Callable[[PersonAsked | PersonDecided], None]) -> None:
        self._ask = ask
        self._emit = emit
        self._consulted: list[Consulted] = []
        self._denied: dict[str, Decision] = {}

    @property
    def hitl(self) -> Hitl | None:
        """The decision so far; None if no person was involved."""
        return hitl_of(tuple(self._consulted)) if self._consulted else None

    async def __call__(self, needed: PersonNeeded) -> Decision:
        """The decision. A denied call is denied for the whole run."""
        shown = needed.evidence_hash
        if needed.kind is ItemKind.CALL and shown in self._denied:
            return self._denied[shown]
        self._emit(
            PersonAsked(
                at=needed.at,
                name=needed.name,
                about=needed.kind,
                evidence_hash=shown,
                reversible=needed.reversible,
            )
        )
        decision = await self._ask(needed)
        if decision.evidence_hash != shown:
            raise UnboundDecisionError(f"the decision on {needed.name} is about something else")
        if not decision.approved:
            self._denied[shown] = decision
        self._consulted.append(Consulted(name=needed.name, about=needed.kind, decision=decision))
        at = max(needed.at, decision.at)
        self._emit(PersonDecided(at=at, name=needed.name, about=needed.kind, decision=decision))
        return decision
