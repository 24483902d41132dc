"""A group of hotels: nights and folios, points at month's end, bookings seen from week to week."""

import random
import sqlite3
from datetime import date, timedelta

from benchmarks.onboarding.planted_blind.declared import declared
from benchmarks.onboarding.planted_blind.rows import Row, insert, seconds

DECLARED = declared("""
property
  property_code TEXT key            # TOT is Totnes here, no total
  property_name TEXT
  country_code TEXT list=CH|GB|IE
  local_currency TEXT list=CHF|EUR|GBP
  room_count INTEGER additive
  latitude REAL non_additive
  opened_on TEXT time=ISO_TEXT
room_type                           # every house has its own
  property_code TEXT key ->property.property_code
  room_type_code TEXT key
  description TEXT
  max_guests INTEGER non_additive
  rooms_of_type INTEGER additive
room property_code,room_type_code->room_type.property_code,room_type_code
  property_code TEXT key ->property.property_code
  room_no INTEGER key
  room_type_code TEXT
  floor INTEGER code
  is_accessible INTEGER list=0|1 code
guest_profile
  profile_id INTEGER key
  full_name TEXT person
  email TEXT person
  mobile TEXT person
  vip_level INTEGER list=0|1|2|3 code
  created_at INTEGER time=UNIX_SECONDS
  erased_at TEXT time=ISO_TEXT deleted          # nothing where the profile is in use
membership_tier valid=valid_from,valid_to
  profile_id INTEGER key ->guest_profile.profile_id
  valid_from TEXT key time=ISO_TEXT
  valid_to TEXT time=ISO_TEXT                   # the last day, or nothing
  tier TEXT list=Blue|Gold|Platinum|Silver
channel
  channel_id INTEGER key
  channel_name TEXT
  commission_pct REAL non_additive
reservation                         # from arrival to departure: a stay, no validity
  confirmation_no INTEGER key
  property_code TEXT ->property.property_code
  profile_id INTEGER ->guest_profile.profile_id
  channel_id INTEGER ~>channel.channel_id       # nothing where booked with the house
  rate_plan TEXT list=BAR|CORP|GRP|PKG
  booked_at INTEGER time=UNIX_SECONDS
  arrival_date TEXT time=ISO_TEXT
  departure_date TEXT time=ISO_TEXT
  status TEXT list=cancelled|checked_out|confirmed|no_show
  adults INTEGER additive
  children INTEGER additive
  currency TEXT list=CHF|EUR|GBP|USD
  quoted_total REAL additive unit=reservation.currency
  group_block_no INTEGER code                   # 2024xxxx, and no date
reservation_night property_code,room_no->room.property_code,room_no
  confirmation_no INTEGER key ->reservation.confirmation_no
  stay_date TEXT key time=ISO_TEXT
  property_code TEXT ->property.property_code
  room_no INTEGER
  room_revenue REAL additive unit=reservation.currency
folio_charge
  charge_id INTEGER key
  confirmation_no INTEGER ->reservation.confirmation_no
  posted_at TEXT time=ISO_TEXT
  department TEXT list=BAR|FB|MISC|ROOM|SPA
  currency TEXT list=CHF|EUR|GBP|USD
  net_amount REAL additive unit=folio_charge.currency
  tax_amount REAL additive unit=folio_charge.currency
  gross_amount REAL additive unit=folio_charge.currency
  tax_rate REAL non_additive
  voided TEXT deleted                           # Y or N
payment
  payment_id INTEGER key
  confirmation_no INTEGER ->reservation.confirmation_no
  paid_on INTEGER time=YYYYMMDD
  method TEXT list=AMEX|CASH|INVOICE|VISA
  auth_code INTEGER code
  currency TEXT list=CHF|EUR|GBP|USD
  amount REAL additive unit=payment.currency
review
  review_id INTEGER key
  reservation_no INTEGER ~>reservation.confirmation_no
  submitted_ms INTEGER time=UNIX_MILLISECONDS
  score INTEGER non_additive
  breakfast_score INTEGER non_additive          # nothing where none was eaten
  language TEXT list=de|en|fr
daily_stats                         # a row for every day and house, and all of it flows
  stat_date TEXT key time=ISO_TEXT
  property_code TEXT key ->property.property_code
  rooms_available INTEGER additive
  rooms_sold INTEGER additive
  room_revenue REAL additive unit=property.local_currency
  occupancy_pct REAL non_additive
  adr REAL non_additive unit=property.local_currency
pace_snapshot snapshot=captured_on
  captured_on TEXT key time=ISO_TEXT
  property_code TEXT key ->property.property_code
  stay_month INTEGER key time                   # 202501
  rooms_on_books INTEGER semi_additive
  revenue_on_books REAL semi_additive unit=property.local_currency
  pickup_rooms INTEGER additive                 # of the week: a flow beside the stocks
points_balance snapshot=month_end
  month_end INTEGER key time=YYYYMMDD
  profile_id INTEGER key ->guest_profile.profile_id
  points_held INTEGER semi_additive
  points_earned INTEGER additive
  points_redeemed INTEGER additive
pnl_month
  property_code TEXT key ->property.property_code
  fiscal_period INTEGER key time                # 202401
  pnl_line TEXT key list=FB|OTHER|ROOMS|SPA|TOTAL total=TOTAL
  revenue REAL additive unit=property.local_currency
  direct_cost REAL additive unit=property.local_currency
  margin_pct REAL non_additive
fx_rate
  rate_date TEXT key time=ISO_TEXT
  currency TEXT key list=CHF|EUR|GBP|USD
  to_gbp REAL non_additive
""")
DDL, KEYS, FOREIGN = DECLARED.ddl, DECLARED.keys, DECLARED.foreign
SEMANTICS = DECLARED.semantics
HOUSES = {
    "BTH": ("Bath Crescent", "GB", "GBP", 51.38),
    "CRK": ("Cork Quays", "IE", "EUR", 51.9),
    "DUB": ("Dublin Liffey", "IE", "EUR", 53.35),
    "EDI": ("Edinburgh Wynd", "GB", "GBP", 55.95),
    "GVA": ("Geneva Lac", "CH", "CHF", 46.2),
    "TOT": ("Totnes Mill", "GB", "GBP", 50.43),
    "YRK": ("York Minster Yard", "GB", "GBP", 53.96),
    "ZRH": ("Zurich Niederdorf", "CH", "CHF", 47.37),
}
TYPES = {"A": "Standard", "B": "Superior", "C": "Deluxe", "D": "Suite"}
STATES = ("checked_out", "cancelled", "no_show", "confirmed")
CHANNELS = ("Wanderly", "BedNest", "StayPort", "Corporate GDS", "TripOwl", "RoomHawk", "Voyaj")
FIRST = ("Amelia", "Barney", "Clara", "Dylan", "Esme", "Freddie", "Greta", "Hamish", "Iris", "Jago")
LAST = ("Abbott", "Bexley", "Carew", "Dunmore", "Elcott", "Fenwick", "Garrick", "Hale", "Inglis")
RATES = {"CHF": 0.88, "EUR": 0.85, "GBP": 1.0, "USD": 0.79}
YEAR = date(2024, 1, 1)


