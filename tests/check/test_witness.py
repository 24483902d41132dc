"""A witness finds in the data what a doubt is about: several units, days or levels, or rows that a
join repeats."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from veridical.check.checker import Checker
from veridical.check.contested import Contested, contested, doubted
from veridical.contracts.call import SqlCall
from veridical.contracts.caller import Caller
from veridical.contracts.violation import Refusal
from veridical.engines import Engine
from veridical.engines.sqlite import Sqlite
from veridical.ontology.compile import compile_catalog
from veridical.ontology.ontology_file import ontology_from
from veridical.tools.contested_call import settlement

ONTOLOGY = """
featureCode: shop
entities:
- name: sale
  semanticType: TRANSACTION
  table: sale
  keys: [[id]]
  fields: [{name: amount, role: MEASURE}]
- {name: note, semanticType: EVENT, table: note, keys: [[id]]}
- name: stock
  semanticType: BALANCE_SNAPSHOT
  table: stock
  keys: [[day, item]]
  fields: [{name: pieces, role: MEASURE}]
relations:
- {fromEntity: note, toEntity: sale, cardinality: MANY_TO_ONE, via: [sale=id]}
constraints:
- {appliesTo: sale.amount, rule: SAME_UNIT, fields: [money]}
- {appliesTo: sale.amount, rule: FAN_OUT}
- {appliesTo: stock.pieces, rule: SEMI_ADDITIVE_OVER, fields: [day]}
- {appliesTo: stock.pieces, rule: ONE_LEVEL, fields: [item], levels: {total: [all], items: []}}
"""
ROWS = """
CREATE TABLE sale (id INTEGER PRIMARY KEY, year INTEGER, money TEXT, amount INTEGER);
CREATE TABLE note (id INTEGER PRIMARY KEY, sale INTEGER, kind TEXT);
CREATE TABLE stock (day TEXT, item TEXT, pieces INTEGER, PRIMARY KEY (day, item));
INSERT INTO sale VALUES (1, 2024, 'EUR', 5), (2, 2024, 'EUR', 7), (3, 2025, 'EUR', 5),
    (4, 2025, 'CHF', 9), (5, 2026, NULL, 1), (6, 2026, 'EUR', 1);
INSERT INTO note VALUES (1, 1, 'a'), (2, 1, 'b'), (3, 2, 'a');
INSERT INTO stock VALUES ('2024-01-31', 'cup', 4), ('2024-02-29', 'cup', 6),
    ('2024-02-29', 'all', 6);
"""


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sqlite]:
    path = tmp_path_factory.mktemp("shop") / "shop.sqlite"
    with sqlite3.connect(path) as connection:
        connection.executescript(ROWS)
    found = Sqlite(Path(path))
    yield found
    found.close()


def found_by(database: Sqlite, sql: str) -> tuple[Contested | None, bool]:
    """What is contested in this statement, and whether its rows settle that."""
    catalog = compile_catalog(database.reflect(), ontology_from(ONTOLOGY, "shop"))
    checker, call = Checker(catalog, "sqlite"), SqlCall(sql=sql)
    verdict = checker.check(call)
    if isinstance(verdict, Refusal):
        found = contested(checker, verdict, call, Caller())
    else:
        found = doubted(checker, verdict)
    return found, found is not None and settlement(
        found, Engine(database, catalog, shared=("*",))
    ) is not None


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT SUM(pieces) FROM stock WHERE substr(day, 1, 7) = '2024-01'",
        "SELECT substr(day, 1, 7) AS m, SUM(pieces) FROM stock WHERE item <> 'all' GROUP BY m",
        "SELECT SUM(s.amount) FROM sale s JOIN note n ON n.sale = s.id"
        " WHERE s.money = 'EUR' AND n.kind = 'a'",
    ],
)
def test_what_the_data_has_nothing_of_is_settled(database: Sqlite, sql: str) -> None:
    assert found_by(database, sql)[1]


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT SUM(amount) FROM sale",
        "SELECT SUM(amount) FROM sale WHERE year = 2026",
        "SELECT SUM(amount) FROM sale WHERE year = 1999",
        "SELECT SUM(n) FROM (SELECT year, SUM(amount) AS n FROM sale GROUP BY year, money) AS t",
        "SELECT SUM(pieces) FROM stock WHERE substr(day, 1, 4) = '2024' AND item <> 'all'",
        "SELECT SUM(pieces) FROM stock WHERE substr(day, 1, 7) = '2024-02'",
        "SELECT SUM(s.amount) FROM sale s JOIN note n ON n.sale = s.id WHERE s.money = 'EUR'",
        # in each group once, and in two groups
        "SELECT n.kind, SUM(s.amount) FROM sale s JOIN note n ON n.sale = s.id"
        " WHERE s.money = 'EUR' GROUP BY n.kind",
        # repeated outside of where the rows are read
        "SELECT SUM(t.amount) FROM (SELECT id, amount FROM sale WHERE money = 'EUR') AS t"
        " JOIN note n ON n.sale = t.id",
        # each of one currency, and not of the same one
        "SELECT SUM(a) FROM (SELECT amount AS a FROM sale WHERE id = 3 UNION ALL"
        " SELECT amount FROM sale WHERE id = 4) AS t",
    ],
)
def test_what_the_data_has_stays(database: Sqlite, sql: str) -> None:
    assert not found_by(database, sql)[1]


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT SUM(amount) FROM sale WHERE year = 2024",
        "SELECT money, year, SUM(a) FROM (SELECT s.amount AS a, s.year, 'x' AS money FROM sale s"
        " WHERE s.year < 2025) AS t GROUP BY year",
    ],
)
def test_a_figure_without_its_unit_stays_refused(database: Sqlite, sql: str) -> None:
    """The repair names the unit; settled, the answer could not."""
    assert found_by(database, sql)[0] is None


def test_all_that_runs_is_named(database: Sqlite) -> None:
    sql = "SELECT SUM(pieces) FROM stock WHERE substr(day, 1, 7) = '2024-01'"
    found, _ = found_by(database, sql)
    assert found is not None
    assert found.corrected is None
    assert found.reads == ("stock",)
    assert len(found.witnesses) == 2
