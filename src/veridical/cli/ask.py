"""``veridical ask`` and ``veridical chat``: ask questions, see the progress, get answers with
sources."""

import os
from typing import Annotated

import typer

from veridical.cli.books_ahead import books_ahead
from veridical.cli.error_reporting import REFUSED, UsageError, reported_errors
from veridical.cli.source_options import DATABASES, FEATURES, ONTOLOGY_FILES, local_extra
from veridical.contracts.extras import require
from veridical.contracts.language import Language
from veridical.contracts.question import is_blank
from veridical.messages import message
from veridical.reading.language import language_of

ASK_SERVER = "VERIDICAL_ASK_SERVER"
Feature = Annotated[str, typer.Option(help=FEATURES)]
Ontology = Annotated[str, typer.Option(help=ONTOLOGY_FILES)]
Database = Annotated[str, typer.Option(help=DATABASES)]
Role = Annotated[str, typer.Option(help="The read-only role to ask as, on PostgreSQL.")]
Scope = Annotated[
    list[str] | None, typer.Option(help="Your tenant, as COLUMN=VALUE; repeat for each.")
]
In = Annotated[Language | None, typer.Option(help="The answer's language; else the question's.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")]
WithTrace = Annotated[bool, typer.Option("--trace", help="Print the trace's events too.")]
WithProof = Annotated[
    bool, typer.Option("--proof", help="Print what each claim of the answer rests on.")
]


def ask(
    question: Annotated[str, typer.Argument(help="The question, in German, English or Chinese.")],
    feature: Feature = "",
    database: Database = "",
    ontology: Ontology = "",
    role: Role = "veridical_reader",
    scope: Scope = None,
    language: In = None,
    as_json: AsJson = False,
    trace: WithTrace = False,
    proof: WithProof = False,
    goes_on: Annotated[
        bool, typer.Option("--continue", help="Go on from the last question about this data.")
    ] = False,
    reply_to: Annotated[
        str, typer.Option(help="Go on from the question with this trace.", metavar="TRACE")
    ] = "",
    server: Annotated[
        str,
        typer.Option(
            help="Ask a running server instead, with the key in VERIDICAL_ASK_KEY;"
            " else what VERIDICAL_ASK_SERVER says.",
            metavar="URL",
        ),
    ] = "",
) -> None:
    """Ask a question about the data and get a verified answer, or an honest "I can't say".

    On a terminal you can reply to a clarifying question at once; elsewhere use --continue.
    """
    told = language or language_of(question, Language.EN)
    with reported_errors(told):
        if is_blank(question):
            raise UsageError(message("flow.empty_question", told))
        address = server or ("" if database or ontology else os.environ.get(ASK_SERVER, ""))
        if address:
            if database or ontology or scope or goes_on or reply_to or trace:
                raise UsageError(message("cli.server_decides", told))
            from veridical.cli.ask_server import ask_server

            if not ask_server(address, question, feature, language, as_json=as_json, proof=proof):
                raise typer.Exit(REFUSED)
            return
        require("agent", "engine", *local_extra(database))
        with books_ahead(feature, database, ontology) as started:
            from veridical.cli.ask_session import Request, run_ask

            request = Request(
                question,
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
                reply_to,
            )
            answered = run_ask(request, started)
        if not answered:
            raise typer.Exit(REFUSED)


def chat(
    feature: Feature = "",
    database: Database = "",
    ontology: Ontology = "",
    role: Role = "veridical_reader",
    scope: Scope = None,
    language: In = None,
    as_json: AsJson = False,
    trace: WithTrace = False,
    proof: WithProof = False,
    goes_on: Annotated[
        bool, typer.Option("--continue", help="Go on from the last question about this data.")
    ] = False,
) -> None:
    """Ask one question after another; "and 2023?" refers to the one before.

    Lines may come from a pipe. "exit" or Ctrl+D ends the chat.
    """
    told = language or Language.EN
    with reported_errors(told):
        require("agent", "engine", *local_extra(database))
        from veridical.cli.ask_session import Request, run_chat

        run_chat(
            Request(
                "",
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
            )
        )
