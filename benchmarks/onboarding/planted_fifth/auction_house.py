"""An auction house on four sites: lots numbered anew in each sale, bids, premiums, art in store."""

import random
import sqlite3
from datetime import date, timedelta

from benchmarks.onboarding.planted_blind.declared import declared
from benchmarks.onboarding.planted_blind.rows import Row, insert, seconds

DECLARED = declared("""
department
  dept_cd TEXT key
  dept_nm TEXT                                  # one is Total Design: a department, no total
category
  category_cd TEXT key
  category_nm TEXT
  dept_cd TEXT ->department.dept_cd
client                              # those who sell and those who buy
  client_no INTEGER key
  full_nm TEXT person
  email_addr TEXT person
  country_cd TEXT list=CH|FR|GB|US
  introduced_by_no INTEGER ~>client.client_no   # nothing where nobody did
  since_dt INTEGER time=YYYYMMDD
  erased_flg TEXT deleted                       # Y or N
sale
  sale_no INTEGER key
  title TEXT
  dept_cd TEXT ->department.dept_cd
  site_cd TEXT list=GVA|LON|NYC|PAR
  ccy_cd TEXT list=CHF|EUR|GBP|USD
  viewing_dt TEXT time=ISO_TEXT                 # from viewing to sale: an event, no validity
  held_dt TEXT time=ISO_TEXT
lot
  sale_no INTEGER key ->sale.sale_no
  lot_no INTEGER key                            # numbered anew in each sale
  category_cd TEXT ~>category.category_cd
  consignor_no INTEGER ->client.client_no
  low_est_amt REAL additive unit=sale.ccy_cd
  high_est_amt REAL additive unit=sale.ccy_cd
  hammer_amt REAL additive unit=sale.ccy_cd     # nothing where it was not sold
  outcome_cd TEXT list=BOUGHT_IN|SOLD|WITHDRAWN
  height_cm TEXT non_additive                   # a number, kept as text
bid sale_no,lot_no->lot.sale_no,lot_no
  bid_id INTEGER key
  sale_no INTEGER ~>sale.sale_no
  lot_no INTEGER
  bidder_no INTEGER ~>client.client_no          # nothing where the room bids
  placed_ms INTEGER time=UNIX_MILLISECONDS
  channel_cd TEXT list=BOOK|PHONE|ROOM|WEB
  bid_amt REAL non_additive unit=sale.ccy_cd    # each goes beyond the one before
condition_report sale_no,lot_no->lot.sale_no,lot_no
  report_id INTEGER key
  sale_no INTEGER ~>sale.sale_no
  lot_no INTEGER
  written_ts INTEGER time=UNIX_SECONDS
  pages_cnt INTEGER additive
  fee_usd_amt REAL additive
invoice
  inv_no INTEGER key
  sale_no INTEGER ->sale.sale_no
  buyer_no INTEGER ->client.client_no
  issued_ts TEXT time=ISO_TEXT
  ccy_cd TEXT list=CHF|EUR|GBP|USD
  net_amt REAL additive unit=invoice.ccy_cd
  vat_amt REAL additive unit=invoice.ccy_cd
  gross_amt REAL additive unit=invoice.ccy_cd
  void_flg TEXT deleted                         # Y or N
invoice_line sale_no,lot_no->lot.sale_no,lot_no
  inv_no INTEGER key ->invoice.inv_no
  line_no INTEGER key
  line_cd TEXT list=LOT|PREMIUM|SHIPPING
  sale_no INTEGER ~>sale.sale_no                # nothing for shipping
  lot_no INTEGER
  line_amt REAL additive unit=invoice.ccy_cd
payment
  pay_id INTEGER key
  inv_no INTEGER ->invoice.inv_no
  received_ts TEXT time=ISO_TEXT
  ccy_cd TEXT list=CHF|EUR|GBP|USD
  paid_amt REAL additive unit=payment.ccy_cd
  wire_ref INTEGER code                         # eight digits from 2024, and no day
premium_rate valid=from_dt,thru_dt
  site_cd TEXT key list=GVA|LON|NYC|PAR
  from_dt TEXT key time=ISO_TEXT
  thru_dt TEXT time=ISO_TEXT                    # the last day, or nothing
  premium_pct REAL non_additive
storage_week snapshot=week_end_dt
  week_end_dt INTEGER key time=YYYYMMDD
  site_cd TEXT key list=GVA|LON|NYC|PAR
  dept_cd TEXT key ->department.dept_cd
  items_held_cnt INTEGER semi_additive
  insured_usd_amt REAL semi_additive
  items_in_cnt INTEGER additive                 # of the week: a flow beside the stocks
site_month
  month_no INTEGER key time                     # 202401
  site_cd TEXT key list=GVA|LON|NYC|PAR|WORLD total=WORLD
  visits_cnt INTEGER additive
  signups_cnt INTEGER additive
  signup_pct REAL non_additive
  cost_usd_amt REAL additive
fx_day
  fx_dt TEXT key time=ISO_TEXT
  ccy_cd TEXT key list=CHF|EUR|GBP|USD
  usd_rate REAL non_additive
""")
DDL, KEYS, FOREIGN = DECLARED.ddl, DECLARED.keys, DECLARED.foreign
SEMANTICS = DECLARED.semantics
DEPARTMENTS = {
    "BK": ("Books and Maps", ("Atlases", "Manuscripts", "First Editions")),
    "CL": ("Clocks", ("Wristwatches", "Longcase Clocks")),
    "DS": ("Total Design", ("Chairs", "Lamps", "Ceramics")),
    "JW": ("Jewels", ("Rings", "Necklaces")),
    "PT": ("Paintings", ("Old Masters", "Modern", "Drawings")),
}
SITES = {"GVA": "CHF", "LON": "GBP", "NYC": "USD", "PAR": "EUR"}
RATES = {"CHF": 1.13, "EUR": 1.08, "GBP": 1.27, "USD": 1.0}
FIRST = ("Agnes", "Basil", "Cora", "Dorian", "Edith", "Felix", "Greta", "Hugo", "Iris", "Jasper")
LAST = ("Ashdown", "Bellweather", "Crane", "Delacourt", "Ember", "Farrow", "Gillow", "Hartnell")
YEAR = date(2024, 1, 1)
Sold = dict[tuple[int, int], list[tuple[int, float]]]
"""By sale and buyer: lots and what the hammer fell at."""


