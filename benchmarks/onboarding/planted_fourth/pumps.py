"""A German maker of pumps, two firms: shop floor reports, parts in three units, cost centres."""

import random
import sqlite3
from datetime import date, timedelta

from benchmarks.onboarding.planted_blind.declared import declared
from benchmarks.onboarding.planted_blind.rows import Row, insert, seconds

DECLARED = declared("""
firma
  firma_nr INTEGER key
  bez TEXT
kunden                              # numbered anew in each firm
  firma_nr INTEGER key ->firma.firma_nr tenant
  kunden_nr INTEGER key
  name1 TEXT
  ansprechp TEXT person
  telefon TEXT person
  branche TEXT list=CHEM|ENRG|LEBM|WASS
  land TEXT list=AT|CH|DE|PL
  geloescht TEXT deleted                        # J or N
teile
  teil_nr TEXT key
  bez TEXT
  teile_art TEXT list=BG|EK|ET|FT
  mengen_eh TEXT list=KG|M|STK
  gewicht_kg REAL non_additive                  # of one unit
  lieferzeit_tage INTEGER non_additive
  zolltarif_nr INTEGER code
preisliste valid=gueltig_ab,gueltig_bis
  teil_nr TEXT key ->teile.teil_nr
  gueltig_ab INTEGER key time=YYYYMMDD
  gueltig_bis INTEGER time=YYYYMMDD             # 99991231 where it lasts
  listenpreis_eur REAL non_additive
auftrag_kopf firma_nr,kunden_nr->kunden.firma_nr,kunden_nr
  auftrag_nr INTEGER key
  firma_nr INTEGER ->firma.firma_nr tenant
  kunden_nr INTEGER
  erf_datum TEXT time                           # 31.01.2024
  liefertermin INTEGER time=YYYYMMDD
  waehrung TEXT list=CHF|EUR|PLN
  auftragswert REAL additive unit=auftrag_kopf.waehrung
  status INTEGER list=10|20|30|90 code          # 90 is cancelled
  vertreter_nr INTEGER ~>personal.pers_nr       # nothing where sold by the house
auftrag_pos
  auftrag_nr INTEGER key ->auftrag_kopf.auftrag_nr
  pos_nr INTEGER key
  teil_nr TEXT ~>teile.teil_nr
  menge REAL additive unit=teile.mengen_eh
  preis REAL non_additive unit=auftrag_kopf.waehrung
  rabatt_proz REAL non_additive
  wert_netto REAL additive unit=auftrag_kopf.waehrung
fert_auftrag auftrag_nr,pos_nr->auftrag_pos.auftrag_nr,pos_nr
  fa_nr INTEGER key
  auftrag_nr INTEGER                            # nothing where made for the store
  pos_nr INTEGER
  teil_nr TEXT ->teile.teil_nr
  start_zeit INTEGER time=UNIX_SECONDS          # from start to end: an event, no validity
  ende_zeit INTEGER time=UNIX_SECONDS
  soll_stk INTEGER additive
  gut_stk INTEGER additive
  ausschuss_stk INTEGER additive
  ausschuss_proz REAL non_additive
personal
  pers_nr INTEGER key
  nachname TEXT person
  svnr TEXT person
  kst INTEGER list=100|200|300|400 code
  abteilung TEXT list=dreherei|montage|pruefstand|vertrieb
  eintritt INTEGER time=YYYYMMDD
lohnsatz history=ab_datum
  pers_nr INTEGER key ->personal.pers_nr
  ab_datum TEXT key time=ISO_TEXT
  stundensatz_eur REAL non_additive
rueckmeldung
  rm_id INTEGER key
  fa_nr INTEGER ->fert_auftrag.fa_nr
  ag_nr INTEGER list=10|20|30|40 code           # the operation
  pers_nr INTEGER ->personal.pers_nr
  gemeldet_ms INTEGER time=UNIX_MILLISECONDS
  ruest_min INTEGER additive
  bearb_min INTEGER additive
service_einsatz
  einsatz_nr INTEGER key
  auftrag_nr INTEGER ~>auftrag_kopf.auftrag_nr
  techniker INTEGER ~>personal.pers_nr
  einsatz_tag TEXT time=ISO_TEXT
  stunden REAL additive
  fahrt_km INTEGER additive
  druck_bar TEXT non_additive                   # a number, kept as text
lagerstand snapshot=stichtag
  stichtag INTEGER key time=YYYYMMDD
  lager TEXT key list=GES|HRL|VRS               # GES is the store of dies here, no total
  teil_nr TEXT key ->teile.teil_nr
  bestand REAL semi_additive unit=teile.mengen_eh
  lagerwert_eur REAL semi_additive
  abgang_wert_eur REAL additive                 # of the week: a flow beside the stocks
rechnung
  re_nr INTEGER key
  auftrag_nr INTEGER ->auftrag_kopf.auftrag_nr
  re_datum TEXT time=ISO_TEXT
  netto REAL additive unit=auftrag_kopf.waehrung
  mwst REAL additive unit=auftrag_kopf.waehrung
  brutto REAL additive unit=auftrag_kopf.waehrung
  storniert TEXT deleted                        # J or N
zahlung
  zahl_nr INTEGER key
  re_nr INTEGER ->rechnung.re_nr
  eingang TEXT time=ISO_TEXT
  waehrung TEXT list=CHF|EUR|PLN
  betrag REAL additive unit=zahlung.waehrung
  skonto REAL additive unit=zahlung.waehrung
  bank_ref INTEGER code                         # ten digits from 17, and no time
kst_monat
  monat INTEGER key time                        # 202401
  kst INTEGER key list=100|200|300|400|999 code total=999
  plan_eur REAL additive
  ist_eur REAL additive
  std_verfuegbar REAL additive
  std_gebucht REAL additive
  auslastung_proz REAL non_additive
kurs
  monat INTEGER key time                        # 202401
  waehrung TEXT key list=CHF|EUR|PLN
  kurs_eur REAL non_additive
""")
DDL, KEYS, FOREIGN = DECLARED.ddl, DECLARED.keys, DECLARED.foreign
SEMANTICS = DECLARED.semantics
FIRMS = {1: "Kolbe Pumpen GmbH", 2: "Kolbe Service GmbH"}
NAMES = ("Albers", "Bock", "Cramer", "Dietz", "Engel", "Frey", "Graf", "Heil", "Jahn", "Krug")
MONEY = {"AT": "EUR", "CH": "CHF", "DE": "EUR", "PL": "PLN"}
RATES = {"CHF": 1.05, "EUR": 1.0, "PLN": 0.23}
PARTS = {
    "BG": ("Pumpenkopf", "Motoreinheit", "Grundrahmen"),
    "EK": ("Edelstahlblech", "Dichtschnur", "Fettkartusche", "Kabel"),
    "ET": ("Laufrad", "Gleitringdichtung", "Lagersatz"),
    "FT": ("Kreiselpumpe", "Dosierpumpe", "Tauchpumpe", "Membranpumpe"),
}
UNITS = {"Edelstahlblech": "KG", "Fettkartusche": "KG", "Dichtschnur": "M", "Kabel": "M"}
YEAR = date(2024, 1, 1)
Order = tuple[int, str, date, float]
"""Its number, money, day and worth."""


