"""A biobank on four sites: donors and their consents, samples in two units, freezers by month."""

import random
import sqlite3
from datetime import date, timedelta

from benchmarks.onboarding.planted_blind.declared import declared
from benchmarks.onboarding.planted_blind.rows import Row, insert, seconds

DECLARED = declared("""
site
  siteCode TEXT key
  siteName TEXT
study
  studyId INTEGER key
  title TEXT                                    # one is Total Diet: a study, no total
  openedOn TEXT time=ISO_TEXT                   # from opened to closed: an event, no validity
  closedOn TEXT time=ISO_TEXT
donor
  donorId INTEGER key
  familyName TEXT person
  email TEXT person
  birthDay INTEGER time=YYYYMMDD person
  sex TEXT list=F|M
  homeSite TEXT ~>site.siteCode
  referredBy INTEGER ~>donor.donorId            # nothing where nobody did
  withdrawn INTEGER deleted                     # 1 where the donor took everything back
consent valid=validFrom,validTo
  donorId INTEGER key ->donor.donorId
  studyId INTEGER key ->study.studyId
  validFrom TEXT key time=ISO_TEXT
  validTo TEXT time=ISO_TEXT                    # nothing while it holds
  tier TEXT list=BROAD|NARROW|REFUSED
visit
  donorId INTEGER key ->donor.donorId
  visitNo INTEGER key                           # numbered anew for each donor
  studyId INTEGER ~>study.studyId
  siteCode TEXT ->site.siteCode
  visitedAt TEXT time=ISO_TEXT
  allowance REAL additive unit=visit.currency
  currency TEXT list=DKK|EUR|SEK
sample donorId,visitNo->visit.donorId,visitNo
  sampleId INTEGER key
  donorId INTEGER ~>donor.donorId
  visitNo INTEGER
  material TEXT list=BUFFY|PLASMA|SERUM|URINE
  drawnAt INTEGER time=UNIX_SECONDS
  volume REAL additive unit=sample.volumeUnit
  volumeUnit TEXT list=mL|uL
  hemolysisIndex TEXT non_additive              # a number, kept as text
  discarded TEXT deleted                        # Y or N
freezer
  freezerCode TEXT key
  siteCode TEXT ->site.siteCode
  setpointC REAL non_additive
  slotCount INTEGER additive
aliquot
  aliquotId INTEGER key
  sampleId INTEGER ->sample.sampleId
  freezerCode TEXT ~>freezer.freezerCode        # nothing where it is sent away
  volumeUl REAL additive
  frozenMs INTEGER time=UNIX_MILLISECONDS
  barcode INTEGER code                          # ten digits from 17, and no time
  status TEXT list=Available|Reserved|Shipped
freezerCensus snapshot=censusDate
  censusDate TEXT key time=ISO_TEXT
  freezerCode TEXT key ->freezer.freezerCode
  slotsUsed INTEGER semi_additive
  slotsFilled INTEGER additive                  # of the month: a flow beside the stock
  fillPercent REAL non_additive
assayRun
  runId INTEGER key
  assay TEXT list=CRP|GWAS|HBA1C|LIPID
  runDay INTEGER time=YYYYMMDD
  startedTs INTEGER time=UNIX_SECONDS           # from start to end: an event, no validity
  endedTs INTEGER time=UNIX_SECONDS
  reagentEur REAL additive
  wells INTEGER additive
  failedWells INTEGER additive
  failPercent REAL non_additive
assayResult
  resultId INTEGER key
  runId INTEGER ->assayRun.runId
  aliquotId INTEGER ~>aliquot.aliquotId         # nothing for a control
  concentration REAL non_additive
  flag INTEGER list=0|1|2|9 code                # 9 is a reading beyond the scale
shipment
  shipmentNo INTEGER key
  studyId INTEGER ->study.studyId
  sentAt TEXT time=ISO_TEXT
  currency TEXT list=DKK|EUR|SEK
  freight REAL additive unit=shipment.currency
  customsRef INTEGER code
shipmentItem
  shipmentNo INTEGER key ->shipment.shipmentNo
  lineNo INTEGER key
  aliquotId INTEGER ~>aliquot.aliquotId
  handlingFee REAL additive unit=shipment.currency
fxRate
  rateDay TEXT key time=ISO_TEXT
  currency TEXT key list=DKK|EUR|SEK
  eurPerUnit REAL non_additive
siteMonth
  month INTEGER key time                        # 202401
  siteCode TEXT key list=AAR|ALL|HEL|LUN|ODE total=ALL
  drawn INTEGER additive
  rejected INTEGER additive
  rejectPercent REAL non_additive
""")
DDL, KEYS, FOREIGN = DECLARED.ddl, DECLARED.keys, DECLARED.foreign
SEMANTICS = DECLARED.semantics
SITES = {"AAR": "Aarhus", "HEL": "Helsinki", "LUN": "Lund", "ODE": "Odense"}
MONEY = {"AAR": "DKK", "HEL": "EUR", "LUN": "SEK", "ODE": "DKK"}
RATES = {"DKK": 0.134, "EUR": 1.0, "SEK": 0.088}
STUDIES = ("Nordic Heart", "Total Diet", "Sleep and Shift", "Early Arthritis", "Twins 2000")
NAMES = ("Aalto", "Berg", "Dahl", "Ek", "Friis", "Holm", "Juhl", "Koski", "Lind", "Madsen")
YEAR = date(2024, 1, 1)


