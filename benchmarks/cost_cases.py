"""The calls and catalogs that the costs are measured on."""

from typing import Any

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


def _balance(**rest: Any) -> dict[str, Any]:
    return {"tableName": "TrusteeDataAccountBalance", **rest}


def _where(field: str, op: str, value: Any) -> dict[str, Any]:
    return {"field": field, "op": op, "value": value}


_YEAR_END = [_where("periodYear", "=", 2025), _where("periodMonth", "=", 0)]
_BANK = _where("accountNumber", "like", "102%")
_FRANCS = _where("currency", "=", "CHF")

STRUCTURED: tuple[dict[str, Any], ...] = (
    {"tool": "browseTable", "tableName": "TrusteeDataAccount", "limit": 5},
    {"tool": "queryTable", **_balance(fields=["accountNumber", "closingBalance"],
                                      filters=[*_YEAR_END, _BANK])},
    {"tool": "queryTable", **_balance(filters=[*_YEAR_END, _BANK, _FRANCS], limit=20)},
    {"tool": "queryTable", "tableName": "TrusteeDataAccount",
     "fields": ["accountNumber", "label"], "filters": [_where("accountType", "=", "asset")],
     "orderBy": [{"field": "accountNumber"}]},
    {"tool": "aggregateTable", **_balance(aggregate="sum", field="closingBalance",
                                          filters=[*_YEAR_END, _BANK, _FRANCS])},
    {"tool": "aggregateTable", **_balance(aggregate="sum", field="closingBalance",
                                          filters=[*_YEAR_END, _BANK],
                                          groupBy=["currency", "accountNumber"])},
    {"tool": "aggregateTable", "tableName": "TrusteeDataAccount", "aggregate": "count"},
    {"tool": "queryTable", "tableName": "TrusteeDataContact", "fields": ["name", "city"],
     "filters": [_where("contactType", "=", "customer"), _where("city", "in", ["Bern", "Thun"])],
     "orderBy": [{"field": "name"}], "limit": 10},
)  # fmt: skip

SQL: tuple[str, ...] = (
    'SELECT "accountNumber", "closingBalance" FROM "TrusteeDataAccountBalance" '
    'WHERE "periodYear" = 2025 AND "periodMonth" = 0',
    'SELECT b."accountNumber", SUM(b."closingBalance") AS total '
    'FROM "TrusteeDataAccountBalance" AS b WHERE b."periodYear" = 2025 AND b."periodMonth" = 0 '
    "AND b.\"currency\" = 'CHF' GROUP BY b.\"accountNumber\" ORDER BY total DESC LIMIT 20",
    'SELECT a."label", b."closingBalance" FROM "TrusteeDataAccountBalance" AS b '
    'JOIN "TrusteeDataAccount" AS a ON a."accountNumber" = b."accountNumber" '
    'AND a."mandateId" = b."mandateId" AND a."featureInstanceId" = b."featureInstanceId" '
    'WHERE b."periodYear" = 2025 AND b."periodMonth" = 12',
    'WITH lines AS (SELECT l."accountNumber", l."debitAmount", e."periodMonth" '
    'FROM "TrusteeDataJournalLine" AS l JOIN "TrusteeDataJournalEntry" AS e '
    'ON e."id" = l."journalEntryId" WHERE e."periodYear" = 2025 AND l."currency" = \'CHF\') '
    'SELECT "periodMonth", SUM("debitAmount") AS debit FROM lines '
    'GROUP BY "periodMonth" ORDER BY "periodMonth"',
    'SELECT "accountNumber", "closingBalance" FROM (SELECT "accountNumber", "closingBalance", '
    'ROW_NUMBER() OVER (PARTITION BY "accountNumber" ORDER BY "periodYear" DESC) AS rn '
    'FROM "TrusteeDataAccountBalance" WHERE "periodMonth" = 0 AND "periodYear" > 2019) AS latest '
    "WHERE rn = 1",
    'SELECT "label" FROM "TrusteeDataAccount" WHERE "accountNumber" IN (SELECT "accountNumber" '
    'FROM "TrusteeDataAccountBalance" WHERE "periodYear" = 2025 AND "periodMonth" = 0 '
    'AND "closingBalance" > 100000) UNION SELECT "name" FROM "TrusteeDataContact" '
    "WHERE \"contactType\" = 'customer'",
)  # fmt: skip


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
    filters = [_where("year", "=", 2025), _where("label", "like", "a%")]
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
