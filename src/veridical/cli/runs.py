"""``veridical runs``: list runs, and show what happened in one of them."""

import json
from collections.abc import Mapping
from typing import Annotated, Any

import typer
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from veridical.cli.error_reporting import UsageError, out, printable
from veridical.cli.options import AsJson, In
from veridical.cli.trace_store import TraceStoreOption, opened_traces, shown_store
from veridical.contracts.language import Language
from veridical.contracts.proof import CheckResult, Verdict
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
from veridical.messages import message
from veridical.search.vector_gap import vector_line
from veridical.trace.counters import (
    CallOutcome,
    call_outcomes,
    counters,
    first_of,
    summary_of,
    with_counters,
)
from veridical.trace.timestamps import moment

app = typer.Typer(no_args_is_help=True, help="List the runs; tell the story of one.")

Tenant = Annotated[str | None, typer.Option(help="Only this tenant's runs.")]

_LONGEST_QUESTION = 60
_NUMBERS = ("calls", "refused", "repaired", "tokens", "cost", "time")
_WIDE = 120
"""Terminal width that the numbers beside a run's id and question need."""


@app.command("list")
def list_command(
    store: TraceStoreOption = None,
    limit: Annotated[int, typer.Option(help="The most runs.", min=1)] = 20,
    tenant: Tenant = None,
    language: In = Language.EN,
    as_json: AsJson = False,
) -> None:
    """List the latest runs."""
    with opened_traces(store, language) as traces:
        found = traces.recent(limit, tenant)
        if as_json:
            summaries = [summary_of(run).model_dump(mode="json", by_alias=True) for run in found]
            out.print_json(data=summaries)
        elif found:
            out.print(_listed(found, language))
        else:
            out.print(message("runs.none", language, store=shown_store(store)))


@app.command("show")
def show_command(
    trace_id: Annotated[str, typer.Argument(metavar="ID", help="The run, as list names it.")],
    store: TraceStoreOption = None,
    tenant: Tenant = None,
    language: In = Language.EN,
    as_json: AsJson = False,
) -> None:
    """Show what happened in a run: the question, each call with refusal and repair, the answer."""
    with opened_traces(store, language) as traces:
        run = traces.load(trace_id, tenant)
        if run is None:
            text = message("runs.unknown", language, trace_id=trace_id, store=shown_store(store))
            raise UsageError(printable(text))
        if as_json:
            out.print_json(data=with_counters(run).model_dump(mode="json", by_alias=True))
        else:
            out.print(_story(run, language))


def _counted(run: AgentTrace) -> dict[str, Any]:
    return counters(run).model_dump(mode="json", by_alias=True)


def _listed(runs: tuple[AgentTrace, ...], language: Language) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column(message("runs.started", language), no_wrap=True)
    table.add_column(message("runs.run", language), no_wrap=True)
    table.add_column(message("runs.question", language), overflow="fold")
    table.add_column(message("runs.outcome", language), overflow="fold")
    numbers = _NUMBERS if out.width >= _WIDE else ()
    for name in numbers:
        table.add_column(message(f"runs.{name}", language), justify="right", no_wrap=True)
    for run in runs:
        summary = summary_of(run)
        counted, question = summary.counters, summary.question or ""
        shortened = question[:_LONGEST_QUESTION] + "…" * (len(question) > _LONGEST_QUESTION)
        figures = (
            str(counted.tool_calls),
            str(counted.validation_failures),
            str(counted.success_after_repair),
            str(counted.input_tokens + counted.output_tokens),
            _money(counted.cost),
            _seconds(counted.elapsed_ms),
        )
        table.add_row(
            f"{summary.started_at:%Y-%m-%d %H:%M:%S}" if summary.started_at else "",
            Text(printable(run.trace_id)),
            Text(printable(shortened)),
            summary.outcome or message("runs.unfinished", language),
            *figures[: len(numbers)],
        )
    return table


def _story(run: AgentTrace, language: Language) -> Group:
    outcomes = {id(fate.call): fate for fate in call_outcomes(run)}
    parts = [_heading(run, language), *(_part(event, outcomes, language) for event in run.events)]
    if first_of(run, Answered) is None:
        parts.append(Text(message("runs.unfinished", language), style="yellow"))
    return Group(*parts, "", *_closing(run, language))


def _part(event: Event, outcomes: Mapping[int, CallOutcome], language: Language) -> RenderableType:
    match event:
        case Routed():
            filled = [] if event.intent is None else [event.intent, _compact(event.slots)]
            route = " ".join([event.route, *filled])
            return _labelled("route", language, f"{route}: {event.reason}")
        case ModelCalled():
            return _model_line(event, language)
        case ToolCalled():
            return _tool_lines(outcomes[id(event)], language)
        case BudgetSpent():
            limit = message("runs.budget", language, limit=event.limit, value=f"{event.value:g}")
            return Text(limit, style="yellow")
        case PersonAsked():
            return _question_line(event, language)
        case PersonDecided():
            return _decided_line(event, language)
        case Gated():
            return _gated_lines(event, language)
        case Ingested():
            return _ingested_lines(event, language)
        case Reviewed():
            return _reviewed_line(event, language)
        case Answered():
            text = f"({event.answer.kind}) {event.answer.text}"
            return _labelled("answer", language, text)
        case RunStarted():
            return _labelled("question", language, event.question.text)


def _question_line(event: PersonAsked, language: Language) -> Text:
    about = message(f"people.{event.about}", language)
    return Text(message("runs.person_asked", language, about=about, name=printable(event.name)))


