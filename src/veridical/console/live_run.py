"""A run that goes on, as parts of a page: each step as it happens, then the answer.

A step is rendered once for all who watch the run in the same language: it looks the same for all
of them.
"""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

from starlette.requests import Request

from veridical.console.answer_view import answer_view
from veridical.console.page import language_of, part
from veridical.console.step_view import progress_text, step_of
from veridical.contracts.language import Language
from veridical.contracts.progress import Progress
from veridical.contracts.trace import Answered, Event, PersonAsked
from veridical.runs.state import RunStatus, WatchedEvent
from veridical.server.identity import Identity
from veridical.server.services import Services
from veridical.server.stream import open_run_stream

DONE = b"event: done\ndata: \n\n"
"""After the last step: nothing is left to connect to."""
_MOST_KEPT = 1_000


Render = Callable[[str, int, Event, Language], str]
"""The part of a page that shows an event of a run, by its number."""


class RenderedSteps:
    """The messages that were rendered last, for further viewers."""

    def __init__(self, render: Render, most: int = _MOST_KEPT) -> None:
        self._render = render
        self._most = most
        self._kept: OrderedDict[tuple[str, int, Language], bytes] = OrderedDict()

    def message(self, run_id: str, watched: WatchedEvent, language: Language) -> bytes:
        """One event as a message of the stream; empty for what is not shown."""
        number, event = watched.sequence, watched.event
        if isinstance(event, Progress):
            text = progress_text(event, language)
            return sse_message(part(language, "part_now.html", text=text)) if text else b""
        if number is None:
            return b""
        key = (run_id, number, language)
        if key not in self._kept:
            self._kept[key] = sse_message(self._render(run_id, number, event, language), number)
        self._kept.move_to_end(key)
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)
        return self._kept.get(key, b"")


def rendered_step(run_id: str, number: int, event: Event, language: Language) -> str:
    """A step of a timeline; with the last one, the answer."""
    return part(
        language,
        "part_live.html",
        number=number,
        step=step_of(event, language),
        status=status_after(event),
        view=answer_view(event.answer) if isinstance(event, Answered) else None,
        trace_id=run_id,
    )


def status_after(event: Event) -> RunStatus:
    """The status of a run after this event."""
    if isinstance(event, Answered):
        return RunStatus.DONE
    return RunStatus.WAITING if isinstance(event, PersonAsked) else RunStatus.RUNNING


def sse_message(text: str, number: int | None = None) -> bytes:
    """A part of a page as a message; with a number, a returning browser continues after it."""
    named = "" if number is None else f"id: {number}\n"
    lines = "".join(f"data: {line}\n" for line in text.splitlines())
    return f"{named}{lines}\n".encode()


async def live_steps(
    request: Request,
    services: Services,
    identity: Identity,
    run_id: str,
    after: int,
    steps: RenderedSteps,
) -> AsyncGenerator[bytes]:
    """The messages of a run until it ends. Raises what ``open_run_stream`` does, at once."""
    state, language = request.app.state, language_of(request)

    def encode(watched: WatchedEvent) -> bytes:
        return steps.message(run_id, watched, language)

    stream = await open_run_stream(state, services, identity, run_id, after, encode)

    async def messages() -> AsyncGenerator[bytes]:
        if stream is not None:
            async with aclosing(stream):
                async for each in stream:
                    if each:
                        yield each
        if not state.closing.is_set():
            status = await asyncio.to_thread(services.runs.status, run_id, identity.tenant)
            if status is not None and status.is_final:  # else its last step has shown so
                yield sse_message(part(language, "part_state.html", status=status))
            yield DONE

    return messages()
