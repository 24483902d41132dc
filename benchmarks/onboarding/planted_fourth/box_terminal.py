"""A container terminal in capitals: boxes come back under new visits, weights in two units."""

import random
import sqlite3
from datetime import date, datetime, timedelta

from benchmarks.onboarding.planted_blind.declared import declared
from benchmarks.onboarding.planted_blind.rows import Row, insert, seconds

DECLARED = declared("""
VESSEL
  IMO_NO INTEGER key
  VSL_NM TEXT
  FLAG_CD TEXT list=DK|LR|PA|SG
  TEU_CAP INTEGER additive
  LOA_M REAL non_additive
VSL_CALL                            # from arrival to departure: a call, no validity
  CALL_ID TEXT key
  IMO_NO INTEGER ->VESSEL.IMO_NO
  BERTH_NO INTEGER list=1|2|3|4 code
  STAT_CD TEXT list=ARR|CNL|DEP|EXP
  ATA_TS TEXT time=ISO_TEXT
  ATD_TS TEXT time=ISO_TEXT                     # nothing before it left
  CUR_CD TEXT list=EUR|SGD|USD
  PORT_DUES REAL additive unit=VSL_CALL.CUR_CD
CNTR
  CNTR_NO TEXT key
  ISO_TYP TEXT list=22G1|42G1|45R1
  TEU INTEGER additive
  OWNR_CD TEXT list=ALL|HLX|MSX|ONX             # ALL is Allseas Lines here, no total
  BUILT_YM INTEGER time                         # 201504
CUST
  CUST_CD INTEGER key
  CUST_NM TEXT                                  # branches have the same
  CNTCT_NM TEXT person
  CNTCT_EML TEXT person
  CTRY_CD TEXT list=DE|NL|SG|US
  CR_LIM_USD REAL additive
CNTR_VISIT
  CNTR_NO TEXT key ->CNTR.CNTR_NO
  VISIT_SEQ INTEGER key
  CUST_CD INTEGER ->CUST.CUST_CD
  IN_CALL_ID TEXT ~>VSL_CALL.CALL_ID            # nothing where it came by road
  OUT_CALL_ID TEXT ~>VSL_CALL.CALL_ID           # nothing where it left by road, or stays
  IN_TS INTEGER time=UNIX_SECONDS
  OUT_TS INTEGER time=UNIX_SECONDS              # nothing where it stands in the yard
  CTGRY_CD TEXT list=EXP|IMP|TRN
  WT_UOM TEXT list=KG|LB
  GRS_WT REAL additive unit=CNTR_VISIT.WT_UOM
  SEAL_NO INTEGER code                          # 2024xxxx, and no date
  DEL_IND TEXT deleted                          # Y or N
CNTR_MOVE CNTR_NO,VISIT_SEQ->CNTR_VISIT.CNTR_NO,VISIT_SEQ
  MOVE_ID INTEGER key
  CNTR_NO TEXT ->CNTR.CNTR_NO
  VISIT_SEQ INTEGER
  MOVE_TS INTEGER time=UNIX_MILLISECONDS
  MOVE_CD TEXT list=DSCH|GATE|LOAD|SHFT
  EQUIP_CD TEXT ~>EQUIP.EQUIP_CD                # nothing at the gate
  CYCLE_SEC INTEGER additive
HOLD CNTR_NO,VISIT_SEQ->CNTR_VISIT.CNTR_NO,VISIT_SEQ
  HOLD_ID INTEGER key
  CNTR_NO TEXT ->CNTR.CNTR_NO
  VISIT_SEQ INTEGER
  HOLD_TYP TEXT list=CUSTOMS|DAMAGE|FINANCE
  PLACED_DT INTEGER time=YYYYMMDD
  RLSD_DT INTEGER time=YYYYMMDD                 # nothing while it lasts
  FINE_USD REAL additive
EQUIP
  EQUIP_CD TEXT key
  EQUIP_TYP TEXT list=RS|RTG|STS
  MAX_LOAD_T TEXT non_additive                  # a number, kept as text
  SERIAL_NO INTEGER code
EQUIP_SHIFT                         # a row for every shift, and all of it flows
  SHIFT_DT INTEGER key time=YYYYMMDD
  SHIFT_NO INTEGER key list=1|2|3 code
  EQUIP_CD TEXT key ->EQUIP.EQUIP_CD
  WRK_HRS REAL additive
  IDLE_HRS REAL additive
  MOVE_CNT INTEGER additive
  MPH REAL non_additive
TARIFF valid=EFF_DT,EXP_DT
  SVC_CD TEXT key list=LIFT|REEFER|STORAGE|WASH
  EFF_DT TEXT key time=ISO_TEXT
  EXP_DT TEXT time=ISO_TEXT                     # the first day of the next, or nothing
  UNIT_RT_USD REAL non_additive
INV_HDR
  INV_NO INTEGER key
  CUST_CD INTEGER ~>CUST.CUST_CD
  INV_DT INTEGER time=YYYYMMDD
  CUR_CD TEXT list=EUR|SGD|USD
  NET_AMT REAL additive unit=INV_HDR.CUR_CD
  TAX_AMT REAL additive unit=INV_HDR.CUR_CD
  TOT_AMT REAL additive unit=INV_HDR.CUR_CD
INV_LN
  INV_NO INTEGER key ->INV_HDR.INV_NO
  LN_NO INTEGER key
  SVC_CD TEXT list=LIFT|REEFER|STORAGE|WASH
  UOM_CD TEXT list=DAY|EA
  QTY REAL additive unit=INV_LN.UOM_CD
  UNIT_PRC REAL non_additive unit=INV_HDR.CUR_CD
  LN_AMT REAL additive unit=INV_HDR.CUR_CD
RCPT
  RCPT_ID INTEGER key
  INV_NO INTEGER ->INV_HDR.INV_NO
  RCPT_TS TEXT time=ISO_TEXT
  PAY_METH TEXT list=CARD|CHQ|WIRE
  RCPT_AMT REAL additive unit=INV_HDR.CUR_CD
YARD_INV snapshot=SNAP_DT
  SNAP_DT TEXT key time=ISO_TEXT
  BLK_CD TEXT key list=A|B|C|R
  CTGRY_CD TEXT key list=EXP|IMP|TRN
  TEU_ON_HAND INTEGER semi_additive
  REEFER_PLUGS_USED INTEGER semi_additive
  TEU_RCVD INTEGER additive                     # of the day: a flow beside the stocks
FX
  FX_DT INTEGER key time=YYYYMMDD
  CUR_CD TEXT key list=EUR|SGD|USD
  USD_RT REAL non_additive
TRADE_MTH
  YR_MTH INTEGER key time                       # 202401
  TRADE_CD TEXT key list=AE|IA|TOT|TP total=TOT
  TEU_HNDL INTEGER additive
  MOVE_CNT INTEGER additive
  CRANE_HRS REAL additive
  MPH REAL non_additive
""")
DDL, KEYS, FOREIGN = DECLARED.ddl, DECLARED.keys, DECLARED.foreign
SEMANTICS = DECLARED.semantics
RATES = {"EUR": 1.08, "SGD": 0.74, "USD": 1.0}
NAMES = ("Aurora", "Borealis", "Cygnus", "Draco", "Eridanus", "Fornax", "Gemini", "Hydra", "Indus")
PEOPLE = ("K. Maas", "L. Oduya", "M. Prins", "N. Quek", "O. Rasch", "P. Sim", "R. Tan")
SERVICES = {"LIFT": 95.0, "REEFER": 60.0, "STORAGE": 22.0, "WASH": 48.0}
CRANES = {
    f"{kind}{number}": kind
    for kind, many in (("STS", 5), ("RTG", 8), ("RS", 3))
    for number in range(1, many + 1)
}
YEAR = date(2024, 1, 1)


