"""``veridical ask``: one question, its progress as it happens, the answer with its sources."""

import asyncio
import os
from collections.abc import Generator
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated
from uuid import uuid4

import typer
from pydantic_ai.models import Model
from rich.table import Table

from veridical.agent.provider import ModelNotConfiguredError, open_model
from veridical.agent.settings import AgentSettings, read_settings
from veridical.cli.friendly import REFUSED, UsageError, friendly, out
from veridical.cli.progress import ProgressView
from veridical.cli.sources import disabled
from veridical.contracts.answer import Answer, AnswerKind
from veridical.contracts.caller import Caller, Scope
from veridical.contracts.language import Language
from veridical.contracts.question import Question
from veridical.engine import Postgres
from veridical.feature import Feature, open_feature
from veridical.flow import answer
from veridical.messages import say
from veridical.ontology.pack import Pack, PackNotFoundError, load_pack
from veridical.testing.postgres import local_postgres
from veridical.testing.sample import load_sample, sample_caller, sample_feature
from veridical.trace.address import open_traces, traces_address
from veridical.trace.recorder import Recorder
from veridical.ways import Desk

_SAMPLE_TENANT = ("m-001", "m-001-a")
_MOST_ROWS = 12
_UNANSWERED = frozenset({AnswerKind.UNKNOWN, AnswerKind.FAILED})


@dataclass(frozen=True, slots=True)
class Opened:
    """The data that was asked about, and as whom."""

    feature: Feature
    caller: Caller


def ask(
    question: Annotated[str, typer.Argument(help="The question, in German, English or Chinese.")],
    feature: Annotated[str, typer.Option(help="The pack that knows the data.")] = "trustee",
    database: Annotated[
        str, typer.Option(help="postgresql://…; without one, the pack's sample books.")
    ] = "",
    role: Annotated[str, typer.Option(help="The read-only role to ask as.")] = "veridical_reader",
    scope: Annotated[
        list[str] | None, typer.Option(help="Your tenant, as COLUMN=VALUE; repeat for each.")
    ] = None,
    language: Annotated[
        Language | None, typer.Option(help="The answer's language; else the question's.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")] = False,
    trace: Annotated[bool, typer.Option("--trace", help="Print the trace's events too.")] = False,
) -> None:
    """Ask a question about the data and get a verified answer, or an honest "I can't say"."""
    told = language or Language.EN
    with friendly(told), _opened(feature, database, role, scope or [], told) as opened:
        view = ProgressView(quiet=as_json, language=told)
        store = open_traces(traces_address(os.environ))
        recorder = Recorder(str(uuid4()), (store,), (view.see,))
        asked = Question(text=question, feature=feature, language=language)
        given = asyncio.run(_ask(asked, opened, recorder))
        recorder.flush()
        store.close()
        if as_json:
            out.print_json(given.model_dump_json(by_alias=True))
        else:
            _show(given)
        if trace:
            for event in recorder.trace.events:
                out.print_json(event.model_dump_json(by_alias=True))
        if given.kind in _UNANSWERED:
            raise typer.Exit(REFUSED)


async def _ask(asked: Question, opened: Opened, recorder: Recorder) -> Answer:
    settings = read_settings()
    async with AsyncExitStack() as stack:
        model = await _model(settings, stack)
        desk = Desk(opened.feature, opened.caller, model, settings, recorder.emit)
        return await answer(asked, desk, trace_id=recorder.trace_id)


async def _model(settings: AgentSettings, stack: AsyncExitStack) -> Model | None:
    """The configured model; none when none is configured, which the flow then says."""
    if not settings.model:
        return None
    try:
        return await stack.enter_async_context(open_model(settings))
    except ModelNotConfiguredError as error:
        raise UsageError(error.message(Language.EN)) from error


@contextmanager
def _opened(
    feature: str, database: str, role: str, scope: list[str], language: Language
) -> Generator[Opened]:
    try:
        pack = load_pack(feature)
    except PackNotFoundError as error:
        raise UsageError(str(error)) from error
    if database:
        connection = Postgres(database, role=role)
        try:
            opened = open_feature(pack, connection, without_ontology=disabled())
            yield Opened(opened, _caller(pack, scope, language))
        finally:
            connection.close()
        return
    with local_postgres(_sample_folder()) as server:
        sample = load_sample(pack, server)
        opened = sample_feature(pack, sample, without_ontology=disabled())
        caller = _caller(pack, scope, language) if scope else sample_caller(pack, *_SAMPLE_TENANT)
        try:
            yield Opened(opened, replace(caller, language=language))
        finally:
            opened.engine.database.close()


def _sample_folder() -> Path:
    state = os.environ.get("XDG_STATE_HOME") or "~/.local/state"
    return Path(state).expanduser() / "veridical" / "sample"


def _caller(pack: Pack, scope: list[str], language: Language) -> Caller:
    pairs = [each.partition("=") for each in scope]
    if not pairs or any(not sign for _, sign, _ in pairs):
        raise UsageError(say("cli.ask_scope", language))
    allowed = {name: (value,) for name, _, value in pairs}
    own = Scope(allowed, frozenset(pack.shared_tables))
    return Caller(scope=own, language=language, name=pairs[0][2])


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
    cost = "" if usage.cost is None else f" · ${usage.cost:.4f}"
    out.print(
        f"{given.kind} · {usage.model_calls} model calls · {usage.tool_calls} tool calls · "
        f"{usage.input_tokens + usage.output_tokens} tokens · {usage.elapsed_ms / 1000:.2f} s"
        f"{cost} · trace {given.trace_id}",
        style="dim",
        highlight=False,
    )
