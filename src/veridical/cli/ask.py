"""``veridical ask``: one question, its progress as it happens, the answer with its sources."""

from typing import Annotated

import typer

from veridical.cli.friendly import REFUSED, friendly
from veridical.cli.sources import local_extra
from veridical.contracts.extras import require
from veridical.contracts.language import Language


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
    proof: Annotated[
        bool, typer.Option("--proof", help="Print what each claim of the answer rests on.")
    ] = False,
) -> None:
    """Ask a question about the data and get a verified answer, or an honest "I can't say"."""
    told = language or Language.EN
    with friendly(told):
        require("agent", "engine", *local_extra(database))
        from veridical.cli.asking import Request, run_ask

        request = Request(
            question, feature, database, role, scope or [], language, as_json, trace, proof
        )
        if not run_ask(request):
            raise typer.Exit(REFUSED)
