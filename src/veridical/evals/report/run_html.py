"""One run as HTML: the question, each call with its result, the gate's findings, the answer."""

import json
from collections.abc import Iterator

from veridical.contracts.proof import Verdict
from veridical.contracts.trace import (
    AgentTrace,
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
from veridical.evals.report.escaping import safe
from veridical.evals.report.number_format import amount, seconds
from veridical.trace.call_outcomes import CallOutcome, call_outcomes


def run_html(trace: AgentTrace) -> str:
    """The events of a run in their order."""
    told = {id(fate.call): fate for fate in call_outcomes(trace)}
    items = ("".join(_item(event, told)) for event in trace.events)
    return f'<ol class="story">{"".join(f"<li>{item}</li>" for item in items)}</ol>'


def _item(event: Event, told: dict[int, CallOutcome]) -> Iterator[str]:
    match event:
        case RunStarted():
            yield f"<b>question</b>{_said(event.question.text)}"
        case Routed():
            filled = f" {safe(event.intent)} {_json(event.slots)}" if event.intent else ""
            yield f"<b>route</b> {safe(event.route)}{filled}: {safe(event.reason)}"
        case ModelCalled():
            yield from _asked(event)
        case ToolCalled():
            yield from _called(told[id(event)])
        case BudgetSpent():
            yield f'<span class="bad">limit</span> {safe(event.limit)}: {event.value:g}'
        case PersonAsked():
            yield f"<b>person asked</b> ({safe(event.about)})"
        case PersonDecided():
            yield from _decided(event)
        case Gated():
            yield from _gated(event)
        case Ingested():
            yield f"<b>ingested</b> {amount(event.summary.ingested_count)}"
        case Reviewed():
            yield f"<b>reviewed</b> {amount(event.evaluated)} of {amount(event.requirements)}"
        case Answered():
            yield f"<b>answer</b> ({safe(event.answer.kind)}){_said(event.answer.text)}"


def _asked(event: ModelCalled) -> Iterator[str]:
    spent = f"{amount(event.input_tokens)} + {amount(event.output_tokens)} tokens"
    yield f"<b>model</b>, round {event.round} "
    yield f'<span class="muted">{spent}, {seconds(event.elapsed_ms)}</span>'
    if event.error is not None:
        yield f' <span class="bad">{safe(event.error)}</span>'
    if event.text:
        yield _said(event.text)


def _called(fate: CallOutcome) -> Iterator[str]:
    call = fate.call
    mark = '<span class="good">✓</span>' if call.success else '<span class="bad">✗</span>'
    yield f"{mark} <b>{safe(call.tool)}</b> <code>{_json(call.arguments)}</code>"
    if call.receipt is not None:
        yield f' <span class="muted">rows: {call.receipt.row_count}</span>'
    if fate.is_repair:
        yield ' <span class="muted">· takes up a refused call</span>'
    if fate.is_deflected:
        yield ' <span class="muted">· given up for something else</span>'
    if not call.success:
        yield f"<br>{_refusal(call)}"
    if call.receipt is not None and call.receipt.sql:
        yield f"<details><summary>SQL</summary><pre>{safe(call.receipt.sql)}</pre></details>"


def _refusal(call: ToolCalled) -> str:
    details = call.error_details or {}
    code = call.validation_failure_code or details.get("code") or "failed"
    hint, suggestion = details.get("hint"), details.get("suggestion")
    text = f'<span class="bad">{safe(code)}</span>'
    text += f" {safe(hint)}" if hint else ""
    return text + (f" Suggested: <code>{safe(suggestion)}</code>" if suggestion else "")


def _decided(event: PersonDecided) -> Iterator[str]:
    decision = event.decision
    mark, outcome = ("good", "approved") if decision.approved else ("bad", "denied")
    who = "nobody in time" if decision.automatic else decision.decided_by
    yield f'<b>decision</b> <span class="{mark}">{outcome}</span> by {safe(who)}'


def _gated(event: Gated) -> Iterator[str]:
    kind = "bad" if event.verdict is Verdict.BLOCK else "good"
    yield f'<b>gate</b>, attempt {event.attempt}: <span class="{kind}">{event.verdict}</span>'
    if event.verdict is Verdict.BLOCK:
        yield _said(event.text)
    for finding in event.findings:
        nearest = f" The data has: {safe(finding.nearest)}" if finding.nearest else ""
        yield f"<div><code>{safe(finding.code)}</code> {safe(finding.hint)}{nearest}</div>"


def _said(text: str) -> str:
    return f'<pre class="said">{safe(text)}</pre>'


def _json(value: object) -> str:
    return safe(json.dumps(value, ensure_ascii=False, default=str))