def fill(connection: sqlite3.Connection) -> None:
    """Fifteen hundred bookings of eight hotels in a year."""
    draw = random.Random(6101)
    rooms = _houses(connection, draw)
    guests = _guests(connection, draw)
    insert(
        connection,
        "channel",
        [(11 + at, name, round(draw.uniform(8, 22), 1)) for at, name in enumerate(CHANNELS)],
    )
    _bookings(connection, draw, rooms, guests)
    _stats(connection, draw)
    _pace(connection, draw)
    _points(connection, draw, guests[:230])
    _results(connection, draw)
    days = [(YEAR + timedelta(days=day)).isoformat() for day in range(366)]
    rates = [(day, code, _rate(draw, code)) for day in days for code in RATES]
    insert(connection, "fx_rate", rates)


def _rate(draw: random.Random, code: str) -> float:
    return 1.0 if code == "GBP" else round(RATES[code] * draw.uniform(0.97, 1.03), 5)


def _houses(connection: sqlite3.Connection, draw: random.Random) -> dict[str, list[int]]:
    houses: list[Row] = []
    kinds: list[Row] = []
    rooms: list[Row] = []
    for code, (name, country, money, north) in HOUSES.items():
        opened = (date(1988, 1, 1) + timedelta(days=draw.randrange(11_000))).isoformat()
        count = 0
        for floor, kind in enumerate(TYPES, 1):
            many = draw.randint(5, 14)
            count += many
            kinds.append((code, kind, TYPES[kind], draw.randint(2, 5), many))
            for number in range(1, many + 1):
                able = int(draw.random() < 0.1)
                rooms.append((code, floor * 100 + number, kind, floor, able))
        houses.append((code, name, country, money, count, north, opened))
    insert(connection, "property", houses)
    insert(connection, "room_type", kinds)
    insert(connection, "room", rooms)
    return {code: [row[1] for row in rooms if row[0] == code] for code in HOUSES}


