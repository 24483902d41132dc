import re

import pytest
from typer.testing import CliRunner

from veridical.cli.main import app


@pytest.mark.postgres
@pytest.mark.slow
def test_the_demo_refuses_the_obvious_call_and_runs_the_right_one() -> None:
    result = CliRunner(env={"COLUMNS": "200"}).invoke(
        app, ["demo", "--terminal", "--language", "de"]
    )
    assert result.exit_code == 0, result.output
    refused, _, right = result.stdout.partition("Korrigiert")
    assert "✗ INVALID_AGGREGATE_TARGET" in refused
    assert "MIXED_UNITS" in refused
    assert re.search(r"✓ CHF  \d+\.\d+", right)
    assert "Beleg" in right
