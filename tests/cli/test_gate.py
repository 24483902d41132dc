import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from veridical.cli.main import app
from veridical.contracts.language import Language
from veridical.messages import message

RUN = CliRunner()
GOOD = "Sales in Bern were 1,200.50."
BAD = "Sales in Bern were 1,733.40."


@pytest.fixture
def rows(tmp_path: Path) -> str:
    file = tmp_path / "rows.json"
    file.write_text(json.dumps([{"city": "Bern", "sales": 1200.5}]))
    return str(file)


@pytest.mark.parametrize("command", [["gate"], ["gate", "check"]])
@pytest.mark.parametrize(("answer", "code"), [(GOOD, 0), (BAD, 1)])
def test_the_verdict_is_the_exit_code(
    command: list[str], answer: str, code: int, rows: str
) -> None:
    needing = ["--evidence", rows, *(["--require", "audit"] if code else [])]
    assert RUN.invoke(app, [*command, answer, *needing]).exit_code == code
    assert RUN.invoke(app, [*command, *needing, answer]).exit_code == code


def test_by_default_claims_are_ticked_and_nothing_is_held_back(rows: str) -> None:
    told = RUN.invoke(app, ["gate", BAD, "--evidence", rows])
    assert told.exit_code == 0
    assert "1,733.40 [✗1]" in told.stdout
    asked = ["gate", GOOD, "--evidence", rows, "--format", "json"]
    claims = json.loads(RUN.invoke(app, asked).stdout)["claims"]
    assert {each["tick"] for each in claims} == {"proven"}


def test_an_answer_may_be_a_file_or_the_input(rows: str, tmp_path: Path) -> None:
    file = tmp_path / "answer.txt"
    file.write_text(BAD)
    read = RUN.invoke(app, ["gate", str(file), "--evidence", rows])
    assert "CONTRADICTED_CLAIM" in read.stdout
    assert RUN.invoke(app, ["gate", "-", "--evidence", rows], input=GOOD).exit_code == 0


def test_the_proof_comes_as_text_json_or_html(rows: str) -> None:
    text = RUN.invoke(app, ["gate", GOOD, "--evidence", rows]).stdout
    assert "sales[Bern] = 1,200.5" in text
    assert "[✓1]" in text
    told = RUN.invoke(app, ["gate", BAD, "--evidence", rows, "--format", "json"]).stdout
    assert json.loads(told)["findings"][0]["code"] == "CONTRADICTED_CLAIM"
    page = RUN.invoke(app, ["gate", BAD, "--evidence", rows, "--format", "html"]).stdout
    assert page.startswith("<!doctype html>")


def test_the_language_is_the_answers_unless_told(rows: str) -> None:
    german = RUN.invoke(app, ["gate", "Der Umsatz in Bern war 1'733.40.", "--evidence", rows])
    assert message("gate.verdict_warn", Language.DE) in german.stdout
    chinese = RUN.invoke(app, ["gate", BAD, "--evidence", rows, "--language", "zh"])
    assert message("gate.verdict_warn", Language.ZH) in chinese.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ["gate", GOOD],
        ["gate", GOOD, "--evidence", "nowhere.json"],
        ["gate", GOOD, "--evidence", "broken.json"],
        ["gate", "report-false-block", "nowhere.json", "--log", "x"],
        ["gate", "report"],
    ],
)
def test_a_mistake_in_the_command_is_told(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("VERIDICAL_GATE_LOG", raising=False)
    (tmp_path / "broken.json").write_text('{"city": "Bern"')
    assert RUN.invoke(app, arguments).exit_code == 2


def test_a_policy_is_read_from_the_settings(
    rows: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    asked = ["gate", GOOD, "--evidence", rows, "--require", "queryTable"]
    assert RUN.invoke(app, asked).exit_code == 1
    Path("veridical.toml").write_text('[gate.modes]\nREQUIRED_TOOL_MISSING = "warn"\n')
    assert RUN.invoke(app, asked).exit_code == 0
    Path("other.toml").write_text('[gate.modes]\nUNGROUNDED_CLAIM = "shout"\n')
    wrong = RUN.invoke(app, ["gate", BAD, "--evidence", rows, "--policy", "other.toml"])
    assert wrong.exit_code == 2
    assert "UNGROUNDED_CLAIM" in wrong.stderr


WARM = "Sales of Bern were 1,200.50, and 7,777 rolls."


@pytest.mark.parametrize(("policy", "code"), [("marked", 0), ("off", 0)])
@pytest.mark.parametrize("form", ["text", "json", "html"])
def test_a_policy_may_be_named(rows: str, policy: str, code: int, form: str) -> None:
    asked = ["gate", WARM, "--evidence", rows, "--policy", policy, "--format", form]
    told = RUN.invoke(app, asked)
    assert told.exit_code == code
    assert "7,777" in told.stdout
    assert "1200.5" in told.stdout.replace(",", "")


def test_the_settings_may_name_a_policy(
    rows: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("veridical.toml").write_text('[gate]\npolicy = "off"\n')
    asked = ["gate", WARM, "--evidence", rows]
    assert "UNGROUNDED_CLAIM" not in RUN.invoke(app, asked).stdout
    assert "UNGROUNDED_CLAIM" in RUN.invoke(app, [*asked, "--policy", "marked"]).stdout
    for gone in ("strict", "strickt"):
        assert RUN.invoke(app, [*asked, "--policy", gone]).exit_code == 2


def test_required_tools_are_asked_for(rows: str) -> None:
    asked = RUN.invoke(app, ["gate", GOOD, "--evidence", rows, "--require", "queryTable"])
    assert asked.exit_code == 1
    assert "REQUIRED_TOOL_MISSING" in asked.stdout


def test_a_false_block_is_reported_and_counted(rows: str, tmp_path: Path) -> None:
    log = str(tmp_path / "gate.jsonl")
    told = RUN.invoke(app, ["gate", BAD, "--evidence", rows, "--format", "json", "--log", log])
    code = "CONTRADICTED_CLAIM"
    proof = tmp_path / "proof.json"
    proof.write_text(told.stdout)
    assert RUN.invoke(app, ["gate", "report", "--log", log, "--json"]).stdout.count("code") == 1
    note = ["--note", "the books say so"]
    done = RUN.invoke(app, ["gate", "report-false-block", str(proof), *note, "--log", log])
    assert done.exit_code == 0
    (tally,) = json.loads(RUN.invoke(app, ["gate", "report", "--log", log, "--json"]).stdout)
    assert (tally["code"], tally["count"], tally["falseBlocks"]) == (code, 1, 1)
    assert code in RUN.invoke(app, ["gate", "report", "--log", log]).stdout


def test_several_results_may_be_given(rows: str, tmp_path: Path) -> None:
    other = tmp_path / "other.csv"
    other.write_text("city,orders\nBern,31\nBasel,22\n")
    answer = "Bern sold 1,200.50 with 31 orders."
    assert (
        RUN.invoke(app, ["gate", answer, "--evidence", rows, "--evidence", str(other)]).exit_code
        == 0
    )


def test_help_lists_the_commands() -> None:
    told = RUN.invoke(app, ["gate", "--help"]).stdout
    assert all(name in told for name in ("check", "report-false-block", "report"))


def test_a_misspelt_policy_is_told_which_there_are(rows: str) -> None:
    told = RUN.invoke(app, ["gate", GOOD, "--evidence", rows, "--policy", "strickt"])
    assert told.exit_code == 2
    assert "marked, off" in told.output
