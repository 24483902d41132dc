"""Prepaid accounts of a telecom in the short names of an old system."""

import random
import sqlite3
from datetime import date, timedelta

from benchmarks.onboarding.planted_blind.declared import declared
from benchmarks.onboarding.planted_blind.rows import Row, insert, seconds

DECLARED = declared("""
KD
  KD_NR INTEGER key
  NAM TEXT person
  GEB_DAT INTEGER person time=YYYYMMDD
  MAIL TEXT person
  PLZ INTEGER code
  KD_ART TEXT list=G|P
  BON_KL INTEGER list=1|2|3|4|5|6 code          # the same values as ZON.ZON_CD, no link
  LOEKZ TEXT deleted                            # X or nothing
TRF
  TRF_CD INTEGER key
  BEZ TEXT
  GRD_PRS REAL non_additive unit=TRF.WHG
  PRS_MIN REAL non_additive unit=TRF.WHG
  PRS_MB REAL non_additive unit=TRF.WHG
  WHG TEXT list=CHF|EUR
VTR valid=GUE_AB,GUE_BIS
  VTR_NR INTEGER key
  VERS INTEGER key
  KD_NR INTEGER ->KD.KD_NR
  TRF_CD INTEGER ->TRF.TRF_CD
  GUE_AB INTEGER time=YYYYMMDD
  GUE_BIS INTEGER time=YYYYMMDD                 # 99991231 where it lasts
KTO
  KTO_NR INTEGER key
  INH INTEGER ~>KD.KD_NR
  MSISDN TEXT person
  WHG TEXT list=CHF|EUR
  SALDO REAL semi_additive unit=KTO.WHG         # now, without a date
  STAT INTEGER list=1|2|3|9 code
  ANL_TS INTEGER time=UNIX_SECONDS
KTO_STD snapshot=STICHTAG
  STICHTAG INTEGER key time=YYYYMMDD
  KTO_NR INTEGER key ->KTO.KTO_NR
  SALDO REAL semi_additive unit=KTO.WHG
  REST_MB INTEGER semi_additive
AUFL
  AUFL_ID INTEGER key
  KTO_NR INTEGER ->KTO.KTO_NR
  TS INTEGER time=UNIX_MILLISECONDS
  BTR REAL additive unit=KTO.WHG
  KANAL TEXT list=APP|KIOSK|SMS|WEB
  GUTSCH_NR INTEGER code
ZON
  ZON_CD INTEGER key
  BEZ TEXT
CDR
  CDR_ID INTEGER key
  A_NR TEXT person ~>KTO.MSISDN                 # guests of other networks have no account
  B_NR TEXT person
  ZON_CD INTEGER ->ZON.ZON_CD
  BEG_TS INTEGER time=UNIX_SECONDS
  DAU_SEK INTEGER additive
  BTR REAL additive unit=KTO.WHG
DAT_NTZ                                         # a session: an event, no validity
  NTZ_ID INTEGER key
  KTO_NR INTEGER ->KTO.KTO_NR
  BEG INTEGER time=UNIX_MILLISECONDS
  ENDE INTEGER time=UNIX_MILLISECONDS
  VOL_B INTEGER additive                        # about twenty million bytes: looks like a date
  RATED_EVT INTEGER additive                    # a count of events, no rate
UMS_MON
  JAHR INTEGER key
  MON INTEGER key
  REG TEXT key list=ALL|NORD|OST|SUED|WEST total=ALL
  UMS REAL additive
  NEU_KD INTEGER additive
  ARPU REAL non_additive
ABR
  ABR_NR INTEGER key
  PTN TEXT
  DAT TEXT time                                 # 31.01.2025
  WHG TEXT list=CHF|EUR|USD
ABR_POS
  ABR_NR INTEGER key ->ABR.ABR_NR
  POS INTEGER key
  ZART TEXT list=P|S total=S                    # S is the sum of the P above it
  MINUTEN INTEGER additive
  BTR REAL additive unit=ABR.WHG
KURS
  TAG INTEGER key time=YYYYMMDD
  WHG TEXT key list=CHF|EUR|USD
  KURS REAL non_additive
""")
DDL, KEYS, FOREIGN = DECLARED.ddl, DECLARED.keys, DECLARED.foreign
SEMANTICS = DECLARED.semantics
NAMES = [
    "Aebi",
    "Bosch",
    "Caduff",
    "Derungs",
    "Egli",
    "Frei",
    "Gasser",
    "Huber",
    "Isler",
    "Jost",
    "Kunz",
    "Lang",
    "Meier",
    "Nef",
]
FORE = [
    "Urs",
    "Vreni",
    "Walter",
    "Xenia",
    "Yves",
    "Zita",
    "Alma",
    "Bruno",
    "Corina",
    "Daniel",
    "Elin",
    "Fabio",
]


