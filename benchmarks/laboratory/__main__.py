"""Evaluations that need the laboratory.

    python -m benchmarks.laboratory run --model simulated:careless --out FOLDER
    python -m benchmarks.laboratory run --gold acme --data DIR --model MODEL --out FOLDER
    python -m benchmarks.laboratory profile FOLDER --to FILE
    python -m benchmarks.laboratory fast

``run`` is ``veridical eval run`` with two more choices: a simulated model, which makes mistakes of
known kinds at known rates (``simulated:NAME``, or the file of a profile), and the published
questions about an insurer, ACME. ``profile`` measures how often the model of a run made each
mistake, for ``simulated:FILE`` to repeat them. ``fast`` asks what needs no model; all of it must
be right.
"""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.laboratory.fast import mistakes, run_fast
from benchmarks.laboratory.ground import Ground
from benchmarks.laboratory.simulated.measured import profile_from
from veridical.cli.error_reporting import REFUSED, err, reported_errors
from veridical.cli.eval_replay import RunRequest
from veridical.cli.eval_run import run_gold
from veridical.contracts.language import Language
from veridical.evals.execution.inputs import open_inputs
from veridical.evals.storage.folder import RunFolder
from veridical.ontology.errors import LoadError
from veridical.sample.folder import sample_folder

app = typer.Typer(no_args_is_help=True, help=__doc__)
Data = Annotated[Path | None, typer.Option(help="The folder of the ACME data.")]
_FAST = ("pack:trustee",)


@app.command()
def run(
    out: Annotated[Path, typer.Option()],
    gold: Annotated[list[str] | None, typer.Option()] = None,
    modes: Annotated[str, typer.Option()] = "",
    repeats: Annotated[int, typer.Option(min=1)] = 1,
    model: Annotated[str, typer.Option(help="simulated:NAME, replay:FOLDER, or a real one.")] = "",
    data: Data = None,
    timeout_factor: Annotated[float, typer.Option(min=0.01)] = 1.0,
    limit: Annotated[int | None, typer.Option(min=1)] = None,
    baseline: Annotated[Path | None, typer.Option()] = None,
    max_drop: Annotated[float, typer.Option(min=0)] = 5.0,
    exact: Annotated[bool, typer.Option("--exact")] = False,
    save_baseline: Annotated[Path | None, typer.Option()] = None,
) -> None:
    """Ask gold questions as ``veridical eval run`` does, of a simulated model or about ACME."""
    request = RunRequest(
        gold=tuple(gold or ()),
        modes=modes,
        repeats=repeats,
        seeds=False,
        model=model,
        out=out,
        database="",
        ontology="",
        timeout_factor=timeout_factor,
        concurrency=1,
        limit=limit,
        cache=out / "cache",
        baseline=baseline,
        max_drop=max_drop / 100,
        exact=exact,
        save_baseline=save_baseline,
        language=Language.EN,
    )
    ground = Ground(data, model)
    with reported_errors(Language.EN):
        code = run_gold(request, ground.opened, ground)
    if code:
        raise typer.Exit(code)


@app.command()
def profile(
    folder: Annotated[Path, typer.Argument(help="The folder of a run.")],
    to: Annotated[Path, typer.Option(help="The JSON file to write.")],
    data: Data = None,
) -> None:
    """Measure how often a run's model made each mistake."""
    with reported_errors(Language.EN):
        runs = RunFolder(folder)
        setup, records = runs.setup(), runs.results.read()
        if not records:
            raise LoadError(f"no runs in {folder} yet")
        with Ground(data).opened(setup.gold) as ground:
            found = profile_from(
                setup.header.model,
                records,
                runs.all_traces(),
                ground.golds,
                runs.truths(),
                ground.stage,
            )
        to.write_text(found.model_dump_json(by_alias=True, indent=2) + "\n", "utf-8")
        print(f"Profile from {found.source}: {to}")


@app.command()
def fast() -> None:
    """Ask what needs no model: seconds, and everything must be right."""
    with reported_errors(Language.EN):
        with open_inputs(_FAST, sample_folder()) as ground:
            found = asyncio.run(run_fast(ground.stage, ground.golds))
        wrong = mistakes(found)
        for name, reason in wrong.items():
            err.print(f"✗ {name}: {reason}", style="red", markup=False, highlight=False)
        print(f"{sum(each.is_right for each in found)} of {len(found)} fast runs right")
    if wrong:
        raise typer.Exit(REFUSED)


if __name__ == "__main__":
    app()
