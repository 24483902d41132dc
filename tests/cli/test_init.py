"""``veridical init`` and ``veridical review``, as somebody types them."""

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.onboarding.shop import DDL, inserts
from veridical.cli.main import app
from veridical.ontology.load import load_ontology


@pytest.fixture
def run() -> CliRunner:
    return CliRunner(env={"COLUMNS": "200"})


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("shop") / "shop.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(DDL)
        for statement in inserts():
            connection.execute(statement)
        connection.commit()
    return path


@pytest.fixture
def project(run: CliRunner, shop: Path, tmp_path: Path) -> Path:
    result = run.invoke(app, ["init", str(shop), "--folder", str(tmp_path)])
    assert result.exit_code == 0, result.output
    assert "5 tables" in result.output
    return tmp_path


def test_init_writes_ontology_settings_and_gold(project: Path, shop: Path) -> None:
    ontology = load_ontology(str(project / "ontology.yaml"))
    assert ontology.feature_code == "shop"
    settings = (project / "veridical.toml").read_text("utf-8")
    assert f'database = "{shop}"' in settings
    assert (project / "gold.yaml").is_file()


def test_init_again_keeps_what_somebody_edited(run: CliRunner, shop: Path, project: Path) -> None:
    path = project / "ontology.yaml"
    edited = "# our shop\n" + path.read_text("utf-8")
    path.write_text(edited, "utf-8")
    result = run.invoke(app, ["init", str(shop), "--folder", str(project)])
    assert result.exit_code == 0
    assert path.read_text("utf-8") == edited
    assert (project / "ontology.new.yaml").is_file()
    assert (project / "veridical.toml").read_text("utf-8").count("[[features]]") == 1


def test_review_lists_what_goes_wrong_with_real_figures(run: CliRunner, project: Path) -> None:
    result = run.invoke(app, ["review", "--folder", str(project), "--list"])
    assert result.exit_code == 0
    assert "Summing stock.on_hand over all dates gives 67,800; at the last date it is 2,310." in (
        result.output
    )
    assert result.output.index("region_sales.month") < result.output.index("orders.status")


def test_a_decision_keeps_every_comment_that_somebody_wrote(run: CliRunner, project: Path) -> None:
    path = project / "ontology.yaml"
    lines = path.read_text("utf-8").splitlines()
    begins = re.compile(r"- |\w+:")
    noted = (
        f"# above {n}\n{line}" + f"  # beside {n}" * line.endswith("}")
        if begins.match(line)
        else line
        for n, line in enumerate(lines)
    )
    path.write_text("\n".join(noted) + "\n", "utf-8")
    before = path.read_text("utf-8").splitlines()
    proposed = json.loads(run.invoke(app, ["review", "--folder", str(project), "--json"]).stdout)
    ids = [each["id"] for each in proposed]
    refused = next(each for each in ids if each.startswith("closed_list:"))
    accepted = [word for each in ids if each != refused for word in ("--accept", each)]
    command = ["review", "--folder", str(project), *accepted, "--reject", refused]
    told = run.invoke(app, command)
    assert told.exit_code == 0, told.output
    after = path.read_text("utf-8").splitlines()
    assert [each for each in before if each.startswith("#") and each not in after] == []
    start = before.index("constraints:")
    assert after[:start] == before[:start]
    beside = {each.split("# beside")[1] for each in before[start:] if "warns: true}  #" in each}
    assert beside <= {each.split("# beside")[1] for each in after if "# beside" in each}
    assert not any(each.warns for each in load_ontology(str(path)).constraints)


@pytest.mark.parametrize("language", ["de", "en", "zh"])
def test_review_speaks_every_language(run: CliRunner, project: Path, language: str) -> None:
    command = ["review", "--folder", str(project), "--language", language]
    assert run.invoke(app, [*command, "--list"]).exit_code == 0
    found = json.loads(run.invoke(app, [*command, "--json"]).stdout)
    assert all(each["evidenceText"] for each in found)


