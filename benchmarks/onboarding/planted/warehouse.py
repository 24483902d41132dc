"""A German warehouse: stock at every date beside sales of every date, codes that are numbers."""

import random
import sqlite3
from datetime import date, timedelta
from typing import Any

DDL = """
CREATE TABLE artikel (artikel_nr INTEGER, bezeichnung TEXT, gruppe TEXT, ek_preis REAL,
  ean INTEGER, geloescht INTEGER);
CREATE TABLE lagerort (id INTEGER, name TEXT, plz INTEGER, ort TEXT);
CREATE TABLE bestand (stichtag TEXT, artikel_nr INTEGER, lager_id INTEGER, menge INTEGER,
  reserviert INTEGER);
CREATE TABLE bewegung (id INTEGER, artikel_nr INTEGER, lager_id INTEGER, gebucht_am INTEGER,
  art TEXT, menge INTEGER);
CREATE TABLE tagesumsatz (tag TEXT, lager_id INTEGER, umsatz REAL, kunden INTEGER);
CREATE TABLE lieferant (id INTEGER, firma TEXT, ansprechpartner TEXT, email TEXT, telefon TEXT);
CREATE TABLE artikel_lieferant (artikel_nr INTEGER, lieferant_id INTEGER);
"""
KEYS: dict[str, list[str]] = {
    "artikel": ["artikel_nr"],
    "lagerort": ["id"],
    "bestand": ["stichtag", "artikel_nr", "lager_id"],
    "bewegung": ["id"],
    "tagesumsatz": ["tag", "lager_id"],
    "lieferant": ["id"],
    "artikel_lieferant": ["artikel_nr", "lieferant_id"],
}
FOREIGN = (
    ("bestand", "artikel_nr", "artikel", "artikel_nr"),
    ("bestand", "lager_id", "lagerort", "id"),
    ("bewegung", "artikel_nr", "artikel", "artikel_nr"),
    ("bewegung", "lager_id", "lagerort", "id"),
    ("tagesumsatz", "lager_id", "lagerort", "id"),
    ("artikel_lieferant", "artikel_nr", "artikel", "artikel_nr"),
    ("artikel_lieferant", "lieferant_id", "lieferant", "id"),
)
SEMANTICS: dict[str, Any] = {
    "complete": True,
    "currency": "single, not stated",
    "measures": {
        "artikel.ek_preis": "non_additive",
        "bestand.menge": "semi_additive (at a date)",
        "bestand.reserviert": "semi_additive (at a date)",
        "bewegung.menge": "additive",
        "tagesumsatz.umsatz": "additive",
        "tagesumsatz.kunden": "additive",
    },
    "dates": ["bestand.stichtag", "bewegung.gebucht_am", "tagesumsatz.tag"],
    "encodings": {
        "bestand.stichtag": "ISO_TEXT",
        "bewegung.gebucht_am": "UNIX_SECONDS",
        "tagesumsatz.tag": "ISO_TEXT",
    },
    "pii": ["lieferant.ansprechpartner", "lieferant.email", "lieferant.telefon"],
    "codes": {
        "artikel.gruppe": ["Beschlag", "Dichtung", "Schraube", "Werkzeug"],
        "bewegung.art": ["AUS", "EIN", "KOR"],
    },
    "number_codes": ["artikel.ean", "lagerort.plz"],
    "snapshots": {"bestand": ["stichtag"]},
    "soft_deletes": ["artikel.geloescht"],
    "bridges": ["artikel_lieferant"],
}


def fill(connection: sqlite3.Connection) -> None:
    """Two hundred articles in four places over ninety days."""
    draw = random.Random(11)
    articles = draw.sample(range(100_200, 990_000), 200)
    groups = SEMANTICS["codes"]["artikel.gruppe"]
    _many(
        connection,
        "artikel",
        (
            (
                number,
                f"Teil {number}",
                draw.choice(groups),
                round(draw.uniform(0.2, 90), 2),
                draw.randrange(4_000_000_000_000, 4_999_999_999_999),
                int(draw.random() < 0.06),
            )
            for number in articles
        ),
    )
    places = ((1, "Zentrallager", 8004, "Zürich"), (2, "Nord", 8200, "Schaffhausen"))
    _many(
        connection, "lagerort", (*places, (3, "West", 1003, "Lausanne"), (4, "Süd", 6900, "Lugano"))
    )
    first = date(2025, 1, 1)
    days = [first + timedelta(days=number) for number in range(90)]
    _many(connection, "bestand", _stock(draw, articles[:80], days))
    _many(
        connection,
        "bewegung",
        (
            (
                number,
                draw.choice(articles),
                draw.randint(1, 4),
                1_735_700_000 + draw.randrange(90 * 86_400),
                draw.choice(("EIN", "AUS", "AUS", "KOR")),
                draw.choice((1, -1)) * draw.randint(1, 60),
            )
            for number in range(1, 5001)
        ),
    )
    _many(
        connection,
        "tagesumsatz",
        (
            (day.isoformat(), place, round(draw.uniform(200, 9000), 2), draw.randint(3, 160))
            for day in days
            for place in range(1, 5)
        ),
    )
    _many(
        connection,
        "lieferant",
        (
            (
                number,
                f"Lieferwerk {number} AG",
                draw.choice(("Anna ", "Beat ", "Carla ", "Dario ")) + f"Muster{number}",
                f"kontakt{number}@lieferwerk{number}.ch",
                f"+41 44 {draw.randint(200, 999)} {draw.randint(10, 99)} {draw.randint(10, 99)}",
            )
            for number in range(1, 31)
        ),
    )
    pairs = {(draw.choice(articles), draw.randint(1, 30)) for _ in range(340)}
    _many(connection, "artikel_lieferant", sorted(pairs))


def _stock(draw: random.Random, articles: list[int], days: list[date]) -> Any:
    held = {(each, place): draw.randint(0, 400) for each in articles for place in (1, 2, 3)}
    for day in days:
        for (article, place), amount in held.items():
            if draw.random() < 0.2:
                held[article, place] = max(0, amount + draw.randint(-25, 25))
            reserved = held[article, place] // 10
            yield (day.isoformat(), article, place, held[article, place], reserved)


def _many(connection: sqlite3.Connection, table: str, rows: Any) -> None:
    held = list(rows)
    marks = ", ".join("?" * len(held[0]))
    connection.executemany(f"INSERT INTO {table} VALUES ({marks})", held)