def _guests(connection: sqlite3.Connection, draw: random.Random) -> list[int]:
    rows: list[Row] = []
    tiers: list[Row] = []
    for own in draw.sample(range(400_000, 499_999), 640):
        first, last = draw.choice(FIRST), draw.choice(LAST)
        day = date(2024, 1, 5) + timedelta(days=draw.randrange(350))
        gone = f"{day.isoformat()} 03:00:00" if draw.random() < 0.07 else None
        mail = f"{first.lower()}.{last.lower()}{own}@post.test"
        phone = f"+44 7{draw.randrange(10**8, 10**9)}"
        made = seconds(2019, 1, 1) + draw.randrange(1700 * 86_400)
        vip = draw.choices((0, 1, 2, 3), (80, 12, 5, 3))[0]
        rows.append((own, f"{first} {last}", mail, phone, vip, made, gone))
        start = date(2021, 1, 1) + timedelta(days=draw.randrange(500))
        for tier in ("Blue", "Silver", "Gold", "Platinum"):
            end = start + timedelta(days=draw.randint(180, 800))
            lasts = end > date(2024, 12, 1) or tier == "Platinum"
            until = None if lasts else (end - timedelta(days=1)).isoformat()
            tiers.append((own, start.isoformat(), until, tier))
            if lasts:
                break
            start = end
    insert(connection, "guest_profile", rows)
    insert(connection, "membership_tier", tiers)
    return [row[0] for row in rows]


def _bookings(
    connection: sqlite3.Connection,
    draw: random.Random,
    rooms: dict[str, list[int]],
    guests: list[int],
) -> None:
    held: list[Row] = []
    nights: list[Row] = []
    charges: list[Row] = []
    paid: list[Row] = []
    reviews: list[Row] = []
    for own in draw.sample(range(70_000_000, 79_999_999), 1500):
        house, arrives = draw.choice(list(HOUSES)), YEAR + timedelta(days=draw.randrange(350))
        money = HOUSES[house][2] if draw.random() < 0.8 else "USD"
        length = draw.choices((1, 2, 3, 4, 7), (5, 5, 4, 2, 1))[0]
        status = draw.choices(STATES, (70, 15, 4, 11))[0]
        price = round(draw.uniform(70, 310) / RATES[money], 2)
        stayed = status == "checked_out"
        total, number = 0.0, draw.choice(rooms[house])
        for night in range(length):
            worth = round(price * draw.choice((0.9, 1, 1, 1.25)), 2)
            total += worth
            day = arrives + timedelta(days=night)
            if stayed:
                nights.append((own, day.isoformat(), house, number, worth))
                charges += _charges(draw, len(charges), (own, money, day, worth))
        if stayed:
            paid += _payments(draw, len(paid), (own, money, arrives, total))
        for _ in range(draw.choice((0, 0, 0, 1, 1, 2)) if stayed else 0):  # by each who slept there
            reviews.append(_review(draw, len(reviews), own, arrives + timedelta(days=length)))
        booked = seconds(arrives.year, arrives.month, arrives.day) - draw.randrange(120 * 86_400)
        sold = 11 + draw.randrange(len(CHANNELS) - 1) if draw.random() < 0.6 else None
        leaves = (arrives + timedelta(days=length)).isoformat()
        block = draw.randint(20_240_101, 20_249_999) if draw.random() < 0.12 else None
        guest, plan = draw.choice(guests[:560]), draw.choice(("BAR", "CORP", "GRP", "PKG"))
        stay = (booked, arrives.isoformat(), leaves, status, draw.choice((1, 2, 2, 3)))
        figures = (draw.choice((0, 0, 0, 1, 2)), money, round(total, 2), block)
        held.append((own, house, guest, sold, plan, *stay, *figures))
    insert(connection, "reservation", held)
    insert(connection, "reservation_night", nights)
    insert(connection, "folio_charge", charges)
    insert(connection, "payment", paid)
    insert(connection, "review", reviews)


