"""A media agency's warehouse in facts and dimensions: versions of clients, reach, micros, fees."""

import random
import sqlite3
from datetime import date, timedelta

from benchmarks.onboarding.planted_blind.declared import declared
from benchmarks.onboarding.planted_blind.rows import Row, insert, seconds

DECLARED = declared("""
dim_date
  date_key INTEGER key time=YYYYMMDD
  full_date TEXT time=ISO_TEXT
  iso_week INTEGER code
  weekday_name TEXT list=Fri|Mon|Sat|Sun|Thu|Tue|Wed
  is_business_day INTEGER list=0|1 code
dim_advertiser valid=dbt_valid_from,dbt_valid_to
  advertiser_sk INTEGER key
  advertiser_id INTEGER code        # many rows each: no key
  advertiser_name TEXT
  industry TEXT list=auto|fashion|finance|travel
  account_manager TEXT person
  billing_currency TEXT list=EUR|GBP|USD
  dbt_valid_from TEXT time=ISO_TEXT
  dbt_valid_to TEXT time=ISO_TEXT   # the first day of the next one, or nothing
  is_current INTEGER list=0|1 code
dim_publisher
  publisher_id INTEGER key          # the same numbers as advertiser_id, no link
  publisher_name TEXT
  contact_email TEXT person
  rev_share_pct REAL non_additive
  quality_tier INTEGER list=1|2|3 code
dim_publisher_contract
  publisher_id INTEGER key =>dim_publisher.publisher_id
  signed_on TEXT time=ISO_TEXT
  min_guarantee_usd REAL additive
  payment_terms_days INTEGER non_additive
dim_campaign                        # from its first to its last day: no validity
  campaign_id TEXT key
  advertiser_id INTEGER code
  campaign_name TEXT
  channel TEXT list=display|search|social|video
  start_date_key INTEGER ~>dim_date.date_key time=YYYYMMDD
  end_date_key INTEGER ~>dim_date.date_key time=YYYYMMDD
  currency_code TEXT list=EUR|GBP|USD
  lifetime_budget REAL additive unit=dim_campaign.currency_code
  external_ref INTEGER code
  _fivetran_deleted INTEGER deleted
dim_ad_group
  ad_group_id INTEGER key
  campaign_id TEXT ->dim_campaign.campaign_id
  ad_group_name TEXT                # the same in many campaigns
  bid_strategy TEXT list=cpa|cpc|cpm
  max_bid_micros INTEGER non_additive unit=dim_campaign.currency_code
bridge_campaign_label
  campaign_id TEXT key ->dim_campaign.campaign_id
  label TEXT key list=always-on|brand|launch|promo|test
fct_delivery_daily                  # a row for every day, and all of it flows
  date_key INTEGER key ->dim_date.date_key time=YYYYMMDD
  ad_group_id INTEGER key ->dim_ad_group.ad_group_id
  publisher_id INTEGER key ~>dim_publisher.publisher_id
  impressions INTEGER additive
  viewable_impressions INTEGER additive
  clicks INTEGER additive
  currency_code TEXT list=EUR|GBP|USD
  spend_micros INTEGER additive unit=fct_delivery_daily.currency_code
  ctr REAL non_additive
  avg_cpm REAL non_additive unit=fct_delivery_daily.currency_code
fct_conversion
  conversion_id INTEGER key
  campaign_id TEXT ->dim_campaign.campaign_id
  converted_at INTEGER time=UNIX_MILLISECONDS
  conversion_type TEXT list=lead|purchase|signup
  is_new_customer INTEGER list=0|1 code
  currency_code TEXT list=EUR|GBP|USD
  order_value REAL additive unit=fct_conversion.currency_code   # nothing where nothing was bought
fct_reach_weekly
  week_start TEXT key time=ISO_TEXT
  campaign_id TEXT key ->dim_campaign.campaign_id
  unique_reach INTEGER non_additive # people come back: they are counted anew every week
  impressions INTEGER additive
  avg_frequency REAL non_additive
fct_budget_pacing snapshot=snapshot_date
  snapshot_date TEXT key time=ISO_TEXT
  campaign_id TEXT key ->dim_campaign.campaign_id
  spend_to_date REAL semi_additive unit=dim_campaign.currency_code
  budget_remaining REAL semi_additive unit=dim_campaign.currency_code
  spend_in_week REAL additive unit=dim_campaign.currency_code
fct_invoice
  invoice_no TEXT key
  advertiser_id INTEGER code
  invoice_date_key INTEGER ~>dim_date.date_key time=YYYYMMDD
  due_on TEXT time=ISO_TEXT
  currency_code TEXT list=EUR|GBP|USD
  net_amount REAL additive unit=fct_invoice.currency_code
  tax_amount REAL additive unit=fct_invoice.currency_code
  gross_amount REAL additive unit=fct_invoice.currency_code
  po_number INTEGER code            # nothing where there is no order
fct_invoice_line
  invoice_no TEXT key ->fct_invoice.invoice_no
  line_no INTEGER key
  campaign_id TEXT ~>dim_campaign.campaign_id   # nothing for what belongs to none
  fee_type TEXT list=commission|media|tech
  line_amount REAL additive unit=fct_invoice.currency_code
  fee_pct REAL non_additive
fct_payment_received
  payment_id INTEGER key
  invoice_no TEXT ->fct_invoice.invoice_no
  received_at INTEGER time=UNIX_SECONDS
  amount REAL additive unit=fct_invoice.currency_code
dim_fx_rate
  date_key INTEGER key ->dim_date.date_key time=YYYYMMDD
  currency_code TEXT key list=EUR|GBP|USD
  usd_rate REAL non_additive
agg_channel_month
  month_start TEXT key time=ISO_TEXT
  channel TEXT key list=(all)|display|search|social|video total=(all)
  impressions INTEGER additive
  clicks INTEGER additive
  spend_usd REAL additive
  ctr REAL non_additive
""")
DDL, KEYS, FOREIGN = DECLARED.ddl, DECLARED.keys, DECLARED.foreign
SEMANTICS = DECLARED.semantics
RATES = {"EUR": 1.08, "GBP": 1.27, "USD": 1.0}
CHANNELS = ("display", "search", "social", "video")
NAMES = ("Northwick", "Solvane", "Brightmoor", "Kestrelia", "Ombra", "Pallas", "Quillon", "Ravello")
INDUSTRIES = ("auto", "fashion", "finance", "travel")
MANAGERS = ("Nina Ferro", "Omar Lindqvist", "Petra Sole", "Quentin Marsh", "Rosa Ibarra")
YEAR = date(2024, 1, 1)
Campaign = tuple[str, int, str, int, int, float]
"""Its name, client, money, first and last day of the year, and what may be spent."""


