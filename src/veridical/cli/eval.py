"""``veridical eval``: ask gold questions, compare the outcomes, report on them."""

from pathlib import Path
from typing import Annotated

import typer

from veridical.cli.friendly import UsageError, friendly
from veridical.contracts.language import Language
from veridical.messages import say

app = typer.Typer(no_args_is_help=True, help="Ask gold questions; compare and report.")

In = Annotated[Language, typer.Option(help="The language of the texts.")]
_INTERRUPTED = 130


@app.command("run")
def run_command(
    gold: Annotated[
        list[str] | None,
        typer.Option(help="pack:NAME, pack:NAME/SET, a folder, a file, or acme; repeat for more."),
    ] = None,
    modes: Annotated[
        str, typer.Option(help="Modes with commas between them.")
    ] = "baseline,hints,validator,ontology,full",
    repeats: Annotated[int, typer.Option(min=1, help="How often each question is asked.")] = 1,
    seeds: Annotated[
        bool, typer.Option("--seeds", help="Repeats differ by seed, not by words.")
    ] = False,
    model: Annotated[
        str, typer.Option(help="As in the settings, or simulated:NAME, or replay:FOLDER.")
    ] = "",
    out: Annotated[
        Path | None, typer.Option(help="The folder of the run; one that exists is gone on with.")
    ] = None,
    data: Annotated[Path | None, typer.Option(help="The folder of the ACME data.")] = None,
    timeout_factor: Annotated[
        float, typer.Option(min=0.01, help="Times 45, 60 or 90 s by difficulty.")
    ] = 1.0,
    concurrency: Annotated[int, typer.Option(min=1, help="Runs at the same time.")] = 1,
    limit: Annotated[int | None, typer.Option(min=1, help="The first cases only.")] = None,
    cache: Annotated[
        Path | None, typer.Option(help="Where replies are kept; else in the run's folder.")
    ] = None,
    no_cache: Annotated[bool, typer.Option("--no-cache", help="Ask the model every time.")] = False,
    language: In = Language.EN,
) -> None:
    """Ask gold questions in every mode and judge the answers. Interrupted runs are gone on with."""
    with friendly(language):
        # Imported here because models and drivers are extras, and take seconds to load.
        try:
            from veridical.cli.eval_run import RunRequest, run_gold
        except ImportError as error:
            raise UsageError(say("evals.needs", language)) from error
        if out is None:
            raise UsageError(say("evals.needs_out", language))
        request = RunRequest(
            gold=tuple(gold or ["pack:trustee"]),
            modes=modes,
            repeats=repeats,
            seeds=seeds,
            model=model,
            out=out,
            data=data,
            timeout_factor=timeout_factor,
            concurrency=concurrency,
            limit=limit,
            cache=None if no_cache else cache or out / "cache",
            language=language,
        )
        ended = run_gold(request)
        if not ended:
            raise typer.Exit(_INTERRUPTED)
