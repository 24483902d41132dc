from tests.ontology.small import ONTOLOGY
from veridical.contracts.language import Language
from veridical.ontology.diff import Change, ChangeKind, ontology_diff
from veridical.ontology.model import OntologyDescriptor
from veridical.ontology.ontology_file import ontology_from

SHOP = """
featureCode: shop
entities:
- name: Sale
  table: sale
  semanticType: TRANSACTION
  fields:
  - {name: id, type: integer, role: KEY}
  - {name: amount, type: number, role: MEASURE}
  - {name: currency, type: text, role: UNIT}
constraints:
- {appliesTo: '*.amount', rule: SAME_UNIT, fields: [currency]}
"""


def changes(was: str, becomes: str) -> list[tuple[str, str, str]]:
    assert was in SHOP
    before, after = ontology_from(SHOP, "a"), ontology_from(SHOP.replace(was, becomes), "b")
    return [(each.kind.value, each.path, each.detail) for each in ontology_diff(before, after)]


def test_an_ontology_does_not_differ_from_itself() -> None:
    assert ontology_diff(ONTOLOGY, ONTOLOGY) == ()


def test_a_glob_spelled_out_is_no_difference() -> None:
    assert changes("'*.amount'", "Sale.amount") == []
    assert changes("name: Sale", "name: Receipt") == []


def test_a_rule_that_is_gone_is_told_first() -> None:
    gone = ("ALLOWED_NOW", "sale.amount", "SAME_UNIT fields=currency")
    found = changes("- {appliesTo: '*.amount', rule: SAME_UNIT, fields: [currency]}", "  []")
    assert found == [gone]


def test_a_rule_may_come_or_change() -> None:
    assert changes("rule: SAME_UNIT, fields: [currency]", "rule: NEVER_AGGREGATE") == [
        ("ALLOWED_NOW", "sale.amount", "SAME_UNIT fields=currency"),
        ("FORBIDDEN_NOW", "sale.amount", "NEVER_AGGREGATE"),
    ]
    (changed,) = changes("fields: [currency]}", "fields: [currency], settledBy: [id]}")
    assert changed[:2] == ("RULE_CHANGED", "sale.amount")
    assert "settled_by=id" in changed[2]


def test_columns_and_tables() -> None:
    assert ("COLUMN_GONE", "sale.id", "") in changes(
        "  - {name: id, type: integer, role: KEY}\n", ""
    )
    assert {kind for kind, _, _ in changes("table: sale", "table: sales")} == {
        "TABLE_GONE",
        "TABLE_ADDED",
    }
    assert changes("type: integer, role: KEY", "type: text, role: KEY") == [
        ("COLUMN_CHANGED", "sale.id", "type integer → text")
    ]


def test_whatever_goes_comes_back_the_other_way_round() -> None:
    nothing = OntologyDescriptor(feature_code=ONTOLOGY.feature_code)
    there, back = ontology_diff(nothing, ONTOLOGY), ontology_diff(ONTOLOGY, nothing)
    assert {each.path for each in there} == {each.path for each in back}
    assert {each.kind for each in back} <= {
        ChangeKind.TABLE_GONE,
        ChangeKind.JOIN_GONE,
        ChangeKind.THING_GONE,
    }


def test_every_kind_has_its_words() -> None:
    for kind in ChangeKind:
        for language in Language:
            assert Change(kind=kind, path="x", detail="y").text(language)


def test_two_columns_with_totals_are_two_rules() -> None:
    levels = """
- {appliesTo: Sale.amount, rule: ONE_LEVEL, fields: [id], levels: {total: [0], each: []}}
- {appliesTo: Sale.amount, rule: ONE_LEVEL, fields: [currency], levels: {total: [ALL], each: []}}
"""
    before = ontology_from(SHOP + levels, "a")
    after = ontology_from(SHOP + levels.replace("[0]", "[-1]"), "b")
    (changed,) = ontology_diff(before, after)
    assert changed.kind is ChangeKind.RULE_CHANGED
    assert "fields=currency" in changed.detail


def test_another_rate_table_is_a_change() -> None:
    given = "fields: [currency]}"
    (changed,) = changes(
        given, "fields: [currency], conversion: {rate: Sale.amount, unit: currency}}"
    )
    assert changed[0] == "RULE_CHANGED"
    assert "conversion=" in changed[2]