def fill(connection: sqlite3.Connection) -> None:
    """A hundred and thirty campaigns of sixty clients over a year."""
    draw = random.Random(6303)
    _days(connection, draw)
    clients = _clients(connection, draw)
    _publishers(connection, draw)
    campaigns = _campaigns(connection, draw, clients)
    _delivery(connection, draw, campaigns)
    _conversions(connection, draw, campaigns)
    _weeks(connection, draw, campaigns)
    _invoices(connection, draw, campaigns)
    _months(connection, draw)


def _number(day: date) -> int:
    return int(day.strftime("%Y%m%d"))


def _days(connection: sqlite3.Connection, draw: random.Random) -> None:
    days = [date(2023, 1, 1) + timedelta(days=each) for each in range(1096)]
    names = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
    rows: list[Row] = []
    for day in days:
        at = day.weekday()
        week = day.isocalendar().week
        rows.append((_number(day), day.isoformat(), week, names[at], int(at < 5)))
    insert(connection, "dim_date", rows)
    rates = [
        (_number(day), code, 1.0 if code == "USD" else round(base * draw.uniform(0.97, 1.03), 5))
        for day in days
        if day.year == YEAR.year
        for code, base in RATES.items()
    ]
    insert(connection, "dim_fx_rate", rates)


def _clients(connection: sqlite3.Connection, draw: random.Random) -> list[tuple[int, str]]:
    rows: list[Row] = []
    found: list[tuple[int, str]] = []
    for own in range(101, 165):
        name = f"{draw.choice(NAMES)} {draw.choice(('Ltd', 'Group', 'AG', 'Inc'))} {own}"
        kind, money = draw.choice(INDUSTRIES), draw.choice(list(RATES))
        found.append((own, money))
        start = date(2022, 1, 1) + timedelta(days=draw.randrange(300))
        for version in range(4):
            end = start + timedelta(days=draw.randint(150, 600))
            lasts = int(end > date(2024, 11, 30) or version == 3)
            until = None if lasts else end.isoformat()
            who = draw.choice(MANAGERS)
            row = (own, name, kind, who, money, start.isoformat(), until, lasts)
            rows.append((9001 + len(rows), *row))
            if lasts:
                break
            start = end
            kind = draw.choice((kind, kind, "travel", "finance"))
    insert(connection, "dim_advertiser", rows)
    return found


