"""A shop of two organisations: void sales do not count, and some years have none."""

import sqlite3
from pathlib import Path

from veridical.answering.feature import Feature, open_feature
from veridical.contracts.caller import Caller, Permissions, Scope
from veridical.contracts.schema import Schema
from veridical.engines.sqlite import Sqlite
from veridical.ontology.ontology_file import ontology_from
from veridical.ontology.pack import Pack

ONTOLOGY = """
featureCode: shop
entities:
- name: sale
  semanticType: TRANSACTION
  table: sale
  keys: [[id]]
  fields:
  - {name: id, type: integer}
  - {name: org, type: integer}
  - {name: year, type: integer}
  - {name: kind, type: text}
  - {name: state, type: text}
  - {name: amount, type: integer, role: MEASURE}
  - {name: rating, type: integer, optional: true}
  - {name: note, type: text}
  - {name: clerk, type: integer}
- name: clerk
  semanticType: PARTY
  table: clerk
  keys: [[id]]
  fields:
  - {name: id, type: integer}
  - {name: org, type: integer}
  - {name: team, type: text}
relations:
- {fromEntity: sale, toEntity: clerk, cardinality: MANY_TO_ONE, via: [clerk=id]}
constraints:
- {appliesTo: sale, rule: COUNTS_ONLY, condition: "state <> 'void'"}
- {appliesTo: sale.rating, rule: EMPTY_COUNTS}
canonicalPatterns:
- intent: TOTAL
  pattern: {tool: executeSqlSafe, sql: SELECT SUM(amount) FROM sale WHERE year = 2024}
  questions: {en: [How much is it in total?]}
"""
_LEAST = -9223372036854775808
ROWS = [
    (1, 1, 2024, "x", "paid", 10, 1, "mine", 1),
    (2, 1, 2024, "y", "paid", 20, 3, "mine", 1),
    (3, 1, 2023, "x", "paid", 10, 2, "", 1),
    (4, 1, 2023, "y", "paid", 20, None, "", 1),
    (5, 1, 2023, "x", "void", 90, 1, "", 1),
    (6, 1, 2025, "x", "paid", 10, 1, "", 1),
    (7, 1, 2025, "x", "void", _LEAST, 1, "", 1),
    (8, 2, 2024, "x", "void", 500, 1, "theirs", 2),
    (9, 2, 2024, "x", "paid", 7, 1, "theirs", 2),
]
REFUSED = "SELECT SUM(amount) FROM sale WHERE year = 2024"


def write_shop(path: Path) -> Path:
    """The shop's database at this path."""
    with sqlite3.connect(path) as connection:
        connection.executescript(
            "CREATE TABLE clerk (id INTEGER PRIMARY KEY, org INTEGER NOT NULL, team TEXT);"
            "CREATE TABLE sale (id INTEGER PRIMARY KEY, org INTEGER NOT NULL, year INTEGER,"
            " kind TEXT, state TEXT, amount INTEGER, rating INTEGER, note TEXT,"
            " clerk INTEGER REFERENCES clerk);"
            "CREATE TABLE wage (id INTEGER PRIMARY KEY, org INTEGER NOT NULL, pay INTEGER);"
            "INSERT INTO clerk VALUES (1, 1, 'one'), (2, 2, 'two');"
            "INSERT INTO wage VALUES (1, 1, 3)"
        )
        connection.executemany("INSERT INTO sale VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", ROWS)
    return path


def member(org: int) -> Caller:
    """A member of an organisation, who may see neither notes nor wages."""
    rights = Permissions(deny=("sale.note", "wage"))
    return Caller(scope=Scope({"org": (org,)}), permissions=rights)


def open_shop(path: Path) -> Feature:
    """The shop as a feature."""
    pack = Pack("shop", ontology_from(ONTOLOGY, "shop"), Schema({}))
    return open_feature(pack, Sqlite(write_shop(path)))
