"""``veridical gold``: gold questions from questions that were answered right."""

from pathlib import Path
from typing import Annotated

import typer

from veridical.cli.error_reporting import UsageError, out
from veridical.cli.options import In
from veridical.contracts.extras import require
from veridical.contracts.language import Language
from veridical.messages import message

app = typer.Typer(no_args_is_help=True, help="Turn asked questions into gold questions.")


@app.callback()
def gold() -> None:
    """Turn asked questions into gold questions."""


@app.command("add")
def add_command(
    trace: Annotated[str, typer.Argument(help="The trace of the question, as ask prints it.")],
    to: Annotated[Path, typer.Option("--gold", help="The file of gold questions; may be new.")],
    name: Annotated[str, typer.Option(help="The name of the case; else made from it.")] = "",
    pattern: Annotated[
        Path | None,
        typer.Option(help="Add it to this ontology file too: answered without a model from now."),
    ] = None,
    confirmed: Annotated[
        bool, typer.Option("--yes", help="The answer is right: don't ask once more.")
    ] = False,
    language: In = Language.EN,
) -> None:
    """Take a question whose answer is right into a file of gold questions.

    Its truth is the query that was run, as plain SQL: check it as you would check any gold truth.
    """
    require("agent", "engine")
    from veridical.cli.gold_add import add_gold_question

    def confirm(question: str, answer: str) -> None:
        out.print(question, style="bold")
        out.print(answer)
        if not confirmed and not typer.confirm(message("gold.is_right", language)):
            raise UsageError(message("gold.nothing_added", language))

    for path, added in add_gold_question(trace, to, name, pattern, confirm, language):
        out.print(message("gold.added", language, name=added, path=path))