def fill(connection: sqlite3.Connection) -> None:
    """Two years of sales and of the stores."""
    draw = random.Random(9105)
    insert(connection, "department", [(own, each[0]) for own, each in DEPARTMENTS.items()])
    kinds = [
        (f"{own}{number:02}", name, own)
        for own, each in DEPARTMENTS.items()
        for number, name in enumerate(each[1], 1)
    ]
    insert(connection, "category", kinds)
    clients = _clients(connection, draw)
    sales = _sales(connection, draw)
    sold = _lots(connection, draw, sales, clients)
    _bills(connection, draw, sales, sold, _premiums(connection, draw))
    _stores(connection, draw)
    _months(connection, draw)
    rates: list[Row] = []
    for after in range(860):
        day = (YEAR - timedelta(days=31) + timedelta(days=after)).isoformat()
        for code, rate in RATES.items():
            moved = 1.0 if code == "USD" else round(rate * draw.uniform(0.96, 1.04), 4)
            rates.append((day, code, moved))
    insert(connection, "fx_day", rates)


def _clients(connection: sqlite3.Connection, draw: random.Random) -> list[int]:
    rows: list[Row] = []
    numbers = draw.sample(range(40_000, 49_999), 400)
    for at, own in enumerate(numbers):
        first, last = draw.choice(FIRST), draw.choice(LAST)
        by = draw.choice(numbers[:at]) if at > 20 and draw.random() < 0.3 else None
        since = int((date(2012, 1, 1) + timedelta(days=draw.randrange(4300))).strftime("%Y%m%d"))
        mail, gone = f"{first}.{last}{own}@post.example".lower(), draw.random() < 0.12
        land = draw.choice(("CH", "FR", "GB", "US"))
        rows.append((own, f"{first} {last}", mail, land, by, since, "Y" if gone else "N"))
    insert(connection, "client", rows)
    return numbers


def _sales(connection: sqlite3.Connection, draw: random.Random) -> list[tuple[int, str, str, date]]:
    rows: list[Row] = []
    found: list[tuple[int, str, str, date]] = []
    for number in range(64):
        own, site = 7001 + number * 2, draw.choice(list(SITES))
        held = YEAR + timedelta(days=number * 11 + draw.randrange(9))
        part, money = draw.choice(list(DEPARTMENTS)), SITES[site]
        viewing = (held - timedelta(days=draw.randint(3, 12))).isoformat()
        title = f"{DEPARTMENTS[part][0]} {draw.choice(('Day', 'Evening', 'Online'))} Sale"
        rows.append((own, title, part, site, money, viewing, held.isoformat()))
        found.append((own, part, site, held))
    insert(connection, "sale", rows)
    return found


def _lots(
    connection: sqlite3.Connection,
    draw: random.Random,
    sales: list[tuple[int, str, str, date]],
    clients: list[int],
) -> Sold:
    lots: list[Row] = []
    bids: list[Row] = []
    reports: list[Row] = []
    sold: Sold = {}
    for sale, part, _, held in sales:
        kinds = len(DEPARTMENTS[part][1])
        start = seconds(held.year, held.month, held.day) + 10 * 3600
        for lot in range(1, draw.randint(14, 40)):
            kind = f"{part}{draw.randint(1, kinds):02}"
            low = float(draw.choice((400, 800, 1500, 3000, 8000, 20_000, 60_000)))
            many = draw.choice((0, 1, 2, 3, 4, 6, 8))
            outcome, hammer = "WITHDRAWN" if draw.random() < 0.05 else "BOUGHT_IN", None
            at, offer = start + lot * 90, low * 0.6
            for step in range(many if outcome != "WITHDRAWN" else 0):
                offer = round(offer * draw.uniform(1.05, 1.3), -1)
                way = draw.choice(("BOOK", "PHONE", "ROOM", "WEB"))
                who = None if way == "ROOM" else draw.choice(clients[:300])
                when = (at + step * 11) * 1000 + draw.randrange(1000)
                bids.append((len(bids) + 1, sale, lot, who, when, way, offer))
            if outcome != "WITHDRAWN" and offer >= low * 0.75 and many > 1:
                outcome, hammer = "SOLD", offer
                sold.setdefault((sale, draw.choice(clients[:60])), []).append((lot, offer))
            sizes = str(draw.randint(4, 240))
            owner = draw.choice(clients[200:380])
            lots.append((sale, lot, kind, owner, low, low * 1.5, hammer, outcome, sizes))
            for _ in range(draw.choice((0, 0, 1, 2))):
                written = start - draw.randint(90_000, 900_000)
                fee = float(draw.choice((40, 60, 90)))
                reports.append((len(reports) + 1, sale, lot, written, draw.randint(1, 9), fee))
    insert(connection, "lot", lots)
    insert(connection, "bid", bids)
    insert(connection, "condition_report", reports)
    return sold


