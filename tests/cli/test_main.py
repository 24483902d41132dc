import subprocess
import sys
from pathlib import Path

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