def fill(connection: sqlite3.Connection) -> None:
    """Nine hundred customers, twelve hundred accounts, half a year."""
    draw = random.Random(4202)
    _customers(connection, draw)
    numbers = _accounts(connection, draw)
    _usage(connection, draw, numbers)
    _partners(connection, draw)
    _regions(connection, draw)


def _day(first: date, after: int) -> int:
    return int((first + timedelta(days=after)).strftime("%Y%m%d"))


def _customers(connection: sqlite3.Connection, draw: random.Random) -> None:
    customers = draw.sample(range(400_000, 479_999), 900)
    rows: list[Row] = []
    for each in customers:
        fore, last = draw.choice(FORE), draw.choice(NAMES)
        rows.append(
            (
                each,
                f"{last}, {fore}",
                _day(date(1945, 1, 1), draw.randrange(22_000)),
                f"{fore.lower()}.{last.lower()}{each % 1000}@mail.test",
                draw.randint(1000, 9658),
                draw.choices("PG", (9, 1))[0],
                draw.randint(1, 6),
                "X" if draw.random() < 0.06 else "",
            )
        )
    insert(connection, "KD", rows)
    tariffs = draw.sample(range(101, 199), 12)
    insert(
        connection,
        "TRF",
        [
            (
                code,
                f"Tarif {code}",
                draw.choice((0.0, 5.0, 9.9, 19.0)),
                round(draw.uniform(0.05, 0.6), 2),
                round(draw.uniform(0.001, 0.1), 4),
                ("CHF", "EUR")[number % 3 == 0],
            )
            for number, code in enumerate(tariffs)
        ],
    )
    versions: list[Row] = []
    for number, each in enumerate(customers + draw.sample(customers, 150)):
        start, own = draw.randrange(900), 880_001 + 3 * number
        for version in range(1, draw.randint(2, 5)):
            lasts, length = draw.random() < 0.4, draw.randint(90, 500)
            end = 99_991_231 if lasts else _day(date(2021, 1, 1), start + length - 1)
            tariff = draw.choice(tariffs)
            versions.append((own, version, each, tariff, _day(date(2021, 1, 1), start), end))
            if lasts:
                break
            start += length
    insert(connection, "VTR", versions)


def _accounts(connection: sqlite3.Connection, draw: random.Random) -> list[tuple[int, str]]:
    customers = [row[0] for row in connection.execute("SELECT KD_NR FROM KD ORDER BY KD_NR")]
    own = draw.sample(range(7_100_000, 7_999_999), 1200)
    lines = [f"4178{each}" for each in draw.sample(range(1_000_000, 9_999_999), 1200)]
    money = {each: draw.choices(("CHF", "EUR"), (4, 1))[0] for each in own}
    held = {each: round(draw.uniform(0, 90), 2) for each in own}
    weeks: list[Row] = []
    for week in range(26):
        for each in own[:400]:
            held[each] = max(0.0, round(held[each] + draw.uniform(-9, 9), 2))
            rest = draw.randint(0, 4000)
            weeks.append((_day(date(2025, 1, 5), 7 * week), each, held[each], rest))
    insert(connection, "KTO_STD", weeks)
    rows = [
        (
            each,
            draw.choice(customers),
            line,
            money[each],
            held[each],
            draw.choices((1, 2, 3, 9), (80, 10, 6, 4))[0],
            seconds(2021, 1, 1) + draw.randrange(1400 * 86_400),
        )
        for each, line in zip(own, lines, strict=True)
    ]
    insert(connection, "KTO", rows)
    loads: list[Row] = []
    for number in range(4000):
        channel = draw.choice(("APP", "WEB", "SMS", "KIOSK"))
        voucher = draw.randrange(10**11, 10**12) if channel == "KIOSK" else None
        at = (seconds(2025, 1, 1) + draw.randrange(181 * 86_400)) * 1000 + draw.randrange(1000)
        amount = float(draw.choice((10, 20, 30, 50, 100)))
        loads.append((90_001 + number, draw.choice(own), at, amount, channel, voucher))
    insert(connection, "AUFL", loads)
    return list(zip(own, lines, strict=True))