def _bills(
    connection: sqlite3.Connection,
    draw: random.Random,
    sales: list[tuple[int, str, str, date]],
    sold: Sold,
    premiums: list[Row],
) -> None:
    known = {sale: (site, held) for sale, _, site, held in sales}
    bills: list[Row] = []
    lines: list[Row] = []
    paid: list[Row] = []
    for (sale, buyer), lots in sold.items():
        site, held = known[sale]
        own, net, money = 310_001 + len(bills), 0.0, SITES[site]
        share = max(each for each in premiums if each[:2] <= (site, held.isoformat()))[3] / 100
        parts: list[Row] = []
        for lot, hammer in lots:
            parts += [("LOT", sale, lot, hammer), ("PREMIUM", sale, lot, round(hammer * share, 2))]
        if draw.random() < 0.5:
            parts.append(("SHIPPING", None, None, float(draw.choice((80, 150, 400)))))
        for number, line in enumerate(parts, 1):
            lines.append((own, number, *line))
            net = round(net + line[3], 2)
        on = held + timedelta(days=draw.randint(0, 9))
        void, vat = draw.random() < 0.08, round(net * 0.1, 2)
        gross = round(net + vat, 2)
        issued = _moment(draw, on)
        bills.append((own, sale, buyer, issued, money, net, vat, gross, "Y" if void else "N"))
        for part in () if void else draw.choice(((1.0,), (0.5, 0.5), (0.2, 0.4, 0.4), ())):
            when = _moment(draw, on + timedelta(days=draw.randint(1, 50)))
            ref = 20_240_000 + draw.randrange(9999)
            paid.append((len(paid) + 1, own, when, money, round(gross * part, 2), ref))
    insert(connection, "invoice", bills)
    insert(connection, "invoice_line", lines)
    insert(connection, "payment", paid)


def _moment(draw: random.Random, day: date) -> str:
    return f"{day.isoformat()} {draw.randint(8, 19):02}:{draw.randint(0, 59):02}:00"


def _premiums(connection: sqlite3.Connection, draw: random.Random) -> list[Row]:
    rates: list[Row] = []
    for site in SITES:
        rate = draw.choice((20.0, 22.0))
        for start, end in (("2023-01-01", "2024-03-31"), ("2024-04-01", "2025-01-31")):
            rates.append((site, start, end, rate))
            rate += draw.choice((1.0, 1.5, 2.0))
        rates.append((site, "2025-02-01", None, rate))
    insert(connection, "premium_rate", rates)
    return rates


def _stores(connection: sqlite3.Connection, draw: random.Random) -> None:
    rows: list[Row] = []
    for site in SITES:
        for part in DEPARTMENTS:
            held, worth = draw.randint(40, 400), draw.uniform(2000, 30_000)
            for week in range(60):
                came, gone = draw.randint(0, 15), draw.randint(0, 15)
                held = max(3, held + came - gone)
                on = int((date(2024, 1, 7) + timedelta(days=7 * week)).strftime("%Y%m%d"))
                rows.append((on, site, part, held, round(held * worth, 2), came))
    insert(connection, "storage_week", rows)


def _months(connection: sqlite3.Connection, draw: random.Random) -> None:
    rows: list[Row] = []
    for month in (year * 100 + each for year in (2023, 2024, 2025) for each in range(1, 13)):
        parts: list[tuple[int, int, float]] = []
        for site, size in zip(SITES, (400, 2500, 6000, 1200), strict=True):
            seen = int(size * draw.uniform(0.5, 1.5))
            joined = int(seen * draw.uniform(0.02, 0.05) * (5 if size < 1500 else 1))
            cost = round(seen * draw.uniform(8, 20), 2)
            parts.append((seen, joined, cost))
            rows.append((month, site, seen, joined, round(100 * joined / seen, 2), cost))
        seen, joined = sum(each[0] for each in parts), sum(each[1] for each in parts)
        cost, share = round(sum(each[2] for each in parts), 2), round(100 * joined / seen, 2)
        rows.append((month, "WORLD", seen, joined, share, cost))
    insert(connection, "site_month", rows)
