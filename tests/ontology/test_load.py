from pathlib import Path

import pytest

from tests.ontology.small import ONTOLOGY, SCHEMA
from veridical.ontology.errors import LoadError
from veridical.ontology.load import load_ontology, load_schema
from veridical.ontology.pack import load_pack
from veridical.ontology.schema_file import SchemaFile


def test_a_pack() -> None:
    pack = load_pack("trustee")
    assert load_ontology("pack:trustee").hash == pack.ontology.hash
    assert load_schema("pack:trustee") == pack.schema


def test_a_python_path() -> None:
    assert load_ontology("tests.ontology.small:ONTOLOGY").hash == ONTOLOGY.hash
    assert load_ontology("veridical.packs.trustee:pack").feature_code == "trustee"


@pytest.mark.parametrize("ending", ["json", "yaml"])
def test_a_descriptor_file_keeps_the_hash(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"ontology.{ending}"
    path.write_text(ONTOLOGY.model_dump_json(by_alias=True), "utf-8")  # JSON is YAML too
    assert load_ontology(str(path)).hash == ONTOLOGY.hash


def test_what_the_importers_understand(tmp_path: Path) -> None:
    path = tmp_path / "model.yml"
    path.write_text(
        "semantic_models:\n"
        "  - name: claims\n"
        "    model: ref('claims')\n"
        "    entities: [{name: claim, type: primary, expr: id}]\n"
        "    dimensions: [{name: kind, type: categorical}]\n"
        "    measures: [{name: total, agg: sum, expr: amount}]\n",
        "utf-8",
    )
    assert "claims" in {entity.name for entity in load_ontology(str(path)).entities}


@pytest.mark.parametrize(
    "ref", ["pack:nothing", "no.such.module:x", "json:dumps.nothing", "json:decoder", "missing.yml"]
)
def test_what_leads_nowhere_is_told_in_words(ref: str) -> None:
    with pytest.raises(LoadError, match=r"nothing|no|can't"):
        load_ontology(ref)


@pytest.mark.parametrize("text", ['{"featureCode": 1, "entities": 2}', '{"featureCode": "x"', "[]"])
def test_a_file_that_is_no_ontology_is_told_in_words(text: str, tmp_path: Path) -> None:
    path = tmp_path / "wrong.json"
    path.write_text(text, "utf-8")
    with pytest.raises(LoadError):
        load_ontology(str(path))


def test_a_schema_file_comes_back_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "schema.json"
    path.write_text(SchemaFile.of(SCHEMA).model_dump_json(by_alias=True), "utf-8")
    assert load_schema(str(path)) == SCHEMA


def test_a_schema_file_takes_declared_types(tmp_path: Path) -> None:
    path = tmp_path / "schema.json"
    path.write_text(
        '{"tables": [{"name": "t", "columns": [{"name": "a", "type": "numeric(18,2)"}]}]}', "utf-8"
    )
    assert load_schema(str(path)).tables["t"].columns[0].type == "number"


def test_a_script(tmp_path: Path) -> None:
    path = tmp_path / "schema.sql"
    path.write_text("CREATE TABLE t (a int PRIMARY KEY)", "utf-8")
    assert load_schema(str(path)).tables["t"].keys == (("a",),)


@pytest.mark.parametrize("text", ["CREATE TABLE (((", "{}"])
def test_a_file_that_is_no_schema_is_told_in_words(text: str, tmp_path: Path) -> None:
    path = tmp_path / ("wrong.json" if text == "{}" else "wrong.sql")
    path.write_text(text, "utf-8")
    with pytest.raises(LoadError, match="no schema"):
        load_schema(str(path))
    with pytest.raises(LoadError, match="nothing found"):
        load_schema(str(tmp_path / "missing.sql"))
