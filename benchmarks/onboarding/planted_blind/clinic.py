"""Wards of a German hospital: beds at midnight, stays, instalments that are called rates."""

import random
import sqlite3
from datetime import date, timedelta

from benchmarks.onboarding.planted_blind.declared import declared
from benchmarks.onboarding.planted_blind.rows import Row, insert, seconds

DECLARED = declared("""
traeger
  traeger_id INTEGER key
  name TEXT
station
  station_id INTEGER key
  traeger_id INTEGER ->traeger.traeger_id tenant
  kuerzel TEXT                      # ALL is allergology here, no total
  bezeichnung TEXT
patient
  patient_id INTEGER key
  traeger_id INTEGER ->traeger.traeger_id tenant
  vorname TEXT person
  nachname TEXT person
  geburtsdatum TEXT person time=ISO_TEXT
  geschlecht TEXT person list=d|m|w
  strasse TEXT person
  plz INTEGER code
  ort TEXT
  versichertennr TEXT person
  geloescht_am TEXT time=ISO_TEXT deleted
kostentraeger
  ik INTEGER key
  name TEXT
  art TEXT list=BG|GKV|PKV
fall                                # from admission to discharge: an event, no validity
  fall_nr INTEGER key
  traeger_id INTEGER ->traeger.traeger_id tenant
  patient INTEGER ~>patient.patient_id
  aufnahme_station INTEGER ->station.station_id
  kostentraeger_ik INTEGER ~>kostentraeger.ik
  aufnahme INTEGER time=UNIX_SECONDS
  entlassung INTEGER time=UNIX_SECONDS
  aufnahmeart TEXT list=E|G|N|V
  dringlichkeit INTEGER list=1|2|3|4 code       # the same values as traeger_id, no link
verlegung
  verlegung_id INTEGER key
  fall_nr INTEGER ->fall.fall_nr
  von_station INTEGER ->station.station_id
  nach_station INTEGER ->station.station_id
  zeitpunkt INTEGER time=UNIX_MILLISECONDS
belegung snapshot=stichtag
  stichtag INTEGER key time=YYYYMMDD
  station_id INTEGER key ->station.station_id
  belegte_betten INTEGER semi_additive
  gesperrte_betten INTEGER semi_additive
  auslastung REAL non_additive
  aufnahmen INTEGER additive        # of the day: a flow beside the stocks
leistung
  leistung_id INTEGER key
  fall_nr INTEGER ->fall.fall_nr
  ops_ziffer INTEGER code
  erbracht_am TEXT time=ISO_TEXT
  menge INTEGER additive
  punktwert REAL non_additive
  betrag REAL additive
rechnung
  rechnung_nr TEXT key
  fall_nr INTEGER ->fall.fall_nr
  rechnungsdatum TEXT time=ISO_TEXT
  betrag REAL additive
  mwst_satz REAL non_additive
  status TEXT list=bezahlt|gemahnt|offen
ratenplan
  rechnung_nr TEXT key ->rechnung.rechnung_nr
  rate_nr INTEGER key
  faellig_am TEXT time              # 31.01.2025
  rate REAL additive                # an instalment, no rate
kennzahl_monat
  jahr INTEGER key
  monat INTEGER key total=0
  station_id INTEGER key ->station.station_id
  faelle INTEGER additive
  erloes REAL additive
  verweildauer_schnitt REAL non_additive
personal
  personal_nr INTEGER key
  traeger_id INTEGER ->traeger.traeger_id tenant
  name TEXT person
  email TEXT person
  eintritt TEXT time=ISO_TEXT
  vorgesetzt INTEGER ~>personal.personal_nr
dienstzuordnung valid=gueltig_von,gueltig_bis
  zuordnung_id INTEGER key
  personal_nr INTEGER ->personal.personal_nr
  station_id INTEGER ->station.station_id
  gueltig_von TEXT time=ISO_TEXT
  gueltig_bis TEXT time=ISO_TEXT    # 9999-12-31 where it lasts
""")
DDL, KEYS, FOREIGN = DECLARED.ddl, DECLARED.keys, DECLARED.foreign
SEMANTICS = DECLARED.semantics
WARDS = [
    "CHI",
    "INN",
    "GYN",
    "PÄD",
    "ALL",
    "NEU",
    "URO",
    "HNO",
    "AUG",
    "KAR",
    "ORT",
    "INT",
    "GER",
    "PSY",
]
FIRST = [
    "Anna",
    "Bernd",
    "Clara",
    "Dieter",
    "Eva",
    "Frank",
    "Greta",
    "Heinz",
    "Ilse",
    "Jonas",
    "Karla",
    "Ludwig",
]
LAST = [
    "Albrecht",
    "Brandt",
    "Conrad",
    "Dorn",
    "Engel",
    "Falk",
    "Gruber",
    "Hauser",
    "Iwers",
    "Jahn",
    "Keller",
    "Lenz",
    "Maurer",
]
TOWNS = [
    "Aalen",
    "Bretten",
    "Calw",
    "Durlach",
    "Esslingen",
    "Fellbach",
    "Göppingen",
    "Hechingen",
    "Isny",
    "Jagst",
]