def _publishers(connection: sqlite3.Connection, draw: random.Random) -> None:
    rows: list[Row] = []
    terms: list[Row] = []
    for own in range(101, 141):
        name = f"{draw.choice(('Daily', 'Planet', 'Feed', 'Stream'))}{own}.test"
        share = round(draw.uniform(40, 75), 1)
        mail = f"{draw.choice(MANAGERS).lower().replace(' ', '.')}{own}@{name}"
        rows.append((own, name, mail, share, draw.randint(1, 3)))
        signed = (date(2021, 1, 1) + timedelta(days=draw.randrange(900))).isoformat()
        terms.append((own, signed, draw.randint(5, 80) * 1000.0, draw.choice((14, 30, 45, 60))))
    insert(connection, "dim_publisher", rows)
    insert(connection, "dim_publisher_contract", terms)


def _campaigns(
    connection: sqlite3.Connection, draw: random.Random, clients: list[tuple[int, str]]
) -> list[Campaign]:
    rows: list[Row] = []
    labels: list[Row] = []
    found: list[Campaign] = []
    for number in range(130):
        own, (client, money) = f"cmp_{draw.randrange(16**6):06x}{number:02x}", draw.choice(clients)
        first = draw.randrange(250)
        last = min(365, first + draw.randint(25, 120))
        begins, ends = YEAR + timedelta(days=first), YEAR + timedelta(days=last)
        budget = float(draw.randint(8, 160) * 500)
        name = f"{draw.choice(NAMES)} {begins.strftime('%b')} {draw.choice('ABC')}"
        gone, ref = int(draw.random() < 0.08), draw.randint(10**7, 10**8)
        days = (_number(begins), _number(ends))
        channel = draw.choice(CHANNELS)
        rows.append((own, client, name, channel, *days, money, budget, ref, gone))
        for label in draw.sample(("always-on", "brand", "launch", "promo", "test"), number % 4):
            labels.append((own, label))
        found.append((own, client, money, first, last, budget))
    insert(connection, "dim_campaign", rows)
    insert(connection, "bridge_campaign_label", labels)
    return found


def _delivery(
    connection: sqlite3.Connection, draw: random.Random, campaigns: list[Campaign]
) -> None:
    groups: list[Row] = []
    rows: list[Row] = []
    for own, _, money, first, last, _ in campaigns:
        for number in range(draw.randint(1, 4)):
            group, bid = 55_001 + len(groups), draw.randint(20, 900) * 10_000
            name = ("Prospecting", "Retargeting", "Lookalike", "Generic")[number]
            groups.append((group, own, name, draw.choice(("cpa", "cpc", "cpm")), bid))
            for day in sorted(draw.sample(range(first, last + 1), min(14, last - first))):
                key = _number(YEAR + timedelta(days=day))
                for place in draw.sample(range(101, 138), draw.choice((1, 2))):
                    rows.append((key, group, place, *_delivered(draw, money)))
    insert(connection, "dim_ad_group", groups)
    insert(connection, "fct_delivery_daily", rows)


def _delivered(draw: random.Random, money: str) -> Row:
    shown = int(draw.expovariate(1 / 9000)) + 200
    seen, price = int(shown * draw.uniform(0.4, 0.9)), draw.uniform(1.5, 14)
    # crowded places are clicked less, so a plain mean of rates is not the rate
    clicks = min(shown, int(draw.uniform(20, 60) + shown * draw.uniform(0.001, 0.006)))
    spend = int(shown * price * 1000)
    cost = round(spend / shown / 1000, 4)
    return (shown, seen, clicks, money, spend, round(clicks / shown, 5), cost)


