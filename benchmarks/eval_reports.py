"""The published reports on gold questions, written anew from what was recorded.

    python -m benchmarks.eval_reports                # after judge, check or gate have changed
    python -m benchmarks.eval_reports --check        # exit code 1: worse than the saved baselines

Writes into ``docs/evals/qwen2.5-coder-1.5b``: the report on the recorded runs of the model, the
profile of its mistakes, and a ``baseline.json`` for it and for a simulated model that makes them.
No model is asked. ``--check`` writes nothing and replays the recorded
runs and the simulated model on the core questions; both are without chance, so every drop counts.
"""

import argparse
import os
import shutil
import sys
import tarfile
import tempfile
from pathlib import Path

from typer.testing import CliRunner

from benchmarks.laboratory.__main__ import app

ROOT = Path(__file__).parents[1]
PUBLISHED = Path("docs") / "evals" / "qwen2.5-coder-1.5b"
"""From the project's root: a report names its profile, and no machine's folders."""
SIMULATED = PUBLISHED / "simulated"
_CORE = ("--gold", "pack:trustee/core")
_PATIENT = ("--timeout-factor", "20")
"""A busy machine is no reason to time a program out that answers at once."""


def recorded_runs(scratch: Path, name: str = "recording") -> Path:
    """The recorded runs, unpacked: all modes, or ``rows``, where the model only queries."""
    with tarfile.open(PUBLISHED / f"{name}.tar.xz") as recording:
        recording.extractall(scratch, filter="data")
    return scratch / name


def _rows(scratch: Path) -> tuple[object, ...]:
    return ("--model", f"replay:{recorded_runs(scratch, 'rows')}", "--out", scratch / "in_rows")


def publish(scratch: Path) -> int:
    """Write everything anew; the first exit code that is not 0."""
    real = scratch / "real"
    replay = ("--model", f"replay:{recorded_runs(scratch)}", "--out", real)
    profile = PUBLISHED / "profile.json"
    model = ("--model", f"simulated:{profile}")
    return (
        _run("run", *_CORE, *replay, "--save-baseline", PUBLISHED / "baseline.json")
        or _run("run", *_CORE, *_rows(scratch), "--save-baseline", PUBLISHED / "rows.json")
        or _run("profile", real, "--to", profile)
        or _run("run", *_CORE, *model, *_PATIENT, "--out", scratch / "core",
                "--save-baseline", SIMULATED / "baseline.json")
        or _copy(real, PUBLISHED, "report.md", "report.html")
    )  # fmt: skip


def check(scratch: Path) -> int:
    """Hold both against their baselines."""
    exactly = ("--max-drop", "0", "--exact")
    replay = ("--model", f"replay:{recorded_runs(scratch)}", "--out", scratch / "real")
    model = ("--model", f"simulated:{PUBLISHED / 'profile.json'}", "--out", scratch / "core")
    real = _run("run", *_CORE, *replay, "--baseline", PUBLISHED / "baseline.json", *exactly)
    core = ("run", *_CORE, *model, *_PATIENT, "--baseline", SIMULATED / "baseline.json")
    rows = _run("run", *_CORE, *_rows(scratch), "--baseline", PUBLISHED / "rows.json", *exactly)
    return _run(*core, *exactly) or real or rows


def _run(*arguments: object) -> int:
    done = CliRunner().invoke(app, [*map(str, arguments)])
    print(done.output, flush=True)
    return done.exit_code


def _copy(source: Path, target: Path, *reports: str) -> int:
    for name in reports:
        shutil.copyfile(source / name, target / name)
    for chart in sorted((source / "charts").iterdir()):
        shutil.copyfile(chart, target / "charts" / chart.name)
    return 0


def main() -> None:
    """Publish, or check."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="write nothing; 1 on a drop")
    options = parser.parse_args()
    os.chdir(ROOT)
    with tempfile.TemporaryDirectory(prefix="veridical-reports-") as scratch:
        sys.exit(check(Path(scratch)) if options.check else publish(Path(scratch)))


if __name__ == "__main__":
    main()
