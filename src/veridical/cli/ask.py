"""``veridical ask`` and ``veridical chat``: ask questions, see the progress, get answers with
sources."""

import os
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from veridical.cli.error_reporting import REFUSED, UsageError, out, reported_errors
from veridical.cli.options import (
    Data,
    DataFiles,
    Feature,
    OntologyFile,
    Reader,
    TenantScope,
    local_extra,
)
from veridical.contracts.extras import require
from veridical.contracts.language import Language
from veridical.contracts.question import is_blank
from veridical.contracts.settings_file import SETTINGS_FILE
from veridical.messages import message
from veridical.reading.language import language_of

if TYPE_CHECKING:
    from veridical.sample.postgres import Started

_SERVER = "VERIDICAL_ASK_SERVER"
_KEY = "VERIDICAL_ASK_KEY"
_READER = "veridical_reader"

In = Annotated[Language | None, typer.Option(help="The answer's language; else the question's.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")]
WithTrace = Annotated[bool, typer.Option("--trace", help="Print the trace's events too.")]
WithProof = Annotated[
    bool, typer.Option("--proof", help="Print what each claim of the answer rests on.")
]
GoesOn = Annotated[
    bool, typer.Option("--continue", help="Go on from the last question about this data.")
]


def ask(
    question: Annotated[str, typer.Argument(help="The question, in German, English or Chinese.")],
    feature: Feature = "",
    database: Data = "",
    file: DataFiles = None,
    ontology: OntologyFile = "",
    role: Reader = _READER,
    scope: TenantScope = None,
    language: In = None,
    as_json: AsJson = False,
    trace: WithTrace = False,
    proof: WithProof = False,
    goes_on: GoesOn = False,
    reply_to: Annotated[
        str, typer.Option(help="Go on from the question with this trace.", metavar="TRACE")
    ] = "",
    server: Annotated[
        str,
        typer.Option(
            help=f"Ask a running server instead, with the key in {_KEY}; else what {_SERVER} says.",
            metavar="URL",
        ),
    ] = "",
) -> None:
    """Ask a question about the data and get a verified answer, or an honest "I can't say".

    On a terminal you can reply to a clarifying question at once; elsewhere use --continue.
    """
    output_language = language or language_of(question, Language.EN)
    with reported_errors(output_language):
        if is_blank(question):
            raise UsageError(message("flow.empty_question", output_language))
        address = server or ("" if database or file or ontology else os.environ.get(_SERVER, ""))
        if address:
            if database or file or ontology or scope or goes_on or reply_to or trace:
                raise UsageError(message("cli.server_decides", output_language))
            answered = _ask_server(
                address, question, feature, language, as_json=as_json, proof=proof
            )
        else:
            require("agent", "engine", *local_extra(database or " ".join(file or ())))
            with books_ahead(feature, database, ontology, *(file or ())) as started:
                from veridical.cli.ask_session import Request, run_ask

                request = Request(
                    feature,
                    database,
                    ontology,
                    role,
                    scope or [],
                    language,
                    as_json,
                    trace,
                    proof,
                    goes_on,
                    question,
                    reply_to,
                    file or [],
                )
                answered = run_ask(request, started)
        if not answered:
            raise typer.Exit(REFUSED)


def chat(
    feature: Feature = "",
    database: Data = "",
    file: DataFiles = None,
    ontology: OntologyFile = "",
    role: Reader = _READER,
    scope: TenantScope = None,
    language: In = None,
    as_json: AsJson = False,
    trace: WithTrace = False,
    proof: WithProof = False,
    goes_on: GoesOn = False,
) -> None:
    """Ask one question after another; "and 2023?" refers to the one before.

    Lines may come from a pipe. "exit" or Ctrl+D ends the chat.
    """
    require("agent", "engine", *local_extra(database or " ".join(file or ())))
    from veridical.cli.ask_session import Request, run_chat

    request = Request(
        feature,
        database,
        ontology,
        role,
        scope or [],
        language,
        as_json,
        trace,
        proof,
        goes_on,
        files=file or [],
    )
    run_chat(request)


@contextmanager
def books_ahead(*named: str) -> "Generator[Started | None]":
    """Starts the sample books while the rest of a command is imported, where they are sure to be
    used: nothing else is ``named`` or set up."""
    configured = any(name.startswith("VERIDICAL_") for name in os.environ)
    if any(named) or configured or SETTINGS_FILE.exists():
        yield None
        return
    from veridical.sample.folder import sample_folder
    from veridical.sample.postgres import postgres_ahead

    with postgres_ahead(sample_folder()) as started:
        yield started


def _ask_server(
    address: str,
    question: str,
    feature: str,
    language: Language | None,
    *,
    as_json: bool,
    proof: bool,
) -> bool:
    """Ask a running server, and print the answer; true when there was one. Raises
    ``UsageError``."""
    from veridical.cli.answer_view import UNANSWERED, show_answer
    from veridical.client.remote import RemoteError, RemoteServer, StartedRun

    output_language = language or language_of(question, Language.EN)
    try:
        given = RemoteServer(address, os.environ.get(_KEY, ""), output_language).ask(
            question, feature, language
        )
    except RemoteError as error:
        raise UsageError(error.message(output_language)) from error
    if isinstance(given, StartedRun):
        out.print(message("cli.server_run", output_language, run=given.run_id))
        return False
    if as_json:
        out.print_json(given.model_dump_json(by_alias=True))
    else:
        show_answer(given, proof=proof)
    return given.kind not in UNANSWERED
