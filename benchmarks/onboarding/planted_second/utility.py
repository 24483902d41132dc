"""An energy utility on both sides of a border: registers that count up, tariffs, bills, outages."""

import random
import sqlite3
from datetime import date, timedelta

from benchmarks.onboarding.planted_blind.declared import declared
from benchmarks.onboarding.planted_blind.rows import Row, insert, seconds

DECLARED = declared("""
GridRegion
  RegionId TEXT key                 # ALL is Allihies here, no total
  RegionName TEXT
Premise
  PremiseId INTEGER key             # the same numbers as MeterId, no link
  Uprn INTEGER code                 # twelve digits given by the land registry
  AddressLine TEXT person
  Town TEXT
  RegionId TEXT ->GridRegion.RegionId
  EpcRating TEXT list=A|B|C|D|E|F|G
  MaxSupplyKva TEXT additive        # numbers, kept as text
Tariff
  TariffCode TEXT key
  TariffName TEXT                   # the same for both fuels
  FuelType TEXT list=ELEC|GAS
TariffRate valid=ValidFrom,ValidTo
  TariffCode TEXT key ->Tariff.TariffCode
  BandNo INTEGER key list=1|2 code
  ValidFrom INTEGER key time=YYYYMMDD
  ValidTo INTEGER time=YYYYMMDD     # 99991231 where it lasts
  UnitRate REAL non_additive
  StandingCharge REAL non_additive
CustomerAccount                     # opened and closed once: no validity, and nothing deleted
  AccountNo INTEGER key
  HolderName TEXT person
  EmailAddr TEXT person
  MobileNo TEXT person
  Segment TEXT list=DOM|IND|SME
  CurrencyCode TEXT list=EUR|GBP
  TariffCode TEXT ~>Tariff.TariffCode
  OpenedOn TEXT time=ISO_TEXT
  ClosedOn TEXT time=ISO_TEXT
Meter
  MeterId INTEGER key
  MeterSerial TEXT
  PremiseId INTEGER ->Premise.PremiseId
  FuelType TEXT list=ELEC|GAS
  UnitOfMeasure TEXT list=kWh|m3
  InstalledOn TEXT time=ISO_TEXT
  FirmwareBuild INTEGER code        # 20xxxxxx, and no date
MeterAccount valid=EffectiveFrom,EffectiveTo
  MeterId INTEGER key ->Meter.MeterId
  EffectiveFrom TEXT key time=ISO_TEXT
  EffectiveTo TEXT time=ISO_TEXT    # the first day of the next one, or nothing
  AccountNo INTEGER ~>CustomerAccount.AccountNo
MeterReading snapshot=ReadOn
  MeterId INTEGER key ->Meter.MeterId
  ReadOn TEXT key time=ISO_TEXT
  RegisterValue REAL semi_additive unit=Meter.UnitOfMeasure     # counts up: use is a difference
  ReadType TEXT list=A|C|E
IntervalUsage                       # a row for every meter and hour, and all of it flows
  MeterId INTEGER key ->Meter.MeterId
  IntervalStart INTEGER key time=UNIX_SECONDS
  ImportKwh REAL additive
  ExportKwh REAL additive
  AvgVoltage REAL non_additive
Bill                                # from start to end: what is billed, no validity
  BillNo TEXT key
  AccountNo INTEGER ->CustomerAccount.AccountNo
  BillDate TEXT time=ISO_TEXT
  PeriodStart TEXT time=ISO_TEXT
  PeriodEnd TEXT time=ISO_TEXT
  CurrencyCode TEXT list=EUR|GBP
  NetAmount REAL additive unit=Bill.CurrencyCode
  VatAmount REAL additive unit=Bill.CurrencyCode
  GrossAmount REAL additive unit=Bill.CurrencyCode
  VatRate REAL non_additive
  BillStatus TEXT list=Issued|Overdue|Paid
BillLine
  BillNo TEXT key ->Bill.BillNo
  LineNo INTEGER key
  LineType TEXT list=LEVY|STANDING|UNIT
  QuantityUnit TEXT list=day|kWh|m3
  Quantity REAL additive unit=BillLine.QuantityUnit
  UnitPrice REAL non_additive unit=Bill.CurrencyCode
  LineAmount REAL additive unit=Bill.CurrencyCode
Payment
  PaymentId INTEGER key
  AccountNo INTEGER ->CustomerAccount.AccountNo
  PaidAt TEXT time=ISO_TEXT
  Method TEXT list=bacs|card|cheque|dd
  BatchNo INTEGER code
  Amount REAL additive unit=CustomerAccount.CurrencyCode
AccountBalanceMonthly snapshot=AsOfDate
  AsOfDate INTEGER key time=YYYYMMDD
  AccountNo INTEGER key ->CustomerAccount.AccountNo
  Balance REAL semi_additive unit=CustomerAccount.CurrencyCode
  Arrears REAL semi_additive unit=CustomerAccount.CurrencyCode
  PaidInMonth REAL additive unit=CustomerAccount.CurrencyCode   # a flow beside the stocks
RegionLoadMonthly
  LoadYear INTEGER key
  LoadMonth INTEGER key
  RegionId TEXT key ->GridRegion.RegionId
  SectorCode TEXT key list=AGR|COM|IND|RES|TOT total=TOT
  EnergyMwh REAL additive
  PeakMw REAL non_additive
  LoadFactor REAL non_additive
Outage                              # from start to end: an event, no validity
  OutageId INTEGER key
  Region TEXT ~>GridRegion.RegionId
  StartedAt INTEGER time=UNIX_MILLISECONDS
  RestoredAt INTEGER time=UNIX_MILLISECONDS
  CauseCode INTEGER list=11|12|21|33 code
  CustomersAffected INTEGER additive            # how many: nobody's data
  CustomerMinutesLost INTEGER additive
WorkOrder
  WorkOrderNo INTEGER key
  MeterSerial TEXT ~>Meter.MeterSerial
  RaisedOn INTEGER time=YYYYMMDD
  JobType TEXT list=EXCH|INSP|READ
  LabourHours REAL additive
  MaterialCost REAL additive
  IsDeleted INTEGER deleted
""")
DDL, KEYS, FOREIGN = DECLARED.ddl, DECLARED.keys, DECLARED.foreign
SEMANTICS = DECLARED.semantics
REGIONS = {
    "ALL": "Allihies",
    "ANT": "Antrim",
    "CAV": "Cavan",
    "DON": "Donegal",
    "LOU": "Louth",
    "TYR": "Tyrone",
}
FIRST = ("Aoife", "Brendan", "Ciara", "Declan", "Eimear", "Fergal", "Grainne", "Hugh", "Isla")
LAST = ("Boyle", "Casey", "Doran", "Egan", "Flynn", "Gallagher", "Hughes", "Keane", "Lavery")
ROADS = ("Mill Road", "Church Lane", "Harbour View", "Bog Road", "Station Terrace")
FIRST_METER = 10_001


