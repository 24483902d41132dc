"""``veridical requirements review``: report, JSON and exit codes."""

import json
from pathlib import Path

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
    assert _review(path, "--fail-under", "0.5")[0] == 0


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
