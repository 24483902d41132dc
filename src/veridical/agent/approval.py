"""Approval of tool calls by a person, before they run, and review of their results."""

from collections.abc import Awaitable, Callable, Sequence
from fnmatch import fnmatchcase
from typing import Any

from veridical.agent.refusals import refuse
from veridical.contracts.language import Language
from veridical.contracts.person import (
    AskPerson,
    Consulted,
    Decision,
    Hitl,
    ItemKind,
    PersonNeeded,
    hitl_of,
)
from veridical.contracts.result import ToolResult
from veridical.contracts.trace import PersonAsked, PersonDecided
from veridical.messages import message

CALL_NOT_APPROVED = "CALL_NOT_APPROVED"

Permit = Callable[[str, str, dict[str, Any], float], Awaitable[ToolResult | None]]
"""The refusal of a call, given the name of a step, a tool, its arguments and the time; None if
it may be made."""
Reads = Callable[[str, dict[str, Any]], tuple[str, ...] | None]
"""The names of a call's tool and of all its sources; None if it would be refused."""


Review = Callable[[str, str, ToolResult, float], Awaitable[ToolResult]]
"""The visible part of a result, given the name of a step, a tool, its result and the time."""


async def unreviewed(name: str, tool: str, result: ToolResult, at: float) -> ToolResult:
    """Lets every result through."""
    return result


async def always_permitted(name: str, tool: str, arguments: dict[str, Any], at: float) -> None:
    """Permits every call."""


def permission(
    ask: AskPerson, calls: Sequence[str], reads: Reads, question: str, language: Language
) -> Permit:
    """Asks a person about each call that matches these globs, unless the check refuses it."""
    if not calls:
        return always_permitted

    async def permit(
        name: str, tool: str, arguments: dict[str, Any], at: float
    ) -> ToolResult | None:
        named = reads(tool, arguments)
        if named is None or not _any_match(named, calls):
            return None
        needed = PersonNeeded(
            name=f"call:{name}",
            kind=ItemKind.CALL,
            subject={
                "question": question,
                "tool": tool,
                "arguments": arguments,
                "reads": [each for each in named if each != tool],
            },
            reversible=False,
            at=at,
        )
        decision = await ask(needed)
        if decision.approved:
            return None
        return refuse(CALL_NOT_APPROVED, message("people.call_denied", language))

    return permit


def _any_match(names: Sequence[str], globs: Sequence[str]) -> bool:
    return any(fnmatchcase(name, glob) for name in names for glob in globs)


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