def fill(connection: sqlite3.Connection) -> None:
    """Six hundred accounts with seven hundred meters over a year."""
    draw = random.Random(5101)
    insert(connection, "GridRegion", list(REGIONS.items()))
    tariffs = _tariffs(connection, draw)
    accounts = _accounts(connection, draw, tariffs)
    serials = _meters(connection, draw, list(accounts))
    _readings(connection, draw)
    _bills(connection, draw, accounts)
    _balances(connection, draw, list(accounts)[:280])
    _grid(connection, draw)
    _work(connection, draw, serials)


def _tariffs(connection: sqlite3.Connection, draw: random.Random) -> list[str]:
    names = ("Saver", "Flex", "Night", "Green", "Business", "Heat")
    rows: list[Row] = []
    rates: list[Row] = []
    for number in range(12):
        fuel = ("ELEC", "GAS")[number % 2]
        code = f"{fuel[0]}{draw.randint(10, 99)}{names[number // 2][:3].upper()}"
        rows.append((code, names[number // 2], fuel))
        for band in (1, 2):
            for year in range(2021, 2025):
                ends = year * 10_000 + 1231 if year < 2024 else 99_991_231
                unit, daily = round(draw.uniform(0.08, 0.4), 4), round(draw.uniform(0.2, 0.8), 3)
                rates.append((code, band, year * 10_000 + 101, ends, unit, daily))
    insert(connection, "Tariff", rows)
    insert(connection, "TariffRate", rates)
    return [row[0] for row in rows]


def _accounts(
    connection: sqlite3.Connection, draw: random.Random, tariffs: list[str]
) -> dict[int, str]:
    rows: list[Row] = []
    for own in draw.sample(range(85_000_000, 86_900_000), 600):
        first, last = draw.choice(FIRST), draw.choice(LAST)
        opened = date(2019, 1, 1) + timedelta(days=draw.randrange(1500))
        closed = (opened + timedelta(days=draw.randint(300, 700))).isoformat()
        rows.append(
            (
                own,
                f"{first} {last}",
                f"{first.lower()}.{last.lower()}{own % 10_000}@inbox.test",
                f"+353 8{draw.randrange(10**7, 10**8)}",
                draw.choices(("DOM", "SME", "IND"), (8, 2, 1))[0],
                draw.choices(("EUR", "GBP"), (3, 2))[0],
                None if draw.random() < 0.04 else draw.choice(tariffs[:-2]),
                opened.isoformat(),
                closed if draw.random() < 0.08 else None,
            )
        )
    insert(connection, "CustomerAccount", rows)
    return {row[0]: row[5] for row in rows}


def _meters(connection: sqlite3.Connection, draw: random.Random, accounts: list[int]) -> list[str]:
    heads = ("Bally", "Carrick", "Drum", "Dun", "Ennis", "Kil", "Lis")
    towns = [
        head + tail for head in heads for tail in ("bay", "gar", "keel", "more", "naree", "ow")
    ]
    sizes = ("9.2", "12", "16", "23.5", "60", "100", "138", "250")
    insert(
        connection,
        "Premise",
        [
            (
                FIRST_METER + number,
                draw.randrange(10**11, 10**12),
                f"{draw.randint(1, 180)} {draw.choice(ROADS)}",
                draw.choice(towns),
                draw.choice(list(REGIONS)),
                draw.choice("ABCDEFG"),
                draw.choices(sizes, (9, 20, 20, 9, 4, 3, 2, 1))[0],
            )
            for number in range(560)
        ],
    )
    serials = [f"K{each}" for each in draw.sample(range(1_000_000, 9_999_999), 700)]
    meters: list[Row] = []
    periods: list[Row] = []
    for number, serial in enumerate(serials):
        own, fuel = FIRST_METER + number, draw.choices(("ELEC", "GAS"), (3, 1))[0]
        fitted = date(2015, 1, 1) + timedelta(days=draw.randrange(2500))
        unit = "kWh" if fuel == "ELEC" else "m3"
        build = draw.randrange(20_130_000, 20_999_999)
        place = FIRST_METER + draw.randrange(560)
        meters.append((own, serial, place, fuel, unit, fitted.isoformat(), build))
        starts = sorted(draw.sample(range(2200, 3600), draw.choice((1, 1, 2, 3))))
        days = [(date(2015, 1, 1) + timedelta(days=each)).isoformat() for each in starts]
        vacant = (date(2024, 11, 1) + timedelta(days=draw.randrange(60))).isoformat()
        last = vacant if draw.random() < 0.06 else None
        for day, end in zip(days, (*days[1:], last), strict=True):
            periods.append((own, day, end, draw.choice(accounts)))
    insert(connection, "Meter", meters)
    insert(connection, "MeterAccount", periods)
    return serials


def _readings(connection: sqlite3.Connection, draw: random.Random) -> None:
    ends = [date(2024, month, 1) - timedelta(days=1) for month in range(1, 13)]
    ends.append(date(2024, 12, 31))
    rows: list[Row] = []
    for meter in range(FIRST_METER, FIRST_METER + 320):
        register = round(draw.uniform(900, 60_000), 1)
        for end in ends:
            kind = draw.choices("AEC", (6, 3, 1))[0]
            rows.append((meter, end.isoformat(), register, kind))
            register = round(register + draw.uniform(40, 900), 1)
    insert(connection, "MeterReading", rows)
    hours = [
        (
            meter,
            seconds(2024, 11, 4) + 3600 * hour,
            round(draw.uniform(0.05, 4.5), 3),
            round(max(0.0, draw.uniform(-2, 1.5)), 3),
            round(draw.uniform(224, 241), 1),
        )
        for meter in range(FIRST_METER, FIRST_METER + 36)
        for hour in range(24 * 5)
    ]
    insert(connection, "IntervalUsage", hours)


def _bills(connection: sqlite3.Connection, draw: random.Random, accounts: dict[int, str]) -> None:
    bills: list[Row] = []
    lines: list[Row] = []
    paid: list[Row] = []
    for own, money in accounts.items():
        for quarter in range(1, 5):
            start = date(2024, 3 * quarter - 2, 1)
            end = date(2024 + quarter // 4, 3 * quarter % 12 + 1, 1) - timedelta(days=1)
            number = f"B24Q{quarter}-{own % 10_000_000:07}"
            parts = _lines(draw, (end - start).days + 1)
            lines += [(number, 10 * at, *part) for at, part in enumerate(parts, 1)]
            net, rate = round(sum(part[-1] for part in parts), 2), draw.choice((0.05, 0.09, 0.135))
            tax = round(net * rate, 2)
            gross = round(net + tax, 2)
            status = draw.choices(("Paid", "Issued", "Overdue"), (7, 2, 1))[0]
            on = end + timedelta(days=draw.randint(2, 9))
            span = (on.isoformat(), start.isoformat(), end.isoformat())
            bills.append((number, own, *span, money, net, tax, gross, rate, status))
            for share in _shares(draw, status):
                day = on + timedelta(days=draw.randint(1, 40))
                clock = (
                    f"{draw.randint(6, 22):02}:{draw.randint(0, 59):02}:{draw.randint(0, 59):02}"
                )
                how = draw.choices(("dd", "card", "bacs", "cheque"), (6, 3, 2, 1))[0]
                batch = draw.randint(40_000, 49_999)
                amount = round(gross * share, 2)
                at = f"{day.isoformat()} {clock}"
                paid.append((len(paid) + 700_001, own, at, how, batch, amount))
    insert(connection, "Bill", bills)
    insert(connection, "BillLine", lines)
    insert(connection, "Payment", paid)


def _shares(draw: random.Random, status: str) -> tuple[float, ...]:
    """What of a bill is paid, in how many payments."""
    return draw.choice(((1.0,), (1.0,), (0.6, 0.4))) if status == "Paid" else ()


def _lines(draw: random.Random, days: int) -> list[Row]:
    unit, price = draw.choices(("kWh", "m3"), (3, 1))[0], round(draw.uniform(0.12, 0.42), 4)
    used, daily = round(draw.uniform(150, 2400), 1), round(draw.uniform(0.3, 0.8), 3)
    levy = round(draw.uniform(0.004, 0.02), 4)
    return [
        ("UNIT", unit, used, price, round(used * price, 2)),
        ("STANDING", "day", float(days), daily, round(days * daily, 2)),
        ("LEVY", unit, used, levy, round(used * levy, 2)),
    ]


def _balances(connection: sqlite3.Connection, draw: random.Random, accounts: list[int]) -> None:
    rows: list[Row] = []
    for own in accounts:
        held = round(draw.uniform(-150, 400), 2)
        for month in range(1, 13):
            last = date(2024 + month // 12, month % 12 + 1, 1) - timedelta(days=1)
            paid = round(draw.choice((0, 0, 1)) * draw.uniform(20, 600), 2)
            held = round(held + draw.uniform(0, 220) - paid, 2)
            owed = max(0.0, round(held - 200, 2))
            rows.append((int(last.strftime("%Y%m%d")), own, held, owed, paid))
    insert(connection, "AccountBalanceMonthly", rows)


def _grid(connection: sqlite3.Connection, draw: random.Random) -> None:
    loads: list[Row] = []
    for year in range(2021, 2025):
        for month in range(1, 13):
            for region in REGIONS:
                parts = [
                    (sector, round(draw.uniform(400, 9000), 1), round(draw.uniform(4, 40), 2))
                    for sector in ("AGR", "COM", "IND", "RES")
                ]
                energy = round(sum(part[1] for part in parts), 1)
                peak = round(0.8 * sum(part[2] for part in parts), 2)
                for sector, used, most in (*parts, ("TOT", energy, peak)):
                    factor = round(used / (most * 730), 3)
                    loads.append((year, month, region, sector, used, most, factor))
    insert(connection, "RegionLoadMonthly", loads)
    outages: list[Row] = []
    for number in range(420):
        begun = (seconds(2024, 1, 1) + draw.randrange(366 * 86_400)) * 1000 + draw.randrange(1000)
        minutes, hit = draw.randint(4, 600), draw.randint(3, 4200)
        cause = draw.choices((11, 12, 21, 33), (4, 3, 2, 1))[0]
        ended = begun + minutes * 60_000
        region = draw.choice(list(REGIONS))
        outages.append((number + 31_001, region, begun, ended, cause, hit, hit * minutes))
    insert(connection, "Outage", outages)


def _work(connection: sqlite3.Connection, draw: random.Random, serials: list[str]) -> None:
    rows: list[Row] = []
    for number in range(950):
        day = date(2024, 1, 1) + timedelta(days=draw.randrange(366))
        job = draw.choices(("INSP", "EXCH", "READ"), (3, 2, 5))[0]
        hours, cost = round(draw.uniform(0.25, 6), 2), round(draw.uniform(0, 240), 2)
        raised, gone = int(day.strftime("%Y%m%d")), int(draw.random() < 0.07)
        serial = draw.choice(serials[:480])
        rows.append((number + 660_001, serial, raised, job, hours, cost, gone))
    insert(connection, "WorkOrder", rows)
