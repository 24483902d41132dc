"""A German municipal theatre: plays and casts, tickets in two currencies, stores by quarter."""

import random
import sqlite3
from datetime import date, timedelta

from benchmarks.onboarding.planted_blind.declared import declared
from benchmarks.onboarding.planted_blind.rows import Row, insert, seconds

DECLARED = declared("""
spielstaette
  spielstaette_id TEXT key
  bezeichnung TEXT
  plaetze INTEGER additive
stueck
  stueck_id INTEGER key
  titel TEXT                                    # one is Gesamtkunstwerk: a play, no total
  sparte TEXT list=Ballett|Oper|Schauspiel
person
  person_id INTEGER key
  nachname TEXT person
  telefon TEXT person
  geburtstag INTEGER time=YYYYMMDD person
vertrag valid=gueltig_ab,gueltig_bis
  person_id INTEGER key ->person.person_id
  gueltig_ab INTEGER key time=YYYYMMDD
  gueltig_bis INTEGER time=YYYYMMDD             # 99991231 where it lasts
  funktion TEXT list=Chor|Regie|Solo
  abendsatz_eur REAL non_additive               # for one evening
inszenierung
  inszenierung_id INTEGER key
  stueck_id INTEGER ->stueck.stueck_id
  regie_id INTEGER ~>person.person_id           # nothing where a guest directs
  premiere TEXT time                            # 31.01.2024
  etat_eur REAL additive
vorstellung
  vorstellung_id INTEGER key
  inszenierung_id INTEGER ->inszenierung.inszenierung_id
  spielstaette_id TEXT ~>spielstaette.spielstaette_id
  beginn INTEGER time=UNIX_SECONDS              # from start to end: an event, no validity
  ende INTEGER time=UNIX_SECONDS
  status TEXT list=abgesagt|gespielt|verlegt
  besucher INTEGER additive
  angebotene_plaetze INTEGER additive
  auslastung_prozent REAL non_additive
  spitzenpegel_db TEXT non_additive             # a number, kept as text
besetzung
  vorstellung_id INTEGER key ->vorstellung.vorstellung_id
  person_id INTEGER key ~>person.person_id
  rolle TEXT
probe
  probe_id INTEGER key
  inszenierung_id INTEGER ->inszenierung.inszenierung_id
  beginn_ms INTEGER time=UNIX_MILLISECONDS
  dauer_std REAL additive
  raum_nr INTEGER list=101|102|205|310 code
kunde
  kunde_id INTEGER key
  name TEXT person
  email TEXT person
  gruppe TEXT list=Abo|Einzel|Schule
  geworben_von INTEGER ~>kunde.kunde_id         # nothing where nobody did
  geloescht INTEGER deleted
bestellung
  bestellung_id INTEGER key
  kunde_id INTEGER ~>kunde.kunde_id             # nothing at the evening's desk
  bestellt_am TEXT time=ISO_TEXT
  kanal TEXT list=Kasse|Netz|Telefon
  waehrung TEXT list=CHF|EUR
  summe REAL additive unit=bestellung.waehrung
  versand REAL additive unit=bestellung.waehrung
  storniert TEXT deleted                        # J or N
karte
  bestellung_id INTEGER key ->bestellung.bestellung_id
  position INTEGER key                          # numbered anew in each order
  vorstellung_id INTEGER ->vorstellung.vorstellung_id
  platzgruppe TEXT list=A|B|C
  betrag REAL additive unit=bestellung.waehrung
  rabatt_prozent REAL non_additive
zahlung
  zahlung_id INTEGER key
  bestellung_id INTEGER ~>bestellung.bestellung_id
  eingang TEXT time=ISO_TEXT
  betrag REAL additive unit=bestellung.waehrung
  beleg INTEGER code
fundus_stand snapshot=stichtag
  stichtag INTEGER key time=YYYYMMDD
  spielstaette_id TEXT key ->spielstaette.spielstaette_id
  warengruppe TEXT key list=Kostuem|Maske|Requisite
  bestand INTEGER semi_additive
  wert_eur REAL semi_additive
  zugang INTEGER additive                       # of the quarter: a flow beside the stock
kurs
  tag TEXT key time=ISO_TEXT
  waehrung TEXT key list=CHF|EUR
  eur_je_einheit REAL non_additive
monatsbericht
  monat INTEGER key time                        # 202401
  sparte TEXT key list=Ballett|Oper|Schauspiel|Summe total=Summe
  besucher INTEGER additive
  einnahmen_eur REAL additive
  eur_je_besucher REAL non_additive
""")
DDL, KEYS, FOREIGN = DECLARED.ddl, DECLARED.keys, DECLARED.foreign
SEMANTICS = DECLARED.semantics
HALLS = {
    "GH": ("Großes Haus", 620),
    "KH": ("Kammerspiele", 240),
    "ST": ("Studio", 90),
    "FB": ("Freilichtbühne", 400),
}
PLAYS = (
    ("Fidelio", "Oper"),
    ("Carmen", "Oper"),
    ("Gesamtkunstwerk", "Oper"),
    ("Giselle", "Ballett"),
    ("Nussknacker", "Ballett"),
    ("Nathan", "Schauspiel"),
    ("Woyzeck", "Schauspiel"),
    ("Die Physiker", "Schauspiel"),
)
NAMES = ("Adler", "Brandt", "Conrad", "Dietz", "Engel", "Falk", "Geiger", "Hahn", "Iffland")
SEASON = date(2024, 1, 1)
Shows = list[tuple[int, date]]
"""Each with its day."""


