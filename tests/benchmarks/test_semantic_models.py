import json
import shutil
from pathlib import Path

import pytest

from benchmarks.semantic_models.__main__ import measure
from benchmarks.semantic_models.judged import Outcome, judge
from veridical.ontology.importers import Imported, import_ontology

MODELS = Path(__file__).parents[1] / "ontology" / "importers" / "models"
KEPT, REPORTED, SILENT = Outcome.KEPT, Outcome.REPORTED, Outcome.SILENT


@pytest.fixture(scope="module")
def shop() -> Imported:
    return import_ontology(MODELS / "shop.lkml")


@pytest.mark.parametrize(
    ("kind", "field", "value", "outcome"),
    [
        ("measure", "net", "type: number; sql: ${revenue} - ${count}", KEPT),
        ("measure", "net", "type: number; sql: ${revenue} - ${paid}", SILENT),
        ("measure", "net", "type: sum; sql: ${revenue}", SILENT),
        ("measure", "forgotten", "type: count", SILENT),
        ("measure", "once", "type: sum_distinct; sql_distinct_key: ${customer_id}", REPORTED),
        ("semi_additive", "per_order", "non_additive; type: number", KEPT),
        ("semi_additive", "count", "non_additive; type: count", SILENT),
        ("semi_additive", "prices", "sum_of_non_additive; type: sum", KEPT),
        ("semi_additive", "revenue", "sum_of_non_additive; type: sum", REPORTED),
        ("relationship", "customers", "many_to_one; ${orders.customer_id} = ${customers.id}", KEPT),
        (
            "relationship",
            "customers",
            "one_to_one; ${orders.customer_id} = ${customers.id}",
            SILENT,
        ),
        ("relationship", "payer", "many_to_one; from: customers", KEPT),
        ("required_filter", "status,placed", "always_filter", KEPT),
        ("required_filter", "amount", "always_filter", SILENT),
        ("hidden", "id", "true", REPORTED),
        ("hidden", "status", "true", SILENT),
        ("format", "revenue", "value_format_name: usd", REPORTED),
        ("format", "revenue", "value_format_name: eur", SILENT),
        ("rls", "client", "orders.client; client", REPORTED),
    ],
)
def test_what_became_of_a_fact(
    shop: Imported, kind: str, field: str, value: str, outcome: Outcome
) -> None:
    fact = {"kind": kind, "table": "orders", "field": field, "value": value}
    assert judge(fact, shop) is outcome


def test_a_model_that_cannot_be_read_is_counted_as_silent(tmp_path: Path) -> None:
    for name in ("right", "wrong"):
        (tmp_path / "lookml" / name).mkdir(parents=True)
    shutil.copy(MODELS / "shop.lkml", tmp_path / "lookml" / "right")
    (tmp_path / "lookml" / "wrong" / "a.yml").write_text("a: 1\n")
    fact = {"kind": "measure", "table": "orders", "field": "count", "value": "type: count"}
    files = {"right": "lookml/right/shop.lkml", "wrong": "lookml/wrong/a.yml"}
    lines = (
        json.dumps({**fact, "model": f"lookml/{name}", "source_file": file})
        for name, file in files.items()
    )
    (tmp_path / "expected.jsonl").write_text("\n".join(lines))
    found = measure(tmp_path, ("lookml",))
    assert found["formats"] == {"lookml": {"facts": 2, "kept": 1, "reported": 0, "recall": 0.5}}
    assert list(found["unread"]) == ["lookml/wrong"]
    assert found["all"] == found["formats"]["lookml"]
    assert found["round_trip"] == {"ontologies": 1, "the_same": 1}
