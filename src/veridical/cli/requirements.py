"""``veridical requirements``: what the rules find in files of requirements."""

from pathlib import Path
from typing import Annotated

import typer

from veridical.cli.error_reporting import REFUSED, UsageError, out, reported_errors
from veridical.cli.own_database import AsJson, In
from veridical.contracts.extras import require
from veridical.contracts.language import Language
from veridical.messages import message

app = typer.Typer(no_args_is_help=True, help="Review requirements.")


@app.callback()
def main() -> None:
    """Review requirements."""


@app.command("review")
def review_command(
    files: Annotated[list[Path], typer.Argument(help="Markdown, CSV, JSON lines or text files.")],
    criterion: Annotated[
        list[str] | None, typer.Option(help="Score by this criterion only; may be repeated.")
    ] = None,
    fail_under: Annotated[
        float | None,
        typer.Option(min=0.0, max=1.0, help="End with 1 where the mean score is lower."),
    ] = None,
    as_json: AsJson = False,
    language: In = Language.EN,
) -> None:
    """Check requirements by rules: findings, scores, duplicates and conflicts. No model is asked.

    German and English requirements may be mixed; ``--language`` is that of the report.
    """
    with reported_errors(language):
        require("requirements")
        from veridical.cli.requirements_view import reviewed, scorecard

        found = reviewed(files, criterion or (), language)
        if as_json:
            out.print_json(data=found.as_json(language))
        else:
            for part in scorecard(found, language):
                out.print(part, highlight=False, soft_wrap=True)
        score = found.score
        if score is None:
            raise UsageError(message("requirements.no_requirements", language))
        if fail_under is not None and score < fail_under:
            raise typer.Exit(REFUSED)