def fill(connection: sqlite3.Connection) -> None:
    """A year of evenings and of the orders for them."""
    draw = random.Random(6241)
    insert(connection, "spielstaette", [(own, *each) for own, each in HALLS.items()])
    insert(connection, "stueck", [(own, *each) for own, each in enumerate(PLAYS, 41)])
    people = _people(connection, draw)
    productions = _productions(connection, draw, people)
    shows = _shows(connection, draw, productions)
    _casts(connection, draw, shows, people)
    _rehearsals(connection, draw, productions)
    _orders(connection, draw, shows, _customers(connection, draw))
    _stores(connection, draw)
    _rates(connection, draw)
    _months(connection, draw)


def _number(day: date) -> int:
    return int(day.strftime("%Y%m%d"))


def _people(connection: sqlite3.Connection, draw: random.Random) -> list[Row]:
    rows: list[Row] = []
    contracts: list[Row] = []
    for at, own in enumerate(draw.sample(range(2000, 2999), 90)):
        born = date(1955, 1, 1) + timedelta(days=draw.randrange(16_000))
        rows.append((own, draw.choice(NAMES), f"0341{draw.randrange(10**5, 10**6)}", _number(born)))
        start, work = (
            date(2022, 1, 1) + timedelta(days=draw.randrange(300)),
            ("Chor", "Solo")[at % 2],
        )
        work, rate = "Regie" if at < 12 else work, draw.uniform(90, 400)
        count = draw.randint(1, 3)
        for turn in range(count):
            end = start + timedelta(days=draw.randint(200, 420))
            last = 99991231 if turn == count - 1 else _number(end - timedelta(days=1))
            contracts.append((own, _number(start), last, work, round(rate, 2)))
            start, rate = end, rate * draw.uniform(1.03, 1.2)
    insert(connection, "person", rows)
    insert(connection, "vertrag", contracts)
    return rows


def _productions(
    connection: sqlite3.Connection, draw: random.Random, people: list[Row]
) -> list[int]:
    rows: list[Row] = []
    for at in range(20):
        first = date(2023, 9, 1) + timedelta(days=draw.randrange(120))
        lead = None if at % 5 == 4 else draw.choice(people[:10])[0]
        row = (301 + at, 41 + at % 8, lead, first.strftime("%d.%m.%Y"))
        rows.append((*row, float(draw.randrange(20_000, 300_000, 500))))
    insert(connection, "inszenierung", rows)
    return [row[0] for row in rows]


def _shows(connection: sqlite3.Connection, draw: random.Random, productions: list[int]) -> Shows:
    rows: list[Row] = []
    found: Shows = []
    for number in range(420):
        day, hall = SEASON + timedelta(days=draw.randrange(366)), draw.choice(list(HALLS))
        start = seconds(day.year, day.month, day.day) + draw.choice((11, 18, 19)) * 3600
        end = start + draw.randint(70, 230) * 60
        state = draw.choices(("gespielt", "abgesagt", "verlegt"), (16, 1, 1))[0]
        seats = HALLS[hall][1] - draw.choice((0, 0, 20, 40))
        seen = int(seats * draw.uniform(0.3, 1)) if state == "gespielt" else 0
        own, loud = 7001 + number, str(draw.randint(74, 116))
        full = round(100 * seen / seats, 1)
        row = (own, draw.choice(productions[:18]), hall, start, end, state, seen, seats)
        rows.append((*row, full, loud))
        found.append((own, day))
    insert(connection, "vorstellung", rows)
    return found


def _casts(
    connection: sqlite3.Connection, draw: random.Random, shows: Shows, people: list[Row]
) -> None:
    rows: list[Row] = []
    parts = ("Leonore", "Bote", "Wirt", "Amme", "Richter", "Wache", "Volk")
    for show, _ in shows:
        cast = draw.sample(people[12:84], draw.randint(2, 6))
        rows += [(show, who[0], draw.choice(parts)) for who in cast]
    insert(connection, "besetzung", rows)


