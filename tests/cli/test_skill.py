import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.skills.written import write_skill
from veridical.cli.main import app

LONG = "Say what was asked for, and what the answer rests on, before anything else is said. " * 6
SOUND = "intent: {keywords: [stocktaking]}\n"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CliRunner:
    monkeypatch.chdir(tmp_path)
    return CliRunner(env={"COLUMNS": "400"})


def test_list_names_all_sources(run: CliRunner, tmp_path: Path) -> None:
    write_skill(tmp_path / "own", "stocktaking", SOUND)
    printed = run.invoke(app, ["skill", "list", "--skills", "own", "--set", "examples"]).stdout
    for line in ("stocktaking", "react", "vat-check"):
        assert f"{line} " in printed
    german = run.invoke(app, ["skill", "list", "--language", "de"]).stdout
    assert "Mehrwertsteuer einer Periode prüfen" in german


def test_list_as_json_holds_the_front_matter(run: CliRunner) -> None:
    found = json.loads(run.invoke(app, ["skill", "list", "--format", "json"]).stdout)
    vat = next(each for each in found if each["name"] == "vat-check")
    assert vat["requiredTools"] == ["executeSqlSafe"]
    assert "instructions" not in vat


def test_the_settings_file_names_folders(run: CliRunner, tmp_path: Path) -> None:
    write_skill(tmp_path / "own", "stocktaking", SOUND)
    (tmp_path / "veridical.toml").write_text('[skills]\npaths = ["own"]\n', "utf-8")
    assert "stocktaking" in run.invoke(app, ["skill", "list"]).stdout


def test_show_prints_one_skill(run: CliRunner) -> None:
    result = run.invoke(app, ["skill", "show", "vat-check"])
    assert "required: executeSqlSafe" in result.stdout
    assert "## What never to claim" in result.stdout
    as_json = run.invoke(app, ["skill", "show", "vat-check", "--format", "json"])
    assert json.loads(as_json.stdout)["instructions"].startswith("## When to use")


def test_a_name_that_is_not_there_is_told_with_the_nearest(run: CliRunner) -> None:
    result = run.invoke(app, ["skill", "show", "vat-chek"])
    assert result.exit_code == 2
    assert "Did you mean vat-check?" in result.stderr


@pytest.mark.parametrize(
    ("request_", "code", "told"),
    [
        ("Prüfe die MWST des dritten Quartals", 0, "vat-check: Prüfe … MWST"),
        ("How many customers do we have?", 1, "No skill fits."),
    ],
)
def test_match_tells_which_skill_and_why(
    run: CliRunner, request_: str, code: int, told: str
) -> None:
    result = run.invoke(app, ["skill", "match", request_])
    assert result.exit_code == code
    assert result.stdout.strip() == told


def test_match_that_stays_open_fails(run: CliRunner, tmp_path: Path) -> None:
    for name in ("one", "two"):
        write_skill(tmp_path, name, SOUND)
    result = run.invoke(app, ["skill", "match", "stocktaking", "--skills", "."])
    assert result.exit_code == 1
    assert result.stdout.strip() == "Open between one, two: stocktaking"


def test_check_is_content_with_a_sound_skill(run: CliRunner, tmp_path: Path) -> None:
    write_skill(tmp_path, "stocktaking", SOUND, LONG)
    result = run.invoke(app, ["skill", "check", "stocktaking"])
    assert result.exit_code == 0
    assert result.stdout.strip() == "1 skills checked, 0 errors, 0 notes"


def test_check_tells_findings_and_fails(run: CliRunner, tmp_path: Path) -> None:
    front = f"{SOUND}tools: [weighGoods, queryTabel]\nvalidators: [{{path: 'nowhere:check'}}]\n"
    write_skill(tmp_path, "stocktaking", front, LONG)
    result = run.invoke(app, ["skill", "check", "stocktaking", "--tool", "weighGoods"])
    assert result.exit_code == 1
    told = "UNKNOWN_TOOL stocktaking: There is no tool queryTabel. Did you mean queryTable?"
    assert told in result.stdout
    assert "weighGoods" not in result.stdout
    assert "VALIDATOR" not in result.stdout
    imported = run.invoke(app, ["skill", "check", ".", "--import", "--format", "json"])
    kinds = [each["kind"] for each in json.loads(imported.stdout)]
    assert kinds == ["UNKNOWN_TOOL", "UNKNOWN_TOOL", "VALIDATOR"]


def test_notes_alone_pass(run: CliRunner, tmp_path: Path) -> None:
    write_skill(tmp_path, "stocktaking", "", LONG)
    result = run.invoke(app, ["skill", "check", "stocktaking"])
    assert result.exit_code == 0
    assert "NO_KEYWORDS" in result.stdout


def test_check_sees_the_skills_that_will_be_there_too(run: CliRunner, tmp_path: Path) -> None:
    write_skill(tmp_path, "stocktaking", "intent: {keywords: [Pull Request]}\n", LONG)
    (tmp_path / "veridical.toml").write_text('[skills]\nsets = ["examples"]\n', "utf-8")
    result = run.invoke(app, ["skill", "check", "stocktaking"])
    assert result.exit_code == 1
    assert "code-review answers to Pull Request too" in result.stdout


def test_a_taken_name_is_a_mistake_that_names_both_files(run: CliRunner, tmp_path: Path) -> None:
    write_skill(tmp_path, "react", SOUND, LONG)
    (tmp_path / "veridical.toml").write_text('[skills]\nsets = ["examples"]\n', "utf-8")
    result = run.invoke(app, ["skill", "check", "react"])
    assert result.exit_code == 2
    assert "react/SKILL.md" in result.stderr
    assert "examples/skills/react/SKILL.md" in result.stderr


@pytest.mark.parametrize("command", [["check", "own"], ["list", "--skills", "own"]])
def test_faults_of_every_file_are_told_at_once(
    run: CliRunner, tmp_path: Path, command: list[str]
) -> None:
    write_skill(tmp_path / "own", "one", "tools: x\n")
    write_skill(tmp_path / "own", "two", "tols: [x]\n")
    result = run.invoke(app, ["skill", *command, "--language", "de"])
    assert result.exit_code == 2
    assert "one/SKILL.md:4: tools: Muss eine Liste sein, etwa [eins, zwei]." in result.stderr
    assert "two/SKILL.md:4: tols: Diesen Schlüssel gibt es nicht" in result.stderr
    assert "Gemeint tools?" in result.stderr


def test_a_path_that_leads_nowhere_is_told(run: CliRunner) -> None:
    result = run.invoke(app, ["skill", "check", "nowhere"])
    assert result.exit_code == 2
    assert "There is no skill here" in result.stderr
