"""What ``veridical ask`` does: open the data, ask, show the answer with its sources."""

import asyncio
import os
from dataclasses import dataclass
from uuid import uuid4

from rich.table import Table

from veridical.cli.friendly import out
from veridical.cli.office import local_caller, office_settings, opened_office, sample_folder
from veridical.cli.progress import ProgressView
from veridical.contracts.answer import Answer, AnswerKind
from veridical.contracts.caller import Caller
from veridical.contracts.language import Language
from veridical.contracts.question import Question
from veridical.flow import answer
from veridical.gate.proof_text import as_text
from veridical.host.settings import OfficeSettings
from veridical.trace.address import open_traces, traces_address
from veridical.trace.otel import SpanWriter
from veridical.trace.recorder import Recorder

__all__ = ["Request", "run_ask", "sample_folder"]

_MOST_ROWS = 12
_UNANSWERED = frozenset({AnswerKind.UNKNOWN, AnswerKind.FAILED})


@dataclass(frozen=True, slots=True)
class Request:
    """What was typed."""

    question: str
    feature: str
    database: str
    role: str
    scope: list[str]
    language: Language | None
    as_json: bool
    trace: bool
    proof: bool


def run_ask(request: Request) -> bool:
    """Ask, show the answer, keep the trace; true when there was an answer."""
    told = request.language or Language.EN
    settings = office_settings(request.feature, request.database, request.role, told)
    caller = local_caller(settings.features[0], request.scope, told)
    view = ProgressView(quiet=request.as_json, language=told)
    store = open_traces(traces_address(os.environ))
    trace_id = str(uuid4())
    spans = SpanWriter(trace_id)
    recorder = Recorder(trace_id, (store,), (view.see, spans.write))
    given = asyncio.run(_ask(request, settings, caller, recorder))
    spans.close()
    recorder.flush()
    store.close()
    if request.as_json:
        out.print_json(given.model_dump_json(by_alias=True))
    else:
        _show(given)
        if request.proof and given.proof is not None:
            out.print(as_text(given.proof, given.language), highlight=False, markup=False)
    if request.trace:
        for event in recorder.trace.events:
            out.print_json(event.model_dump_json(by_alias=True))
    return given.kind not in _UNANSWERED


async def _ask(
    request: Request, settings: OfficeSettings, caller: Caller, recorder: Recorder
) -> Answer:
    asked = Question(text=request.question, feature=request.feature, language=request.language)
    async with opened_office(settings, caller.language) as office:
        desk = office.desk(request.feature, caller, recorder.emit)
        return await answer(asked, desk, trace_id=recorder.trace_id)


def _show(given: Answer) -> None:
    style = "yellow" if given.kind in _UNANSWERED else "bold"
    out.print(f"\n{given.text}\n", style=style, highlight=False, markup=False)
    for source in given.sources:
        table = Table(title=f"{source.tool} · {source.receipt.call_id[:8]}", title_style="dim")
        for column in source.columns:
            table.add_column(column)
        for row in source.rows[:_MOST_ROWS]:
            table.add_row(*("" if cell is None else str(cell) for cell in row))
        out.print(table)
    usage = given.usage
    proven = "" if given.proof is None else f"gate {given.proof.verdict} · "
    cost = "" if usage.cost is None else f" · ${usage.cost:.4f}"
    out.print(
        f"{given.kind} · {proven}{usage.model_calls} model calls · {usage.tool_calls} tool calls · "
        f"{usage.input_tokens + usage.output_tokens} tokens · {usage.elapsed_ms / 1000:.2f} s"
        f"{cost} · trace {given.trace_id}",
        style="dim",
        highlight=False,
    )
