import shutil
from pathlib import Path

import pytest

from veridical.contracts.language import Language
from veridical.ontology.compile import compile_catalog
from veridical.ontology.importers import FORMATS, Fidelity, ImportFailed, import_ontology

MODELS = Path(__file__).parent / "models"
FILES = {
    "dbt-legacy": "dbt_legacy.yml",
    "dbt-latest": "dbt_latest.yml",
    "dbt-manifest": "semantic_manifest.json",
    "ossie": "ossie.yml",
    "snowflake": "snowflake.yml",
    "cube": "cube.yml",
    "lookml": "shop.lkml",
    "tmdl": "shop.tmdl",
    "wren": "wren.json",
    "vanna": "vanna.json",
}


@pytest.mark.parametrize("name", FILES)
def test_each_format_is_told_apart_by_its_content(name: str) -> None:
    file = MODELS / FILES[name]
    assert import_ontology(file).ontology == import_ontology(file, name).ontology


@pytest.mark.parametrize("name", FILES)
def test_what_is_imported_compiles_into_a_catalog(name: str) -> None:
    ontology = import_ontology(MODELS / FILES[name]).ontology
    catalog = compile_catalog(None, ontology)
    assert set(catalog.tables) == {entity.table for entity in ontology.entities if entity.table}


@pytest.mark.parametrize("name", FILES)
def test_every_constraint_lands_on_a_column(name: str) -> None:
    ontology = import_ontology(MODELS / FILES[name]).ontology
    catalog = compile_catalog(None, ontology)
    cards = [card for table in catalog.tables.values() for card in table.columns.values()]
    placed = {
        constraint.applies_to
        for card in cards
        for constraint in (
            card.fan_out, card.semi_additive, card.allowed_values, card.never_aggregate,
        )
        if constraint
    }  # fmt: skip
    on_columns = {each.applies_to for each in ontology.constraints if "." in each.applies_to}
    assert placed == on_columns


def test_a_folder_is_merged_and_unreadable_files_are_noted(tmp_path: Path) -> None:
    folder = tmp_path / "shop"
    folder.mkdir()
    (folder / "orders.yml").write_text(
        "semantic_models:\n"
        "  - name: orders\n"
        "    model: ref('orders')\n"
        "    entities: [{name: order, type: primary}]\n"
        "    measures: [{name: total, agg: sum, expr: amount}]\n"
    )
    (folder / "metrics.yml").write_text(
        "metrics: [{name: revenue, type: simple, type_params: {measure: total}}]\n"
    )
    (folder / "unrelated.yml").write_text("name: my_project\n")
    (folder / "broken.yml").write_text("a: [b\n")
    shutil.copytree(folder, folder / "target")
    found = import_ontology(folder)
    assert found.ontology.feature_code == "shop"
    assert [metric.entity for metric in found.ontology.metrics] == ["orders"]
    assert [(note.path, note.status) for note in found.notes if note.path == "broken.yml"] == [
        ("broken.yml", Fidelity.DROPPED)
    ]


def test_nothing_found_lists_what_was_looked_for(tmp_path: Path) -> None:
    file = tmp_path / "project.yml"
    file.write_text("name: my_project\n")
    with pytest.raises(ImportFailed) as caught:
        import_ontology(file)
    for each in FORMATS:
        assert each.looked_for in str(caught.value)
    assert "project.yml" in str(caught.value)


def test_two_tools_at_once_are_refused() -> None:
    with pytest.raises(ImportFailed, match=r"cube.*ossie"):
        import_ontology([MODELS / "cube.yml", MODELS / "ossie.yml"])


def test_a_format_may_be_asked_for_in_the_midst_of_others() -> None:
    found = import_ontology([MODELS / "cube.yml", MODELS / "ossie.yml"], "ossie")
    assert found.ontology.feature_code == "shop"


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(ImportFailed, match="looker"):
        import_ontology(MODELS / "cube.yml", "looker")


def test_a_named_file_that_is_broken_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "broken.yml"
    file.write_text("a: [b\n")
    with pytest.raises(ImportFailed, match=r"broken\.yml"):
        import_ontology(file)


def test_a_part_without_a_name_is_refused_with_its_place(tmp_path: Path) -> None:
    file = tmp_path / "models.yml"
    file.write_text("semantic_models: [{model: ref('x')}]\n")
    with pytest.raises(ImportFailed, match=r"models\.yml.*(?s:.*)semantic_models\.0\.name"):
        import_ontology(file)


def test_the_same_entity_twice_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "models.yml"
    file.write_text("semantic_models: [{name: a, model: ref('x')}, {name: a, model: ref('y')}]\n")
    with pytest.raises(ImportFailed, match="same name"):
        import_ontology(file)


def test_notes_speak_the_owners_language() -> None:
    notes = import_ontology(MODELS / "cube.yml", language=Language.DE).notes
    assert any("Kein Schlüssel" in note.text for note in notes)


def test_documents_of_one_thing_each_are_one_project(tmp_path: Path) -> None:
    file = tmp_path / "manifest.yaml"
    file.write_text(
        "semantic_model:\n  name: orders\n  node_relation: {alias: fct_orders, schema_name: s}\n"
        "  entities: [{name: order, type: primary}]\n"
        "  measures: [{name: total, agg: sum, expr: amount}]\n---\n"
        "metric: {name: revenue, type: simple, type_params: {measure: total}}\n"
    )
    found = import_ontology(file)
    assert [entity.table for entity in found.ontology.entities] == ["fct_orders"]
    assert [metric.name for metric in found.ontology.metrics] == ["revenue"]


def test_two_things_of_one_name_are_named(tmp_path: Path) -> None:
    model = "semantic_model: [{name: s, datasets: [{name: orders, source: orders}]}]\n"
    for name in ("a.yml", "b.yml"):
        (tmp_path / name).write_text(model)
    with pytest.raises(ImportFailed, match="orders") as caught:
        import_ontology(tmp_path)
    assert "validation error" not in str(caught.value)