def fill(connection: sqlite3.Connection) -> None:
    """Calls, boxes and bills of a year."""
    draw = random.Random(7606)
    calls = _calls(connection, draw)
    customers = _customers(connection, draw)
    _cranes(connection, draw)
    _boxes(connection, draw, calls, customers)
    _bills(connection, draw, customers)
    _yard(connection, draw)
    _months(connection, draw)


def _number(day: date) -> int:
    return int(day.strftime("%Y%m%d"))


def _calls(connection: sqlite3.Connection, draw: random.Random) -> list[str]:
    ships: list[Row] = []
    for own in draw.sample(range(9_100_000, 9_899_999), 36):
        name = f"{draw.choice(NAMES)} {draw.choice(('Star', 'Trader', 'Spirit', 'Bay'))}"
        flag, room = draw.choice(("DK", "LR", "PA", "SG")), draw.randint(9, 180) * 100
        ships.append((own, name, flag, room, round(120 + room / 70, 1)))
    insert(connection, "VESSEL", ships)
    rows: list[Row] = []
    for number in range(420):
        came = datetime(2024, 1, 1) + timedelta(minutes=draw.randrange(365 * 1440))
        left = came + timedelta(minutes=draw.randint(400, 3800))
        state = draw.choices(("DEP", "ARR", "EXP", "CNL"), (12, 1, 1, 1))[0]
        gone = left.strftime("%Y-%m-%d %H:%M:%S") if state == "DEP" else None
        money, dues = draw.choice(list(RATES)), round(draw.uniform(4000, 60_000), 2)
        row = (f"V24{number:04}", draw.choice(ships[:33])[0], draw.randint(1, 4), state)
        rows.append((*row, came.strftime("%Y-%m-%d %H:%M:%S"), gone, money, dues))
    insert(connection, "VSL_CALL", rows)
    return [row[0] for row in rows if row[3] == "DEP"]