def _rehearsals(
    connection: sqlite3.Connection, draw: random.Random, productions: list[int]
) -> None:
    rows: list[Row] = []
    for production in productions:
        for _ in range(draw.randint(15, 35)):
            day = SEASON + timedelta(days=draw.randrange(366))
            at = (seconds(day.year, day.month, day.day) + draw.randint(9, 20) * 3600) * 1000
            long, room = draw.choice((1.5, 2.0, 3.0, 4.5)), draw.choice((101, 102, 205, 310))
            rows.append((len(rows) + 1, production, at + draw.randrange(1000), long, room))
    insert(connection, "probe", rows)


def _customers(connection: sqlite3.Connection, draw: random.Random) -> list[int]:
    rows: list[Row] = []
    for own in draw.sample(range(50_000, 59_999), 340):
        name, kind = draw.choice(NAMES), draw.choices(("Abo", "Einzel", "Schule"), (3, 6, 1))[0]
        by = draw.choice(rows)[0] if rows and draw.random() < 0.25 else None
        mail = f"{name.lower()}.{own}@brief.example"
        rows.append((own, name, mail, kind, by, int(draw.random() < 0.1)))
    insert(connection, "kunde", rows)
    return [row[0] for row in rows]


def _orders(
    connection: sqlite3.Connection, draw: random.Random, shows: Shows, customers: list[int]
) -> None:
    orders: list[Row] = []
    tickets: list[Row] = []
    paid: list[Row] = []
    for own in range(120_001, 121_101):
        money, total = draw.choices(("EUR", "CHF"), (3, 1))[0], 0.0
        show, day = draw.choice(shows)
        day = max(SEASON, day - timedelta(days=draw.randint(1, 40)))
        for place in range(1, draw.randint(2, 6)):
            off = draw.choice((0.0, 0.0, 10.0, 25.0, 50.0))
            group = draw.choice("ABC")
            price = round({"A": 68, "B": 45, "C": 22}[group] * (1 - off / 100), 2)
            tickets.append((own, place, show, group, price, off))
            total += price
            show = show if draw.random() < 0.8 else draw.choice(shows)[0]
        who = None if draw.random() < 0.2 else draw.choice(customers[:310])
        at = f"{day.isoformat()} {draw.randint(8, 21):02}:{draw.randint(0, 59):02}:00"
        way, void = draw.choice(("Kasse", "Netz", "Telefon")), draw.choices("NJ", (12, 1))[0]
        post = draw.choice((0.0, 2.5, 4.9))
        orders.append((own, who, at, way, money, round(total, 2), post, void))
        for share in draw.choice(((1.0,), (1.0,), (0.5, 0.5), (0.3, 0.3, 0.4))):
            when = day + timedelta(days=draw.randint(0, 12))
            came = f"{when.isoformat()} {draw.randint(6, 22):02}:{draw.randint(0, 59):02}:00"
            ref = draw.randrange(10**7, 10**8)
            paid.append((len(paid) + 1, own, came, round((total + post) * share, 2), ref))
    insert(connection, "bestellung", orders)
    insert(connection, "karte", tickets)
    insert(connection, "zahlung", paid)


def _stores(connection: sqlite3.Connection, draw: random.Random) -> None:
    rows: list[Row] = []
    for hall in HALLS:
        for kind in ("Kostuem", "Maske", "Requisite"):
            held, worth = draw.randint(200, 2500), draw.uniform(20, 90)
            for year in (2021, 2022, 2023, 2024):
                for day in (331, 630, 930, 1231):
                    came = draw.randint(5, 90)
                    held = max(50, held + came - draw.randint(0, 80))
                    worth_now = round(held * worth, 2)
                    rows.append((year * 10_000 + day, hall, kind, held, worth_now, came))
    insert(connection, "fundus_stand", rows)


def _rates(connection: sqlite3.Connection, draw: random.Random) -> None:
    rows: list[Row] = []
    for step in range(380):
        day = (SEASON + timedelta(days=step)).isoformat()
        rows += [(day, "CHF", round(draw.uniform(1.01, 1.08), 4)), (day, "EUR", 1.0)]
    insert(connection, "kurs", rows)


def _months(connection: sqlite3.Connection, draw: random.Random) -> None:
    rows: list[Row] = []
    for month in (year * 100 + each for year in (2022, 2023, 2024) for each in range(1, 13)):
        people, money = 0, 0.0
        for factor, kind in enumerate(("Ballett", "Oper", "Schauspiel"), 1):
            seen = draw.randint(900, 4000) * factor
            took = round(seen * draw.uniform(15, 30) * (1.6 if factor == 2 else 1), 2)
            rows.append((month, kind, seen, took, round(took / seen, 2)))
            people, money = people + seen, round(money + took, 2)
        rows.append((month, "Summe", people, money, round(money / people, 2)))
    insert(connection, "monatsbericht", rows)
