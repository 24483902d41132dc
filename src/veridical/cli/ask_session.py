"""Implementation of ``veridical ask`` and ``veridical chat``: a conversation about opened data,
each question with those before it, each run saved."""

import asyncio
import os
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from uuid import uuid4

import typer

from veridical.answering.flow import answer
from veridical.answering.routing import answer_language
from veridical.cli.answer_view import UNANSWERED, ProgressView, show_answer
from veridical.cli.error_reporting import UsageError, out, reported_errors
from veridical.cli.runtime import file_settings, local_caller, opened_runtime, runtime_settings
from veridical.cli.terminal import is_terminal, next_line, remembered
from veridical.contracts.answer import Answer, AnswerKind
from veridical.contracts.caller import Caller
from veridical.contracts.language import Language
from veridical.contracts.question import Question, Turn, with_turn
from veridical.contracts.trace import AgentTrace, Answered, Event, RunStarted
from veridical.host.runtime import Runtime
from veridical.host.settings import RuntimeSettings
from veridical.messages import message
from veridical.reading.language import language_of
from veridical.route.requests import leaves
from veridical.sample.postgres import Started
from veridical.trace.address import open_traces, traces_address
from veridical.trace.otel import SpanWriter
from veridical.trace.recorder import Recorder, TraceStore

_PROMPT = "› "
_LOOKED_THROUGH = 20
"""Runs among which the last about a feature is looked for."""


@dataclass(frozen=True, slots=True)
class Request:
    """The parsed options."""

    feature: str
    database: str
    ontology: str
    role: str
    scope: list[str]
    language: Language | None
    as_json: bool
    trace: bool
    proof: bool
    goes_on: bool
    """Whether the question goes on from an earlier one."""
    question: str = ""
    """The question of ``ask``; a chat reads its own."""
    reply_to: str = ""
    """The trace of the earlier question; without it, the last about the feature."""
    files: list[str] = field(default_factory=list[str])
    """Data files to ask about."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """One conversation: its feature, its thread so far, and where runs are saved."""

    feature: str
    language: Language | None
    """The language of all answers; without one, each answer has its question's."""
    store: TraceStore
    quiet: bool = False
    thread: tuple[Turn, ...] = ()
    events: tuple[Event, ...] = field(default=(), repr=False)
    """The events of the last question's run."""

    def question(self, text: str) -> Question:
        """This text as the next question."""
        return Question(text=text, feature=self.feature, language=self.language, thread=self.thread)

    def question_language(self, text: str, fallback: Language = Language.EN) -> Language:
        """The language of this question, its answer and the output around it."""
        return answer_language(self.question(text), fallback)

    async def ask(
        self, text: str, runtime: Runtime, caller: Caller
    ) -> tuple[Answer, "Conversation"]:
        """The answer, and the conversation continued with it."""
        question = self.question(text)
        view = ProgressView(
            quiet=self.quiet, language=self.question_language(text, caller.language)
        )
        trace_id = str(uuid4())
        spans = SpanWriter(trace_id)
        recorder = Recorder(trace_id, (self.store,), (view.see, spans.write))
        session = runtime.session(self.feature, caller, recorder.emit)
        given = await answer(question, session, trace_id=trace_id)
        spans.close()
        recorder.flush()
        thread = with_turn(self.thread, text, given.text)
        return given, replace(self, thread=thread, events=recorder.trace.events)


def run_ask(request: Request, started: Started | None = None) -> bool:
    """Ask, print the answer, save the trace; true when there was an answer.

    On a terminal a clarifying question can be replied to at once. Sample books are read from
    the PostgreSQL that is ``started`` already, where there is one.
    """
    language = request.language or language_of(request.question, Language.EN)
    settings = _settings(request, language)
    with _conversation(request, settings) as conversation:
        caller = _caller(request, settings, conversation.question_language(request.question))
        return asyncio.run(_ask(request, conversation, settings, caller, started))


