"""The root command: it lists the others by what they are for, and imports them one at a time."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from veridical.cli.main import COMMANDS, FRONT, PANEL_OF, app, loaded

HEAVY = frozenset(
    {
        "anthropic", "dbos", "duckdb", "fastapi", "httpx", "openai", "psycopg", "pydantic_ai",
        "sqlalchemy", "sqlglot", "veridical.agent.loop", "veridical.answering.flow",
        "veridical.check.checker", "veridical.gate.verdict", "veridical.host.runtime",
        "veridical.requirements", "veridical.search", "veridical.server.app", "yaml",
    }
)  # fmt: skip
_LIST = "import json, sys\n{code}\nprint(json.dumps(sorted(sys.modules)))"
_HELP = """
from typer.testing import CliRunner
from veridical.cli.main import app
assert "requirements" in CliRunner().invoke(app, ["--help"]).output
"""
_CLIENT = """
from typer.testing import CliRunner
from veridical.cli.main import app
done = CliRunner().invoke(app, ["ask", "Saldo?", "--server", "http://127.0.0.1:1"])
assert done.exit_code == 2 and "127.0.0.1:1" in done.output, done.output
"""


@pytest.mark.parametrize("code", [_HELP, _CLIENT], ids=["help", "client"])
def test_nothing_heavy_is_imported(code: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _LIST.format(code=code)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert HEAVY & set(json.loads(done.stdout.splitlines()[-1])) == set()


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_says_what_the_command_says(name: str) -> None:
    command = loaded(name)
    told = (command.short_help or command.help).split("\n\n")[0]
    assert COMMANDS[name].help == " ".join(told.split())
    assert command.name == name


def test_a_typo_is_told_the_nearest() -> None:
    done = CliRunner().invoke(app, ["requirments"])
    assert done.exit_code == 2
    assert "requirements" in done.output


def test_seven_commands_stand_in_front() -> None:
    front = [name for name, panel in PANEL_OF.items() if panel == FRONT]
    assert front == ["demo", "init", "review", "ask", "check", "gate", "serve"]
    assert list(COMMANDS)[:7] == front


def test_the_list_has_a_panel_for_each_purpose() -> None:
    shown = CliRunner().invoke(app, ["--help"]).output
    panels = list(dict.fromkeys(PANEL_OF.values()))
    places = [shown.index(f" {panel} ") for panel in panels]
    assert places == sorted(places)
    first = shown[places[0] : places[1]]
    assert [name for name in COMMANDS if f" {name} " in first] == list(COMMANDS)[:7]


def test_version() -> None:
    result = CliRunner().invoke(app, ["--version"])
    assert result.exit_code == 0
    assert result.stdout.startswith("veridical 0.")


def test_without_a_command_it_shows_what_there_is() -> None:
    result = CliRunner().invoke(app, [])
    assert "check" in result.output
    assert "ontology" in result.output


def test_the_commands_start_without_a_database_driver() -> None:
    code = "import sys; import veridical.cli.main; print('duckdb' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_modules_of_the_folder_are_found_after_those_that_are_installed(tmp_path: Path) -> None:
    (tmp_path / "here_alone.py").write_text(
        "from veridical.ontology.model import OntologyDescriptor\n"
        "ontology = OntologyDescriptor(feature_code='here')\n"
    )
    (tmp_path / "json.py").write_text("raise SystemExit('not this one')")
    command = [str(Path(sys.executable).with_name("veridical")), "ontology", "hash"]
    done = subprocess.run(
        [*command, "here_alone:ontology"], cwd=tmp_path, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.strip()
