"""A person changes one part of an ontology file; everything else in it stays as it is."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from veridical.contracts.language import Language
from veridical.contracts.schema import Column, Schema, Table, ValueType
from veridical.onboarding.edits import (
    OutdatedEditError,
    UnfitEditError,
    changed_ontology,
    edits_of,
    is_editable,
    record_edit,
    require_fit,
    write_change,
)
from veridical.ontology.editable import Part, PartKind, Values, values_of
from veridical.ontology.ontology_file import read_ontology

FILE = """\
# Ours. Ask Ada before you change it.
featureCode: shop

entities:
- name: sale   # one line of a receipt
  semanticType: TRANSACTION
  table: sale
  description:
    de: Ein Verkauf
    en: A sale
  fields:
  - {name: id, type: integer, role: KEY}
  # net of tax
  - name: amount
    type: number
    role: MEASURE
    label: Amount  # as in the report
    unit: 'CHF'
  - name: state
    type: text
constraints:
# a price does not add up
- appliesTo: sale.amount
  rule: NEVER_SUM
drafts: [sale.amount]
"""
SCHEMA = Schema(
    tables={
        "sale": Table(
            name="sale",
            columns=(
                Column("id", ValueType.INTEGER),
                Column("amount", ValueType.NUMBER),
                Column("state", ValueType.TEXT),
            ),
        )
    }
)
AMOUNT = Part(kind=PartKind.FIELD, entity="sale", name="amount")
SALE = Part(kind=PartKind.ENTITY, entity="sale")
LARGE = Part(kind=PartKind.JUDGEMENT, entity="sale", name="large")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "ontology.yaml"
    path.write_text(FILE)
    return path


def _edited(path: Path, part: Part, values: Values | None) -> str:
    seen = values_of(read_ontology(path), part)
    before, after = changed_ontology(path, part, seen, values)
    require_fit(path, before, after, SCHEMA, "postgres")
    write_change(path, before, after)
    record_edit(path, before, after, part, "Ada")
    return path.read_text()


def test_a_label_by_language_leaves_all_else_as_it_is(path: Path) -> None:
    label = {"de": "Betrag", "en": "Amount", "zh": "金额"}
    text = _edited(path, AMOUNT, {"label": label, "unit": "CHF"})
    written = "    label: {de: Betrag, en: Amount, zh: 金额}  # as in the report\n"
    expected = FILE.replace("    label: Amount  # as in the report\n", written)
    assert text == expected.replace("drafts: [sale.amount]\n", "")


def test_words_by_language_become_one_text(path: Path) -> None:
    assert "  description:\n    A sale\n  fields" in _edited(path, SALE, {"description": "A sale"})
    assert read_ontology(path).entities[0].description == "A sale"


def test_a_noun_is_added(path: Path) -> None:
    noun = {"de": {"one": "Verkauf", "many": "Verkäufe", "gender": "m"}}
    text = _edited(path, SALE, {**(values_of(read_ontology(path), SALE) or {}), "noun": noun})
    assert "# one line of a receipt" in text
    assert "# net of tax" in text
    assert read_ontology(path).entities[0].noun[Language.DE].many == "Verkäufe"


def test_a_judgement_comes_and_goes(path: Path) -> None:
    judged = {"name": "large", "field": "amount", "comparator": ">", "limit": 100, "label": "gross"}
    text = _edited(path, LARGE, judged)
    assert [each.told() for each in read_ontology(path).entities[0].judgements] == ["amount > 100"]
    assert _edited(path, LARGE, None) == FILE
    assert text != FILE


def test_every_change_is_on_record_and_can_be_taken_back(path: Path) -> None:
    _edited(path, AMOUNT, {"label": "Amount", "unit": "EUR"})
    _edited(path, SALE, {"description": "Sold"})
    sale, amount = edits_of(path)
    assert (amount.number, amount.by, amount.part) == (1, "Ada", AMOUNT)
    assert sale.after == {"description": "Sold"}
    before, after = changed_ontology(path, amount.part, amount.after, amount.before)
    write_change(path, before, after)
    record_edit(path, before, after, amount.part, "Eve", undoes=amount.number)
    assert read_ontology(path).entities[0].fields[1].unit == "CHF"
    assert read_ontology(path).entities[0].description == "Sold"
    assert edits_of(path)[0].undoes == 1


def test_what_somebody_else_changed_is_not_written_over(path: Path) -> None:
    seen = values_of(read_ontology(path), AMOUNT)
    _edited(path, AMOUNT, {"unit": "EUR"})
    with pytest.raises(OutdatedEditError):
        changed_ontology(path, AMOUNT, seen, {"unit": "USD"})


def test_a_judgement_about_no_field_is_refused(path: Path) -> None:
    judged = {"name": "large", "field": "total", "comparator": ">", "limit": 1, "label": "large"}
    with pytest.raises(UnfitEditError):
        _edited(path, LARGE, judged)
    assert path.read_text() == FILE


def test_a_scale_of_nothing_is_refused(path: Path) -> None:
    with pytest.raises(ValidationError):
        _edited(path, AMOUNT, {"scale": 0})


def test_only_files_of_our_own_format_can_be_edited(path: Path, tmp_path: Path) -> None:
    other = tmp_path / "dbt.yml"
    other.write_text("models: []\n")
    assert is_editable(path)
    assert not is_editable(other)