def fill(connection: sqlite3.Connection) -> None:
    """Fourteen wards of four owners over half a year."""
    draw = random.Random(4101)
    owners = {ward: 1 + (ward - 11) % 4 for ward in range(11, 25)}
    insert(connection, "traeger", [(each, f"Trägergesellschaft {each}") for each in range(1, 5)])
    named = zip(owners.items(), WARDS, strict=True)
    wards = [(ward, owner, short, f"Station {short}") for (ward, owner), short in named]
    insert(connection, "station", wards)
    _people(connection, draw)
    _stays(connection, draw, owners)
    _days(connection, draw, list(owners))
    _months(connection, draw, list(owners))


def _people(connection: sqlite3.Connection, draw: random.Random) -> None:
    first = date(1932, 1, 1)
    patients: list[Row] = []
    for number in range(1200):
        gone = f"2025-0{draw.randint(1, 6)}-{draw.randint(1, 28):02}"
        patients.append(
            (
                50_001 + number,
                1 + number % 4,
                draw.choice(FIRST),
                draw.choice(LAST),
                (first + timedelta(days=draw.randrange(31_000))).isoformat(),
                draw.choices("mwd", (48, 50, 2))[0],
                f"{draw.choice(LAST)}weg {draw.randint(1, 140)}",
                draw.randint(70_173, 79_879),
                draw.choice(TOWNS),
                f"{draw.choice('ABCDEFGH')}{draw.randrange(10**8, 10**9)}",
                gone if draw.random() < 0.05 else None,
            )
        )
    insert(connection, "patient", patients)
    insurers = [
        (iks, f"Kasse {number}", ("GKV", "GKV", "PKV", "BG")[number % 4])
        for number, iks in enumerate(draw.sample(range(101_000_000, 109_999_999), 24))
    ]
    insert(connection, "kostentraeger", insurers)
    staff: list[Row] = []
    for number in range(160):
        name = f"{draw.choice(FIRST)} {draw.choice(LAST)}"
        mail = f"{name.replace(' ', '.').lower()}{number}@klinik.test"
        boss = None if number < 4 else 7001 + draw.randrange(max(4, number // 7))
        joined = f"20{draw.randint(5, 24):02}-{draw.randint(1, 12):02}-01"
        staff.append((7001 + number, 1 + number % 4, name, mail, joined, boss))
    insert(connection, "personal", staff)
    posts: list[Row] = []
    for number in range(7001, 7161):
        start = date(2019, 1, 1) + timedelta(days=draw.randrange(700))
        for _ in range(draw.randint(1, 4)):
            end = start + timedelta(days=draw.randint(200, 700))
            lasting = end > date(2025, 6, 30)
            until = "9999-12-31" if lasting else end.isoformat()
            posts.append((len(posts) + 301, number, draw.randint(11, 24), start.isoformat(), until))
            if lasting:
                break
            start = end + timedelta(days=1)
    insert(connection, "dienstzuordnung", posts)


def _stays(connection: sqlite3.Connection, draw: random.Random, owners: dict[int, int]) -> None:
    iks = [row[0] for row in connection.execute("SELECT ik FROM kostentraeger ORDER BY ik")]
    stays: list[Row] = []
    moves: list[Row] = []
    services: list[Row] = []
    bills: list[Row] = []
    parts: list[Row] = []
    for number in draw.sample(range(2_500_000, 2_599_999), 2600):
        ward, start = draw.randint(11, 24), seconds(2025, 1, 1) + draw.randrange(181 * 86_400)
        end = start + draw.randint(9, 500) * 3600
        over = end < seconds(2025, 7, 1)
        who = 50_001 + draw.randrange(1200)
        stays.append(
            (
                number,
                owners[ward],
                who,
                ward,
                draw.choice(iks),
                start,
                end if over else None,
                draw.choices("ENVG", (50, 35, 10, 5))[0],
                draw.randint(1, 4),
            )
        )
        for _ in range(draw.choice((0, 0, 1, 2))):
            to = draw.choice([each for each in owners if each != ward])
            at = (start + draw.randrange(7200, 30_000)) * 1000 + draw.randrange(1000)
            moves.append((len(moves) + 1, number, ward, to, at))
        total = 0.0
        for _ in range(draw.randint(1, 5)):
            day = date(2025, 1, 1) + timedelta(days=(start - seconds(2025, 1, 1)) // 86_400)
            amount, value = draw.randint(1, 6), round(draw.uniform(4, 310), 2)
            total += amount * value
            at = f"{day.isoformat()} {draw.randint(6, 22):02}:{draw.randint(0, 59):02}:00"
            price = round(amount * value, 2)
            ops = draw.choice((5470, 5511, 8930, 3200, 1632, 9401, 5820, 5794, 8980))
            services.append((len(services) + 1, number, ops, at, amount, value, price))
        shares = draw.choice(((1.0,), (1.0,), (0.6, 0.4))) if over else ()
        for share in shares:
            parts += _bill(draw, bills, number, round(total * share, 2))
    insert(connection, "fall", stays)
    insert(connection, "verlegung", moves)
    insert(connection, "leistung", services)
    insert(connection, "rechnung", bills)
    insert(connection, "ratenplan", parts)


def _bill(draw: random.Random, bills: list[Row], stay: int, total: float) -> list[Row]:
    own, month = f"R-25-{len(bills) + 1:05}", draw.randint(2, 9)
    tax = draw.choice((0.0, 0.0, 0.07, 0.19))
    state = draw.choices(("bezahlt", "offen", "gemahnt"), (7, 2, 1))[0]
    bills.append((own, stay, f"2025-{month:02}-{draw.randint(1, 28):02}", total, tax, state))
    count = draw.choice((0, 0, 2, 3, 4))
    return [
        (own, part, f"{draw.randint(1, 28):02}.{month + part - 1:02}.2025", round(total / count, 2))
        for part in range(1, count + 1)
    ]


def _days(connection: sqlite3.Connection, draw: random.Random, wards: list[int]) -> None:
    beds = {ward: draw.randint(18, 44) for ward in wards}
    held = {ward: draw.randint(8, beds[ward]) for ward in wards}
    rows: list[Row] = []
    for number in range(181):
        day = date(2025, 1, 1) + timedelta(days=number)
        for ward in wards:
            held[ward] = min(beds[ward], max(0, held[ward] + draw.randint(-4, 4)))
            closed = draw.choice((0, 0, 1, 2))
            load = round(held[ward] / beds[ward], 3)
            came = draw.randint(0, 9)
            rows.append((int(day.strftime("%Y%m%d")), ward, held[ward], closed, load, came))
    insert(connection, "belegung", rows)


def _months(connection: sqlite3.Connection, draw: random.Random, wards: list[int]) -> None:
    rows: list[Row] = []
    for year in (2022, 2023, 2024):
        for ward in wards:
            parts = [
                (draw.randint(20, 140), round(draw.uniform(40_000, 420_000), 2)) for _ in range(12)
            ]
            rows += [
                (year, month, ward, *part, round(draw.uniform(2, 11), 2))
                for month, part in enumerate(parts, 1)
            ]
            count, money = sum(part[0] for part in parts), sum(part[1] for part in parts)
            rows.append((year, 0, ward, count, round(money, 2), round(draw.uniform(4, 7), 2)))
    insert(connection, "kennzahl_monat", rows)
