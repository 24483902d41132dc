"""``veridical serve`` before it serves: its help, and what it says when something is missing."""

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from veridical.cli.main import app
from veridical.cli.own_database import own_settings
from veridical.contracts.language import Language

VARIABLE = "VERIDICAL_RUNS_DATABASE_URL"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(VARIABLE, raising=False)
    return tmp_path


def typed(*words: str, **environment: str) -> Result:
    return CliRunner(env={"COLUMNS": "200", **environment}).invoke(app, words)


def told(result: Result) -> str:
    assert result.exit_code == 2, result.output
    return " ".join(result.output.split())


@pytest.mark.parametrize("command", ["serve", "worker", "mcp"])
def test_the_help_has_all_its_words(command: str) -> None:
    shown = typed(command, "--help").output
    assert "``" not in shown
    assert "until" in shown or "SIGTERM" in shown


def test_the_database_that_is_missing_can_be_named_as_it_says(folder: Path) -> None:
    assert "--database" in told(typed("serve", "--host", "0.0.0.0"))  # refused
    assert "[[features]]" in told(typed("serve", "--port", "0", "--database", "postgresql://x/y"))


def test_a_sample_takes_no_other_database(folder: Path) -> None:
    assert "leave --database out" in told(
        typed("serve", "--sample", "--database", "postgresql:///")
    )


@pytest.mark.parametrize("command", ["serve --port 0", "worker", "tenant list"])
def test_what_is_no_address_is_told(folder: Path, command: str) -> None:
    (folder / "veridical.toml").write_text('[[features]]\nname = "trustee"\ndatabase = "BOOKS"\n')
    given = ("--database", "mysql://x/y", "--language", "de")
    books = {"BOOKS": "postgresql:///books?host=/nowhere"}
    assert "keine Adresse" in told(typed(*command.split(), *given, **books))


@pytest.mark.parametrize("command", ["serve", "worker", "tenant list"])
def test_settings_that_make_no_sense_are_named(folder: Path, command: str) -> None:
    wrong = {VARIABLE: "postgresql://x/y", "VERIDICAL_RUNS_LEASE_SECONDS": "secret-value"}
    said = told(typed(*command.split(), **wrong))
    assert "lease_seconds" in said
    assert "secret-value" not in said


@pytest.mark.parametrize("command", ["serve", "worker", "ask hello"])
def test_a_file_that_is_no_toml_is_told(folder: Path, command: str) -> None:
    (folder / "veridical.toml").write_text("[server\n")
    assert "line 1" in told(typed(*command.split(), **{VARIABLE: "postgresql://x/y"}))


@pytest.mark.parametrize(
    "command", ["serve", "worker", "ask hello", "tenant list", "skill list", "gate report"]
)
def test_a_setting_that_nobody_knows_is_told(folder: Path, command: str) -> None:
    (folder / "veridical.toml").write_text("[sever]\nport = 8001\n")
    said = told(typed(*command.split(), **{VARIABLE: "postgresql://x/y"}))
    assert "sever" in said
    assert "veridical.toml" in said


def test_a_database_that_is_given_leaves_the_other_settings_as_they_are(folder: Path) -> None:
    (folder / "veridical.toml").write_text("[runs]\nlease_seconds = 77\n")
    settings = own_settings("postgresql://x/y", Language.EN)
    assert (settings.database_url, settings.lease_seconds) == ("postgresql://x/y", 77)
