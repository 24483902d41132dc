"""``veridical eval``: ask gold questions, compare the outcomes, report on them."""

from pathlib import Path
from typing import Annotated

import typer

from veridical.cli.error_reporting import UsageError, reported_errors
from veridical.cli.options import AsJson, Data, In, OntologyFile
from veridical.contracts.extras import require
from veridical.contracts.language import Language
from veridical.messages import message

app = typer.Typer(no_args_is_help=True, help="Ask gold questions; compare and report.")

_EXTRAS = ("agent", "engine", "local")


@app.command("run")
def run_command(
    context: typer.Context,
    gold: Annotated[
        list[str] | None,
        typer.Option(help="pack:NAME, pack:NAME/SET, a folder, or a file; repeat for more."),
    ] = None,
    modes: Annotated[
        str,
        typer.Option(help="With commas between them; else baseline,hints,validator,ontology,full."),
    ] = "",
    repeats: Annotated[int, typer.Option(min=1, help="How often each question is asked.")] = 1,
    seeds: Annotated[
        bool, typer.Option("--seeds", help="Repeats differ by seed, not by words.")
    ] = False,
    model: Annotated[str, typer.Option(help="As in the settings, or replay:FOLDER.")] = "",
    out: Annotated[
        Path | None, typer.Option(help="The folder of the run; one that exists is gone on with.")
    ] = None,
    database: Data = "",
    ontology: OntologyFile = "",
    timeout_factor: Annotated[
        float, typer.Option(min=0.01, help="Times 45, 60 or 90 s by difficulty.")
    ] = 1.0,
    concurrency: Annotated[int, typer.Option(min=1, help="Runs at the same time.")] = 1,
    limit: Annotated[int | None, typer.Option(min=1, help="The first cases only.")] = None,
    cache: Annotated[
        Path | None, typer.Option(help="Where replies are kept; else in the run's folder.")
    ] = None,
    baseline: Annotated[
        Path | None, typer.Option(help="A saved baseline; exit code 1 on a real drop.")
    ] = None,
    max_drop: Annotated[
        float, typer.Option(min=0, help="The drop that is allowed, in percentage points.")
    ] = 5.0,
    exact: Annotated[
        bool, typer.Option("--exact", help="No chance is in it, as in a replay: any drop counts.")
    ] = False,
    save_baseline: Annotated[
        Path | None, typer.Option(help="Where to save how these runs ended.")
    ] = None,
    no_cache: Annotated[bool, typer.Option("--no-cache", help="Ask the model every time.")] = False,
    language: In = Language.EN,
) -> None:
    """Ask gold questions in every mode and score the answers. Interrupted runs are resumed."""
    with reported_errors(language):
        require(*_EXTRAS)
        from veridical.cli.eval_replay import RunRequest
        from veridical.cli.eval_run import given, refuse_ignored, run_gold

        refuse_ignored(given(context), model, language)
        if out is None:
            raise UsageError(message("evals.needs_out", language))
        request = RunRequest(
            gold=tuple(gold or ()),
            modes=modes,
            repeats=repeats,
            seeds=seeds,
            model=model,
            out=out,
            database=database,
            ontology=ontology,
            timeout_factor=timeout_factor,
            concurrency=concurrency,
            limit=limit,
            cache=None if no_cache else cache or out / "cache",
            baseline=baseline,
            max_drop=max_drop / 100,
            exact=exact,
            save_baseline=save_baseline,
            language=language,
        )
        code = run_gold(request)
        if code:
            raise typer.Exit(code)


@app.command("report")
def report_command(
    folder: Annotated[Path, typer.Argument(help="The folder of a run.")],
    out: Annotated[Path | None, typer.Option(help="Where to; else into the same folder.")] = None,
    language: In = Language.EN,
) -> None:
    """Write report.md, report.html and charts on the runs of a folder, finished or not."""
    with reported_errors(language):
        require(*_EXTRAS)
        from veridical.cli.eval_report import write_run_report

        write_run_report(folder, out or folder, language)


@app.command("compare")
def compare_command(
    candidate: Annotated[str, typer.Argument(help="FOLDER, or FOLDER:MODE.")],
    reference: Annotated[str, typer.Argument(help="FOLDER, or FOLDER:MODE.")],
    language: In = Language.EN,
    as_json: AsJson = False,
) -> None:
    """Compare two runs, or two modes, question by question."""
    with reported_errors(language):
        require(*_EXTRAS)
        from veridical.cli.eval_compare import compare_runs

        compare_runs(candidate, reference, language, as_json=as_json)
