"""A grain trader in clean names: lots of twenty thousand tonnes, stock at every week's end."""

import random
import sqlite3
from datetime import date, timedelta

from benchmarks.onboarding.planted_blind.declared import declared
from benchmarks.onboarding.planted_blind.rows import Row, insert, seconds

DECLARED = declared("""
organisation
  org_code TEXT key
  legal_name TEXT
  base_currency TEXT list=EUR|UAH|USD
country
  iso2 TEXT key
  country_name TEXT
site
  site_no INTEGER key
  org_code TEXT ->organisation.org_code tenant
  site_name TEXT
  country_code TEXT ~>country.iso2
commodity
  commodity_id INTEGER key
  commodity_name TEXT
  hs_code INTEGER code
  moisture_limit_pct REAL non_additive
counterparty
  counterparty_id INTEGER key
  org_code TEXT ->organisation.org_code tenant
  company_name TEXT
  contact_person TEXT person
  contact_email TEXT person
  contact_count INTEGER additive    # how often somebody called: nobody's data
  deleted_flag INTEGER deleted
contract
  contract_id INTEGER key
  org_code TEXT ->organisation.org_code tenant
  counterparty_id INTEGER ->counterparty.counterparty_id
  commodity_id INTEGER ->commodity.commodity_id
  side TEXT list=buy|sell
  signed_on TEXT time=ISO_TEXT
  unit_of_measure TEXT list=bu|kg|t
  quantity REAL additive unit=contract.unit_of_measure
  currency TEXT list=EUR|UAH|USD
  price_per_unit REAL non_additive unit=contract.currency
  status TEXT list=cancelled|fulfilled|open
contract_revision history=revised_on
  contract_id INTEGER key ->contract.contract_id
  revision_no INTEGER key
  revised_on INTEGER time=YYYYMMDD
  price_per_unit REAL non_additive unit=contract.currency
shipment
  shipment_id INTEGER key
  contract_id INTEGER ->contract.contract_id
  shipped_at INTEGER time=UNIX_MILLISECONDS
  quantity REAL additive unit=contract.unit_of_measure
  invoice_amount REAL additive unit=contract.currency
  freight_rate REAL non_additive unit=contract.currency
lot
  site_no INTEGER key ->site.site_no
  lot_no INTEGER key
  commodity_id INTEGER ->commodity.commodity_id
  received_at INTEGER time=UNIX_SECONDS
  harvest_year INTEGER
  gross_weight_kg INTEGER additive  # twenty million and some: looks like a date
  protein_pct REAL non_additive
stock_position snapshot=as_of site_no,lot_no->lot.site_no,lot_no
  as_of TEXT key time=ISO_TEXT
  site_no INTEGER key ->site.site_no
  lot_no INTEGER key
  org_code TEXT ->organisation.org_code tenant
  on_hand_kg INTEGER semi_additive
  reserved_kg INTEGER semi_additive
  book_value REAL semi_additive unit=organisation.base_currency
movement site_no,lot_no->lot.site_no,lot_no
  movement_id INTEGER key
  site_no INTEGER ->site.site_no
  lot_no INTEGER
  moved_on INTEGER time=YYYYMMDD
  direction TEXT list=in|out
  quantity_kg INTEGER additive
gl_account
  account_no INTEGER key
  account_name TEXT
  account_type TEXT list=asset|expense|liability|revenue
account_period                      # period 0 is what was carried forward, no total
  org_code TEXT key ->organisation.org_code tenant
  account_no INTEGER key ->gl_account.account_no
  fiscal_year INTEGER key
  period INTEGER key
  amount REAL additive unit=organisation.base_currency
quality_summary
  harvest_year INTEGER key
  commodity_id INTEGER key ->commodity.commodity_id
  grade TEXT key list=A|ALL|B|C total=ALL
  lots INTEGER additive
  weight_kg INTEGER additive
  avg_protein REAL non_additive
daily_price
  priced_on TEXT key time=ISO_TEXT
  commodity_id INTEGER key ->commodity.commodity_id
  exchange_code TEXT key list=BUD|CBT|MAT
  close_price REAL non_additive
  volume_t INTEGER additive
fx_rate
  rate_date TEXT key time=ISO_TEXT
  currency TEXT key list=EUR|UAH|USD
  to_eur REAL non_additive
""")
DDL, KEYS, FOREIGN = DECLARED.ddl, DECLARED.keys, DECLARED.foreign
SEMANTICS = DECLARED.semantics
ORGS = {"NORDKORN": "EUR", "STEPPE": "UAH", "PRAIRIE": "USD"}
GOODS = ("Wheat", "Barley", "Maize", "Rye", "Oats", "Rapeseed", "Soybean", "Sunflower")
GOODS_FROM = 41
COUNTRIES = {"AT": "Austria", "DE": "Germany", "HU": "Hungary", "RO": "Romania", "UA": "Ukraine"}
FIRST = ["Agata", "Bela", "Csilla", "Dorin", "Elena", "Filip", "Gabor", "Hanna", "Ion", "Jana"]
LAST = [
    "Antal",
    "Bodnar",
    "Cerny",
    "Dobos",
    "Enescu",
    "Fekete",
    "Gal",
    "Horvat",
    "Ionescu",
    "Juhas",
]


