"""Events of a run as steps that a person can follow: a sign, a line, and what is behind it."""

import json
from dataclasses import dataclass
from typing import Any

from veridical.contracts.language import Language
from veridical.contracts.progress import Progress
from veridical.contracts.proof import Verdict
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
from veridical.messages import message
from veridical.reading import shown

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

    @property
    def sign(self) -> str:
        """The outcome as a sign, for readers who see no colours."""
        return SIGNS[self.mood]


def step_of(event: Event, language: Language) -> StepView:
    """One event as a step."""
    mood, text, code = _summary(event, language)
    title = message(f"console.step_{event.kind}", language)
    return StepView(mood, title, text, event.at, code, _detail(event))


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
    return NOTE, f"{event.model}, {tokens}, {event.elapsed_ms / 1000:.1f} s", ""


def _tool(event: ToolCalled, language: Language) -> tuple[str, str, str]:
    name = f"{event.tool} {event.arguments.get('tableName', '')}".strip()
    if event.success:
        rows = event.receipt.row_count if event.receipt else 0
        return GOOD, f"{name}: {message('cli.ask_rows', language, rows=rows)}", ""
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
