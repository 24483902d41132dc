"""What ``veridical ask`` and ``veridical chat`` do: open the data, ask, show each answer."""

import asyncio
import os
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace

import typer

from veridical.cli.answer_shown import UNANSWERED, show_answer
from veridical.cli.friendly import friendly, out
from veridical.cli.lines import is_terminal, next_line, remembered
from veridical.cli.runtime import local_caller, opened_runtime, runtime_settings
from veridical.cli.talking import Talk, earlier_turns
from veridical.contracts.answer import Answer, AnswerKind
from veridical.contracts.caller import Caller
from veridical.contracts.language import Language
from veridical.host.runtime import Runtime
from veridical.host.settings import RuntimeSettings
from veridical.messages import message
from veridical.reading.language import language_of
from veridical.route.requests import leaves
from veridical.trace.address import open_traces, traces_address

_PROMPT = "› "


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
    goes_on: bool = False
    """Whether the question goes on from an earlier one."""
    reply_to: str = ""
    """The trace of that one; without it, the last about the feature."""


def run_ask(request: Request) -> bool:
    """Ask, show the answer, keep the trace; true when there was an answer.

    On a terminal a question back can be replied to at once.
    """
    with _talk(request) as talk:
        told = talk.spoken(request.question)
        settings, caller = _place(request, told)
        return asyncio.run(_ask(request, talk, settings, caller))


def run_chat(request: Request) -> None:
    """Ask line by line, until there are no more or the user leaves."""
    with _talk(request) as talk, remembered():
        told = request.language or Language.EN
        settings, caller = _place(request, told)
        asyncio.run(_chat(request, talk, settings, caller))


def _place(request: Request, told: Language) -> tuple[RuntimeSettings, Caller]:
    settings = runtime_settings(request.feature, request.database, request.role, told)
    return settings, local_caller(settings.features[0], request.scope, told)


@contextmanager
def _talk(request: Request) -> Generator[Talk]:
    store = open_traces(traces_address(os.environ))
    try:
        talk = Talk(request.feature, request.language, store, quiet=request.as_json)
        if request.goes_on or request.reply_to:
            told = request.language or language_of(request.question, Language.EN)
            turns = earlier_turns(store, request.feature, request.reply_to, told)
            talk = replace(talk, thread=turns)
        yield talk
    finally:
        store.close()


async def _ask(request: Request, talk: Talk, settings: RuntimeSettings, caller: Caller) -> bool:
    text: str | None = request.question
    answered = False
    async with opened_runtime(settings, caller.language) as runtime:
        while text:
            given, talk = await talk.ask(text, runtime, caller)
            answered = given.kind not in UNANSWERED
            _show(given, talk, request)
            waits = given.kind is AnswerKind.ASK_BACK and not request.as_json and is_terminal()
            text = next_line(_PROMPT) if waits else None
    return answered


async def _chat(request: Request, talk: Talk, settings: RuntimeSettings, caller: Caller) -> None:
    async with opened_runtime(settings, caller.language) as runtime:
        if is_terminal() and not request.as_json:
            out.print(message("cli.chat_begin", caller.language), style="dim", highlight=False)
        while (line := next_line(_PROMPT)) is not None:
            if leaves(line):
                return
            if line:
                talk = await _turn(line, request, talk, runtime, caller)


async def _turn(line: str, request: Request, talk: Talk, runtime: Runtime, caller: Caller) -> Talk:
    """One line of a chat. What goes wrong with it does not end the others."""
    spoken = talk.spoken(line, caller.language)
    try:
        with friendly(spoken):
            given, talk = await talk.ask(line, runtime, replace(caller, language=spoken))
            _show(given, talk, request)
    except typer.Exit:
        pass
    return talk


def _show(given: Answer, talk: Talk, request: Request) -> None:
    if request.as_json:
        out.print_json(given.model_dump_json(by_alias=True), indent=None if talk.thread[1:] else 2)
    else:
        show_answer(given, proof=request.proof)
    if request.trace:
        for event in talk.events:
            out.print_json(event.model_dump_json(by_alias=True))
