"""Who calls over the protocol, and what is open to them."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from mcp.server import ServerRequestContext

from veridical.answering.session import Emit
from veridical.contracts.caller import Caller
from veridical.contracts.language import Language
from veridical.contracts.question import Question
from veridical.server.mcp.direct import Direct
from veridical.server.work import Outcome

Context = ServerRequestContext[Any, Any]


@dataclass(frozen=True)
class Visitor:
    """One request's caller. What is not among their features is not there for them."""

    callers: Mapping[str, Caller]
    """By feature: who they are to it."""
    language: Language
    answer: Callable[[Question, Emit], Awaitable[Outcome]]
    """Answers a question about the feature that it names."""
    direct: Direct = field(default_factory=Direct)
    """Makes the calls that they make by themselves."""
    tenant: str = ""
    """Whose traces these are; where it is not said, the caller's own."""
    may_ask: bool = True
    """Whether they may run anything, or only read what the data means."""

    @property
    def features(self) -> tuple[str, ...]:
        """What is open to them."""
        return tuple(sorted(self.callers))


VisitorOf = Callable[[Context], Visitor]
"""Tells who sent a request."""
