"""A small warehouse in DuckDB, opened with its toolbox: what the gate's own tests ask."""

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from veridical.answering.feature import Feature, open_feature
from veridical.contracts.caller import Caller
from veridical.contracts.schema import Schema
from veridical.engines.duckdb import open_duckdb
from veridical.ontology.model import OntologyDescriptor
from veridical.ontology.pack import Pack
from veridical.tools.toolbox import Toolbox

_STATEMENTS = """
CREATE TABLE stock (day DATE, warehouse VARCHAR, article VARCHAR, pieces INTEGER);
INSERT INTO stock VALUES
  ('2026-01-05', 'Bern', 'Jackets', 921), ('2026-01-05', 'Basel', 'Shoes', 998),
  ('2026-01-06', 'Bern', 'Jackets', 800), ('2026-01-06', 'Basel', 'Shoes', 700);
CREATE TABLE accounts (id INTEGER, name VARCHAR, balance DOUBLE, seen_at BIGINT);
INSERT INTO accounts VALUES (1, 'Main', 1200.5, 1767571200), (2, 'Savings', 300.25, 1767657600);
"""


def open_stock(path: Path) -> Feature:
    """The warehouse's feature, in a database of its own at this path."""
    with duckdb.connect(str(path)) as connection:
        connection.execute(_STATEMENTS)
    pack = Pack(
        "stock",
        OntologyDescriptor(feature_code="stock"),
        Schema({}),
        shared_tables=frozenset({"stock", "accounts"}),
    )
    return open_feature(pack, open_duckdb(path), without_ontology=True)


@pytest.fixture(scope="module")
def stock(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Feature]:
    feature = open_stock(tmp_path_factory.mktemp("stock") / "stock.duckdb")
    yield feature
    feature.engine.database.close()


@pytest.fixture
def toolbox(stock: Feature) -> Toolbox:
    return stock.toolbox(Caller())