def test_review_asks_and_records_who_decided(run: CliRunner, project: Path) -> None:
    command = ["review", "--folder", str(project), "--by", "Ada"]
    result = run.invoke(app, command, input="y\nn\nl\nq\n")
    assert result.exit_code == 0
    assert "1 accepted, 1 rejected" in result.output
    lines = (project / "onboarding" / "proposals.jsonl").read_text("utf-8").splitlines()
    decided = [each for each in map(json.loads, lines) if each.get("decidedBy") == "Ada"]
    assert {each["state"] for each in decided} == {"accepted", "rejected"}
    assert all(each["decidedAt"] for each in decided)


def test_accepting_everything_leaves_no_warning(run: CliRunner, project: Path) -> None:
    result = run.invoke(app, ["review", "--folder", str(project), "--accept-all"])
    assert result.exit_code == 0
    ontology = load_ontology(str(project / "ontology.yaml"))
    assert not any(each.warns for each in ontology.constraints)


def test_an_unknown_decision_is_told(run: CliRunner, project: Path) -> None:
    result = run.invoke(app, ["review", "--folder", str(project), "--accept", "nothing"])
    assert result.exit_code == 2
    assert "nothing" in result.output


def test_review_without_a_project_says_what_comes_first(run: CliRunner, tmp_path: Path) -> None:
    result = run.invoke(app, ["review", "--folder", str(tmp_path)])
    assert result.exit_code == 2
    assert "veridical init" in result.output


def test_a_model_that_is_not_there_leaves_the_drafts_to_people(
    run: CliRunner, shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VERIDICAL_MODEL", "openai-compatible:none")
    monkeypatch.setenv("VERIDICAL_BASE_URL", "http://127.0.0.1:1/v1")
    monkeypatch.setenv("VERIDICAL_MAX_RETRIES", "0")
    told = run.invoke(app, ["init", str(shop), "--folder", str(tmp_path)])
    assert told.exit_code == 0, told.output
    assert "0 descriptions are drafts of openai-compatible:none" in told.output
    assert load_ontology(str(tmp_path / "ontology.yaml")).drafts == ()


_NOISE = bytes(range(128, 256)) * 32
_USELESS = {
    "nowhere.db": (None, "Check the path"),
    "zero.db": (b"", "complete copy"),
    "zero.csv": (b"", "complete copy"),
    "empty.yaml": (b"", "complete copy"),
    "bad.json": (b'{"a": [1, }', "export it again"),
    "other.json": (b"{}", "export it again"),
    "encrypted.db": (_NOISE, "export it unencrypted"),
    "garbage.db": (b"SQLite format 3\0" + _NOISE, "sound copy"),
    "binary.csv": (_NOISE, "sound copy"),
    "notes/readme.txt": (b"hello", "Put the files there"),
}


@pytest.mark.parametrize("name", _USELESS)
def test_a_source_of_no_use_says_what_to_do_next(run: CliRunner, name: str, tmp_path: Path) -> None:
    content, step = _USELESS[name]
    path = tmp_path / name
    if content is not None:
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
    source = path if path.parent == tmp_path else path.parent
    told = run.invoke(app, ["init", str(source), "--folder", str(tmp_path / "out")])
    assert told.exit_code == 2
    assert step in " ".join(told.output.split())
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("language", ["de", "zh"])
def test_what_to_do_next_is_said_in_the_users_language(
    run: CliRunner, language: str, tmp_path: Path
) -> None:
    (tmp_path / "bad.json").write_text("{", "utf-8")
    command = ["init", str(tmp_path / "bad.json"), "--folder", str(tmp_path)]
    told = run.invoke(app, [*command, "--language", language])
    assert told.exit_code == 2
    assert {"de": "Berichtigen Sie", "zh": "请更正"}[language] in told.output
