"""A German town's waste service: bins and tours, weights in two units, tips at month's end."""

import random
import sqlite3
from datetime import date, timedelta

from benchmarks.onboarding.planted_blind.declared import declared
from benchmarks.onboarding.planted_blind.rows import Row, insert, seconds

DECLARED = declared("""
bezirk
  bez_nr INTEGER key
  bez_name TEXT
eigentuemer
  eig_nr INTEGER key
  eig_name TEXT person
  eig_iban TEXT person
  eig_art TEXT list=GEWERBE|KOMMUNE|PRIVAT
  eig_geloescht INTEGER deleted
grundstueck
  gst_nr INTEGER key
  gst_bez_nr INTEGER ->bezirk.bez_nr
  gst_eig_nr INTEGER ->eigentuemer.eig_nr
  gst_flurstueck INTEGER code
  gst_flaeche_qm REAL additive
fraktion
  fra_kz TEXT key
  fra_name TEXT                                 # one is Gesamtpapier: a kind, no total
gebuehrensatz valid=geb_ab,geb_bis
  geb_fra_kz TEXT key ->fraktion.fra_kz
  geb_ab INTEGER key time=YYYYMMDD
  geb_bis INTEGER time=YYYYMMDD                 # 99991231 where it lasts
  geb_satz_eur REAL non_additive                # for one emptying
behaelter                           # put up and taken in once: no versions
  beh_id TEXT key
  beh_gst_nr INTEGER ->grundstueck.gst_nr
  beh_fra_kz TEXT ~>fraktion.fra_kz
  beh_liter INTEGER list=60|120|240|1100 additive
  beh_aufgestellt TEXT time=ISO_TEXT
  beh_chip INTEGER code                         # ten digits from 16, and no time
fahrzeug
  fzg_kz TEXT key
  fzg_art TEXT list=HECK|KRAN|SEITE
  fzg_kosten_km_eur REAL non_additive
personal
  per_nr INTEGER key
  per_name TEXT person
  per_telefon TEXT person
  per_funktion TEXT list=FAHRER|LADER
tour
  tou_nr INTEGER key
  tou_tag INTEGER time=YYYYMMDD
  tou_fra_kz TEXT ->fraktion.fra_kz
  tou_fzg_kz TEXT ~>fahrzeug.fzg_kz
  tou_fahrer INTEGER ~>personal.per_nr          # nothing where a hired one drove
  tou_start INTEGER time=UNIX_SECONDS           # from start to end: an event, no validity
  tou_ende INTEGER time=UNIX_SECONDS
  tou_km REAL additive
  tou_diesel_l REAL additive
  tou_l_100km REAL non_additive
leerung
  lee_id INTEGER key
  lee_tou_nr INTEGER ->tour.tou_nr
  lee_beh_id TEXT ~>behaelter.beh_id
  lee_zeit_ms INTEGER time=UNIX_MILLISECONDS
  lee_ergebnis TEXT list=Gesperrt|Nicht_bereit|Ok
  lee_kg REAL additive
anlage
  anl_kz TEXT key
  anl_name TEXT
  anl_art TEXT list=DEPONIE|MHKW|SORTIERUNG
wiegung
  wie_id INTEGER key
  wie_tou_nr INTEGER ->tour.tou_nr
  wie_anl_kz TEXT ->anlage.anl_kz
  wie_zeit TEXT time=ISO_TEXT
  wie_einheit TEXT list=KG|T
  wie_menge REAL additive unit=wiegung.wie_einheit
  wie_feuchte_proz TEXT non_additive            # a number, kept as text
  wie_storno TEXT deleted                       # J or N
bescheid
  bes_nr INTEGER key
  bes_gst_nr INTEGER ->grundstueck.gst_nr
  bes_datum TEXT time                           # 31.01.2024
  bes_betrag_eur REAL additive
  bes_status INTEGER list=10|20|90 code         # 90 is taken back
zahlung
  zah_id INTEGER key
  zah_bes_nr INTEGER ~>bescheid.bes_nr
  zah_eingang TEXT time=ISO_TEXT
  zah_betrag_eur REAL additive
  zah_ref INTEGER code
lagerstand snapshot=lag_stichtag
  lag_stichtag TEXT key time=ISO_TEXT
  lag_anl_kz TEXT key ->anlage.anl_kz
  lag_fra_kz TEXT key ->fraktion.fra_kz
  lag_bestand_t REAL semi_additive
  lag_eingang_t REAL additive                   # of the month: a flow beside the stock
  lag_fuellgrad_proz REAL non_additive
bezirk_monat
  bmo_monat INTEGER key time                    # 202401
  bmo_bez_nr INTEGER key list=1|2|3|4|5|6|99 code total=99
  bmo_kg REAL additive
  bmo_leerungen INTEGER additive
  bmo_kg_je_leerung REAL non_additive
""")
DDL, KEYS, FOREIGN = DECLARED.ddl, DECLARED.keys, DECLARED.foreign
SEMANTICS = DECLARED.semantics
QUARTERS = ("Altstadt", "Nordend", "Hafen", "Lindenau", "Westhang", "Moosach")
KINDS = {"BIO": "Bioabfall", "GLA": "Altglas", "PAP": "Gesamtpapier", "RES": "Restmuell"}
WORKS = {
    "D1": ("Deponie Sued", "DEPONIE"),
    "D2": ("Deponie Kiesgrube", "DEPONIE"),
    "M1": ("Heizkraftwerk Hafen", "MHKW"),
    "S1": ("Sortierhalle Nord", "SORTIERUNG"),
}
NAMES = ("Albrecht", "Bauer", "Czerny", "Drescher", "Eder", "Fink", "Gruber", "Huber", "Igel")
YEAR = date(2024, 1, 1)
Tour = tuple[int, str, date]
"""Its number, what it collects and its day."""