def fill(connection: sqlite3.Connection) -> None:
    """A year of orders, of the shop floor and of the stores."""
    draw = random.Random(7505)
    insert(connection, "firma", list(FIRMS.items()))
    staff = _staff(connection, draw)
    parts = _parts(connection, draw)
    orders, lines = _orders(connection, draw, _customers(connection, draw), parts, staff)
    _floor(connection, draw, lines, parts, staff)
    _service(connection, draw, orders, staff)
    _bills(connection, draw, orders)
    _stock(connection, draw, parts)
    _months(connection, draw)


def _number(day: date) -> int:
    return int(day.strftime("%Y%m%d"))


def _staff(connection: sqlite3.Connection, draw: random.Random) -> dict[int, list[int]]:
    rows: list[Row] = []
    wages: list[Row] = []
    shops = {100: "dreherei", 200: "montage", 300: "pruefstand", 400: "vertrieb"}
    for at, own in enumerate(draw.sample(range(2000, 2999), 64)):
        place = list(shops)[at % 4]
        day = date(2015, 1, 1) + timedelta(days=draw.randrange(2500))
        number = f"{draw.randint(10, 99)}{day.strftime('%d%m%y')}{draw.choice('ABKMS')}{own}"
        rows.append((own, draw.choice(NAMES), number, place, shops[place], _number(day)))
        wage = draw.uniform(24, 48)
        for year in range(2022, 2022 + draw.choice((2, 3, 3))):
            wages.append((own, date(year, 4, 1).isoformat(), round(wage, 2)))
            wage *= draw.uniform(1.01, 1.09)
    insert(connection, "personal", rows)
    insert(connection, "lohnsatz", wages)
    return {place: [row[0] for row in rows if row[3] == place] for place in shops}


