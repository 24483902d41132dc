"""Events of a run as steps that a person can follow: a sign, a line, and what is behind it."""

import asyncio
import json
from collections import OrderedDict
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request

from veridical.console.answer_view import answer_view
from veridical.console.page import language_of, part
from veridical.contracts.language import Language
from veridical.contracts.proof import Verdict
from veridical.contracts.step import Progress
from veridical.contracts.trace import (
    Answered,
    BudgetSpent,
    Event,
    Gated,
    Ingested,
    ModelCalled,
    PersonAsked,
    PersonDecided,
    Reviewed,
    Routed,
    RunStarted,
    ToolCalled,
)
from veridical.evals.report.number_format import dollars
from veridical.messages import message
from veridical.reading import shown
from veridical.runs.state import RunStatus, WatchedEvent
from veridical.server.identity import Identity
from veridical.server.services import Services
from veridical.server.stream import open_run_stream
from veridical.trace.counters import rows_found

GOOD, BAD, OPEN, NOTE = "good", "bad", "open", "note"
SIGNS = {GOOD: "✓", BAD: "✗", OPEN: "?", NOTE: "·"}
_MOST_DETAIL = 20_000
_MISSING = "missing "
_REASONS = {
    "no pattern": "console.reason_no_pattern",
    "several patterns": "console.reason_several_patterns",
    "several questions": "console.reason_several_questions",
}
"""Reasons as traces have them, and the messages for them."""


@dataclass(frozen=True, slots=True)
class StepView:
    """One step as it is shown."""

    mood: str
    """``good``, ``bad``, ``open`` or ``note``: shown by a sign as well as by a colour."""
    title: str
    text: str
    at: float
    code: str = ""
    """The code of a refusal or a finding."""
    detail: str = ""
    """All details, shown when unfolded."""
    seconds: float | None = None
    """The duration of a call."""

    @property
    def sign(self) -> str:
        """The outcome as a sign, for readers who see no colours."""
        return SIGNS[self.mood]


def step_of(event: Event, language: Language) -> StepView:
    """One event as a step."""
    mood, text, code = _summary(event, language)
    title = message(f"console.step_{event.kind}", language)
    seconds = event.elapsed_ms / 1000 if isinstance(event, ModelCalled | ToolCalled) else None
    return StepView(mood, title, text, event.at, code, _detail(event), seconds)


def progress_text(progress: Progress, language: Language) -> str:
    """The run's current activity; empty for a piece of text that is being written."""
    if progress.stage == "writing":
        return ""
    return message(f"console.progress_{progress.stage}", language, tool=progress.text)


def _summary(event: Event, language: Language) -> tuple[str, str, str]:
    match event:
        case RunStarted():
            return NOTE, event.question.text, ""
        case Routed():
            route = message(f"console.route_{event.route}", language)
            why = event.intent or _reason(event.reason, language)
            return NOTE, message("console.labelled", language, label=route, text=why), ""
        case ModelCalled():
            return _model(event, language)
        case ToolCalled():
            return _tool(event, language)
        case Gated():
            return _gate(event, language)
        case PersonAsked():
            return OPEN, message(f"people.{event.about}", language), ""
        case PersonDecided():
            outcome = "approved" if event.decision.approved else "denied"
            text = f"{message(f'people.{outcome}', language)}, {event.decision.decided_by}"
            text = ". ".join(filter(None, (text, event.decision.reason)))
            return GOOD if event.decision.approved else BAD, text, ""
        case BudgetSpent():
            return BAD, f"{event.limit}: {event.value:g}", ""
        case Ingested():
            return NOTE, str(event.chunks), ""
        case Reviewed():
            return NOTE, f"{event.evaluated} / {event.requirements}", ""
        case Answered():
            kind = event.answer.kind
            return GOOD if event.answer.ok else OPEN, message(f"console.kind_{kind}", language), ""


def _reason(reason: str, language: Language) -> str:
    """The recorded reason of a route; as a message where there is one."""
    missing = reason.removeprefix(_MISSING)
    if missing != reason:
        return message("console.reason_missing", language, name=missing)
    key = _REASONS.get(reason)
    return message(key, language) if key else reason


def _model(event: ModelCalled, language: Language) -> tuple[str, str, str]:
    if event.error is not None:
        return BAD, f"{event.model}: {event.error}", ""
    spent = shown.count(event.input_tokens + event.output_tokens, language)
    tokens = message("console.tokens", language, count=spent)
    cost = f", {dollars(event.cost)}" if event.cost else ""
    return NOTE, f"{event.model}, {tokens}{cost}", ""


def _tool(event: ToolCalled, language: Language) -> tuple[str, str, str]:
    name = f"{event.tool} {event.arguments.get('tableName', '')}".strip()
    if event.success:
        text = f"{name}: {rows_found(event, language)}"
        if event.settled is not None:
            rules = ", ".join(event.settled.rules)
            key = "console.settled_doubt" if event.settled.doubted else "console.settled"
            text = f"{text}. {message(key, language, rules=rules)}"
        return GOOD, text, ""
    details = event.error_details or {}
    code = event.validation_failure_code or str(details.get("code", ""))
    text = message("console.refused", language, hint=details.get("hint") or code)
    return BAD, f"{name}: {text}", code


def _gate(event: Gated, language: Language) -> tuple[str, str, str]:
    moods = {Verdict.PASS: GOOD, Verdict.WARN: OPEN, Verdict.BLOCK: BAD}
    text = message(f"gate.verdict_{event.verdict}", language)
    first = event.findings[0] if event.findings else None
    if first is not None:
        text = f"{text} {first.hint}"
    return moods[event.verdict], text, first.code if first else ""


def _detail(event: Event) -> str:
    written: dict[str, Any] = event.model_dump(mode="json", by_alias=True, exclude_none=True)
    text = json.dumps(written, ensure_ascii=False, indent=2)
    return text if len(text) <= _MOST_DETAIL else f"{text[:_MOST_DETAIL]}\n…"


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
