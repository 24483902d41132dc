import csv
import json
from pathlib import Path

import pytest

from veridical.ontology.importers import (
    Fidelity,
    Imported,
    ImportFailed,
    QuestionSql,
    import_ontology,
)
from veridical.ontology.model import Cardinality

MODELS = Path(__file__).parent / "models"
ROWS = json.loads((MODELS / "vanna.json").read_text())


@pytest.fixture(scope="module")
def shop() -> Imported:
    return import_ontology(MODELS / "vanna.json")


def test_ddl_becomes_tables_keys_and_joins(shop: Imported) -> None:
    customers, orders = shop.ontology.entities
    assert (customers.table, orders.table, orders.keys) == ("customers", "orders", (("id",),))
    (relation,) = shop.ontology.relations
    assert (relation.from_entity, relation.cardinality) == ("orders", Cardinality.MANY_TO_ONE)
    assert relation.via == ("customer_id=id",)


def test_documentation_describes_what_it_names(shop: Imported) -> None:
    orders = shop.ontology.entities[1]
    amount = next(each for each in orders.fields if each.name == "amount")
    assert orders.description == "The table orders has what was bought, one row for each receipt."
    assert amount.description == "In orders, amount is in Swiss francs without tax."
    assert shop.ontology.domain_hints == "The business year begins in July."


def test_questions_with_sql_are_drafts(shop: Imported) -> None:
    assert len(shop.pairs) == 3
    assert shop.pairs[0] == QuestionSql(
        "How many customers are there?", "SELECT COUNT(*) AS customers FROM customers"
    )


def test_every_item_is_accounted_for(shop: Imported) -> None:
    told = [note for note in shop.notes if note.path != "entities"]
    ddl = [note for note in told if note.path.startswith("ddl.")]
    assert len(told) == len(ROWS) - 2  # the tables speak for themselves
    assert [note.status for note in ddl] == [Fidelity.DROPPED]


@pytest.mark.parametrize("form", ["csv", "columns", "memories"])
def test_other_exports_say_the_same(shop: Imported, tmp_path: Path, form: str) -> None:
    if form == "csv":
        path = tmp_path / "training.csv"
        with path.open("w", newline="") as file:
            writer = csv.DictWriter(file, ["", *ROWS[0]])
            writer.writeheader()
            writer.writerows({"": at, **row} for at, row in enumerate(ROWS))
    elif form == "columns":
        path = tmp_path / "training.json"
        names = [name for name in ROWS[0] if name != "id"]
        frame = {name: {str(at): row[name] for at, row in enumerate(ROWS)} for name in names}
        path.write_text(json.dumps(frame))
    else:
        path = tmp_path / "memories.json"
        path.write_text(json.dumps([_memory(row) for row in ROWS]))
    found = import_ontology(path)
    assert found.pairs == shop.pairs
    if form != "memories":
        assert found.ontology.entities == shop.ontology.entities
        assert found.notes == shop.notes


def _memory(row: dict[str, str]) -> dict[str, object]:
    if row["training_data_type"] != "sql":
        return {"memory_id": row["id"], "content": row["content"], "timestamp": "2026-01-01"}
    asked = {"sql": row["content"]}
    return {
        "memory_id": row["id"],
        "question": row["question"],
        "tool_name": "run_sql",
        "args": asked,
    }


def test_a_failed_memory_proves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "memories.json"
    memory = {"question": "How many?", "tool_name": "run_sql", "args": {"sql": "SELECT 1"}}
    path.write_text(json.dumps([{**memory, "success": False}]))
    with pytest.raises(ImportFailed):
        import_ontology(path)
