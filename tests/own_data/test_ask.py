"""A stranger's own data asked from the command line: no pack, no tenants, no model."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from tests.own_data.shop import ANSWER, QUESTION, fill_postgres, make_shop
from veridical.cli.main import app
from veridical.sample.postgres import LocalPostgres


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("VERIDICAL_TRACES", str(tmp_path / "traces"))
    monkeypatch.delenv("VERIDICAL_MODEL", raising=False)
    return tmp_path


def typed(*words: str) -> Result:
    return CliRunner(env={"COLUMNS": "200"}).invoke(app, words)


def test_a_sqlite_file_and_an_ontology_are_enough(folder: Path) -> None:
    database, ontology = make_shop(folder)
    result = typed("ask", QUESTION, "--database", database, "--ontology", str(ontology), "--json")
    assert result.exit_code == 0, result.output
    given = json.loads(result.stdout)
    assert ANSWER in given["text"]
    assert given["kind"] == "pattern"


@pytest.mark.postgres
def test_a_postgresql_database_without_a_reader_role(
    folder: Path, postgres_server: LocalPostgres
) -> None:
    _, ontology = make_shop(folder)
    url = postgres_server.create_database("own_shop")
    fill_postgres(url)
    result = typed("ask", QUESTION, "--database", url, "--ontology", str(ontology))
    assert result.exit_code == 0, result.output
    assert ANSWER in result.output


def test_the_settings_file_names_them_once_for_all(folder: Path) -> None:
    make_shop(folder)
    (folder / "veridical.toml").write_text(
        '[[features]]\nname = "shop"\ndatabase = "shop.db"\nontology = "ontology.yaml"\n', "utf-8"
    )
    asked = typed("ask", QUESTION)
    assert ANSWER in asked.output
    again = CliRunner().invoke(app, ["chat"], input=f"{QUESTION}\nexit\n")
    assert ANSWER in again.output


def test_a_table_that_is_away_is_told_with_the_one_that_was_meant(folder: Path) -> None:
    database, ontology = make_shop(folder)
    text = ontology.read_text("utf-8").replace("table: stock_count", "table: stock_counts")
    ontology.write_text(text, "utf-8")
    result = typed("ask", QUESTION, "--database", database, "--ontology", str(ontology))
    assert "stock_counts (stock_count?)" in result.output
    assert ANSWER in result.output


@pytest.mark.parametrize(
    ("was", "becomes", "told"),
    [
        ("semanticType", "semanticTyp", "ontology.yaml:6: there is no key semanticTyp here"),
        ("field: amount", "field: amuont", "BROKEN_PATTERN SALES_IN_YEAR"),
        ("Sale.amount", "Sale.amuont", "IDLE_CONSTRAINT Sale.amuont"),
        ("fields: [day]", "fields: [dya]", "UNKNOWN_IN_CONSTRAINT StockCount.pieces"),
    ],
)
def test_a_mistake_in_the_ontology_is_told_and_nothing_is_answered(
    folder: Path, was: str, becomes: str, told: str
) -> None:
    database, ontology = make_shop(folder)
    ontology.write_text(ontology.read_text("utf-8").replace(was, becomes, 1), "utf-8")
    result = typed("ask", QUESTION, "--database", database, "--ontology", str(ontology))
    assert result.exit_code == 2
    assert told in result.output
    assert ANSWER not in result.output


def test_an_ontology_needs_its_data(folder: Path) -> None:
    _, ontology = make_shop(folder)
    result = typed("ask", QUESTION, "--ontology", str(ontology))
    assert result.exit_code == 2
    assert "--database" in result.output


def test_tenants_that_the_ontology_declares_are_kept_apart(folder: Path) -> None:
    database, ontology = make_shop(folder)
    text = ontology.read_text("utf-8")
    ontology.write_text(text.replace("name: sku, type: text}", "name: sku, role: TENANT}"), "utf-8")
    place = ("--database", database, "--ontology", str(ontology))
    without = typed("ask", QUESTION, *place)
    assert without.exit_code == 2
    assert "sku" in without.output
    within = typed("ask", QUESTION, *place, "--scope", "sku=A")
    assert "CHF 10.50" in within.output
