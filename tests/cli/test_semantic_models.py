from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.ontology.exporters.shop import TEXT
from veridical.cli.main import app
from veridical.ontology.load import load_ontology

MODELS = Path(__file__).parents[1] / "ontology" / "importers" / "models"


@pytest.fixture
def run() -> CliRunner:
    return CliRunner()


@pytest.mark.parametrize("name", ["lookml", "tmdl"])
def test_a_model_is_read_and_its_gravest_notes_come_first(
    run: CliRunner, name: str, tmp_path: Path
) -> None:
    target = tmp_path / "ontology.yaml"
    source = str(MODELS / f"shop.{'lkml' if name == 'lookml' else name}")
    result = run.invoke(app, ["import", source, "--from", name, "-o", str(target)])
    assert result.exit_code == 0, result.stderr
    notes = result.stderr.partition("Not protected")[0].splitlines()
    statuses = [line.split()[0] for line in notes if line.startswith("  ")]
    order = ["unprotected", "dropped", "approximated", "kept"]
    assert statuses == sorted(statuses, key=order.index)
    assert statuses[0] == "unprotected"
    assert load_ontology(str(target)).metrics


def test_a_model_that_cannot_be_read_names_the_line(run: CliRunner, tmp_path: Path) -> None:
    broken = tmp_path / "orders.lkml"
    broken.write_text("view: orders {\n  dimension: id {\n")
    result = run.invoke(app, ["import", str(broken), "--language", "de"])
    assert result.exit_code == 2
    assert "orders.lkml, Zeile 3" in result.stderr
    assert "Traceback" not in result.output


def test_an_ontology_goes_out_and_comes_back(run: CliRunner, tmp_path: Path) -> None:
    source, model, back = (tmp_path / name for name in ("a.yaml", "model.yml", "b.yaml"))
    source.write_text(TEXT, "utf-8")
    exported = run.invoke(app, ["export", str(source), "--to", "ossie", "-o", str(model)])
    assert exported.exit_code == 0, exported.stderr
    assert "7 rules" in exported.stderr
    assert run.invoke(app, ["import", str(model), "-o", str(back)]).exit_code == 0
    assert load_ontology(str(back)).hash == load_ontology(str(source)).hash
    printed = run.invoke(app, ["export", str(source), "--to", "cube"])
    assert printed.stdout.startswith("cubes:")
    assert "unprotected" in printed.stderr


def test_an_unknown_target_is_a_sentence(run: CliRunner, tmp_path: Path) -> None:
    source = tmp_path / "a.yaml"
    source.write_text(TEXT, "utf-8")
    result = run.invoke(app, ["export", str(source), "--to", "xls"])
    assert result.exit_code == 2
    assert "ossie, dbt, cube" in result.stderr