def fill(connection: sqlite3.Connection) -> None:
    """A year of tours, bills and tips."""
    draw = random.Random(5521)
    insert(connection, "bezirk", list(enumerate(QUARTERS, 1)))
    insert(connection, "fraktion", list(KINDS.items()))
    insert(connection, "anlage", [(own, *each) for own, each in WORKS.items()])
    _prices(connection, draw)
    plots = _plots(connection, draw)
    tours = _tours(connection, draw)
    _emptyings(connection, draw, tours, _bins(connection, draw, plots))
    _weighings(connection, draw, tours)
    _bills(connection, draw, plots)
    _tips(connection, draw)
    _months(connection, draw)


def _number(day: date) -> int:
    return int(day.strftime("%Y%m%d"))


def _prices(connection: sqlite3.Connection, draw: random.Random) -> None:
    rows: list[Row] = []
    for kind in KINDS:
        price = draw.uniform(1.5, 9)
        for start, end in ((20230101, 20231231), (20240101, 20240731), (20240801, 99991231)):
            rows.append((kind, start, end, round(price, 2)))
            price *= draw.uniform(1.04, 1.15)
    insert(connection, "gebuehrensatz", rows)


def _plots(connection: sqlite3.Connection, draw: random.Random) -> list[int]:
    owners: list[Row] = []
    for own in draw.sample(range(1000, 9999), 320):
        iban = f"DE{draw.randint(10, 99)}{draw.randrange(10**17, 10**18)}"
        kind = draw.choices(("GEWERBE", "KOMMUNE", "PRIVAT"), (2, 1, 6))[0]
        owners.append((own, draw.choice(NAMES), iban, kind, int(draw.random() < 0.1)))
    insert(connection, "eigentuemer", owners)
    rows: list[Row] = []
    for own in draw.sample(range(20_000, 29_999), 420):
        owner = draw.choice(owners[:300])[0]
        flat, size = draw.randint(100_000, 999_999), round(draw.uniform(180, 4000), 1)
        rows.append((own, draw.randint(1, 6), owner, flat, size))
    insert(connection, "grundstueck", rows)
    return [row[0] for row in rows]


def _bins(connection: sqlite3.Connection, draw: random.Random, plots: list[int]) -> dict[str, Row]:
    rows: list[Row] = []
    for plot in plots[:400]:
        for kind in draw.sample(list(KINDS), draw.randint(1, 4)):
            for _ in range(draw.choice((1, 1, 1, 2))):
                own = f"{kind[0]}{10_000 + 7 * len(rows)}"
                up = (date(2019, 1, 1) + timedelta(days=draw.randrange(1800))).isoformat()
                size, chip = (
                    draw.choice((60, 120, 240, 1100)),
                    draw.randrange(16 * 10**8, 17 * 10**8),
                )
                rows.append((own, plot, kind, size, up, chip))
    insert(connection, "behaelter", rows)
    return {row[0]: row for row in rows}


def _tours(connection: sqlite3.Connection, draw: random.Random) -> list[Tour]:
    cars = [
        (f"M-AW {200 + at}", ("HECK", "KRAN", "SEITE")[at % 3], round(draw.uniform(1.1, 3.2), 2))
        for at in range(14)
    ]
    insert(connection, "fahrzeug", cars)
    staff = [
        (own, draw.choice(NAMES), f"089{draw.randrange(10**6, 10**7)}", ("FAHRER", "LADER")[at % 2])
        for at, own in enumerate(draw.sample(range(500, 999), 60))
    ]
    insert(connection, "personal", staff)
    drivers = [each[0] for each in staff if each[3] == "FAHRER"][:24]
    rows: list[Row] = []
    found: list[Tour] = []
    for number in range(520):
        day, kind = YEAR + timedelta(days=draw.randrange(366)), draw.choice(list(KINDS))
        start = seconds(day.year, day.month, day.day) + draw.randint(5, 8) * 3600
        end = start + draw.randint(8, 34) * 900
        way = round(draw.expovariate(1 / 40) + 6, 1)
        fuel = round(way * draw.uniform(0.4, 0.6) + 9, 1)  # short tours burn more on each kilometre
        who = draw.choice(drivers) if draw.random() < 0.85 else None
        own, car = 60_001 + number, draw.choice(cars[:12])[0]
        used = round(100 * fuel / way, 1)
        rows.append((own, _number(day), kind, car, who, start, end, way, fuel, used))
        found.append((own, kind, day))
    insert(connection, "tour", rows)
    return found