def _charges(draw: random.Random, before: int, night: tuple[int, str, date, float]) -> list[Row]:
    own, money, day, worth = night
    kinds = ["ROOM", *draw.sample(("BAR", "FB", "MISC", "SPA"), draw.choice((0, 1, 1, 2)))]
    rows: list[Row] = []
    for at, kind in enumerate(kinds):
        net = worth if kind == "ROOM" else round(draw.uniform(4, 140) / RATES[money], 2)
        rate = 0.1 if kind == "ROOM" else 0.2
        tax = round(net * rate, 2)
        clock = f"{draw.randint(7, 23):02}:{draw.randint(0, 59):02}:{draw.randint(0, 59):02}"
        void = "Y" if kind != "ROOM" and draw.random() < 0.08 else "N"
        made = (f"{day.isoformat()} {clock}", kind, money, net, tax, round(net + tax, 2), rate)
        rows.append((5_000_001 + before + at, own, *made, void))
    return rows


def _payments(draw: random.Random, before: int, stay: tuple[int, str, date, float]) -> list[Row]:
    own, money, day, total = stay
    shares = draw.choice(((1.0,), (1.0,), (0.3, 0.7), (0.2, 0.4, 0.4)))
    rows: list[Row] = []
    for at, share in enumerate(shares):
        on = int((day + timedelta(days=at)).strftime("%Y%m%d"))
        how = draw.choice(("AMEX", "CASH", "INVOICE", "VISA", "VISA"))
        amount = round(total * 1.1 * share, 2)
        code = draw.randint(100_000, 999_999)
        rows.append((900_001 + before + at, own, on, how, code, money, amount))
    return rows


def _review(draw: random.Random, before: int, own: int, left: date) -> Row:
    late = draw.randrange(9 * 86_400)
    at = (seconds(left.year, left.month, left.day) + late) * 1000 + draw.randrange(1000)
    food = draw.randint(4, 10) if draw.random() < 0.6 else None
    score = draw.choices(range(1, 11), (1, 1, 2, 2, 3, 5, 9, 12, 9, 6))[0]
    return (31_001 + before, own, at, score, food, draw.choice(("de", "en", "en", "fr")))


def _stats(connection: sqlite3.Connection, draw: random.Random) -> None:
    sizes = dict(connection.execute("SELECT property_code, room_count FROM property").fetchall())
    rows: list[Row] = []
    for day in range(366):
        for house, size in sizes.items():
            free = size - draw.choice((0, 0, 0, 1, 3))
            sold = int(free * draw.uniform(0.3, 1))
            income = round(sold * draw.uniform(80, 320), 2)
            on = (YEAR + timedelta(days=day)).isoformat()
            share, each = round(100 * sold / free, 1), round(income / sold, 2)
            rows.append((on, house, free, sold, income, share, each))
    insert(connection, "daily_stats", rows)


def _pace(connection: sqlite3.Connection, draw: random.Random) -> None:
    rows: list[Row] = []
    for house in HOUSES:
        for month in (202_501, 202_502, 202_503, 202_504, 202_505, 202_506):
            books = draw.randint(20, 120)
            for week in range(18):
                more = draw.randint(-4, 30)
                books = max(0, books + more)
                on = (date(2024, 9, 1) + timedelta(days=7 * week)).isoformat()
                worth = round(books * draw.uniform(110, 190), 2)
                rows.append((on, house, month, books, worth, more))
    insert(connection, "pace_snapshot", rows)


def _points(connection: sqlite3.Connection, draw: random.Random, guests: list[int]) -> None:
    rows: list[Row] = []
    for own in guests:
        held = draw.randint(0, 30_000)
        for month in range(1, 13):
            end = date(2024 + month // 12, month % 12 + 1, 1) - timedelta(days=1)
            won = draw.choice((0, 0, 500, 1250, 3000))
            spent = min(held, draw.choice((0, 0, 0, 0, 5000)))
            held += won - spent
            rows.append((int(end.strftime("%Y%m%d")), own, held, won, spent))
    insert(connection, "points_balance", rows)


def _results(connection: sqlite3.Connection, draw: random.Random) -> None:
    rows: list[Row] = []
    for house in HOUSES:
        for period in (*range(202_301, 202_313), *range(202_401, 202_413)):
            parts = [
                (line, round(draw.uniform(low, 3 * low), 2), draw.uniform(0.3, 0.9))
                for line, low in (("ROOMS", 90_000), ("FB", 30_000), ("SPA", 6000), ("OTHER", 2000))
            ]
            lines = [(line, income, round(income * share, 2)) for line, income, share in parts]
            income = round(sum(line[1] for line in lines), 2)
            cost = round(sum(line[2] for line in lines), 2)
            for line, come, went in (*lines, ("TOTAL", income, cost)):
                margin = round(100 * (come - went) / come, 1)
                rows.append((house, period, line, come, went, margin))
    insert(connection, "pnl_month", rows)
