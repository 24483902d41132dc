"""The published comparison follows from what was recorded, to the byte."""

import tarfile
from pathlib import Path

import pytest
from typer.testing import CliRunner

from veridical.cli.main import app

PUBLISHED = Path(__file__).parents[2] / "docs" / "evals" / "qwen2.5-coder-1.5b"


@pytest.mark.eval
def test_the_report_is_what_a_replay_of_the_recording_gives(tmp_path: Path) -> None:
    with tarfile.open(PUBLISHED / "recording.tar.xz") as recording:
        recording.extractall(tmp_path, filter="data")
    made = tmp_path / "made"
    model = f"replay:{tmp_path / 'recording'}"
    command = ["eval", "run", "--gold", "pack:trustee/core", "--model", model, "--out", str(made)]
    ran = CliRunner().invoke(app, command)
    assert ran.exit_code == 0, ran.output
    charts = (f"charts/{chart.name}" for chart in sorted((PUBLISHED / "charts").iterdir()))
    for name in ("report.md", "report.html", *charts):
        assert (made / name).read_text("utf-8") == (PUBLISHED / name).read_text("utf-8"), name
