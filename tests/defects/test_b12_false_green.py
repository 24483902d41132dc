"""What is ignored, missing or empty is an error: never a success about nothing."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.evals.records import HEADER, record
from veridical.cli.main import app
from veridical.evals.gold.case import Timeouts
from veridical.evals.storage.folder import RunFolder
from veridical.evals.storage.setup import RunSetup

pytestmark = pytest.mark.slow

MISTAKE = 2


def invoke(*arguments: object) -> tuple[int, str]:
    done = CliRunner().invoke(app, [str(each) for each in arguments])
    return done.exit_code, done.output


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    """A folder of runs about one question, in one mode."""
    folder = RunFolder(tmp_path / "recorded")
    folder.begin(
        RunSetup(
            header=HEADER,
            gold=("pack:trustee/core",),
            gold_hash="g",
            ontology_hash="o",
            settings={},
            timeouts=Timeouts(),
        )
    )
    folder.results.append(record("q01"))
    return folder.path


@pytest.mark.parametrize(
    "options",
    [
        ("--repeats", "3"),
        ("--seeds",),
        ("--timeout-factor", "2"),
        ("--concurrency", "2"),
        ("--cache", "x"),
        ("--no-cache",),
    ],
    ids=lambda options: options[0],
)
def test_b12_a_replay_takes_nothing_that_it_would_ignore(
    options: tuple[str, ...], recorded: Path, tmp_path: Path
) -> None:
    replay = ("eval", "run", "--model", f"replay:{recorded}", "--out", tmp_path / "again")
    code, output = invoke(*replay, *options)
    assert code == MISTAKE, output
    assert options[0] in output.replace("\n", " ")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--max-drop", "1"), "--baseline"),
        (("--exact",), "--baseline"),
        (("--cache", "x", "--no-cache"), "--cache"),
        (("--modes", "product", "--gold", "nonexistent.yaml"), "nonexistent.yaml"),
        (("--modes", "product", "--gold", "pack:trustee/nonsense"), "nonsense"),
        (("--modes", "product", "--baseline", "nonexistent.json"), "nonexistent.json"),
        (("--modes", "product", "--save-baseline", "no/where/b.json"), "no/where"),
        (("--model", "openai:x", "--modes", ","), "mode"),
        (("--model", "openai:x", "--modes", "full,"), "mode"),
        (("--model", "replay:nowhere"), "nowhere"),
    ],
)
def test_b12_options_that_mean_nothing_are_refused_before_anything_runs(
    options: tuple[str, ...], told: str, tmp_path: Path
) -> None:
    code, output = invoke("eval", "run", "--out", tmp_path / "run", *options)
    assert code == MISTAKE, output
    assert told in output.replace("\n", " ")


@pytest.mark.parametrize(
    "options",
    [("--modes", "product"), ("--modes", "full,product"), ("--gold", "pack:trustee/vat")],
    ids=" ".join,
)
def test_b12_a_replay_of_nothing_is_an_error(
    options: tuple[str, ...], recorded: Path, tmp_path: Path
) -> None:
    for name in ("schema.json", "truths.json"):
        (recorded / name).write_text('{"tables": {}}' if name == "schema.json" else "{}", "utf-8")
    replay = ("eval", "run", "--model", f"replay:{recorded}", "--out", tmp_path / "again")
    code, output = invoke(*replay, *options)
    assert code == MISTAKE, output


def test_b12_a_folder_without_runs_has_no_report_or_comparison(tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    folder = RunFolder(empty)
    folder.begin(RunSetup(header=HEADER, gold=(), gold_hash="g", ontology_hash="o", settings={}))
    assert invoke("eval", "report", empty)[0] == MISTAKE
    assert invoke("eval", "compare", empty, empty)[0] == MISTAKE


def test_b12_gold_sets_without_questions_are_no_sets(tmp_path: Path) -> None:
    (tmp_path / "set.yaml").write_text(
        'name: x\nfeature: trustee\ntoday: "2026-03-15"\ncases: []\n', "utf-8"
    )
    run = ("eval", "run", "--modes", "product", "--out", tmp_path / "run")
    assert invoke(*run, "--gold", tmp_path / "set.yaml")[0] == MISTAKE
    (tmp_path / "none").mkdir()
    assert invoke(*run, "--gold", tmp_path / "none")[0] == MISTAKE


@pytest.mark.parametrize("name", ["missing.txt", "./answer", "answers/one.md", "/no/such/file"])
def test_b12_an_answer_that_is_a_missing_file_is_not_judged_as_a_text(
    name: str, tmp_path: Path
) -> None:
    evidence = tmp_path / "rows.json"
    evidence.write_text(json.dumps([{"total": 12}]), "utf-8")
    code, output = invoke("gate", name, "--evidence", evidence)
    assert code == MISTAKE, output


@pytest.mark.parametrize("text", ["Total 12.", "12", "The total is 12", "ok"])
def test_b12_a_text_is_still_an_answer(text: str, tmp_path: Path) -> None:
    evidence = tmp_path / "rows.json"
    evidence.write_text(json.dumps([{"total": 12}]), "utf-8")
    code, output = invoke("gate", text, "--evidence", evidence)
    assert code != MISTAKE, output


def test_b12_a_missing_log_is_not_a_log_without_entries(tmp_path: Path) -> None:
    assert invoke("gate", "report", "--log", tmp_path / "missing.jsonl")[0] == MISTAKE
    policy = ("--policy", tmp_path / "missing.toml")
    (tmp_path / "log.jsonl").touch()
    assert invoke("gate", "report", "--log", tmp_path / "log.jsonl", *policy)[0] == MISTAKE


def test_b12_files_and_folders_that_are_missing_are_named(tmp_path: Path) -> None:
    missing = tmp_path / "missing"
    assert invoke("skill", "check", missing)[0] == MISTAKE
    assert invoke("skill", "list", "--skills", missing)[0] == MISTAKE
    assert invoke("check", missing, "--ontology", "pack:trustee")[0] == MISTAKE
    assert invoke("ontology", "lint", "pack:trustee", "--schema", missing)[0] == MISTAKE
    assert invoke("ontology", "lint", missing)[0] == MISTAKE


def test_b12_an_ontology_without_tables_has_not_been_compared(tmp_path: Path) -> None:
    nothing = tmp_path / "nothing.json"
    nothing.write_text(json.dumps({"featureCode": "x", "entities": []}), "utf-8")
    code, output = invoke("ontology", "lint", nothing, "--schema", "pack:trustee")
    assert code == MISTAKE, output
