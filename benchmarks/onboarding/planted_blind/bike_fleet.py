"""Rental bikes in camelCase: what stands at a station now, beside what left it in a day."""

import random
import sqlite3
from datetime import date, timedelta
from uuid import UUID

from benchmarks.onboarding.planted_blind.declared import declared
from benchmarks.onboarding.planted_blind.rows import Row, insert, seconds

DECLARED = declared("""
City                                # in many tables, and no tenant: riders ride in all of them
  cityId INTEGER key
  cityName TEXT
Station
  stationId INTEGER key
  stationCode TEXT
  cityId INTEGER ->City.cityId
  stationName TEXT                  # named after people, and nobody's data
  latitude REAL non_additive
  longitude REAL non_additive
  openedOn TEXT time=ISO_TEXT
BikeModel
  modelCode INTEGER key
  modelName TEXT
  isElectric INTEGER
  listPrice REAL non_additive
Bike
  bikeId INTEGER key
  frameNo TEXT
  model INTEGER ~>BikeModel.modelCode
  homeCity INTEGER ->City.cityId
  boughtAt INTEGER time=UNIX_SECONDS
  purchaseCost REAL additive
BikeHardware
  bikeId INTEGER key =>Bike.bikeId
  lockSerial INTEGER code
  batteryHealth REAL non_additive
PricePlan
  planId INTEGER key
  planName TEXT
PlanPrice valid=validFrom,validTo
  planId INTEGER key ->PricePlan.planId
  validFrom TEXT key time=ISO_TEXT
  validTo TEXT time=ISO_TEXT
  currency TEXT list=CHF|EUR|GBP
  monthlyFee REAL non_additive unit=PlanPrice.currency
  perMinuteRate REAL non_additive unit=PlanPrice.currency
Rider
  riderId TEXT key
  displayName TEXT person
  emailAddress TEXT person
  phoneNumber TEXT person
  birthDate TEXT person time=ISO_TEXT
  plan INTEGER ~>PricePlan.planId
  joinedAt INTEGER time=UNIX_MILLISECONDS
  deletedAt INTEGER time=UNIX_MILLISECONDS deleted
Ride                                # from start to end: an event, no validity
  rideId INTEGER key
  riderId TEXT ->Rider.riderId
  bikeFrame TEXT ~>Bike.frameNo
  fromStation TEXT ~>Station.stationCode
  toStation TEXT ~>Station.stationCode
  startedAt INTEGER time=UNIX_MILLISECONDS
  endedAt INTEGER time=UNIX_MILLISECONDS
  distanceMetres INTEGER additive
  averageSpeed REAL non_additive
  currency TEXT list=CHF|EUR|GBP
  fare REAL additive unit=Ride.currency
Payment
  paymentId INTEGER key
  rideId INTEGER ->Ride.rideId
  paidOn INTEGER time=YYYYMMDD
  method TEXT list=applePay|card|invoice|voucher
  amount REAL additive unit=Ride.currency
StationState snapshot=takenAt
  takenAt INTEGER key time=UNIX_SECONDS
  stationId INTEGER key ->Station.stationId
  bikesAvailable INTEGER semi_additive
  docksFree INTEGER semi_additive
StationDay                          # a row for every station and day, and all of it flows
  day TEXT key time=ISO_TEXT
  stationId INTEGER key ->Station.stationId
  departures INTEGER additive
  arrivals INTEGER additive
  codeScans INTEGER additive        # a count of scans, no code
Staff
  staffId INTEGER key
  fullName TEXT person
  leadId INTEGER ~>Staff.staffId
  cityId INTEGER ->City.cityId
MaintenanceJob
  jobId INTEGER key
  bikeId INTEGER ->Bike.bikeId
  mechanic INTEGER ~>Staff.staffId
  openedAt TEXT time=ISO_TEXT
  closedAt TEXT time=ISO_TEXT
  jobType TEXT list=battery|brake|inspection|tyre
  priority INTEGER list=1|2|3 code
  labourMinutes INTEGER additive
  partsCost REAL additive
""")
DDL, KEYS, FOREIGN = DECLARED.ddl, DECLARED.keys, DECLARED.foreign
SEMANTICS = DECLARED.semantics
CITIES = ("Basel", "Bristol", "Graz", "Leeds", "Lyon", "Ulm")
MONEY = {1: "CHF", 2: "GBP", 3: "EUR", 4: "GBP", 5: "EUR", 6: "EUR"}
FIRST = [
    "Ada",
    "Ben",
    "Cleo",
    "Dan",
    "Edda",
    "Finn",
    "Gwen",
    "Hugo",
    "Iris",
    "Jack",
    "Kit",
    "Lena",
    "Milo",
    "Nora",
    "Owen",
    "Pia",
]
LAST = [
    "Archer",
    "Baker",
    "Carter",
    "Dyer",
    "Fisher",
    "Glover",
    "Hunter",
    "Joiner",
    "Miller",
    "Porter",
    "Sawyer",
    "Weaver",
]


