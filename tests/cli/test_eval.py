import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.evals.records import HEADER, runs
from veridical.cli.main import app
from veridical.evals.modes.mode import ModeName
from veridical.evals.storage.folder import RunFolder
from veridical.evals.storage.setup import RunSetup


def invoke(*arguments: object) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["eval", *map(str, arguments)])
    assert "Traceback" not in result.output
    return result.exit_code, result.output


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = RunFolder(tmp_path / "run")
    made.path.mkdir()
    made.write_setup(
        RunSetup(header=HEADER, gold=("x",), gold_hash="g", ontology_hash="o", settings={})
    )
    for mode, cases in ((ModeName.BASELINE, "wwcw"), (ModeName.FULL, "ccrc")):
        for run in runs(mode, **{f"q{number}": letter for number, letter in enumerate(cases)}):
            made.results.append(run)
    return made.path


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["run", "--model", "openai:x"], "--out"),
        (["run", "--modes", "fulll", "--out", "x"], "fulll"),
        (["report", "nowhere"], "nowhere"),
        (["compare", "nowhere", "nowhere"], "nowhere"),
        (["run", "--model", "replay:nowhere", "--out", "x"], "nowhere"),
    ],
)
def test_mistakes_are_told_in_one_sentence(
    arguments: list[str], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, output = invoke(*arguments)
    assert code == 2
    assert told in output


def test_without_a_model_only_the_product_is_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("VERIDICAL_MODEL", raising=False)
    code, output = invoke("run", "--out", tmp_path / "run", "--modes", "full")
    assert code == 2
    assert "product" in output


def test_a_report_is_written_beside_the_runs(folder: Path) -> None:
    code, output = invoke("report", folder)
    assert code == 0
    assert "full" in output
    assert (folder / "report.html").is_file()
    assert (folder / "report.md").is_file()


def test_two_modes_of_a_folder_are_compared(folder: Path) -> None:
    code, output = invoke("compare", f"{folder}:full", f"{folder}:baseline", "--json")
    assert code == 0
    correct = json.loads(output)[0]
    assert (correct["won"], correct["lost"], correct["pairs"]) == (3, 1, 4)


def test_a_folder_does_as_well_as_itself(folder: Path) -> None:
    code, output = invoke("compare", folder, folder, "--json")
    assert code == 0
    assert {each["effect"] for each in json.loads(output)} == {0.0}