def run_chat(request: Request) -> None:
    """Ask line by line, until there are no more or the user leaves."""
    language = request.language or Language.EN
    settings = _settings(request, language)
    with _conversation(request, settings) as conversation, remembered():
        caller = _caller(request, settings, language)
        asyncio.run(_chat(request, conversation, settings, caller))


def _settings(request: Request, language: Language) -> RuntimeSettings:
    if request.files:
        if request.database or request.ontology or request.scope:
            raise UsageError(message("cli.files_alone", language))
        return file_settings(request.feature, request.files)
    return runtime_settings(
        request.feature, request.database, request.role, language, request.ontology
    )


def _caller(request: Request, settings: RuntimeSettings, language: Language) -> Caller:
    return local_caller(settings.features[0], request.scope, language)


@contextmanager
def _conversation(request: Request, settings: RuntimeSettings) -> Generator[Conversation]:
    store = open_traces(traces_address(os.environ))
    feature = settings.features[0].name
    try:
        conversation = Conversation(feature, request.language, store, quiet=request.as_json)
        if request.goes_on or request.reply_to:
            language = request.language or language_of(request.question, Language.EN)
            turns = earlier_turns(store, feature, request.reply_to, language)
            conversation = replace(conversation, thread=turns)
        yield conversation
    finally:
        store.close()


async def _ask(
    request: Request,
    conversation: Conversation,
    settings: RuntimeSettings,
    caller: Caller,
    started: Started | None,
) -> bool:
    text: str | None = request.question
    answered = False
    async with opened_runtime(settings, caller.language, started) as runtime:
        while text:
            given, conversation = await conversation.ask(text, runtime, caller)
            answered = given.kind not in UNANSWERED
            _show(given, conversation, request)
            waits = given.kind is AnswerKind.ASK_BACK and not request.as_json and is_terminal()
            text = next_line(_PROMPT) if waits else None
    return answered


async def _chat(
    request: Request, conversation: Conversation, settings: RuntimeSettings, caller: Caller
) -> None:
    async with opened_runtime(settings, caller.language) as runtime:
        if is_terminal() and not request.as_json:
            out.print(message("cli.chat_begin", caller.language), style="dim")
        while (line := next_line(_PROMPT)) is not None:
            if leaves(line):
                return
            if line:
                conversation = await _turn(line, request, conversation, runtime, caller)


async def _turn(
    line: str, request: Request, conversation: Conversation, runtime: Runtime, caller: Caller
) -> Conversation:
    """One line of a chat. An error in it does not end the chat."""
    language = conversation.question_language(line, caller.language)
    try:
        with reported_errors(language):
            given, conversation = await conversation.ask(
                line, runtime, replace(caller, language=language)
            )
            _show(given, conversation, request)
    except typer.Exit:
        pass
    return conversation


def _show(given: Answer, conversation: Conversation, request: Request) -> None:
    if request.as_json:
        out.print_json(
            given.model_dump_json(by_alias=True), indent=None if conversation.thread[1:] else 2
        )
    else:
        show_answer(given, proof=request.proof)
    if request.trace:
        for event in conversation.events:
            out.print_json(event.model_dump_json(by_alias=True))


def earlier_turns(
    store: TraceStore, feature: str, trace_id: str, language: Language
) -> tuple[Turn, ...]:
    """The conversation of this run; without an id, the latest one about the feature.

    Raises ``UsageError`` where there is none.
    """
    if trace_id:
        found = store.load(trace_id)
        traces = () if found is None else (found,)
    else:
        traces = store.recent(_LOOKED_THROUGH)
    for trace in traces:
        question = _question_of(trace)
        if question is not None and question.feature == feature:
            return with_turn(question.thread, question.text, _answer_text(trace))
    raise UsageError(message("cli.no_conversation", language, feature=feature))


def _question_of(trace: AgentTrace) -> Question | None:
    return next((each.question for each in trace.events if isinstance(each, RunStarted)), None)


def _answer_text(trace: AgentTrace) -> str:
    given = (each.answer.text for each in trace.events if isinstance(each, Answered))
    return next(given, "")