def fill(connection: sqlite3.Connection) -> None:
    """Forty-eight stations in six cities over two months."""
    draw = random.Random(4303)
    insert(connection, "City", list(enumerate(CITIES, 1)))
    codes = _places(connection, draw)
    frames = _bikes(connection, draw)
    _plans(connection, draw)
    _rides(connection, draw, codes, frames, _riders(connection, draw))
    _counts(connection, draw)
    _workshop(connection, draw, len(frames))


def _places(connection: sqlite3.Connection, draw: random.Random) -> list[tuple[str, int]]:
    rows: list[Row] = []
    for number in range(48):
        city = 1 + number % 6
        code = f"{CITIES[city - 1][:2].upper()}{draw.randint(10, 99)}{number:02}"
        opened = date(2021, 3, 1) + timedelta(days=draw.randrange(900))
        name = f"{draw.choice(FIRST)} {draw.choice(LAST)} {draw.choice(('Square', 'Street'))}"
        north, east = round(draw.uniform(45, 54), 6), round(draw.uniform(-3, 15), 6)
        rows.append((number + 201, code, city, name, north, east, opened.isoformat()))
    insert(connection, "Station", rows)
    return [(row[1], row[2]) for row in rows]


def _bikes(connection: sqlite3.Connection, draw: random.Random) -> list[str]:
    models = (4100, 4110, 4205, 5020, 5300)
    insert(
        connection,
        "BikeModel",
        [
            (code, f"Model {code}", int(code > 5000), float(draw.randint(900, 3600)))
            for code in models
        ],
    )
    frames = [f"FR{each}" for each in draw.sample(range(100_000, 999_999), 420)]
    insert(
        connection,
        "Bike",
        [
            (
                number,
                frame,
                draw.choice(models),
                draw.randint(1, 6),
                seconds(2022, 1, 1) + draw.randrange(1000 * 86_400),
                round(draw.uniform(700, 3100), 2),
            )
            for number, frame in enumerate(frames, 1)
        ],
    )
    insert(
        connection,
        "BikeHardware",
        [
            (number, draw.randrange(60_000_000, 69_999_999), round(draw.uniform(0.55, 1), 3))
            for number in range(1, 421)
        ],
    )
    return frames


def _plans(connection: sqlite3.Connection, draw: random.Random) -> None:
    plans = ("Casual", "Commuter", "Student", "Family", "Unlimited", "Corporate", "Winter", "Test")
    insert(connection, "PricePlan", [(31 + number, name) for number, name in enumerate(plans)])
    rows: list[Row] = []
    for plan in range(31, 39):
        money = ("CHF", "EUR", "GBP")[plan % 3]
        for year in range(2021, 2026):
            ends = f"{year}-12-31" if year < 2025 else None
            fee, rate = round(draw.uniform(4, 39), 2), round(draw.uniform(0.05, 0.4), 3)
            rows.append((plan, f"{year}-01-01", ends, money, fee, rate))
    insert(connection, "PlanPrice", rows)


