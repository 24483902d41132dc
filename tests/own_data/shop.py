"""A shop that no package knows: three sales, two stock counts, and the file that explains them."""

import sqlite3
from pathlib import Path

import psycopg

ONTOLOGY = Path(__file__).with_name("shop.yaml")
QUESTION = "What were the sales in 2024?"
ANSWER = "CHF 30.50"
TABLES = (
    "CREATE TABLE sale (id integer PRIMARY KEY, sku text, year integer, amount numeric(12, 2),"
    " currency text)",
    "CREATE TABLE stock_count (sku text, day text, pieces integer, PRIMARY KEY (sku, day))",
    "INSERT INTO sale VALUES (1, 'A', 2024, 10.5, 'CHF'), (2, 'B', 2024, 20, 'CHF'),"
    " (3, 'A', 2025, 7, 'CHF')",
    "INSERT INTO stock_count VALUES ('A', '2025-01-01', 5), ('A', '2025-01-02', 4)",
)


def make_shop(folder: Path) -> tuple[str, Path]:
    """A SQLite file with the data, and the ontology beside it."""
    database, ontology = folder / "shop.db", folder / "ontology.yaml"
    with sqlite3.connect(database) as connection:
        for statement in TABLES:
            connection.execute(statement)
    ontology.write_text(ONTOLOGY.read_text("utf-8"), "utf-8")
    return str(database), ontology


def fill_postgres(url: str) -> None:
    """The same data in an empty PostgreSQL database."""
    with psycopg.connect(url) as connection:
        for statement in TABLES:
            connection.execute(statement.encode())