def _conversions(
    connection: sqlite3.Connection, draw: random.Random, campaigns: list[Campaign]
) -> None:
    rows: list[Row] = []
    for own, _, money, first, last, _ in campaigns[:118]:
        for _ in range(draw.randint(0, 36)):
            day = draw.randint(first, last)
            at = (seconds(2024, 1, 1) + day * 86_400 + draw.randrange(86_400)) * 1000
            kind = draw.choices(("purchase", "lead", "signup"), (5, 3, 2))[0]
            worth = round(draw.uniform(9, 380), 2) if kind == "purchase" else None
            row = (own, at + draw.randrange(1000), kind, int(draw.random() < 0.4), money, worth)
            rows.append((3_000_001 + len(rows), *row))
    insert(connection, "fct_conversion", rows)


def _weeks(connection: sqlite3.Connection, draw: random.Random, campaigns: list[Campaign]) -> None:
    reach: list[Row] = []
    pacing: list[Row] = []
    for own, _, _, first, last, budget in campaigns:
        spent = 0.0
        begins = YEAR + timedelta(days=first - first % 7)
        for week in range(1 + (last - first) // 7):
            on = begins + timedelta(days=7 * week)
            people = draw.randint(900, 60_000)
            often = round(draw.uniform(1.2, 6), 2)
            reach.append((on.isoformat(), own, people, int(people * often), often))
            now = round(min(budget - spent, budget * draw.uniform(0.02, 0.14)), 2)
            spent = round(spent + now, 2)
            left = round(budget - spent, 2)
            end = on + timedelta(days=6)
            pacing.append((end.isoformat(), own, spent, left, now))
    insert(connection, "fct_reach_weekly", reach)
    insert(connection, "fct_budget_pacing", pacing)


def _invoices(
    connection: sqlite3.Connection, draw: random.Random, campaigns: list[Campaign]
) -> None:
    bills: list[Row] = []
    lines: list[Row] = []
    paid: list[Row] = []
    billed = campaigns[:118]
    clients = sorted({(client, money) for _, client, money, *_ in billed})
    for number in range(520):
        client, money = draw.choice(clients)
        own, day = f"INV-{number + 20_001}", YEAR + timedelta(days=draw.randrange(335))
        theirs = [each[0] for each in billed if each[1] == client]
        net = 0.0
        for line in range(1, draw.randint(2, 6)):
            kind = draw.choices(("media", "commission", "tech"), (5, 3, 2))[0]
            what = draw.choice(theirs) if kind != "tech" else None
            worth, share = round(draw.uniform(80, 6000), 2), round(draw.uniform(2, 15), 1)
            net += worth
            lines.append((own, line, what, kind, worth, share))
        tax = round(net * 0.2, 2)
        gross = round(net + tax, 2)
        due = (day + timedelta(days=30)).isoformat()
        order = draw.randint(4_500_000, 4_599_999) if draw.random() < 0.7 else None
        bills.append((own, client, _number(day), due, money, round(net, 2), tax, gross, order))
        for part in draw.choice(((1.0,), (1.0,), (0.5, 0.5), (0.3, 0.3, 0.4), ())):
            at = seconds(day.year, day.month, day.day) + draw.randrange(86_400, 29 * 86_400)
            paid.append((88_001 + len(paid), own, at, round(gross * part, 2)))
    insert(connection, "fct_invoice", bills)
    insert(connection, "fct_invoice_line", lines)
    insert(connection, "fct_payment_received", paid)


def _months(connection: sqlite3.Connection, draw: random.Random) -> None:
    rows: list[Row] = []
    for year in range(2021, 2025):
        for month in range(1, 13):
            parts: list[tuple[str, int, int, float]] = []
            for channel in CHANNELS:
                shown = draw.randint(200_000, 9_000_000)
                clicks = int(shown * draw.uniform(0.001, 0.02))
                parts.append((channel, shown, clicks, round(draw.uniform(9e3, 4e5), 2)))
            shown, clicks = sum(part[1] for part in parts), sum(part[2] for part in parts)
            every = ("(all)", shown, clicks, round(sum(part[3] for part in parts), 2))
            for channel, shown, clicks, spend in (*parts, every):
                rate = round(clicks / shown, 5)
                start = date(year, month, 1).isoformat()
                rows.append((start, channel, shown, clicks, spend, rate))
    insert(connection, "agg_channel_month", rows)