def _customers(connection: sqlite3.Connection, draw: random.Random) -> list[int]:
    rows: list[Row] = []
    for own in range(7001, 7091):
        name = f"{draw.choice(NAMES)} {draw.choice(('Logistics', 'Foods', 'Forwarding'))}"
        mail = f"desk{own}@{name.split()[0].lower()}.test"
        land, limit = draw.choice(("DE", "NL", "SG", "US")), draw.randint(5, 200) * 1000.0
        rows.append((own, name, draw.choice(PEOPLE), mail, land, limit))
    insert(connection, "CUST", rows)
    return [row[0] for row in rows[:84]]


def _cranes(connection: sqlite3.Connection, draw: random.Random) -> None:
    lifts = {"STS": ("65", "80", "100"), "RTG": ("41", "50"), "RS": ("9", "45")}
    rows = [
        (code, kind, draw.choice(lifts[kind]), draw.randint(10**6, 10**7))
        for code, kind in CRANES.items()
    ]
    insert(connection, "EQUIP", rows)
    shifts: list[Row] = []
    for day in range(120):
        on = _number(date(2024, 3, 1) + timedelta(days=day))
        for shift in (1, 2, 3):
            for code in draw.sample(list(CRANES), 5):
                hours = draw.choice((1.0, 2.5, 6.0, 7.5))
                # long shifts run slower, so a plain mean of rates is not the rate
                moves = int(hours * draw.uniform(34, 40) - hours * hours * 1.6)
                idle = round(draw.uniform(0, 8 - hours), 1)
                rate = round(moves / hours, 2)
                shifts.append((on, shift, code, hours, idle, moves, rate))
    insert(connection, "EQUIP_SHIFT", shifts)


def _boxes(
    connection: sqlite3.Connection, draw: random.Random, calls: list[str], customers: list[int]
) -> None:
    boxes: list[Row] = []
    visits: list[Row] = []
    moves: list[Row] = []
    holds: list[Row] = []
    for number in range(620):
        own = f"{draw.choice(('ALLU', 'HLXU', 'MSXU', 'ONXU'))}{400_000 + 37 * number}"
        kind = draw.choice(("22G1", "42G1", "45R1"))
        size, line = 1 if kind == "22G1" else 2, own[:3]
        built = draw.randint(2008, 2022) * 100 + draw.randint(1, 12)
        boxes.append((own, kind, size, line, built))
        came = seconds(2024, 1, 1) + draw.randrange(120 * 86_400)
        for seq in range(1, draw.choice((1, 2, 2, 3)) + 1):
            left = came + draw.randint(12, 700) * 3600
            stays = left > seconds(2024, 12, 20) or draw.random() < 0.04
            by = draw.choice(calls[:380]) if draw.random() < 0.6 else None
            off = draw.choice(calls[:350]) if not stays and draw.random() < 0.5 else None
            unit = draw.choices(("KG", "LB"), (7, 3))[0]
            weight = round(draw.uniform(4000, 30_000) * (1.0 if unit == "KG" else 2.20462), 1)
            what = draw.choice(("EXP", "IMP", "TRN"))
            gone, seal = "Y" if draw.random() < 0.06 else "N", draw.randint(20_240_000, 20_249_999)
            row = (own, seq, draw.choice(customers), by, off, came, None if stays else left)
            visits.append((*row, what, unit, weight, seal, gone))
            moves += _moves(draw, len(moves), (own, seq, came, left))
            for _ in range(draw.choice((0, 0, 0, 0, 1, 2))):
                holds.append((1 + len(holds), own, seq, *_hold(draw, came)))
            if stays:
                break
            came = left + draw.randint(48, 2000) * 3600
    insert(connection, "CNTR", boxes)
    insert(connection, "CNTR_VISIT", visits)
    insert(connection, "CNTR_MOVE", moves)
    insert(connection, "HOLD", holds)