def _riders(connection: sqlite3.Connection, draw: random.Random) -> list[str]:
    riders = [str(UUID(int=draw.getrandbits(128), version=4)) for _ in range(900)]
    rows: list[Row] = []
    for number, rider in enumerate(riders):
        first, last = draw.choice(FIRST), draw.choice(LAST)
        joined = (seconds(2022, 1, 1) + draw.randrange(1150 * 86_400)) * 1000
        gone = (seconds(2025, 3, 1) + draw.randrange(90 * 86_400)) * 1000
        rows.append(
            (
                rider,
                f"{first} {last}",
                f"{first.lower()}.{last.lower()}{number}@post.test",
                f"+44 7{draw.randrange(10**8, 10**9)}",
                (date(1950, 1, 1) + timedelta(days=draw.randrange(20_000))).isoformat(),
                draw.randint(31, 38),
                joined + draw.randrange(1000),
                gone + draw.randrange(1000) if draw.random() < 0.07 else None,
            )
        )
    insert(connection, "Rider", rows)
    return riders


def _rides(
    connection: sqlite3.Connection,
    draw: random.Random,
    codes: list[tuple[str, int]],
    frames: list[str],
    riders: list[str],
) -> None:
    rides: list[Row] = []
    paid: list[Row] = []
    for number in draw.sample(range(1_000_000, 1_900_000), 5000):
        (start, city), metres = draw.choice(codes), draw.randint(300, 14_000)
        stop = draw.choice([code for code, other in codes if other == city])
        after = draw.randrange(60 * 86_400)
        begun = (seconds(2025, 4, 1) + after) * 1000 + draw.randrange(1000)
        speed = round(draw.uniform(7, 22), 1)
        length = int(metres / speed * 3600)
        fare = round(1 + length / 60_000 * 0.17, 2)
        lost = draw.random() < 0.02
        who, what = draw.choice(riders), draw.choice(frames)
        ends = None if lost else stop
        rides.append(
            (
                number,
                who,
                what,
                start,
                ends,
                begun,
                begun + length,
                metres,
                speed,
                MONEY[city],
                fare,
            )
        )
        shares = draw.choice(((1.0,), (1.0,), (1.0,), (0.5, 0.5)))
        for share in shares:
            day = date(2025, 4, 1) + timedelta(days=after // 86_400 + draw.randint(0, 3))
            method = draw.choice(("card", "applePay", "voucher", "invoice"))
            on = int(day.strftime("%Y%m%d"))
            paid.append((len(paid) + 1, number, on, method, round(fare * share, 2)))
    insert(connection, "Ride", rides)
    insert(connection, "Payment", paid)


def _counts(connection: sqlite3.Connection, draw: random.Random) -> None:
    docks = {station: draw.randint(12, 30) for station in range(201, 249)}
    held = {station: each // 2 for station, each in docks.items()}
    states: list[Row] = []
    for step in range(120):
        for station, each in docks.items():
            held[station] = min(each, max(0, held[station] + draw.randint(-5, 5)))
            at = seconds(2025, 5, 1) + step * 6 * 3600
            states.append((at, station, held[station], each - held[station]))
    insert(connection, "StationState", states)
    days = [
        (
            (date(2025, 4, 1) + timedelta(days=day)).isoformat(),
            station,
            draw.randint(0, 60),
            draw.randint(0, 60),
            draw.randint(1, 140),
        )
        for day in range(61)
        for station in docks
    ]
    insert(connection, "StationDay", days)


def _workshop(connection: sqlite3.Connection, draw: random.Random, bikes: int) -> None:
    staff = [
        (
            501 + number,
            f"{draw.choice(FIRST)} {draw.choice(LAST)}",
            None if number < 6 else 501 + number % 6,
            1 + number % 6,
        )
        for number in range(45)
    ]
    insert(connection, "Staff", staff)
    jobs: list[Row] = []
    for number in range(1500):
        day = date(2025, 1, 1) + timedelta(days=draw.randrange(150))
        opened = f"{day.isoformat()}T{draw.randint(7, 18):02}:{draw.randint(0, 59):02}:00"
        later = (day + timedelta(days=draw.randint(1, 9))).isoformat()
        closed = f"{later}T16:00:00" if draw.random() < 0.9 else None
        kind = draw.choice(("brake", "tyre", "battery", "inspection"))
        cost = round(draw.uniform(0, 180), 2)
        jobs.append(
            (
                number + 8001,
                draw.randint(1, bikes),
                draw.randint(501, 545),
                opened,
                closed,
                kind,
                draw.randint(1, 3),
                draw.randint(5, 180),
                cost,
            )
        )
    insert(connection, "MaintenanceJob", jobs)