def fill(connection: sqlite3.Connection) -> None:
    """A year of visits, samples and runs."""
    draw = random.Random(6107)
    insert(connection, "site", list(SITES.items()))
    _studies(connection, draw)
    donors = _donors(connection, draw)
    _consents(connection, draw, donors[:330])
    visits = _visits(connection, draw, donors[:330])
    aliquots = _aliquots(connection, draw, _samples(connection, draw, visits))
    _runs(connection, draw, aliquots)
    _shipments(connection, draw, aliquots)
    _rates(connection, draw)
    _months(connection, draw)


def _moment(draw: random.Random, day: date) -> str:
    return f"{day.isoformat()} {draw.randint(7, 17):02}:{draw.randint(0, 59):02}:00"


def _studies(connection: sqlite3.Connection, draw: random.Random) -> None:
    rows: list[Row] = []
    for own, title in enumerate(STUDIES, 11):
        opened = date(2021, 1, 1) + timedelta(days=draw.randrange(700))
        closed = (opened + timedelta(days=2400)).isoformat()
        rows.append((own, title, opened.isoformat(), closed))
    insert(connection, "study", rows)


def _donors(connection: sqlite3.Connection, draw: random.Random) -> list[int]:
    rows: list[Row] = []
    for own in draw.sample(range(30_000, 39_999), 380):
        name = draw.choice(NAMES)
        born = date(1945, 1, 1) + timedelta(days=draw.randrange(20_000))
        by = draw.choice(rows)[0] if rows and draw.random() < 0.3 else None
        mail = f"{name.lower()}{own}@post.example"
        row = (own, name, mail, int(born.strftime("%Y%m%d")), draw.choice("FM"))
        rows.append((*row, draw.choice(list(SITES)), by, int(draw.random() < 0.09)))
    insert(connection, "donor", rows)
    return [row[0] for row in rows]


def _consents(connection: sqlite3.Connection, draw: random.Random, donors: list[int]) -> None:
    rows: list[Row] = []
    for own in donors:
        for study in draw.sample(range(11, 16), draw.randint(1, 2)):
            start = date(2022, 1, 1) + timedelta(days=draw.randrange(400))
            count = draw.randint(1, 3)
            for turn in range(count):
                end = start + timedelta(days=draw.randint(100, 400))
                last = None if turn == count - 1 else (end - timedelta(days=1)).isoformat()
                tier = draw.choices(("BROAD", "NARROW", "REFUSED"), (6, 3, 1))[0]
                rows.append((own, study, start.isoformat(), last, tier))
                start = end
    insert(connection, "consent", rows)


def _visits(connection: sqlite3.Connection, draw: random.Random, donors: list[int]) -> list[Row]:
    rows: list[Row] = []
    for own in donors:
        day = YEAR + timedelta(days=draw.randrange(60))
        for number in range(1, draw.randint(2, 6)):
            site = draw.choice(list(SITES))
            much = round(draw.uniform(20, 60) / RATES[MONEY[site]])
            study = draw.randint(11, 15)
            rows.append((own, number, study, site, _moment(draw, day), float(much), MONEY[site]))
            day += timedelta(days=draw.randint(20, 70))
    insert(connection, "visit", rows)
    return rows


def _samples(connection: sqlite3.Connection, draw: random.Random, visits: list[Row]) -> list[Row]:
    rows: list[Row] = []
    for visit in visits:
        day = date.fromisoformat(visit[4][:10])
        at = seconds(day.year, day.month, day.day) + draw.randint(7, 15) * 3600
        for material in draw.sample(("BUFFY", "PLASMA", "SERUM", "URINE"), draw.randint(0, 3)):
            size, unit = draw.uniform(2, 12), draw.choice(("mL", "mL", "uL"))
            much = round(size, 1) if unit == "mL" else float(round(size * 1000))
            grade, gone = str(draw.randint(2, 140)), draw.choices(("N", "Y"), (15, 1))[0]
            own = 500_000 + 3 * len(rows)
            rows.append((own, *visit[:2], material, at, much, unit, grade, gone))
    insert(connection, "sample", rows)
    return rows


