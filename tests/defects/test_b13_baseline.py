"""Baselines are committed, and a run that is worse than they are fails."""

import json
import tarfile
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tests.evals.records import HEADER, numbered
from veridical.cli.main import app
from veridical.evals.comparison.baseline import Baseline, as_baseline, read_baseline, write_baseline
from veridical.evals.comparison.regression import Ruling, judge_drop, judgement_text, worse_attempts
from veridical.evals.modes.mode import ABLATION, ModeName

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
PUBLISHED = ROOT / "docs" / "evals" / "qwen2.5-coder-1.5b"
FULL = ModeName.FULL
CASES = ("q01", "q02", "q03")


@pytest.mark.parametrize("name", ["baseline.json", "simulated/baseline.json"])
def test_b13_baselines_are_committed_for_every_mode(name: str) -> None:
    found = read_baseline(PUBLISHED / name)
    assert set(found.outcomes) == set(ABLATION)
    assert {len(cases) for cases in found.outcomes.values()} == {19}
    assert found.header.simulated is name.startswith("simulated")


def test_b13_the_checks_of_every_push_compare_with_them() -> None:
    smoke = (ROOT / ".ci" / "run").read_text("utf-8")
    assert "benchmarks.eval_reports --check" in smoke
    script = (ROOT / "benchmarks" / "eval_reports.py").read_text("utf-8")
    assert script.count('"--baseline"') == 3
    assert '"--exact"' in script


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    with tarfile.open(PUBLISHED / "recording.tar.xz") as archive:
        archive.extractall(tmp_path, filter="data")
    return tmp_path / "recording"


@pytest.fixture
def baseline(tmp_path: Path) -> Path:
    """The committed one, of three questions in one mode."""
    whole = read_baseline(PUBLISHED / "baseline.json")
    kept = {case: whole.outcomes[FULL][case] for case in CASES}
    path = tmp_path / "baseline.json"
    write_baseline(path, Baseline(header=whole.header, outcomes={FULL: kept}))
    return path


def replayed(recording: Path, baseline: Path, *more: str) -> tuple[int, str]:
    made = str(recording.parent / "made")
    command = ["eval", "run", "--gold", "pack:trustee/core", "--model", f"replay:{recording}"]
    command += ["--modes", "full", "--limit", "3", "--out", made, "--baseline", str(baseline)]
    done = CliRunner().invoke(app, [*command, "--max-drop", "0", *more])
    return done.exit_code, " ".join(done.output.split())


def plant(recording: Path, case: str) -> None:
    """Let the model end this run with a figure that no book has."""
    path = recording / "steps" / f"{case}.full.0.json"
    steps: dict[str, Any] = json.loads(path.read_text("utf-8"))
    last = [name for name in steps if ".model." in name][-1]
    for part in steps[last]["message"]["parts"]:
        part["tool_name"] = "finalAnswer"
        part["args"] = json.dumps({"text": "Es waren CHF 123'456.78."})
    path.write_text(json.dumps(steps), "utf-8")


def test_b13_a_planted_drop_fails_and_is_named(recording: Path, baseline: Path) -> None:
    assert replayed(recording, baseline, "--exact")[0] == 0
    plant(recording, "q01")
    code, output = replayed(recording, baseline, "--exact")
    assert code == 1, output
    assert "full q01 0: correct, now" in output


def test_b13_attempts_that_were_not_made_again_are_a_drop(recording: Path, baseline: Path) -> None:
    (recording / "steps" / "q02.full.1.json").unlink()
    results = recording / "results.jsonl"
    kept = [
        line
        for line in results.read_text("utf-8").splitlines()
        if json.loads(line)["key"] != {"case": "q02", "mode": "full", "repeat": 1}
    ]
    results.write_text("\n".join(kept) + "\n", "utf-8")
    code, output = replayed(recording, baseline, "--exact")
    assert code == 1, output
    assert "full q02 1: correct, now not made" in output


def test_b13_without_chance_one_lost_question_is_a_drop() -> None:
    before = as_baseline(HEADER, numbered(FULL, "c" * 19))
    after = numbered(FULL, "c" * 18 + "w")
    by_chance = {each.ruling for each in judge_drop(after, before, 0.0)}
    exactly = {each.ruling for each in judge_drop(after, before, 0.0, exact=True)}
    assert by_chance == {Ruling.UNCLEAR}
    assert exactly == {Ruling.DROP}
    said = judgement_text(judge_drop(after, before, 0.0, exact=True)[0])
    assert "p =" not in said
    assert "-5.3" in said
    assert len(worse_attempts(after, before)) == 1
    assert {each.ruling for each in judge_drop(after, before, 0.06, exact=True)} == {Ruling.PASSES}


def test_b13_a_mode_that_was_not_run_is_a_drop() -> None:
    both = [*numbered(FULL, "cc"), *numbered(ModeName.ONTOLOGY, "cc")]
    found = judge_drop(numbered(FULL, "cc"), as_baseline(HEADER, both), 0.0, exact=True)
    dropped = {each.mode for each in found if not each.passes}
    assert dropped == {ModeName.ONTOLOGY}
