"""A shop whose rules other tools can and can't express."""

from veridical.ontology.model import OntologyDescriptor
from veridical.ontology.ontology_file import ontology_from

TEXT = """
featureCode: shop
description: A small shop.
entities:
- name: Order
  semanticType: TRANSACTION
  table: fct_orders
  description: {de: Eine Bestellung, en: One order}
  fields:
  - {name: id, type: integer, role: KEY}
  - {name: customerId, type: integer, column: customer_id}
  - {name: placedOn, type: date, role: TIME, column: placed_on}
  - {name: status, type: text, sampleValues: [paid, void]}
  - {name: amount, type: number, role: MEASURE, unit: CHF}
  - {name: price, type: number, role: MEASURE}
  - {name: score, type: number, role: MEASURE}
  keys: [[id]]
- name: Customer
  semanticType: PARTY
  table: dim_customers
  synonyms: [client]
  fields:
  - {name: id, type: integer, role: KEY}
  - {name: country, type: text}
  keys: [[id]]
- name: Stock
  semanticType: BALANCE_SNAPSHOT
  table: stock
  fields:
  - {name: day, type: date, role: TIME}
  - {name: onHand, type: integer, role: MEASURE, column: on_hand}
- name: Swiss
  semanticType: PARTY
  parentEntity: Customer
  condition: country = 'CH'
relations:
- {fromEntity: Order, toEntity: Customer, cardinality: MANY_TO_ONE, via: [customerId=id]}
- {fromEntity: Customer, toEntity: Stock, cardinality: MANY_TO_MANY, via: [id=onHand]}
constraints:
- {appliesTo: Order, rule: COUNTS_ONLY, condition: "status <> 'void. never' AND id > 0"}
- {appliesTo: Stock, rule: COUNTS_ONLY, condition: "onHand > 0", warns: true}
- {appliesTo: Stock.onHand, rule: SEMI_ADDITIVE_OVER, fields: [day]}
- {appliesTo: Order.price, rule: NEVER_SUM}
- {appliesTo: Order.score, rule: NEVER_AGGREGATE}
- {appliesTo: Order.status, rule: ALLOWED_VALUES, values: [paid, void]}
- {appliesTo: '*.amount', rule: FAN_OUT}
metrics:
- name: paid
  entity: Order
  aggregate: sum
  field: amount
  filter: "status = 'paid'"
  description: What was paid.
- {name: buyers, entity: Order, aggregate: count_distinct, field: customerId, additive: false}
- {name: per_buyer, kind: RATIO, expr: paid / buyers, inputs: [paid, buyers], additive: false}
canonicalPatterns:
- intent: PAID
  pattern: {tool: executeSqlSafe, sql: SELECT 1}
  questions: {en: [How much was paid?]}
"""


def shop() -> OntologyDescriptor:
    return ontology_from(TEXT, "shop.yaml")
