"""The step of a durable run: a named action with a JSON result, which a replay reads instead of
running it."""

from collections.abc import Awaitable, Callable
from typing import Any, Literal, TypeVar

from veridical.contracts.wire import Wire

Recorded = TypeVar("Recorded", bound=Wire)

Json = Any
"""A JSON value."""

Action = Callable[[], Awaitable[Json]]
Step = Callable[[str, Action], Awaitable[Json]]
"""Runs an action under a name and gives its result, or the result recorded under that name.

All reading of clocks, random numbers, requests to models and use of databases happens inside an
action; everything between two steps is a pure function of what the steps gave.
"""


async def directly(name: str, action: Action) -> Json:
    """Run the action now; nothing is recorded."""
    return await action()


async def recorded(
    step: Step, name: str, action: Callable[[], Awaitable[Recorded]], kind: type[Recorded]
) -> Recorded:
    """The result of a step: read back from its recorded JSON, or computed where nothing is
    recorded."""
    if step is directly:
        return await action()

    async def as_json() -> Json:
        return (await action()).model_dump(mode="json", by_alias=True)

    return kind.model_validate(await step(name, as_json))


class Progress(Wire):
    """The current activity of a run."""

    kind: Literal["progress"] = "progress"
    stage: Literal["asking", "writing", "calling"]
    round: int
    text: str = ""
    """While writing, the next piece of text; while calling, the tool's name."""