def fill(connection: sqlite3.Connection) -> None:
    """Three traders with twelve sites over a year."""
    draw = random.Random(4404)
    _masters(connection, draw)
    _contracts(connection, draw)
    _store(connection, draw)
    _books(connection, draw)
    _markets(connection, draw)


def _masters(connection: sqlite3.Connection, draw: random.Random) -> None:
    insert(
        connection,
        "organisation",
        [(org, f"{org.title()} Trading Ltd", money) for org, money in ORGS.items()],
    )
    insert(connection, "country", COUNTRIES.items())
    lands = [*COUNTRIES, *COUNTRIES, "DE", "UA"]
    sites = [
        (310 + number, list(ORGS)[number % 3], f"Silo {number + 1}", land)
        for number, land in enumerate(lands)
    ]
    insert(connection, "site", sites)
    codes = (100_199, 100_390, 100_590, 100_290, 100_490, 120_510, 120_190, 120_600)
    insert(
        connection,
        "commodity",
        [
            (GOODS_FROM + number, name, codes[number], round(draw.uniform(8, 15), 1))
            for number, name in enumerate(GOODS)
        ],
    )
    firms: list[Row] = []
    for number in range(240):
        first, last = draw.choice(FIRST), draw.choice(LAST)
        mail = f"{first.lower()}.{last.lower()}@mill{number}.test"
        firms.append(
            (
                number + 5001,
                draw.choice(list(ORGS)),
                f"Mill {number} Kft",
                f"{first} {last}",
                mail,
                draw.randint(0, 90),
                int(draw.random() < 0.07),
            )
        )
    insert(connection, "counterparty", firms)


def _contracts(connection: sqlite3.Connection, draw: random.Random) -> None:
    owners = dict(connection.execute("SELECT counterparty_id, org_code FROM counterparty"))
    contracts: list[Row] = []
    revisions: list[Row] = []
    shipped: list[Row] = []
    for own in draw.sample(range(60_000, 69_999), 1100):
        other = draw.choice(list(owners))
        signed = date(2024, 7, 1) + timedelta(days=draw.randrange(330))
        unit, factor = draw.choice((("t", 1), ("t", 1), ("kg", 1000), ("bu", 37)))
        amount = draw.randint(20, 900) * factor
        price = round(draw.uniform(150, 480) / factor, 4)
        money = draw.choice(("EUR", "EUR", "USD", "UAH"))
        contracts.append(
            (
                own,
                owners[other],
                other,
                draw.randint(GOODS_FROM, GOODS_FROM + 7),
                draw.choice(("buy", "sell")),
                signed.isoformat(),
                unit,
                float(amount),
                money,
                price,
                draw.choices(("open", "fulfilled", "cancelled"), (4, 5, 1))[0],
            )
        )
        for number in range(1, draw.randint(1, 4) + 1):
            on = signed + timedelta(days=11 * number - 11)
            then = round(price * draw.uniform(0.95, 1.05), 4)
            revisions.append((own, number, int(on.strftime("%Y%m%d")), then))
        loads = draw.randint(0, 5)
        for _ in range(loads):
            after = (signed - date(2024, 7, 1)).days + draw.randint(5, 60)
            at = (seconds(2024, 7, 1) + after * 86_400 + draw.randrange(86_400)) * 1000
            part = round(amount / loads, 2)
            value, freight = round(part * price, 2), round(draw.uniform(9, 60) / factor, 4)
            shipped.append((len(shipped) + 1, own, at + draw.randrange(1000), part, value, freight))
    insert(connection, "contract", contracts)
    insert(connection, "contract_revision", revisions)
    insert(connection, "shipment", shipped)