def _emptyings(
    connection: sqlite3.Connection, draw: random.Random, tours: list[Tour], bins: dict[str, Row]
) -> None:
    rows: list[Row] = []
    for tour, kind, day in tours:
        start = seconds(day.year, day.month, day.day) + 9 * 3600
        mine = [own for own, each in bins.items() if each[2] == kind]
        for step, own in enumerate(draw.sample(mine, draw.randint(4, 20))):
            at = (start + step * 240) * 1000 + draw.randrange(1000)
            how = draw.choices(("Ok", "Nicht_bereit", "Gesperrt"), (17, 2, 1))[0]
            weight = round(bins[own][3] * draw.uniform(0.05, 0.2), 1) if how == "Ok" else 0.0
            rows.append((len(rows) + 1, tour, own, at, how, weight))
    insert(connection, "leerung", rows)


def _weighings(connection: sqlite3.Connection, draw: random.Random, tours: list[Tour]) -> None:
    rows: list[Row] = []
    for tour, _, day in tours:
        for _ in range(draw.choice((1, 1, 2, 3))):
            place = draw.choice(list(WORKS))
            unit = "T" if place in ("D1", "M1") else "KG"
            weight = round(draw.uniform(1.5, 9.5), 2)
            at = f"{day.isoformat()} {draw.randint(9, 17):02}:{draw.randint(0, 59):02}:00"
            much = weight if unit == "T" else round(weight * 1000)
            void = "J" if draw.random() < 0.06 else "N"
            row = (tour, place, at, unit, float(much), str(draw.randint(4, 62)), void)
            rows.append((len(rows) + 1, *row))
    insert(connection, "wiegung", rows)


def _bills(connection: sqlite3.Connection, draw: random.Random, plots: list[int]) -> None:
    bills: list[Row] = []
    paid: list[Row] = []
    for plot in plots[10:]:
        for month in (1, 7):
            own, day = 900_001 + len(bills), date(2024, month, draw.randint(2, 28))
            amount, state = (
                round(draw.uniform(40, 900), 2),
                draw.choices((10, 20, 90), (3, 7, 1))[0],
            )
            bills.append((own, plot, day.strftime("%d.%m.%Y"), amount, state))
            for share in draw.choice(((1.0,), (0.5, 0.5), (0.4, 0.3, 0.3))) if state == 20 else ():
                when = day + timedelta(days=draw.randint(3, 80))
                at = f"{when.isoformat()} {draw.randint(6, 20):02}:{draw.randint(0, 59):02}:00"
                ref = draw.randint(10**7, 10**8)
                paid.append((len(paid) + 1, own, at, round(amount * share, 2), ref))
    insert(connection, "bescheid", bills)
    insert(connection, "zahlung", paid)


def _tips(connection: sqlite3.Connection, draw: random.Random) -> None:
    rows: list[Row] = []
    for place in WORKS:
        for kind in KINDS:
            room = draw.uniform(400, 4000)
            held = room * draw.uniform(0.2, 0.6)
            for month in range(24):
                came = draw.uniform(5, 90)
                held = min(room, max(10.0, held + came - draw.uniform(0, 95)))
                first = date(2023 + (month + 1) // 12, (month + 1) % 12 + 1, 1)
                on = (first - timedelta(days=1)).isoformat()
                full = round(100 * held / room, 1)
                rows.append((on, place, kind, round(held, 2), round(came, 2), full))
    insert(connection, "lagerstand", rows)


def _months(connection: sqlite3.Connection, draw: random.Random) -> None:
    rows: list[Row] = []
    for month in (year * 100 + each for year in (2022, 2023, 2024) for each in range(1, 13)):
        weight, many = 0.0, 0
        for place in range(1, 7):
            own = int(draw.uniform(200, 900) * place)
            load = round(own * draw.uniform(5, 9) * (3 if place < 3 else 1), 1)
            rows.append((month, place, load, own, round(load / own, 2)))
            weight, many = round(weight + load, 1), many + own
        rows.append((month, 99, weight, many, round(weight / many, 2)))
    insert(connection, "bezirk_monat", rows)
