import subprocess
import sys

from typer.testing import CliRunner

from veridical.cli.main import app


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