def _usage(
    connection: sqlite3.Connection, draw: random.Random, accounts: list[tuple[int, str]]
) -> None:
    zones = ("Inland", "Nachbarn", "Europa", "Amerika", "Asien", "Uebrige")
    insert(connection, "ZON", list(enumerate(zones, 1)))
    calls: list[Row] = []
    for number in range(6000):
        guest = draw.random() < 0.015
        caller = f"3367{draw.randrange(10**6, 10**7)}" if guest else draw.choice(accounts)[1]
        called = f"417{draw.randrange(10**7, 10**8)}"
        at = seconds(2025, 1, 1) + draw.randrange(181 * 86_400)
        length = int(draw.expovariate(1 / 140)) + 1
        price = round(length / 60 * draw.uniform(0.05, 0.5), 2)
        calls.append((number + 1, caller, called, draw.randint(1, 6), at, length, price))
    insert(connection, "CDR", calls)
    sessions: list[Row] = []
    for number in range(3000):
        at = (seconds(2025, 1, 1) + draw.randrange(181 * 86_400)) * 1000 + draw.randrange(1000)
        volume = draw.randint(20_150_000, 20_259_999)
        end = at + draw.randint(20_000, 7_200_000)
        sessions.append(
            (number + 1, draw.choice(accounts)[0], at, end, volume, draw.randint(1, 40))
        )
    insert(connection, "DAT_NTZ", sessions)


def _partners(connection: sqlite3.Connection, draw: random.Random) -> None:
    heads: list[Row] = []
    lines: list[Row] = []
    for own in range(3001, 3301):
        day = f"{draw.randint(1, 28):02}.{draw.randint(1, 12):02}.{draw.choice((2024, 2025))}"
        partner = f"Netz {draw.randint(1, 60)}"
        heads.append((own, partner, day, draw.choice(("CHF", "EUR", "USD"))))
        parts = [
            (draw.randint(100, 9000), round(draw.uniform(20, 900), 2))
            for _ in range(draw.randint(2, 6))
        ]
        lines += [(own, 10 * number, "P", *part) for number, part in enumerate(parts, 1)]
        minutes, money = sum(part[0] for part in parts), sum(part[1] for part in parts)
        lines.append((own, 10 * len(parts) + 10, "S", minutes, round(money, 2)))
    insert(connection, "ABR", heads)
    insert(connection, "ABR_POS", lines)
    middles = (("CHF", 1.0), ("EUR", 0.94), ("USD", 0.81))
    insert(
        connection,
        "KURS",
        [
            (_day(date(2025, 1, 1), day), code, round(middle * draw.uniform(0.97, 1.03), 5))
            for day in range(181)
            for code, middle in middles
        ],
    )


def _regions(connection: sqlite3.Connection, draw: random.Random) -> None:
    rows: list[Row] = []
    for year in range(2018, 2025):
        for month in range(1, 13):
            parts = [
                (name, round(draw.uniform(20_000, 90_000), 2), draw.randint(10, 300))
                for name in ("NORD", "OST", "SUED", "WEST")
            ]
            money, new = round(sum(part[1] for part in parts), 2), sum(part[2] for part in parts)
            rows += [
                (year, month, *part, round(draw.uniform(8, 19), 2))
                for part in (*parts, ("ALL", money, new))
            ]
    insert(connection, "UMS_MON", rows)
