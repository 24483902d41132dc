from tests.ontology.small import ONTOLOGY
from veridical.contracts.caller import Permissions
from veridical.ontology.model import (
    CanonicalQueryPattern,
    Entity,
    Field,
    Link,
    LinkKind,
    Metric,
    OntologyDescriptor,
    SemanticType,
)
from veridical.ontology.visible import visible_ontology


def test_full_permissions_show_the_very_same_ontology() -> None:
    assert visible_ontology(ONTOLOGY, Permissions()) is ONTOLOGY


def test_a_hidden_table_takes_all_that_names_it_along() -> None:
    shown = visible_ontology(ONTOLOGY, Permissions(deny=("ShopStock",)))
    text = shown.model_dump_json(by_alias=True)
    assert "ShopStock" not in text
    assert "closingBalance" not in text
    assert [entity.name for entity in shown.entities] == ["Sale", "Article", "FreshFood"]
    assert [(each.from_entity, each.to_entity) for each in shown.relations] == [("Sale", "Article")]


def test_a_subclass_goes_with_its_table() -> None:
    shown = visible_ontology(ONTOLOGY, Permissions(deny=("ShopArticle",)))
    assert "FreshFood" not in {entity.name for entity in shown.entities}


def test_a_subclass_goes_with_the_column_that_picks_its_rows() -> None:
    shown = visible_ontology(ONTOLOGY, Permissions(deny=("ShopArticle.code",)))
    names = {entity.name for entity in shown.entities}
    assert "Article" in names
    assert "FreshFood" not in names


def test_a_hidden_column_is_named_by_no_metric_pattern_or_rule() -> None:
    shown = visible_ontology(ONTOLOGY, Permissions(deny=("ShopSale.amount", "*.closingBalance")))
    assert shown.metrics == ()
    assert shown.canonical_patterns == ()
    assert "amount" not in {field.name for entity in shown.entities for field in entity.fields}


def test_a_column_hidden_in_one_table_stays_visible_in_another() -> None:
    pattern = CanonicalQueryPattern(
        intent="X", pattern={"tableName": "ShopSale", "fields": ["article"]}
    )
    ontology = ONTOLOGY.model_copy(update={"canonical_patterns": (pattern,)})
    shown = visible_ontology(ontology, Permissions(deny=("ShopSale.article",)))
    assert shown.canonical_patterns == ()
    stock = next(entity for entity in shown.entities if entity.name == "Stock")
    assert "article" in {field.name for field in stock.fields}


def test_free_text_hints_are_withheld() -> None:
    assert visible_ontology(ONTOLOGY, Permissions(deny=("ShopSale",))).domain_hints == ""


def test_links_and_computed_fields_over_hidden_columns_go_along() -> None:
    sale = Entity(
        name="Sale",
        table="ShopSale",
        semantic_type=SemanticType.TRANSACTION,
        fields=(
            Field(name="id"),
            Field(name="cost"),
            Field(name="margin", column="id", expr="amount - cost"),
        ),
        links=(Link(name="seller", kind=LinkKind.FOREIGN, expr="cost"),),
    )
    ontology = OntologyDescriptor(feature_code="shop", entities=(sale,))
    (shown,) = visible_ontology(ontology, Permissions(deny=("ShopSale.cost",))).entities
    assert [field.name for field in shown.fields] == ["id"]
    assert shown.links == ()


def test_a_metric_goes_with_its_hidden_inputs() -> None:
    hidden = Metric(name="margin", entity="Sale", field="amount")
    derived = Metric(name="share", inputs=("margin",))
    ontology = ONTOLOGY.model_copy(update={"metrics": (hidden, derived)})
    assert visible_ontology(ontology, Permissions(deny=("ShopSale.amount",))).metrics == ()
