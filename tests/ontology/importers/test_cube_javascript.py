from pathlib import Path

import pytest

from veridical.ontology.importers import Fidelity, ImportFailed, import_ontology
from veridical.ontology.importers.cube_javascript import Code, parse_cubes
from veridical.ontology.model import Cardinality, ConstraintRule

ORDERS = """
// cube(`Forgotten`, {})
const table = `SELECT * FROM shop.orders WHERE status <> 'void'`;

cube(`Orders`, {
  sql: table,
  joins: {
    Customers: { relationship: `belongsTo`, sql: `${CUBE}.customer_id = ${Customers.id}` },
  },
  measures: Object.assign(events.reduce((all, e) => {
    all[e] = { type: `count` }; return all
  }, {}), {
    count: { type: `count` },
    buyers: { type: `countDistinct`, sql: `customer_id` },
    paid: {
      type: `sum`, sql: `amount`, filters: [{ sql: `${CUBE}.status = 'paid'` }], format: `currency`
    },
  }),
  dimensions: {
    id: { sql: `id`, type: `number`, primaryKey: true },
    margin: { sql: `margin`, type: `number`, public: false },
  },
  accessPolicy: [{ group: '*', rowLevel: { filters: [{ member: 'id', values: groups }] } }],
});

cube('Customers', {
  sql: `SELECT * FROM customers WHERE ${SECURITY_CONTEXT.tenant.filter('tenant_id')}`,
  dimensions: { id: { sql: 'id', type: 'number', primary_key: true, } },
});
"""
REWRITE = """
module.exports = {
  queryRewrite: (query) => { query.filters.push({ member: `Orders.id` }); return query; }
};
"""


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    (tmp_path / "Orders.js").write_text(ORDERS)
    (tmp_path / "cube.js").write_text(REWRITE)
    (tmp_path / "server.js").write_text("const http = require('http'); start();")
    return tmp_path


def test_cubes_in_javascript_are_read_without_running_them(shop: Path) -> None:
    found = import_ontology(shop).ontology
    orders, customers = found.entities
    assert (orders.name, orders.table, orders.keys) == ("Orders", "orders", (("id",),))
    assert customers.table is None
    (relation,) = found.relations
    assert (relation.cardinality, relation.via) == (Cardinality.MANY_TO_ONE, ("customer_id=id",))
    metrics = {each.name: (each.aggregate, each.additive) for each in found.metrics}
    assert metrics == {
        "Orders.count": ("count", True),
        "Orders.buyers": ("count_distinct", False),
        "Orders.paid": ("sum", True),
    }
    (rule,) = (each for each in found.constraints if each.rule is ConstraintRule.COUNTS_ONLY)
    assert (rule.applies_to, rule.condition) == ("Orders", "status <> 'void'")


def test_what_is_computed_or_depends_on_the_user_is_noted_with_its_text(shop: Path) -> None:
    notes = {(each.status, each.path): each.text for each in import_ontology(shop).notes}
    assert "events.reduce" in notes[Fidelity.DROPPED, "Orders.measures"]
    assert "Orders.id" in notes[Fidelity.UNPROTECTED, "queryRewrite"]
    assert "SECURITY_CONTEXT" in notes[Fidelity.UNPROTECTED, "Customers.sql"]
    assert "groups" in notes[Fidelity.UNPROTECTED, "Orders.access_policy"]
    assert "margin" in notes[Fidelity.APPROXIMATED, "Orders.hidden"]
    assert "paid (currency)" in notes[Fidelity.DROPPED, "Orders.formats"]


def test_values_that_are_no_literals_stay_code() -> None:
    values = "a: 'it\\'s', b: [1, true, x.y], c() { return 1 }, ...rest, d: `${`}`} b` + 1"
    text = f"cube(`A`, {{ {values} }})"
    (cube,) = parse_cubes(text)["cubes"]
    assert cube["a"] == "it's"
    assert cube["b"] == ["1", True, "x.y"]
    assert cube["d"] == Code("`${`}`} b` + 1")
    assert Code("...rest") in cube.values()


def test_a_file_without_cubes_is_no_model_and_a_broken_one_is_named_with_its_line(
    tmp_path: Path,
) -> None:
    assert parse_cubes("const a = 1;") == {}
    file = tmp_path / "broken.js"
    file.write_text("cube(`A`, {\n  sql: `SELECT 1,\n});")
    with pytest.raises(ImportFailed, match=r"broken\.js.*2"):
        import_ontology(file)


@pytest.mark.parametrize(
    ("sql", "table"),
    [
        ("SELECT * FROM a.b", "b"),
        ("SELECT * FROM b WHERE x = 1", "b"),
        ("SELECT x FROM b", None),
        ("SELECT * FROM b JOIN c ON b.id = c.id", None),
        ("SELECT * FROM b WHERE x IN (SELECT y FROM c)", None),
        ("SELECT DISTINCT * FROM b", None),
        ("SELECT * FROM b LIMIT 5", None),
        ("WITH a AS (SELECT 1) SELECT * FROM a", None),
        ("SELECT * FROM ${Events.sql()}", None),
        ("SELECT * FROM generate_series(1, 5)", None),
    ],
)
def test_only_a_whole_table_is_a_table(tmp_path: Path, sql: str, table: str | None) -> None:
    file = tmp_path / "a.js"
    file.write_text(f"cube(`A`, {{ sql: `{sql}`, measures: {{ count: {{ type: `count` }} }} }});")
    found = import_ontology(file)
    assert found.ontology.entities[0].table == table
    assert any(each.path == "A.sql" for each in found.notes) == (table is None or "WHERE" in sql)
