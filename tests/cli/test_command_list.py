"""Commands are imported one at a time: starting one does not wait for the others."""

import json
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from veridical.cli.command_list import COMMANDS, loaded
from veridical.cli.main import app

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
