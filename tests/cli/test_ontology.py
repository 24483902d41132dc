import json
from pathlib import Path

import duckdb
import pytest
from typer.testing import CliRunner

from tests.ontology.small import ONTOLOGY, SCHEMA
from veridical.cli.main import app
from veridical.contracts.language import Language
from veridical.ontology.context import SWITCH
from veridical.ontology.prompt import compile_prompt
from veridical.ontology.schema_file import SchemaFile

SHOP = "tests.ontology.small:ONTOLOGY"


@pytest.fixture
def run() -> CliRunner:
    return CliRunner(env={"COLUMNS": "200"})


@pytest.fixture
def schema(tmp_path: Path) -> str:
    path = tmp_path / "schema.json"
    path.write_text(SchemaFile.of(SCHEMA).model_dump_json(by_alias=True), "utf-8")
    return str(path)


def test_lint_is_content_when_they_agree(run: CliRunner, schema: str) -> None:
    result = run.invoke(app, ["ontology", "lint", SHOP, "--schema", schema])
    assert result.exit_code == 0
    assert "agree" in result.stdout


def test_lint_tells_drift_and_fails(run: CliRunner, tmp_path: Path) -> None:
    ddl = tmp_path / "schema.sql"
    ddl.write_text('CREATE TABLE "ShopArticle" ("code" int, "extra" text)', "utf-8")
    result = run.invoke(app, ["ontology", "lint", SHOP, "--schema", str(ddl)])
    assert result.exit_code == 1
    assert "MISSING_TABLE Sale: there is no table ShopSale." in result.stdout
    assert "TYPE_CHANGED Article.code: another type: text → integer." in result.stdout
    assert "UNDESCRIBED_COLUMN ShopArticle.extra" in result.stdout
    as_json = run.invoke(app, ["ontology", "lint", SHOP, "--schema", str(ddl), "--json"])
    kinds = {each["kind"] for each in json.loads(as_json.stdout)}
    assert {"MISSING_TABLE", "TYPE_CHANGED", "UNDESCRIBED_COLUMN"} <= kinds


def test_lint_of_notes_alone_passes(run: CliRunner, tmp_path: Path, schema: str) -> None:
    more = json.loads(Path(schema).read_text("utf-8"))
    more["tables"].append({"name": "New", "columns": []})
    more["tables"][0]["columns"].append({"name": "extra"})
    Path(schema).write_text(json.dumps(more), "utf-8")
    result = run.invoke(app, ["ontology", "lint", SHOP, "--schema", schema, "--language", "de"])
    assert result.exit_code == 0
    assert "0 Fehler" in result.stdout


def test_lint_reads_a_live_duckdb(run: CliRunner, tmp_path: Path) -> None:
    path = tmp_path / "shop.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute('CREATE TABLE "ShopArticle" ("code" VARCHAR, "supplierName" VARCHAR)')
    result = run.invoke(app, ["ontology", "lint", SHOP, "--schema", f"duckdb:///{path}", "--json"])
    missing = [each["path"] for each in json.loads(result.stdout)]
    assert "Sale" in missing
    assert "Article" not in missing


@pytest.mark.postgres
def test_lint_reads_a_live_postgres(run: CliRunner, postgres_url: str) -> None:
    result = run.invoke(app, ["ontology", "lint", SHOP, "--schema", postgres_url, "--json"])
    assert result.exit_code == 1
    assert "MISSING_TABLE" in result.stdout


def test_prompt_prints_what_the_model_is_told(run: CliRunner) -> None:
    result = run.invoke(app, ["ontology", "prompt", SHOP, "--language", "zh"])
    assert result.stdout.strip() == compile_prompt(ONTOLOGY, Language.ZH).text
    assert ONTOLOGY.hash in result.stderr


def test_prompt_keeps_its_budget_and_knows_the_switch(run: CliRunner, schema: str) -> None:
    small = run.invoke(app, ["ontology", "prompt", SHOP, "--budget", "120"])
    assert "left out" in small.stderr
    assert len(small.stdout) < 600
    switched = run.invoke(app, ["ontology", "prompt", SHOP, "--schema", schema], env={SWITCH: "1"})
    assert switched.stdout.startswith("Never add up prices.")


def test_report_lists_what_is_not_protected(run: CliRunner, schema: str) -> None:
    result = run.invoke(app, ["ontology", "report", SHOP, "--schema", schema])
    assert result.exit_code == 0
    assert "  Sale.amount" in result.stdout
    as_json = run.invoke(app, ["ontology", "report", SHOP, "--json"])
    assert json.loads(as_json.stdout)["ontologyHash"] == ONTOLOGY.hash


def test_import_writes_an_ontology_that_loads_again(run: CliRunner, tmp_path: Path) -> None:
    source = tmp_path / "model.yml"
    source.write_text(
        "semantic_models:\n"
        "  - name: claims\n"
        "    model: ref('claims')\n"
        "    entities: [{name: claim, type: primary, expr: id}]\n"
        "    measures: [{name: total, agg: sum, expr: amount}]\n",
        "utf-8",
    )
    target = tmp_path / "ontology.json"
    result = run.invoke(app, ["ontology", "import", str(source), "-o", str(target)])
    assert result.exit_code == 0
    assert "Imported: 1 entities" in result.stderr
    assert "Not protected:" in result.stderr
    printed = run.invoke(app, ["ontology", "hash", str(target)])
    assert len(printed.stdout.strip()) == 16
    assert json.loads(run.invoke(app, ["ontology", "import", str(source)]).stdout)["entities"]


def test_hash_is_the_one_of_the_ontology(run: CliRunner) -> None:
    assert run.invoke(app, ["ontology", "hash", SHOP]).stdout.strip() == ONTOLOGY.hash


@pytest.mark.parametrize(
    "arguments",
    [["lint", SHOP], ["hash", "pack:nothing"], ["import", "nowhere.yml"], ["prompt", "x:y"]],
)
def test_mistakes_are_told_in_a_sentence(run: CliRunner, arguments: list[str]) -> None:
    result = run.invoke(app, ["ontology", *arguments])
    assert result.exit_code == 2
    assert result.stderr.strip()
    assert "Traceback" not in result.output