def _decided_line(event: PersonDecided, language: Language) -> Text:
    """The decision and its maker; a default after the deadline is marked as such."""
    decision = event.decision
    text = message(
        "runs.person_decided",
        language,
        about=message(f"people.{event.about}", language),
        outcome=message(f"people.{'approved' if decision.approved else 'denied'}", language),
        by=printable(
            message("people.nobody", language) if decision.automatic else decision.decided_by
        ),
        choice=printable(_compact(decision.choice)) if decision.choice else "",
    )
    return Text(text.rstrip(), style="green" if decision.approved else "yellow")


def _ingested_lines(event: Ingested, language: Language) -> Text:
    """The progress of an ingest, the files of this batch that failed, and its vectors."""
    if event.vectors is not None:
        style = "yellow" if event.vectors.missing_count else ""
        return Text(printable(vector_line(event.vectors, language)), style=style)
    summary = event.summary
    text = message(
        "runs.ingested",
        language,
        ingested=summary.ingested_count,
        failed=summary.failed_count,
        pending=summary.pending_count,
        chunks=event.chunks,
    )
    reasons = [f"  {path}: {reason}" for path, reason in event.failed.items()]
    return Text("\n".join((text, *map(printable, reasons))), style="yellow" if reasons else "")


def _reviewed_line(event: Reviewed, language: Language) -> Text:
    """The progress of a review, or one turn about a requirement with its outcome."""
    if event.turn is None:
        return Text(
            message("runs.reviewed", language, evaluated=event.evaluated, count=event.requirements)
        )
    turn = event.turn
    text = f"{event.about} {turn.speaker}: {turn.signal} {printable(turn.about)}"
    return Text(text.rstrip())


def _gated_lines(event: Gated, language: Language) -> RenderableType:
    """The gate's verdict on an attempt, with its reasons."""
    verdict = message("runs.gated", language, attempt=event.attempt, verdict=event.verdict)
    checks = event.quality.checks if event.quality else ()
    reasons = (
        *(f"  {finding.code}: {finding.hint}" for finding in event.findings),
        *(f"  {_checked(each)}" for each in checks),
    )
    style = {Verdict.BLOCK: "red", Verdict.WARN: "yellow"}.get(event.verdict, "green")
    return Text("\n".join((verdict, *map(printable, reasons))), style=style)


def _checked(check: CheckResult) -> str:
    """A check of the skill that was followed."""
    score = "" if check.score is None else f" {check.score:g}"
    named = f"{check.check} {check.subject}".strip()
    return ": ".join((f"{named} {check.outcome}{score}", *check.reasons))


def _heading(run: AgentTrace, language: Language) -> RenderableType:
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    table.add_row(message("runs.run", language), Text(printable(run.trace_id)), style="bold")
    started = first_of(run, RunStarted)
    if started is not None:
        whose = f"{started.caller} ({started.tenant})" if started.tenant else started.caller
        when = f"{moment(started.at):%Y-%m-%d %H:%M:%S}"
        table.add_row(message("runs.started", language), when)
        table.add_row(message("runs.caller", language), Text(printable(whose)))
        table.add_row(message("runs.model", language), Text(printable(started.model or "–")))
        table.add_row(
            message("runs.ontology", language), Text(printable(started.ontology_hash or "–"))
        )
    return Padding(table, (0, 0, 1, 0))


def _model_line(call: ModelCalled, language: Language) -> Text:
    tokens = f"{call.input_tokens} + {call.output_tokens} {message('runs.tokens', language)}"
    spent = f"{tokens}, {_money(call.cost)}, {_seconds(call.elapsed_ms)}"
    line = Text.assemble(
        (f"{message('runs.round', language)} {call.round}  ", "dim"), printable(call.model), "  "
    )
    line.append(spent, "dim")
    if call.error is not None:
        line.append(f"  {message('runs.failed', language)}: ", "red").append(printable(call.error))
    if call.text:
        line.append("\n    ").append(printable(call.text), "italic")
    return line


def _tool_lines(fate: CallOutcome, language: Language) -> Text:
    call = fate.call
    mark, style = ("✓", "green") if call.success else ("✗", "red")
    line = Text.assemble(
        (f"  {mark} {printable(call.tool)} ", style), printable(_compact(call.arguments))
    )
    if call.receipt is not None:
        line.append(f"  {message('runs.rows', language, count=call.receipt.row_count)}", "dim")
    line.append(f"  {_seconds(call.elapsed_ms)}", "dim")
    if fate.is_repair:
        line.append(f"  {message('runs.repair', language)}", style)
    if not call.success:
        line.append("\n    ").append(printable(_reason(call, language)), "red")
    if fate.is_deflected:
        line.append(f"  {message('runs.deflected', language)}", "yellow")
    return line


def _reason(call: ToolCalled, language: Language) -> str:
    details = call.error_details or {}
    code = call.validation_failure_code or details.get("code") or message("runs.failed", language)
    hint = f": {details['hint']}" if details.get("hint") else ""
    suggestion = details.get("suggestion")
    advised = f" ({message('runs.suggestion', language)}: {suggestion})" if suggestion else ""
    return f"{code}{hint}{advised}"


def _closing(run: AgentTrace, language: Language) -> tuple[Text, Text]:
    counted = counters(run)
    shown = _counted(run) | {"cost": _money(counted.cost), "time": _seconds(counted.elapsed_ms)}
    return Text(message("runs.counters", language, **shown)), Text(
        message("runs.spent", language, **shown)
    )


def _labelled(name: str, language: Language, text: str) -> Text:
    return Text.assemble((f"{message(f'runs.{name}', language)}: ", "bold"), printable(text))


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def _money(cost: float | None) -> str:
    return "–" if cost is None else f"${cost:.4f}"


def _seconds(elapsed_ms: float) -> str:
    return f"{elapsed_ms / 1000:.1f} s"
