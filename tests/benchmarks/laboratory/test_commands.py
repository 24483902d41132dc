"""The laboratory: simulated models and ACME, run, replayed and held to a baseline by command."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from benchmarks.laboratory.__main__ import app
from tests.benchmarks.laboratory.acme.insurer import write_insurer
from tests.evals.records import HEADER
from veridical.evals.storage.folder import RunFolder
from veridical.evals.storage.setup import RunSetup

ROOT = Path(__file__).parents[3]


def invoke(*arguments: object) -> tuple[int, str]:
    result = CliRunner().invoke(app, [*map(str, arguments)])
    assert "Traceback" not in result.output
    return result.exit_code, result.output


LAZY = 'name = "lazy"\n[mistakes]\ngivesUp = { full = 1.0 }\n'
_MAIN = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from benchmarks.laboratory.__main__ import app
app()
"""
"""A process in the background ignores interrupts, and so do those that it starts."""


def asked(insurer: Path, model: str, out: Path, *more: object) -> tuple[str, ...]:
    """The command that asks the insurer's questions."""
    told = ("run", "--gold", "acme", "--data", insurer, "--modes", "full", "--model", model)
    return tuple(map(str, (*told, "--out", out, *more)))


@pytest.fixture(scope="module")
def insurer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_insurer(tmp_path_factory.mktemp("acme"), more=6)


def test_recorded_runs_about_other_data_are_replayed_to_the_byte(
    insurer: Path, tmp_path: Path
) -> None:
    made, again = tmp_path / "made", tmp_path / "again"
    assert invoke(*asked(insurer, "simulated:careless", made))[0] == 0
    code, output = invoke("run", "--model", f"replay:{made}", "--out", again)
    assert code == 2
    assert "--data" in output
    replay = ("run", "--model", f"replay:{made}", "--data", insurer, "--out", again)
    assert invoke(*replay)[0] == 0
    for name in ("results.jsonl", "report.md", "report.html"):
        assert (again / name).read_bytes() == (made / name).read_bytes(), name


def test_a_real_drop_ends_with_exit_code_1(insurer: Path, tmp_path: Path) -> None:
    lazy, saved = tmp_path / "lazy.toml", tmp_path / "baseline.json"
    lazy.write_text(LAZY, "utf-8")
    before = asked(insurer, "simulated:flawless", tmp_path / "before", "--save-baseline", saved)
    assert invoke(*before)[0] == 0
    code, output = invoke(
        *asked(insurer, "simulated:flawless", tmp_path / "same", "--baseline", saved)
    )
    assert (code, "PASSES" in output) == (0, True)
    code, output = invoke(
        *asked(insurer, f"simulated:{lazy}", tmp_path / "worse", "--baseline", saved)
    )
    assert (code, "DROP: mode full, correct answers" in output) == (1, True)
    assert "DROP" in output
    assert "drop (at most 5)" in (tmp_path / "worse/report.md").read_text("utf-8")
    code, output = invoke(
        *asked(insurer, f"simulated:{lazy}", tmp_path / "few", "--baseline", saved, "--limit", 3)
    )
    assert (code, "UNCLEAR" in output) == (0, True)


@pytest.mark.slow
@pytest.mark.parametrize("stopped_by", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_is_gone_on_with(stopped_by: signal.Signals, tmp_path: Path) -> None:
    many = write_insurer(tmp_path / "acme", more=80)
    out = tmp_path / "run"
    command = asked(many, "simulated:flawless", out)
    process = subprocess.Popen(
        [sys.executable, "-c", _MAIN, *command], stderr=subprocess.PIPE, text=True, cwd=ROOT
    )
    results = RunFolder(out).results
    while process.poll() is None and not results.keys():
        time.sleep(0.01)
    process.send_signal(stopped_by)
    _, told = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "repeat the command to continue" in " ".join(told.split())
    made = results.keys()
    assert 0 < len(made) < 84
    assert invoke(*command)[0] == 0
    keys = [record.key for record in results.read()]
    assert len(keys) == len(set(keys)) == 84
    assert made < set(keys)


def test_the_mistakes_of_a_run_are_measured(insurer: Path, tmp_path: Path) -> None:
    made, profile = tmp_path / "made", tmp_path / "profile.json"
    assert invoke(*asked(insurer, "simulated:flawless", made))[0] == 0
    assert invoke("profile", made, "--data", insurer, "--to", profile)[0] == 0
    assert invoke(*asked(insurer, f"simulated:{profile}", tmp_path / "again"))[0] == 0


def test_a_folder_without_runs_has_no_profile(tmp_path: Path) -> None:
    RunFolder(tmp_path / "empty").begin(
        RunSetup(header=HEADER, gold=(), gold_hash="g", ontology_hash="o", settings={})
    )
    assert invoke("profile", tmp_path / "empty", "--to", tmp_path / "p.json")[0] == 2
    assert not (tmp_path / "p.json").exists()