def _moves(draw: random.Random, before: int, visit: tuple[str, int, int, int]) -> list[Row]:
    own, seq, came, left = visit
    rows: list[Row] = []
    for at in range(draw.randint(1, 5)):
        kind = draw.choice(("DSCH", "GATE", "LOAD", "SHFT", "SHFT"))
        by = None if kind == "GATE" else draw.choice(list(CRANES)[:15])
        when = draw.randint(came, left) * 1000 + draw.randrange(1000)
        rows.append((before + at + 1, own, seq, when, kind, by, draw.randint(60, 420)))
    return rows


def _hold(draw: random.Random, came: int) -> Row:
    start = date(1970, 1, 1) + timedelta(days=came // 86_400)
    end = start + timedelta(days=draw.randint(1, 40))
    kind = draw.choice(("CUSTOMS", "DAMAGE", "FINANCE"))
    ends = None if draw.random() < 0.15 else _number(end)
    return (kind, _number(start), ends, round(draw.choice((0, 0, 1)) * draw.uniform(50, 900), 2))


def _bills(connection: sqlite3.Connection, draw: random.Random, customers: list[int]) -> None:
    prices: list[Row] = []
    for service, price in SERVICES.items():
        starts = ("2023-01-01", "2024-01-01", "2024-08-01")
        for start, end in zip(starts, (*starts[1:], None), strict=True):
            prices.append((service, start, end, round(price, 2)))
            price *= draw.uniform(1.03, 1.2)
    insert(connection, "TARIFF", prices)
    bills: list[Row] = []
    lines: list[Row] = []
    paid: list[Row] = []
    for number in range(780):
        own, day = 300_017 + 7 * number, YEAR + timedelta(days=draw.randrange(340))
        money, net = draw.choices(list(RATES), (3, 3, 4))[0], 0.0
        for line, service in enumerate(draw.choices(list(SERVICES), k=draw.randint(1, 5)), 1):
            unit = "DAY" if service in ("REEFER", "STORAGE") else "EA"
            many = float(draw.randint(1, 40))
            price = round(SERVICES[service] / RATES[money] * draw.uniform(0.9, 1.2), 2)
            worth = round(many * price, 2)
            net = round(net + worth, 2)
            lines.append((own, line, service, unit, many, price, worth))
        tax = round(net * 0.09, 2)
        total = round(net + tax, 2)
        bills.append((own, draw.choice(customers[:78]), _number(day), money, net, tax, total))
        for part in draw.choice(((1.0,), (1.0,), (0.5, 0.5), (0.4, 0.3, 0.3), ())):
            on = day + timedelta(days=draw.randint(1, 50))
            at = f"{on.isoformat()} {draw.randint(7, 19):02}:{draw.randint(0, 59):02}:00"
            way = draw.choices(("WIRE", "CARD", "CHQ"), (6, 3, 1))[0]
            paid.append((50_001 + len(paid), own, at, way, round(total * part, 2)))
    insert(connection, "INV_HDR", bills)
    insert(connection, "INV_LN", lines)
    insert(connection, "RCPT", paid)


def _yard(connection: sqlite3.Connection, draw: random.Random) -> None:
    rows: list[Row] = []
    for block in ("A", "B", "C", "R"):
        for kind in ("EXP", "IMP", "TRN"):
            held = draw.randint(60, 900)
            for day in range(92):
                came = draw.randint(0, 60)
                held = max(0, held + came - draw.randint(0, 58))
                plugs = draw.randint(20, 90) if block == "R" else 0
                on = (date(2024, 7, 1) + timedelta(days=day)).isoformat()
                rows.append((on, block, kind, held, plugs, came))
    insert(connection, "YARD_INV", rows)


def _months(connection: sqlite3.Connection, draw: random.Random) -> None:
    rows: list[Row] = []
    for month in (year * 100 + each for year in range(2020, 2025) for each in range(1, 13)):
        parts: list[tuple[str, int, int, float]] = []
        for trade in ("AE", "IA", "TP"):
            hours = round(draw.uniform(40, 900), 1)
            moves = int(hours * draw.uniform(18, 36))
            parts.append((trade, int(moves * draw.uniform(1.4, 1.8)), moves, hours))
        boxes, moves = sum(part[1] for part in parts), sum(part[2] for part in parts)
        every = ("TOT", boxes, moves, round(sum(part[3] for part in parts), 1))
        for trade, boxes, moves, hours in (*parts, every):
            rows.append((month, trade, boxes, moves, hours, round(moves / hours, 2)))
    insert(connection, "TRADE_MTH", rows)
    days = [_number(YEAR + timedelta(days=day)) for day in range(420)]
    rates = [
        (day, code, 1.0 if code == "USD" else round(base * draw.uniform(0.97, 1.03), 5))
        for day in days
        for code, base in RATES.items()
    ]
    insert(connection, "FX", rates)
