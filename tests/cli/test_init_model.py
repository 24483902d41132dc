"""``veridical init`` with the model of another tool, on the data that it speaks of."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner

from veridical.cli.main import app
from veridical.evals.gold.load import read_gold
from veridical.host.settings import read_runtime_settings
from veridical.ontology.load import load_ontology

_MODELS = Path(__file__).parents[1] / "ontology" / "importers" / "models"
_SHOP = """
CREATE TABLE customers (id integer PRIMARY KEY, country text);
CREATE TABLE orders (id integer PRIMARY KEY, customer_id integer REFERENCES customers (id),
    amount numeric, placed date);
CREATE TABLE fct_orders (order_id integer PRIMARY KEY, customer_id integer, placed timestamp,
    status text, amount numeric);
INSERT INTO customers VALUES (1, 'CH'), (2, 'DE');
INSERT INTO orders VALUES (1, 1, 10.5, '2026-01-03'), (2, 1, 20, '2026-02-04');
"""


@pytest.fixture
def run() -> CliRunner:
    return CliRunner(env={"COLUMNS": "300"})


@pytest.fixture
def project(tmp_path: Path) -> Path:
    with closing(sqlite3.connect(tmp_path / "shop.db")) as shop:
        shop.executescript(_SHOP)
    return tmp_path


def test_vanna_with_its_data_gives_what_the_data_shows_in_its_words(
    run: CliRunner, project: Path
) -> None:
    data = str(project / "shop.db")
    asked = ["init", str(_MODELS / "vanna.json"), "--database", data, "--folder", str(project)]
    told = run.invoke(app, asked)
    assert told.exit_code == 0, told.output
    assert "2 of 3 questions with SQL" in told.output
    assert "Left out: Which regions are there? FIELD_NOT_FOUND" in told.output
    ontology = load_ontology(str(project / "ontology.yaml"))
    entities = {each.name: each for each in ontology.entities}
    assert set(entities) == {"customers", "orders", "fct_orders"}
    assert str(entities["orders"].description).startswith("The table orders")
    assert ontology.domain_hints == "The business year begins in July."
    cases = {each.question: each for each in read_gold(project / "gold.yaml").cases}
    sold = cases["What was sold per country?"]
    assert (sold.expected_answer_numeric, sold.expected_answer_names) == (("sold",), ("country",))
    assert "Which regions are there?" not in cases
    (feature,) = read_runtime_settings(project / "veridical.toml").features
    assert (feature.name, feature.database) == ("vanna", data)


def test_mdl_is_taken_as_it_is_and_its_questions_are_checked(run: CliRunner, project: Path) -> None:
    model = json.loads((_MODELS / "wren.json").read_text("utf-8"))
    model["views"].append(
        {
            "name": "wrong",
            "statement": "SELECT status, SUM(price) AS sold FROM orders GROUP BY status",
            "properties": {"question": "What was sold per status?"},
        }
    )
    (project / "mdl.json").write_text(json.dumps(model))
    data = str(project / "shop.db")
    asked = ["init", str(project / "mdl.json"), "--database", data, "--folder", str(project)]
    told = run.invoke(app, [*asked, "--name", "shop"])
    assert told.exit_code == 0, told.output
    assert "Left out: What was sold per status? FIELD_NOT_FOUND" in told.output
    assert "row_level_access_controls" in told.output
    ontology = load_ontology(str(project / "ontology.yaml"))
    assert ontology.feature_code == "shop"
    assert [each.table for each in ontology.entities][:2] == ["fct_orders", "customers"]
    (case,) = read_gold(project / "gold.yaml").cases
    assert case.question == "What did order 7 cost?"


def test_without_data_there_are_no_settings(run: CliRunner, tmp_path: Path) -> None:
    told = run.invoke(app, ["init", str(_MODELS / "vanna.json"), "--folder", str(tmp_path)])
    assert told.exit_code == 0, told.output
    assert "--database" in told.output
    assert sorted(each.name for each in tmp_path.iterdir() if each.is_file()) == [
        "gold.yaml",
        "ontology.yaml",
    ]
