import pytest
import sqlglot
from hypothesis import given
from hypothesis import strategies as st
from sqlglot import exp

from veridical.contracts.caller import Scope
from veridical.engines import EngineError
from veridical.statement.scope import Ground, apply_scope, refuse_writes, scope_shape

COLUMNS = ("id", "tenant", "amount")
GROUND = Ground(
    ("public",),
    {"T": frozenset(COLUMNS), "U": frozenset(COLUMNS), "Shared": frozenset({"id"})},
    {"T": ("id", "amount"), "U": ("id", "amount"), "Shared": ("id",)},
)
SHAPE = scope_shape(Scope({"tenant": ("a",)}, frozenset({"Sh*"})), frozenset())


def scoped(sql: str) -> str:
    tree = sqlglot.parse_one(sql, dialect="postgres")
    assert isinstance(tree, exp.Query)
    refuse_writes(tree)
    return apply_scope(tree, SHAPE, GROUND, 1)[0].sql("postgres")


SCOPED_T = '(SELECT "id", "amount" FROM "public"."T" WHERE "tenant" = $1)'


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ('SELECT * FROM "T"', f'SELECT * FROM {SCOPED_T} AS "T"'),
        ("SELECT * FROM t AS x", f"SELECT * FROM {SCOPED_T} AS x"),
        ("SELECT * FROM public.t", f"SELECT * FROM {SCOPED_T} AS t"),
        ("TABLE t", f"SELECT * FROM {SCOPED_T} AS t"),
        (
            "WITH t AS (SELECT * FROM t) SELECT * FROM t",
            f"WITH t AS (SELECT * FROM {SCOPED_T} AS t) SELECT * FROM t",
        ),
        (
            "WITH t AS (SELECT 1) SELECT * FROM public.t",
            f"WITH t AS (SELECT 1) SELECT * FROM {SCOPED_T} AS t",
        ),
        (
            'SELECT * FROM (SELECT 1) AS s, LATERAL (SELECT * FROM "T") AS l',
            f'SELECT * FROM (SELECT 1) AS s, LATERAL (SELECT * FROM {SCOPED_T} AS "T") AS l',
        ),
        (
            'SELECT 1 WHERE EXISTS(SELECT 1 FROM "T")',
            f'SELECT 1 WHERE EXISTS(SELECT 1 FROM {SCOPED_T} AS "T")',
        ),
        (
            'SELECT * FROM ("T" AS a CROSS JOIN "Shared" AS b)',
            f'SELECT * FROM ({SCOPED_T} AS a CROSS JOIN (SELECT "id" FROM "public"."Shared") AS b)',
        ),
        ("SELECT * FROM t AS x(a, b)", f"SELECT * FROM {SCOPED_T} AS x(a, b)"),
    ],
)
def test_every_mention_becomes_a_scoped_sub_query(sql: str, expected: str) -> None:
    assert scoped(sql) == expected


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM pg_class",
        "SELECT * FROM other.t",
        "SELECT * FROM db.public.u, elsewhere.public.t",
        "SELECT * FROM query_to_xml('select 1', true, true, '')",
        "SELECT * FROM ROWS FROM (pg_ls_dir('.'))",
        "SELECT * FROM t, LATERAL dblink(t.id)",
        "WITH x AS (SELECT 1) SELECT * FROM unknown_one",
        "WITH y AS (SELECT * FROM x), x AS (SELECT 1) SELECT * FROM y",
        "SELECT :tenant FROM t",
        "SELECT * FROM t FOR SYSTEM_TIME AS OF '2024-01-01'",
    ],
)
def test_what_is_no_known_table_is_refused(sql: str) -> None:
    with pytest.raises(EngineError):
        scoped(sql)


def test_each_table_gets_its_own_parameters() -> None:
    tree = sqlglot.parse_one('SELECT 1 FROM "T", "U", "T" AS again', dialect="postgres")
    assert isinstance(tree, exp.Query)
    shape = scope_shape(Scope({"tenant": ("a", "b")}), frozenset())
    changed, slots, _ = apply_scope(tree, shape, GROUND, 4)
    assert slots == (("T", "tenant"), ("U", "tenant"))
    assert changed.sql("postgres").count("IN ($4, $5)") == 2
    assert changed.sql("postgres").count("IN ($6, $7)") == 1


NAMES = st.sampled_from(["T", "U", "Shared", "public.T", '"U"', "c0", "c1"])


def joined(first: str, second: str) -> st.SearchStrategy[str]:
    return st.sampled_from(
        [
            f"SELECT 1 AS id FROM ({first}) AS p CROSS JOIN ({second}) AS q",
            f"({first}) UNION ALL ({second})",
            f"({first}) EXCEPT ({second})",
            f"SELECT 1 AS id FROM ({first}) AS p, LATERAL ({second}) AS q",
            f"SELECT 1 AS id FROM ({first}) AS p WHERE EXISTS ({second})",
            f"SELECT ({second}) AS id FROM ({first}) AS p",
            f"SELECT 1 AS id FROM ({first}) AS p JOIN T ON p.id IN ({second})",
            f"WITH c0 AS ({first}) {second}",
            f"WITH RECURSIVE c0 AS ({first}), c1 AS ({second}) SELECT 1 AS id FROM c1",
            f"WITH T AS ({first}) SELECT id FROM T, U WHERE id IN ({second})",
        ]
    )


LEAVES = NAMES.map(lambda name: f"SELECT x.id FROM {name} AS x") | NAMES.map(
    lambda name: f"TABLE {name}"
)
NESTED = st.recursive(
    LEAVES, lambda inner: st.tuples(inner, inner).flatmap(lambda pair: joined(*pair)), max_leaves=8
)


@given(NESTED)
def test_no_base_table_is_left_unscoped(sql: str) -> None:
    try:
        written = scoped(sql)
    except EngineError:
        return
    tree = sqlglot.parse_one(written, dialect="postgres")
    for table in tree.find_all(exp.Table):
        if not table.db:
            assert table.name in {cte.alias for cte in tree.find_all(exp.CTE)}
            continue
        select = table.find_ancestor(exp.Select)
        assert select is not None
        assert [each.name for each in select.expressions] == list(GROUND.visible[table.name])
        where = select.args.get("where")
        condition = where.this.sql("postgres") if where else ""
        assert table.name == "Shared" or condition.startswith('"tenant" = $')
        assert "joins" not in select.args
