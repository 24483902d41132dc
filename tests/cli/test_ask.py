import subprocess
import sys

from typer.testing import CliRunner

from veridical.cli.main import app


def test_the_commands_load_without_models_and_drivers() -> None:
    heavy = "{'pydantic_ai', 'openai', 'anthropic', 'duckdb', 'psycopg', 'sqlalchemy'}"
    code = f"import sys, veridical.cli.main; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_an_unknown_feature_is_told_in_one_sentence() -> None:
    result = CliRunner().invoke(app, ["ask", "Saldo?", "--feature", "payroll"])
    assert result.exit_code == 2
    assert "payroll" in result.output
    assert "Traceback" not in result.output


def test_a_database_needs_a_tenant() -> None:
    result = CliRunner().invoke(app, ["ask", "Saldo?", "--database", "postgresql://localhost/none"])
    assert result.exit_code == 2
    assert "Traceback" not in result.output