def _parts(connection: sqlite3.Connection, draw: random.Random) -> dict[str, tuple[str, float]]:
    rows: list[Row] = []
    prices: list[Row] = []
    found: dict[str, tuple[str, float]] = {}
    for kind, names in PARTS.items():
        for name in names:
            for size in (25, 50, 80):
                own, unit = f"{kind}-{draw.randint(100, 999)}.{size}", UNITS.get(name, "STK")
                weight = 1.0 if unit == "KG" else round(draw.uniform(0.1, 60), 2)
                toll, days = draw.randint(84_130_000, 84_139_999), draw.choice((2, 5, 14, 30, 60))
                rows.append((own, f"{name} DN{size}", kind, unit, weight, days, toll))
                price = draw.uniform(4, 80) if unit != "STK" else draw.uniform(60, 2400)
                found[own] = (unit, price)
                for start, end in ((20230101, 20231231), (20240101, 20240630)):
                    prices.append((own, start, end, round(price, 2)))
                    price *= draw.uniform(1.02, 1.12)
                prices.append((own, 20240701, 99991231, round(price, 2)))
    insert(connection, "teile", rows)
    insert(connection, "preisliste", prices)
    return found


def _customers(connection: sqlite3.Connection, draw: random.Random) -> list[tuple[int, int, str]]:
    rows: list[Row] = []
    for firm in FIRMS:
        for own in range(10_001, 10_101):
            name, land = draw.choice(NAMES), draw.choices(list(MONEY), (2, 2, 6, 2))[0]
            trade = draw.choice(("CHEM", "ENRG", "LEBM", "WASS"))
            phone, gone = f"0{draw.randrange(10**9, 10**10)}", "J" if draw.random() < 0.1 else "N"
            titled = f"{draw.choice(NAMES)} {draw.choice(('Anlagen', 'Technik', 'Werke'))} AG"
            rows.append((firm, own, titled, f"Herr {name}", phone, trade, land, gone))
    insert(connection, "kunden", rows)
    return [(row[0], row[1], row[6]) for row in rows]


def _orders(
    connection: sqlite3.Connection,
    draw: random.Random,
    customers: list[tuple[int, int, str]],
    parts: dict[str, tuple[str, float]],
    staff: dict[int, list[int]],
) -> tuple[list[Order], list[tuple[int, int, str, date]]]:
    rows: list[Row] = []
    lines: list[Row] = []
    found: list[Order] = []
    places: list[tuple[int, int, str, date]] = []
    for number in range(900):
        firm, customer, land = draw.choice([each for each in customers if each[1] < 10_090])
        own, day = 240_001 + 3 * number, YEAR + timedelta(days=draw.randrange(335))
        money, total = MONEY[land], 0.0
        for line, part in enumerate(draw.sample(list(parts), draw.randint(1, 5)), 1):
            unit, price = parts[part]
            many = float(draw.randint(1, 12)) if unit == "STK" else round(draw.uniform(2, 90), 1)
            price, less = round(price / RATES[money], 2), draw.choice((0.0, 0.0, 3.0, 5.0, 12.0))
            net = round(many * price * (1 - less / 100), 2)
            total = round(total + net, 2)
            lines.append((own, 10 * line, part, many, price, less, net))
            places.append((own, 10 * line, part, day))
        state = draw.choices((30, 20, 10, 90), (7, 2, 1, 1))[0]
        by = draw.choice(staff[400][:13]) if draw.random() < 0.7 else None
        due = _number(day + timedelta(days=draw.randint(10, 90)))
        asked = day.strftime("%d.%m.%Y")
        rows.append((own, firm, customer, asked, due, money, total, state, by))
        if state == 30:
            found.append((own, money, day, total))
    insert(connection, "auftrag_kopf", rows)
    insert(connection, "auftrag_pos", lines)
    return found, places


def _floor(
    connection: sqlite3.Connection,
    draw: random.Random,
    lines: list[tuple[int, int, str, date]],
    parts: dict[str, tuple[str, float]],
    staff: dict[int, list[int]],
) -> None:
    rows: list[Row] = []
    reports: list[Row] = []
    pieces = [each for each in lines if parts[each[2]][0] == "STK"]
    for number, (order, line, part, day) in enumerate(draw.sample(pieces, 700)):
        own, start = 500_001 + number, seconds(day.year, day.month, day.day) + 6 * 3600
        for_it = (order, line) if draw.random() < 0.8 else (None, None)
        end = start + draw.randint(2, 200) * 1800
        planned = int(draw.expovariate(1 / 30)) + 2
        # small lots spoil more, so a plain mean of shares is not the share
        lost = min(planned, draw.randint(0, 2) + int(planned * draw.uniform(0, 0.03)))
        share = round(100 * lost / planned, 2)
        rows.append((own, *for_it, part, start, end, planned, planned - lost, lost, share))
        for step in draw.sample((10, 20, 30, 40), draw.randint(1, 4)):
            who = draw.choice(staff[draw.choice((100, 200, 300))][:15])
            at = (start + draw.randrange(max(1, end - start))) * 1000 + draw.randrange(1000)
            setup, work = draw.choice((0, 5, 10, 15, 30)), draw.randint(4, 60) * 5
            reports.append((len(reports) + 1, own, step, who, at, setup, work))
    insert(connection, "fert_auftrag", rows)
    insert(connection, "rueckmeldung", reports)


