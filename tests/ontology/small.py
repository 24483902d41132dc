"""A small shop's ontology in three languages, for the tests of what an ontology becomes."""

from veridical.contracts.language import Language
from veridical.contracts.schema import Column, ForeignKey, Schema, Table, ValueType
from veridical.ontology.model import (
    CanonicalQueryPattern,
    Cardinality,
    Constraint,
    ConstraintRule,
    Encoding,
    Entity,
    Field,
    Metric,
    OntologyDescriptor,
    Purpose,
    Relation,
    Role,
    SemanticType,
    Slot,
)

NEVER_SUM = Constraint(
    applies_to="Stock.unitPrice",
    rule=ConstraintRule.NEVER_AGGREGATE,
    message={Language.DE: "Preise nicht summieren.", Language.EN: "Don't add prices."},
)
PERIODS = Constraint(
    applies_to="*Balance", rule=ConstraintRule.SEMI_ADDITIVE_OVER, fields=("month",)
)
YEAR_NEEDED = Constraint(
    applies_to="Stock", rule=ConstraintRule.REQUIRES_FILTER_ON, fields=("month",)
)
SECONDS = Constraint(
    applies_to="Sale.soldAt",
    rule=ConstraintRule.TYPE_MISMATCH_GUARD,
    encoding=Encoding.UNIX_SECONDS,
)

STOCK = Entity(
    name="Stock",
    table="ShopStock",
    semantic_type=SemanticType.BALANCE_SNAPSHOT,
    description={Language.DE: "Lagerbestand je Monat", Language.EN: "stock on hand per month"},
    keys=(("article", "month"),),
    synonyms=("Lager", "inventory", "库存"),
    fields=(
        Field(name="article", type=ValueType.TEXT, role=Role.KEY),
        Field(name="month", type=ValueType.INTEGER, role=Role.TIME, grain="month"),
        Field(name="closingBalance", type=ValueType.NUMBER, role=Role.MEASURE, unit="pcs"),
        Field(name="unitPrice", type=ValueType.NUMBER, role=Role.MEASURE),
    ),
)
SALE = Entity(
    name="Sale",
    table="ShopSale",
    semantic_type=SemanticType.TRANSACTION,
    description={Language.DE: "Verkäufe", Language.EN: "sales", Language.ZH: "销售记录"},
    keys=(("id",),),
    fields=(
        Field(name="id", type=ValueType.INTEGER, role=Role.KEY),
        Field(name="article", type=ValueType.TEXT),
        Field(name="soldAt", type=ValueType.INTEGER, role=Role.TIME),
        Field(name="amount", type=ValueType.NUMBER, role=Role.MEASURE),
        Field(name="customer", type=ValueType.TEXT, synonyms=("Käufer", "客户")),
    ),
)
ARTICLE = Entity(
    name="Article",
    table="ShopArticle",
    semantic_type=SemanticType.OBJECT,
    description={Language.DE: "Artikelstamm", Language.EN: "articles on sale"},
    keys=(("code",),),
    fields=(
        Field(name="code", type=ValueType.TEXT, role=Role.KEY),
        Field(name="supplierName", type=ValueType.TEXT, synonyms=("Händler",)),
    ),
)
FRESH = Entity(
    name="FreshFood",
    semantic_type=SemanticType.CLASSIFICATION,
    parent_entity="Article",
    condition="code LIKE 'F%'",
    synonyms=("Frischware",),
)

ONTOLOGY = OntologyDescriptor(
    feature_code="shop",
    description={Language.DE: "Laden", Language.EN: "a shop", Language.ZH: "商店"},
    entities=(STOCK, SALE, ARTICLE, FRESH),
    relations=(
        Relation(
            from_entity="Sale",
            to_entity="Article",
            cardinality=Cardinality.MANY_TO_ONE,
            via=("article=code",),
        ),
        Relation(
            from_entity="Stock",
            to_entity="Article",
            cardinality=Cardinality.MANY_TO_ONE,
            via=("article=code",),
        ),
    ),
    constraints=(NEVER_SUM, PERIODS, YEAR_NEEDED, SECONDS),
    canonical_patterns=(
        CanonicalQueryPattern(
            intent="STOCK_OF_MONTH",
            pattern={
                "tool": "aggregateTable",
                "tableName": "ShopStock",
                "aggregate": "sum",
                "field": "closingBalance",
                "filters": [{"field": "month", "op": "=", "value": "{month}"}],
            },
            slots=(Slot(name="month", type=ValueType.INTEGER, examples=(12,)),),
            questions={"en": ("How much stock is there in month {month}?",)},
        ),
    ),
    metrics=(Metric(name="revenue", entity="Sale", aggregate="sum", field="amount"),),
    purposes=(Purpose(name="stock"),),
    domain_hints={Language.DE: "Preise nie summieren.", Language.EN: "Never add up prices."},
)

SCHEMA = Schema.of(
    (
        Table(
            "ShopStock",
            (
                Column("article", ValueType.TEXT),
                Column("month", ValueType.INTEGER),
                Column("closingBalance", ValueType.NUMBER),
                Column("unitPrice", ValueType.NUMBER),
            ),
            keys=(("article", "month"),),
        ),
        Table(
            "ShopSale",
            (
                Column("id", ValueType.INTEGER),
                Column("article", ValueType.TEXT),
                Column("soldAt", ValueType.INTEGER),
                Column("amount", ValueType.NUMBER),
                Column("customer", ValueType.TEXT),
            ),
            keys=(("id",),),
            foreign_keys=(ForeignKey(("article",), "ShopArticle", ("code",)),),
        ),
        Table(
            "ShopArticle",
            (Column("code", ValueType.TEXT), Column("supplierName", ValueType.TEXT)),
            keys=(("code",),),
        ),
    )
)


_AREAS = ("Sales", "Purchase", "Payroll", "Ledger", "Asset", "Budget", "Project", "Claim", "Policy",
          "Vendor")  # fmt: skip
_THINGS = ("Order", "Invoice", "Payment", "Contract", "Position", "Batch", "Document", "Event",
           "Address", "Score")  # fmt: skip
_VIEWS = ("Archive", "Daily", "Monthly", "Draft", "History", "Audit", "Import", "Region", "Branch",
          "Queue")  # fmt: skip


def large_ontology(size: int) -> OntologyDescriptor:
    """Many tables whose names share their words, each related to another."""
    names = [f"{a}{b}{c}" for a in _AREAS for b in _THINGS for c in _VIEWS]
    named = [f"{name}{number or ''}" for number in range(size // 1000 + 1) for name in names]
    fields = (
        Field(name="id", type=ValueType.INTEGER, role=Role.KEY),
        Field(name="totalAmount", type=ValueType.NUMBER, role=Role.MEASURE),
        Field(name="createdOn", type=ValueType.DATE, role=Role.TIME),
    )
    return OntologyDescriptor(
        feature_code="large",
        entities=tuple(
            Entity(
                name=name,
                table=f"t_{name}",
                semantic_type=SemanticType.OBJECT,
                description=f"the records of {name}",
                fields=fields,
                keys=(("id",),),
            )
            for name in named[:size]
        ),
        relations=tuple(
            Relation(
                from_entity=named[number],
                to_entity=named[number // 2],
                cardinality=Cardinality.MANY_TO_ONE,
                via=("id",),
            )
            for number in range(1, size)
        ),
        constraints=(Constraint(applies_to="*Amount", rule=ConstraintRule.FAN_OUT),),
    )
