"""The calls and catalogs that the costs are measured on."""

from typing import Any

from benchmarks.data import data_beside
from veridical import Caller, Checker, Scope, compile_catalog, parse_call
from veridical.contracts.call import Call, SqlCall
from veridical.contracts.schema import Column, ForeignKey, Schema, Table, ValueType
from veridical.ontology.model import (
    Constraint,
    ConstraintRule,
    Entity,
    Field,
    OntologyDescriptor,
    Role,
    SemanticType,
)
from veridical.ontology.pack import load_pack

MANDATE, INSTANCE = "m-aare", "fi-aare-1"
QUESTION = "Wie hoch ist der Saldo der Bankkonten Ende 2025?"
ENTITIES = (10, 10_000)
_DATA = data_beside(__file__)
STRUCTURED: list[dict[str, Any]] = _DATA["structured"]
SQL: tuple[str, ...] = tuple(_DATA["sql"])


def with_other_values(data: dict[str, Any]) -> list[dict[str, Any]]:
    """The same call asking for other years and other accounts, as one question differs from the
    next."""
    varied: list[dict[str, Any]] = []
    for number in range(16):
        filters = [_varied(each, number) for each in data.get("filters", ())]
        varied.append({**data, "filters": filters} if filters else data)
    return varied


def _varied(each: dict[str, Any], number: int) -> dict[str, Any]:
    if each["field"] == "periodYear":
        return {**each, "value": 2019 + number % 7}
    if each["field"] == "accountNumber":
        return {**each, "value": f"{100 + number}%"}
    return each


def trustee_checker() -> Checker:
    """The Trustee ontology on PostgreSQL."""
    pack = load_pack("trustee")
    return Checker(compile_catalog(pack.schema, pack.ontology))


def trustee_caller() -> Caller:
    """An accountant of one client."""
    allowed = {"mandateId": (MANDATE,), "featureInstanceId": (INSTANCE,)}
    return Caller(scope=Scope(allowed, frozenset(load_pack("trustee").shared_tables)))


def growing_checker(entities: int) -> Checker:
    """An ontology of this many entities, each with a table, a measure and a demand on it."""
    schema = Schema.of(_growing_table(number) for number in range(entities))
    ontology = OntologyDescriptor(
        feature_code="growing",
        entities=tuple(_growing_entity(number) for number in range(entities)),
        constraints=(
            Constraint(
                applies_to="*.balance", rule=ConstraintRule.SEMI_ADDITIVE_OVER, fields=("year",)
            ),
        ),
    )
    return Checker(compile_catalog(schema, ontology))


def growing_structured(entities: int) -> Call:
    """A legal call on the last table."""
    filters = [
        {"field": "year", "op": "=", "value": 2025},
        {"field": "label", "op": "like", "value": "a%"},
    ]
    table = f"Table{entities - 1}"
    return parse_call(
        {
            "tool": "aggregateTable",
            "tableName": table,
            "aggregate": "sum",
            "field": "balance",
            "filters": filters,
        }
    )


def growing_sql(entities: int) -> Call:
    """A legal statement that joins the last table to the one before."""
    last, before = f"Table{entities - 1}", f"Table{entities - 2}"
    sql = (
        f'SELECT p."label", SUM(t."balance") FROM "{last}" AS t JOIN "{before}" AS p '
        'ON p."id" = t."previousId" WHERE t."year" = 2025 GROUP BY p."label"'
    )
    return SqlCall(sql=sql)


def _growing_table(number: int) -> Table:
    columns = (
        Column("id", ValueType.INTEGER),
        Column("previousId", ValueType.INTEGER),
        Column("label", ValueType.TEXT),
        Column("year", ValueType.INTEGER),
        Column("balance", ValueType.NUMBER),
    )
    previous = ForeignKey(("previousId",), f"Table{max(number - 1, 0)}", ("id",))
    return Table(f"Table{number}", columns, (("id",),), (previous,))


def _growing_entity(number: int) -> Entity:
    return Entity(
        name=f"Entity{number}",
        table=f"Table{number}",
        semantic_type=SemanticType.BALANCE_SNAPSHOT,
        fields=(
            Field(name="label", type=ValueType.TEXT),
            Field(name="balance", type=ValueType.NUMBER, role=Role.MEASURE),
        ),
    )
