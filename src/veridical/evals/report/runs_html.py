"""All questions and modes as a matrix in HTML, with the story of each run behind its cell."""

import json
from collections.abc import Iterable, Iterator

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
from veridical.evals.report.number_format import MARKS, amount, seconds
from veridical.evals.report.report_data import CaseRuns, Report
from veridical.evals.report.svg import fitted, safe
from veridical.evals.scoring.record import Outcome, RunRecord
from veridical.trace.counters import CallOutcome, call_outcomes

_LONGEST_TIP = 240
FILTERS = (
    ("all", "all"),
    ("imperfect", "not always correct"),
    ("wrong", "wrong somewhere"),
    ("uneven", "modes differ"),
)


def matrix(report: Report) -> str:
    """The questions as rows, the modes as columns, a mark for each repeat."""
    return "".join(_matrix(report))


def _matrix(report: Report) -> Iterator[str]:
    yield '<div class="filter" role="group" aria-label="Which questions">'
    for name, label in FILTERS:
        pressed = str(name == "all").lower()
        yield f'<button type="button" data-show="{name}" aria-pressed="{pressed}">{label}</button>'
    yield '</div><div class="scroll"><table class="matrix"><caption>'
    yield f"{safe(report.titled('Each question in each mode'))}</caption><thead><tr>"
    yield '<th scope="col">question</th>'
    yield "".join(f'<th scope="col">{mode}</th>' for mode in report.modes)
    yield "</tr></thead><tbody>"
    for number, case in enumerate(report.cases):
        yield f'<tr data-is="{" ".join(_kinds(case))}"><th scope="row">'
        yield f"<b>{safe(case.case)}</b><span>{safe(case.question)}</span></th>"
        for mode in report.modes:
            cells = "".join(_cell(number, run) for run in case.runs.get(mode, ()))
            yield f'<td><span class="cells">{cells}</span></td>'
        yield "</tr>"
    yield "</tbody></table></div>"


def _kinds(case: CaseRuns) -> Iterator[str]:
    ended = [
        tuple(sorted((run.key.repeat, run.score.outcome) for run in runs))
        for runs in case.runs.values()
    ]
    seen = {outcome for outcomes in ended for _, outcome in outcomes}
    if seen != {Outcome.CORRECT}:
        yield "imperfect"
    if Outcome.WRONG in seen:
        yield "wrong"
    if len(set(ended)) > 1:
        yield "uneven"


def _cell(number: int, run: RunRecord) -> str:
    outcome = run.score.outcome
    name = f"{run.key.mode}, repeat {run.key.repeat + 1}: {outcome}"
    tip = fitted("\n".join((name, *run.score.reasons, run.text)), _LONGEST_TIP)
    return (
        f'<a class="cell {outcome}" href="#{anchor(number, run)}" title="{safe(tip)}" '
        f'aria-label="{safe(name)}">{MARKS[outcome]}</a>'
    )


def anchor(number: int, run: RunRecord) -> str:
    """The place of a run in the page; made of nothing that a case's author chose."""
    return f"run-{number}-{run.key.mode}-{run.key.repeat}"


def drill_down(report: Report) -> str:
    """Every run, folded up below its question."""
    return "".join(
        part for number, case in enumerate(report.cases) for part in _case(report, number, case)
    )


def _case(report: Report, number: int, case: CaseRuns) -> Iterator[str]:
    runs = [run for mode in report.modes for run in case.runs.get(mode, ())]
    yield f'<details id="case-{number}"><summary><b>{safe(case.case)}</b> '
    yield f"{safe(case.question)}</summary>"
    yield f'<p class="muted">{_expected(runs[0])}</p>'
    for run in runs:
        yield from _run(report, number, run)
    yield "</details>"


def _expected(run: RunRecord) -> str:
    traps = f" · traps: {safe(', '.join(run.traps))}" if run.traps else ""
    return f"{run.language} · {run.difficulty} · expected: {run.expected}{traps}"


def _run(report: Report, number: int, run: RunRecord) -> Iterator[str]:
    counted, outcome = run.counters, run.score.outcome
    yield f'<details class="run" id="{anchor(number, run)}"><summary>'
    yield f'<span class="tag {outcome}">{MARKS[outcome]} {outcome}</span> '
    yield f"<b>{run.key.mode}</b>, repeat {run.key.repeat + 1} "
    spent = amount(counted.input_tokens + counted.output_tokens)
    simulated = " · simulated" if report.header.simulated else ""
    yield f'<span class="muted">{spent} tokens · {seconds(counted.elapsed_ms)}{simulated}</span>'
    yield f'</summary><p>{safe(run.question)}</p><pre class="said">{safe(run.text)}</pre>'
    yield from _reasons(run)
    trace = report.traces.get(run.trace_id)
    if trace is not None:
        yield run_html(trace)
    yield "</details>"


def _reasons(run: RunRecord) -> Iterator[str]:
    parts: Iterable[tuple[str, tuple[str, ...]]] = (
        ("why", run.score.reasons),
        ("refusals", run.failure_codes),
        ("forbidden tools", run.score.forbidden_tools),
        ("ended early", (run.detail,) if run.detail else ()),
    )
    for name, values in parts:
        if values:
            codes = ", ".join(f"<code>{safe(value)}</code>" for value in values)
            yield f'<p><span class="muted">{name}:</span> {codes}</p>'


def run_html(trace: AgentTrace) -> str:
    """The events of a run in their order."""
    outcomes = {id(fate.call): fate for fate in call_outcomes(trace)}
    items = ("".join(_item(event, outcomes)) for event in trace.events)
    return f'<ol class="story">{"".join(f"<li>{item}</li>" for item in items)}</ol>'


def _item(event: Event, outcomes: dict[int, CallOutcome]) -> Iterator[str]:
    match event:
        case RunStarted():
            yield f"<b>question</b>{_quoted(event.question.text)}"
        case Routed():
            filled = f" {safe(event.intent)} {_json(event.slots)}" if event.intent else ""
            yield f"<b>route</b> {safe(event.route)}{filled}: {safe(event.reason)}"
        case ModelCalled():
            yield from _model_call(event)
        case ToolCalled():
            yield from _called(outcomes[id(event)])
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
            yield f"<b>answer</b> ({safe(event.answer.kind)}){_quoted(event.answer.text)}"


def _model_call(event: ModelCalled) -> Iterator[str]:
    spent = f"{amount(event.input_tokens)} + {amount(event.output_tokens)} tokens"
    yield f"<b>model</b>, round {event.round} "
    yield f'<span class="muted">{spent}, {seconds(event.elapsed_ms)}</span>'
    if event.error is not None:
        yield f' <span class="bad">{safe(event.error)}</span>'
    if event.text:
        yield _quoted(event.text)


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
    who = "no one in time" if decision.automatic else decision.decided_by
    yield f'<b>decision</b> <span class="{mark}">{outcome}</span> by {safe(who)}'


def _gated(event: Gated) -> Iterator[str]:
    kind = "bad" if event.verdict is Verdict.BLOCK else "good"
    yield f'<b>gate</b>, attempt {event.attempt}: <span class="{kind}">{event.verdict}</span>'
    if event.verdict is Verdict.BLOCK:
        yield _quoted(event.text)
    for finding in event.findings:
        nearest = f" The data has: {safe(finding.nearest)}" if finding.nearest else ""
        yield f"<div><code>{safe(finding.code)}</code> {safe(finding.hint)}{nearest}</div>"


def _quoted(text: str) -> str:
    return f'<pre class="said">{safe(text)}</pre>'


def _json(value: object) -> str:
    return safe(json.dumps(value, ensure_ascii=False, default=str))
