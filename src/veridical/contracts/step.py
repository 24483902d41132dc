"""The unit of a durable run: a named action with JSON out, which a run can replay instead."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from veridical.contracts.wire import Wire

Kept = TypeVar("Kept", bound=Wire)

Json = Any
"""A JSON value."""

Action = Callable[[], Awaitable[Json]]
Step = Callable[[str, Action], Awaitable[Json]]
"""Runs an action under a name and gives its result, or the result recorded under that name.

Whatever reads a clock, draws a random number, asks a model or touches a database happens inside an
action; everything between two steps is a pure function of what the steps gave.
"""


async def directly(name: str, action: Action) -> Json:
    """Run the action now; nothing is recorded."""
    return await action()


async def kept(
    step: Step, name: str, action: Callable[[], Awaitable[Kept]], kind: type[Kept]
) -> Kept:
    """The value that a step gives: read back from its JSON, unless nothing is recorded."""
    if step is directly:
        return await action()

    async def as_json() -> Json:
        return (await action()).model_dump(mode="json", by_alias=True)

    return kind.model_validate(await step(name, as_json))