def _store(connection: sqlite3.Connection, draw: random.Random) -> None:
    owners = dict(connection.execute("SELECT site_no, org_code FROM site"))
    lots = [
        (
            site,
            number,
            draw.randint(GOODS_FROM, GOODS_FROM + 7),
            seconds(2024, 7, 1) + draw.randrange(300 * 86_400),
            draw.choice((2023, 2024)),
            draw.randint(20_180_000, 20_259_999),
            round(draw.uniform(8, 19), 1),
        )
        for site in owners
        for number in range(1, draw.randint(14, 24))
    ]
    insert(connection, "lot", lots)
    held = {(each[0], each[1]): draw.randint(2_000_000, each[5]) for each in lots}
    stock: list[Row] = []
    for week in range(30):
        day = (date(2024, 12, 1) + timedelta(days=7 * week)).isoformat()
        for (site, lot), amount in held.items():
            held[site, lot] = max(0, amount - draw.choice((0, 0, 0, 1)) * draw.randint(0, 900_000))
            now = held[site, lot]
            reserved = int(now * draw.choice((0, 0.1, 0.25)))
            value = round(now * draw.uniform(0.19, 0.24), 2)
            stock.append((day, site, lot, owners[site], now, reserved, value))
    insert(connection, "stock_position", stock)
    moves: list[Row] = []
    for number in range(4000):
        site, lot = draw.choice(lots)[:2]
        on = int((date(2024, 12, 1) + timedelta(days=draw.randrange(210))).strftime("%Y%m%d"))
        way = draw.choice(("in", "out", "out"))
        moves.append((number + 1, site, lot, on, way, draw.randint(18_000, 28_000)))
    insert(connection, "movement", moves)


def _books(connection: sqlite3.Connection, draw: random.Random) -> None:
    kinds = ("asset", "liability", "revenue", "expense")
    accounts = draw.sample(range(1000, 8999), 60)
    insert(
        connection,
        "gl_account",
        [
            (each, f"Account {each}", kinds[number % 4])
            for number, each in enumerate(sorted(accounts))
        ],
    )
    rows: list[Row] = []
    for org in ORGS:
        for account in accounts:
            carried = round(draw.uniform(-90_000, 90_000), 2)
            for year in (2023, 2024):
                months = [round(draw.uniform(-9000, 11_000), 2) for _ in range(12)]
                rows += [
                    (org, account, year, period, amount)
                    for period, amount in enumerate((carried, *months))
                ]
                carried = round(carried + sum(months), 2)
    insert(connection, "account_period", rows)


def _markets(connection: sqlite3.Connection, draw: random.Random) -> None:
    summary: list[Row] = []
    for year in range(2015, 2025):
        for good in range(GOODS_FROM, GOODS_FROM + 8):
            parts = [
                (grade, draw.randint(3, 60), draw.randint(10**6, 10**8))
                for grade in ("A", "B", "C")
            ]
            whole = ("ALL", sum(part[1] for part in parts), sum(part[2] for part in parts))
            summary += [
                (year, good, *part, round(draw.uniform(9, 15), 2)) for part in (*parts, whole)
            ]
    insert(connection, "quality_summary", summary)
    days = [(date(2024, 12, 1) + timedelta(days=number)).isoformat() for number in range(120)]
    prices = [
        (day, good, where, round(draw.uniform(140, 520), 2), draw.randint(100, 90_000))
        for day in days
        for good in range(GOODS_FROM, GOODS_FROM + 8)
        for where in ("BUD", "CBT", "MAT")
    ]
    insert(connection, "daily_price", prices)
    middles = (("EUR", 1.0), ("USD", 0.92), ("UAH", 0.022))
    first = date(2024, 7, 1)
    rates = [
        (
            (first + timedelta(days=day)).isoformat(),
            code,
            round(middle * draw.uniform(0.97, 1.03), 5),
        )
        for day in range(340)
        for code, middle in middles
    ]
    insert(connection, "fx_rate", rates)
