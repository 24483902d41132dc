"""``veridical requirements``: report, JSON, records and exit codes."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.without_extras import veridical
from veridical.cli.main import app

RUNNER = CliRunner()


def _review(*words: str) -> tuple[int, str, str]:
    done = RUNNER.invoke(app, ["requirements", "review", *words])
    return done.exit_code, done.stdout, done.stderr


def _file(folder: Path, *texts: str) -> str:
    path = folder / "a.txt"
    path.write_text("\n".join(texts), "utf-8")
    return str(path)


def test_json_has_findings_scores_and_pairs(tmp_path: Path) -> None:
    path = _file(tmp_path, "The belt shall stop within 2 s.", "The belt shall stop within 20 s.")
    code, told, _ = _review(path, "--json")
    review = json.loads(told)
    assert code == 0
    assert review["verdicts"] == {"pass": 0, "fail": 2, "uncertain": 0}
    assert [pair["kind"] for pair in review["pairs"]] == ["conflict"]
    told = {each["criterion"]: each for each in review["requirements"][0]["evaluation"]}
    assert "20 s" in told["consistency"]["feedback"]
    assert [each["line"] for each in review["requirements"]] == [1, 2]


def test_low_score_ends_with_one(tmp_path: Path) -> None:
    path = _file(tmp_path, "Die App muss schnell sein.")
    assert _review(path, "--fail-under", "0.6")[0] == 1
    assert _review(path, "--fail-under", "0.4")[0] == 0


def test_report_is_in_the_language_asked_for(tmp_path: Path) -> None:
    _, told, _ = _review(_file(tmp_path, "The search shall be fast."), "--language", "de")
    assert "lässt sich nicht messen" in told


def test_mistakes_are_told_in_one_sentence(tmp_path: Path) -> None:
    assert _review(str(tmp_path / "none.txt"))[0] == 2
    code, _, told = _review(_file(tmp_path, "One."), "--criterion", "beauty")
    assert code == 2
    assert "measurability" in told
    code, _, told = _review(_file(tmp_path))
    assert code == 2
    assert "no requirement" in told


def test_missing_extra_is_named(tmp_path: Path) -> None:
    done = veridical("requirements", "review", _file(tmp_path, "One."), folder=tmp_path)
    assert done.returncode == 2
    assert "requirements" in done.stderr


def _run(*words: str) -> tuple[int, str, str]:
    done = RUNNER.invoke(app, ["requirements", *words])
    return done.exit_code, done.stdout, done.stderr


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shop.md").write_text("- A-1: The app must be fast.\n", "utf-8")
    return tmp_path


def test_only_new_findings_block(project: Path) -> None:
    assert _run("review", "shop.md", "--mode", "block")[0] == 1
    assert _run("baseline", "shop.md") == (
        0,
        "1 findings written to requirements-baseline.json; only new ones block.\n",
        "",
    )
    known = ("review", "shop.md", "--mode", "block", "--baseline", "requirements-baseline.json")
    code, told, errors = _run(*known)
    assert (code, errors) == (0, "")
    assert "[known]" in told
    with (project / "shop.md").open("a") as file:
        file.write("- A-2: The app shall list PDF, CSV etc.\n")
    code, told, errors = _run(*known)
    assert code == 1
    assert "OPN" in errors
    assert "VAG" not in errors
    assert "[blocks]" in told


def test_settings_of_the_project_hold(project: Path) -> None:
    (project / "veridical.toml").write_text('[requirements.rules]\nVAG = "off"\n')
    code, told, _ = _run("review", "shop.md", "--mode", "block")
    assert code == 0
    assert "VAG" not in told
    (project / "veridical.toml").write_text("[requirements]\nfail_under = 0.9\n")
    code, _, errors = _run("review", "shop.md")
    assert code == 1
    assert "0.90" in errors
    (project / "veridical.toml").write_text('[requirements.rules]\nFAST = "off"\n')
    code, _, errors = _run("review", "shop.md")
    assert code == 2
    assert "FAST" in errors


def test_dismissed_findings_are_remembered_with_who_and_why(project: Path) -> None:
    words = ("dismiss", "shop.md", "A-1", "vag", "--why", "A figure of speech.", "--by", "Ada")
    assert _run(*words)[0] == 0
    record = json.loads((project / "requirements-dismissed.jsonl").read_text())
    assert (record["by"], record["why"], record["rule"]) == ("Ada", "A figure of speech.", "VAG")
    code, told, _ = _run("review", "shop.md", "--mode", "block", "--json")
    review = json.loads(told)
    assert (code, review["score"]) == (0, 0.9)  # it has no acceptance criterion
    assert review["issues"][0]["dismissed"]["by"] == "Ada"
    (project / "shop.md").write_text("- A-1: The shop must be fast.\n")
    assert _run("review", "shop.md", "--mode", "block")[0] == 1


def test_what_can_not_be_dismissed_is_told(project: Path) -> None:
    code, _, told = _run("dismiss", "shop.md", "A-1", "PAS", "--why", "x", "--by", "Ada")
    assert code == 2
    assert "VAG “fast”" in told
    code, _, told = _run("dismiss", "shop.md", "A-7", "VAG", "--why", "x", "--by", "Ada")
    assert code == 2
    assert "A-1" in told
    assert _run("dismiss", "shop.md", "A-1", "VAG", "--why", " ", "--by", "Ada")[0] == 2
    assert not (project / "requirements-dismissed.jsonl").exists()


def test_sarif_and_report_are_written(project: Path) -> None:
    code, _, _ = _run("review", "shop.md", "--sarif", "a.sarif", "--html", "a.html")
    assert code == 0
    log = json.loads((project / "a.sarif").read_text("utf-8"))
    (result,) = log["runs"][0]["results"]
    location = result["locations"][0]["physicalLocation"]
    assert location["artifactLocation"]["uri"] == "shop.md"
    assert location["region"] == {"startLine": 1, "startColumn": 24, "endLine": 1, "endColumn": 28}
    assert "VAG" in (project / "a.html").read_text("utf-8")
    code, _, told = _run("review", "shop.md", "--sarif", "no/folder/a.sarif")
    assert code == 2
    assert "no/folder" in told


def test_damaged_records_are_told(project: Path) -> None:
    (project / "requirements-dismissed.jsonl").write_text("{\n")
    code, _, told = _run("review", "shop.md")
    assert code == 2
    assert "line 1" in told
    (project / "requirements-dismissed.jsonl").unlink()
    code, _, told = _run("review", "shop.md", "--baseline", "none.json")
    assert code == 2
    assert "requirements baseline" in told


def test_nothing_of_a_file_reaches_the_terminal_as_a_command(project: Path) -> None:
    (project / "a.txt").write_text("The \x1b[31mapp[/bold] must be [red]fast.\n", "utf-8")
    code, told, _ = _run("review", "a.txt")
    assert code == 0
    assert "\x1b" not in told
    assert "[red]fast" in told


def test_column_that_is_named(project: Path) -> None:
    (project / "a.csv").write_text("code,wish\nA,The app must be fast.\n", "utf-8")
    words = ("review", "a.csv", "--text-column", "wish", "--id-column", "code", "--json")
    (requirement,) = json.loads(_run(*words)[1])["requirements"]
    assert (requirement["id"], requirement["line"]) == ("A", 2)
    code, _, told = _run("review", "a.csv", "--text-column", "none")
    assert code == 2
    assert "code, wish" in told
