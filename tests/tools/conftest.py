from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from tests.ontology.small import ONTOLOGY
from veridical.check.checker import Checker
from veridical.engines import Engine, open_duckdb
from veridical.ontology.compile import compile_catalog
from veridical.tools.toolbox import Toolbox

TABLES = """
    CREATE TABLE "ShopStock" ("article" VARCHAR, "month" INTEGER, "closingBalance" DECIMAL(18,2),
                              "unitPrice" DECIMAL(18,2), PRIMARY KEY ("article", "month"));
    CREATE TABLE "ShopSale" ("id" INTEGER PRIMARY KEY, "article" VARCHAR, "soldAt" BIGINT,
                             "amount" DECIMAL(18,2), "customer" VARCHAR);
    CREATE TABLE "ShopArticle" ("code" VARCHAR PRIMARY KEY, "supplierName" VARCHAR);
    INSERT INTO "ShopStock" VALUES ('F1', 11, 10, 2), ('F1', 12, 7, 2), ('G1', 12, 5, 9);
    INSERT INTO "ShopSale" VALUES (1, 'F1', 1735689600, 20, 'Ada'), (2, 'G1', 1735776000, 9, 'Bo');
    INSERT INTO "ShopArticle" VALUES ('F1', 'Farm'), ('G1', 'Glassworks');
"""


@pytest.fixture(scope="session")
def toolbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Toolbox]:
    path: Path = tmp_path_factory.mktemp("shop") / "shop.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(TABLES)
    database = open_duckdb(path)
    catalog = compile_catalog(database.reflect(), ONTOLOGY)
    yield Toolbox(Checker(catalog, "duckdb"), Engine(database, catalog, shared=("*",)))
    database.close()
