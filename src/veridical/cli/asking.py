"""What ``veridical ask`` does: open the data, ask, show the answer with its sources."""

import asyncio
import os
from collections.abc import Generator
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from uuid import uuid4

from pydantic_ai.models import Model
from rich.table import Table
from sqlalchemy.exc import SQLAlchemyError

from veridical.agent.settings import AgentSettings, read_settings
from veridical.cli.friendly import UsageError, out
from veridical.cli.progress import ProgressView
from veridical.cli.sources import SETTINGS_FILE, disabled
from veridical.contracts.answer import Answer, AnswerKind
from veridical.contracts.caller import Caller, Scope
from veridical.contracts.language import Language
from veridical.contracts.question import Question
from veridical.engine import Postgres
from veridical.feature import Feature, open_feature
from veridical.flow import answer
from veridical.gate.policy import DEFAULT as DEFAULT_POLICY
from veridical.gate.policy import Policy, PolicyError, read_policy
from veridical.gate.proof_text import as_text
from veridical.messages import say
from veridical.ontology.pack import Pack, PackNotFoundError, load_pack
from veridical.skills.load import configured_folders, load_skills
from veridical.skills.skill import Skill
from veridical.testing.postgres import local_postgres
from veridical.testing.sample import load_sample, sample_caller, sample_feature
from veridical.trace.address import open_traces, traces_address
from veridical.trace.otel import SpanWriter
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
    with _opened(request, told) as opened:
        view = ProgressView(quiet=request.as_json, language=told)
        store = open_traces(traces_address(os.environ))
        trace_id = str(uuid4())
        spans = SpanWriter(trace_id)
        recorder = Recorder(trace_id, (store,), (view.see, spans.write))
        asked = Question(text=request.question, feature=request.feature, language=request.language)
        given = asyncio.run(_ask(asked, opened, recorder))
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


async def _ask(asked: Question, opened: Opened, recorder: Recorder) -> Answer:
    settings = read_settings()
    async with AsyncExitStack() as stack:
        model = await _model(settings, stack)
        desk = Desk(
            opened.feature,
            opened.caller,
            model,
            settings,
            recorder.emit,
            policy=_policy(),
            skills=_skills(asked),
        )
        return await answer(asked, desk, trace_id=recorder.trace_id)


def _policy() -> Policy:
    """What ``veridical.toml`` says of the gate."""
    try:
        return read_policy(SETTINGS_FILE) if SETTINGS_FILE.is_file() else DEFAULT_POLICY
    except PolicyError as error:
        raise UsageError(str(error)) from error


def _skills(asked: Question) -> tuple[Skill, ...]:
    """The skills of the pack, and those of the folders that ``veridical.toml`` names.

    Those that ship are about more than data: a question must ask for one by its name.
    """
    folders = configured_folders(SETTINGS_FILE)
    by_name = asked.text.lstrip().startswith("/")
    return load_skills(folders, [load_pack(asked.feature)], bundled=by_name)


async def _model(settings: AgentSettings, stack: AsyncExitStack) -> Model | None:
    """The configured model; none when none is configured, which the flow then says."""
    if not settings.model:
        return None
    # Imported here because the providers' clients take seconds to load.
    from veridical.agent.provider import ModelNotConfiguredError, open_model

    try:
        return await stack.enter_async_context(open_model(settings))
    except ModelNotConfiguredError as error:
        raise UsageError(error.message(Language.EN)) from error


@contextmanager
def _opened(request: Request, language: Language) -> Generator[Opened]:
    scope = request.scope
    try:
        pack = load_pack(request.feature)
    except PackNotFoundError as error:
        raise UsageError(str(error)) from error
    if request.database:
        connection = Postgres(request.database, role=request.role)
        caller = _caller(pack, scope, language)
        try:
            yield Opened(_reached(pack, connection, language), caller)
        finally:
            connection.close()
        return
    with local_postgres(sample_folder()) as server:
        sample = load_sample(pack, server)
        opened = sample_feature(pack, sample, without_ontology=disabled())
        caller = _caller(pack, scope, language) if scope else sample_caller(pack, *_SAMPLE_TENANT)
        try:
            yield Opened(opened, replace(caller, language=language))
        finally:
            opened.engine.database.close()


def _reached(pack: Pack, database: Postgres, language: Language) -> Feature:
    try:
        return open_feature(pack, database, without_ontology=disabled())
    except SQLAlchemyError as error:
        raise UsageError(say("cli.no_database", language)) from error


def sample_folder() -> Path:
    """Where the PostgreSQL with the sample books is kept."""
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
    proven = "" if given.proof is None else f"gate {given.proof.verdict} · "
    cost = "" if usage.cost is None else f" · ${usage.cost:.4f}"
    out.print(
        f"{given.kind} · {proven}{usage.model_calls} model calls · {usage.tool_calls} tool calls · "
        f"{usage.input_tokens + usage.output_tokens} tokens · {usage.elapsed_ms / 1000:.2f} s"
        f"{cost} · trace {given.trace_id}",
        style="dim",
        highlight=False,
    )