def _aliquots(connection: sqlite3.Connection, draw: random.Random, samples: list[Row]) -> list[int]:
    freezers: list[Row] = []
    for at in range(14):
        cold = draw.choice((-20.0, -80.0, -80.0, -150.0))
        freezers.append((f"FZ{at + 1:02}", list(SITES)[at % 4], cold, draw.choice((300, 480, 600))))
    insert(connection, "freezer", freezers)
    rows: list[Row] = []
    for sample in samples:
        for part in range(draw.randint(1, 4)):
            status = draw.choices(("Available", "Reserved", "Shipped"), (6, 1, 2))[0]
            place = None if status == "Shipped" else draw.choice(freezers[:13])[0]
            frozen = (sample[4] + 5400 + 60 * part) * 1000 + draw.randrange(1000)
            mark = draw.randrange(17 * 10**8, 18 * 10**8)
            much = float(draw.choice((200, 250, 500, 1000)))
            rows.append((700_001 + len(rows), sample[0], place, much, frozen, mark, status))
    insert(connection, "aliquot", rows)
    _census(connection, draw, freezers)
    return [row[0] for row in rows]


def _census(connection: sqlite3.Connection, draw: random.Random, freezers: list[Row]) -> None:
    rows: list[Row] = []
    for freezer in freezers:
        used = int(freezer[3] * draw.uniform(0.2, 0.6))
        for month in range(24):
            came = draw.randint(4, 40)
            used = max(10, min(freezer[3], used + came - draw.randint(0, 30)))
            first = date(2023 + (month + 1) // 12, (month + 1) % 12 + 1, 1)
            on = (first - timedelta(days=1)).isoformat()
            rows.append((on, freezer[0], used, came, round(100 * used / freezer[3], 1)))
    insert(connection, "freezerCensus", rows)


def _runs(connection: sqlite3.Connection, draw: random.Random, aliquots: list[int]) -> None:
    runs: list[Row] = []
    results: list[Row] = []
    for number in range(190):
        day = YEAR + timedelta(days=draw.randrange(366))
        start = seconds(day.year, day.month, day.day) + draw.randint(6, 14) * 3600
        wells = draw.choice((24, 48, 96, 384))
        failed = draw.randint(0, 9)
        kind = draw.choice(("CRP", "GWAS", "HBA1C", "LIPID"))
        end, cost = start + draw.randint(5, 40) * 600, round(wells * draw.uniform(1, 4), 2)
        told = (cost, wells, failed, round(100 * failed / wells, 2))
        runs.append((8001 + number, kind, int(day.strftime("%Y%m%d")), start, end, *told))
        for _ in range(draw.randint(5, 16)):
            which = draw.choice(aliquots[: len(aliquots) * 3 // 4])
            held = None if draw.random() < 0.08 else which
            flag = draw.choices((0, 1, 2, 9), (14, 3, 2, 1))[0]
            level = round(draw.lognormvariate(1.5, 0.7), 3)
            results.append((len(results) + 1, 8001 + number, held, level, flag))
    insert(connection, "assayRun", runs)
    insert(connection, "assayResult", results)


def _shipments(connection: sqlite3.Connection, draw: random.Random, aliquots: list[int]) -> None:
    sent: list[Row] = []
    items: list[Row] = []
    for number in range(130):
        day, money = YEAR + timedelta(days=draw.randrange(366)), draw.choice(list(RATES))
        cost = round(draw.uniform(40, 300) / RATES[money], 2)
        own = 4400 + number
        ref = draw.randrange(10**6, 10**7)
        sent.append((own, draw.randint(11, 15), _moment(draw, day), money, cost, ref))
        for line, which in enumerate(draw.sample(aliquots, draw.randint(1, 12)), 1):
            items.append((own, line, which, round(draw.uniform(2, 9) / RATES[money], 2)))
    insert(connection, "shipment", sent)
    insert(connection, "shipmentItem", items)


def _rates(connection: sqlite3.Connection, draw: random.Random) -> None:
    rows: list[Row] = []
    for money, base in RATES.items():
        for step in range(366):
            rate = base if money == "EUR" else round(base * draw.uniform(0.97, 1.03), 5)
            rows.append(((YEAR + timedelta(days=step)).isoformat(), money, rate))
    insert(connection, "fxRate", rows)


def _months(connection: sqlite3.Connection, draw: random.Random) -> None:
    rows: list[Row] = []
    for month in (year * 100 + each for year in (2022, 2023, 2024) for each in range(1, 13)):
        drawn, bad = 0, 0
        for place, site in enumerate(SITES, 1):
            own = draw.randint(60, 200) * place
            gone = draw.randint(2, 12) * (2 if place < 3 else 1)
            rows.append((month, site, own, gone, round(100 * gone / own, 2)))
            drawn, bad = drawn + own, bad + gone
        rows.append((month, "ALL", drawn, bad, round(100 * bad / drawn, 2)))
    insert(connection, "siteMonth", rows)