def _service(
    connection: sqlite3.Connection,
    draw: random.Random,
    orders: list[Order],
    staff: dict[int, list[int]],
) -> None:
    rows: list[Row] = []
    for order, _, day, _ in orders:
        for _ in range(draw.choice((0, 0, 1, 2, 3))):
            on = (day + timedelta(days=draw.randint(20, 120))).isoformat()
            hours, way = draw.randint(2, 30) / 2, draw.randint(5, 620)
            row = (order, draw.choice(staff[300]), on, hours, way, str(draw.randint(2, 140)))
            rows.append((30_001 + len(rows), *row))
    insert(connection, "service_einsatz", rows)


def _bills(connection: sqlite3.Connection, draw: random.Random, orders: list[Order]) -> None:
    bills: list[Row] = []
    paid: list[Row] = []
    for order, money, day, total in orders:
        for share in draw.choice(((1.0,), (1.0,), (0.3, 0.7), (0.3, 0.6, 0.1))):
            own, net = 810_001 + len(bills), round(total * share, 2)
            on = day + timedelta(days=draw.randint(5, 70))
            tax, void = round(net * 0.19, 2), "J" if draw.random() < 0.07 else "N"
            gross = round(net + tax, 2)
            bills.append((own, order, on.isoformat(), net, tax, gross, void))
            if void == "J":
                continue
            for part in draw.choice(((1.0,), (1.0,), (0.5, 0.5), ())):
                when = on + timedelta(days=draw.randint(1, 45))
                at = f"{when.isoformat()} {draw.randint(6, 18):02}:{draw.randint(0, 59):02}:00"
                less = round(gross * part * draw.choice((0.0, 0.0, 0.02)), 2)
                ref = draw.randint(1_700_000_000, 1_739_999_999)
                amount = round(gross * part - less, 2)
                paid.append((len(paid) + 1, own, at, money, amount, less, ref))
    insert(connection, "rechnung", bills)
    insert(connection, "zahlung", paid)


def _stock(
    connection: sqlite3.Connection, draw: random.Random, parts: dict[str, tuple[str, float]]
) -> None:
    rows: list[Row] = []
    for place in ("GES", "HRL", "VRS"):
        for part, (unit, price) in parts.items():
            held = draw.uniform(5, 400)
            for week in range(27):
                gone = draw.uniform(0, 20)
                held = max(0.0, held + draw.choice((0.0, 0.0, 45.0)) - gone)
                kept = float(int(held)) if unit == "STK" else round(held, 1)
                on = _number(date(2024, 1, 7) + timedelta(days=7 * week))
                worth = round(kept * price, 2)
                rows.append((on, place, part, kept, worth, round(gone * price, 2)))
    insert(connection, "lagerstand", rows)


def _months(connection: sqlite3.Connection, draw: random.Random) -> None:
    rows: list[Row] = []
    for month in (year * 100 + each for year in (2022, 2023, 2024) for each in range(1, 13)):
        parts: list[tuple[int, float, float, float, float]] = []
        for place in (100, 200, 300, 400):
            plan, hours = draw.randint(40, 160) * 1000.0, draw.randint(300, 2600) * 1.0
            spent = round(plan * draw.uniform(0.85, 1.25), 2)
            parts.append((place, plan, spent, hours, round(hours * draw.uniform(0.5, 0.98), 1)))
        every = (999, *(round(sum(part[at] for part in parts), 2) for at in (1, 2, 3, 4)))
        for place, plan, spent, hours, booked in (*parts, every):
            share = round(100 * booked / hours, 2)
            rows.append((month, place, plan, spent, hours, booked, share))
    insert(connection, "kst_monat", rows)
    months = [*sorted({row[0] for row in rows}), 202501, 202502, 202503]
    rates = [
        (month, code, 1.0 if code == "EUR" else round(base * draw.uniform(0.96, 1.04), 4))
        for month in months
        for code, base in RATES.items()
    ]
    insert(connection, "kurs", rates)
