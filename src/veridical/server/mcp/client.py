"""The MCP client that sent a request: who it is and what it may use."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from mcp.server import ServerRequestContext

from veridical.answering.session import Emit
from veridical.contracts.caller import Caller
from veridical.contracts.language import Language
from veridical.contracts.question import Question
from veridical.contracts.stated import StatedAnswer
from veridical.host.runtime import Runtime
from veridical.server.answerer import Outcome
from veridical.server.fact_tasks import SourcedFacts, state_sources
from veridical.server.mcp.direct_calls import DirectCalls

Context = ServerRequestContext[Any, Any]


State = Callable[[Runtime, SourcedFacts], Awaitable[StatedAnswer]]
"""States facts over results of the runtime's features. Raises ``ProblemError``."""


async def state_here(runtime: Runtime, request: SourcedFacts) -> StatedAnswer:
    """In a thread: there is one local caller, who waits for it."""
    meanings = {each.feature: runtime.feature(each.feature).meaning for each in request.sources}
    return await asyncio.to_thread(state_sources, request, meanings)


@dataclass(frozen=True)
class McpClient:
    """The client of one request. Features that are not listed do not exist for it."""

    callers: Mapping[str, Caller]
    """Callers by feature."""
    language: Language
    answer: Callable[[Question, Emit], Awaitable[Outcome]]
    """Answers a question about the feature that it names."""
    direct: DirectCalls = field(default_factory=DirectCalls)
    """Makes the client's direct calls."""
    state: State = state_here
    """Computes the client's facts."""
    tenant: str = ""
    """The tenant of the traces; the caller's own where empty."""
    may_ask: bool = True
    """Whether they may run anything, or only read what the data means."""

    @property
    def features(self) -> tuple[str, ...]:
        """The features it may use."""
        return tuple(sorted(self.callers))


IdentifyClient = Callable[[Context], McpClient]
"""Returns the client of a request."""
