"""A chip maker in pinyin and English: lots numbered anew in every plant, stock at day's end."""

import random
import sqlite3
from datetime import date, timedelta

from benchmarks.onboarding.planted_blind.declared import declared
from benchmarks.onboarding.planted_blind.rows import Row, insert, seconds

DECLARED = declared("""
gongsi
  gs_dm TEXT key
  gs_mc TEXT
  benwei_bz TEXT list=CNY|HKD
kehu
  kh_id INTEGER key
  gs_dm TEXT ->gongsi.gs_dm tenant
  kh_mc TEXT                        # the name of a firm
  lxr TEXT person                   # who answers there
  shouji TEXT person
  youxiang TEXT person
  kh_dengji TEXT list=A|B|C
  create_time INTEGER time=UNIX_MILLISECONDS
  del_flag INTEGER deleted
chanpin
  cp_no TEXT key
  cp_mc TEXT
  jiedian_nm INTEGER list=28|40|55|110 code
  die_per_wafer INTEGER non_additive
  std_chengben REAL non_additive
cp_jiage valid=shengxiao_rq,shixiao_rq
  cp_no TEXT key ->chanpin.cp_no
  kh_dengji TEXT key list=A|B|C
  shengxiao_rq TEXT key time=ISO_TEXT
  shixiao_rq TEXT time=ISO_TEXT     # the last day, or nothing
  jiage_usd REAL non_additive
dingdan
  dd_no TEXT key
  gs_dm TEXT ->gongsi.gs_dm tenant
  kh_id INTEGER ->kehu.kh_id
  xiadan_rq INTEGER time=YYYYMMDD
  bizhong TEXT list=CNY|EUR|USD
  zongjine REAL additive unit=dingdan.bizhong
  zhuangtai TEXT list=已取消|已完成|待审核|执行中
dingdan_mx
  dd_no TEXT key ->dingdan.dd_no
  hang_no INTEGER key
  cp_no TEXT ~>chanpin.cp_no
  danwei TEXT list=kpcs|pcs|wafer
  shuliang INTEGER additive unit=dingdan_mx.danwei
  danjia REAL non_additive unit=dingdan.bizhong
  jine REAL additive unit=dingdan.bizhong
fahuo dd_no,hang_no->dingdan_mx.dd_no,hang_no
  fh_id INTEGER key
  dd_no TEXT ->dingdan.dd_no
  hang_no INTEGER
  fh_time INTEGER time=UNIX_SECONDS
  fh_shuliang INTEGER additive unit=dingdan_mx.danwei
  yunfei_cny REAL additive
  yundan_hao TEXT
shebei
  sb_id INTEGER key
  gs_dm TEXT ->gongsi.gs_dm tenant
  sb_mc TEXT
  gongxu TEXT list=CMP|DEP|ETCH|IMP|LITHO
  goumai_rq TEXT time=ISO_TEXT
  yuanzhi_cny REAL additive
shebei_ext
  sb_id INTEGER key =>shebei.sb_id
  xuliehao INTEGER code
  mtbf_h REAL non_additive
lot
  gs_dm TEXT key ->gongsi.gs_dm tenant
  lot_no INTEGER key
  cp_no TEXT ~>chanpin.cp_no
  touchan_rq TEXT time=ISO_TEXT
  pian_shu INTEGER additive
  youxianji INTEGER list=1|2|3|4|5 code
lot_guocheng gs_dm,lot_no->lot.gs_dm,lot_no
  gc_id INTEGER key                 # a lot on a machine: an event, no validity
  gs_dm TEXT ->gongsi.gs_dm tenant
  lot_no INTEGER
  sb_id INTEGER ~>shebei.sb_id
  in_time INTEGER time=UNIX_MILLISECONDS
  out_time INTEGER time=UNIX_MILLISECONDS
  recipe_no INTEGER code            # ten digits from 17, and no time
  caozuoyuan TEXT person            # who stood at the machine
  baofei_pian INTEGER additive
wafer_ceshi gs_dm,lot_no->lot.gs_dm,lot_no
  gs_dm TEXT key ->gongsi.gs_dm tenant
  lot_no INTEGER key
  wafer_no INTEGER key
  ceshi_time TEXT time=ISO_TEXT
  die_zongshu INTEGER additive
  die_liang INTEGER additive
  liangpinlv REAL non_additive
cangku
  ck_dm TEXT key
  gs_dm TEXT ->gongsi.gs_dm tenant
  ck_mc TEXT
  mianji_m2 REAL additive
kucun_ri snapshot=jz_rq
  jz_rq INTEGER key time=YYYYMMDD
  ck_dm TEXT key ->cangku.ck_dm
  cp_no TEXT key ->chanpin.cp_no
  kc_sl INTEGER semi_additive
  dongjie_sl INTEGER semi_additive
  ruku_sl INTEGER additive          # of the day: a flow beside the stocks
shengchan_yuebao
  nian INTEGER key
  yue INTEGER key
  gs_dm TEXT key ->gongsi.gs_dm tenant
  chejian TEXT key list=F1|F2|F3|合计 total=合计
  chanliang_pian INTEGER additive
  dianliang_kwh REAL additive
  pj_liangpinlv REAL non_additive
huilv
  rq INTEGER key time=YYYYMMDD
  bz TEXT key list=CNY|EUR|USD
  dui_cny REAL non_additive
""")
DDL, KEYS, FOREIGN = DECLARED.ddl, DECLARED.keys, DECLARED.foreign
SEMANTICS = DECLARED.semantics
PLANTS = {"SH01": "上海晶圆", "WX02": "无锡封测", "HK03": "香港贸易"}
MONEY = {"SH01": "CNY", "WX02": "CNY", "HK03": "HKD"}
SURNAMES = ("陈", "李", "王", "张", "刘", "黄", "周", "吴", "徐", "孙")
GIVEN = ("伟", "芳", "娜", "敏", "静", "磊", "洋", "艳", "勇", "军", "杰", "娟")
SYLLABLES = ("chen", "li", "wang", "zhang", "liu", "huang", "zhou", "wu", "xu", "sun")
RATES = {"CNY": 1.0, "EUR": 7.8, "USD": 7.1}
YEAR = date(2024, 1, 1)


def fill(connection: sqlite3.Connection) -> None:
    """Thirty products of three companies over a year."""
    draw = random.Random(5303)
    insert(connection, "gongsi", [(code, name, MONEY[code]) for code, name in PLANTS.items()])
    products = _products(connection, draw)
    customers = _customers(connection, draw)
    _orders(connection, draw, products, customers)
    machines = _machines(connection, draw)
    _lots(connection, draw, list(products), machines)
    _stock(connection, draw, list(products))
    _months(connection, draw)


def _number(day: date) -> int:
    return int(day.strftime("%Y%m%d"))


def _person(draw: random.Random) -> str:
    return draw.choice(SURNAMES) + draw.choice(GIVEN) + draw.choice(("", *GIVEN))


def _products(connection: sqlite3.Connection, draw: random.Random) -> dict[str, float]:
    rows: list[Row] = []
    prices: list[Row] = []
    for number in range(30):
        family = ("MCU", "PMIC", "NOR", "DRV", "RF")[number % 5]
        own, cost = f"{family}-{draw.randint(100, 999)}{number:02}", round(draw.uniform(0.2, 9), 3)
        node, dies = draw.choice((28, 40, 55, 110)), draw.randint(300, 2400)
        rows.append((own, f"{family} {number}号", node, dies, cost))
        for level, factor in (("A", 1.2), ("B", 1.35), ("C", 1.6)):
            for start, end in (("2023-01-01", "2023-12-31"), ("2024-01-01", "2024-06-30")):
                price = round(cost * factor * draw.uniform(0.9, 1.1) / 7, 4)
                prices.append((own, level, start, end, price))
            price = round(cost * factor * draw.uniform(0.9, 1.1) / 7, 4)
            prices.append((own, level, "2024-07-01", None, price))
    insert(connection, "chanpin", rows)
    insert(connection, "cp_jiage", prices)
    return {row[0]: row[4] for row in rows}


def _customers(connection: sqlite3.Connection, draw: random.Random) -> list[tuple[int, str]]:
    rows: list[Row] = []
    for own in draw.sample(range(30_000, 39_999), 240):
        at = (seconds(2020, 1, 1) + draw.randrange(1400 * 86_400)) * 1000 + draw.randrange(1000)
        mail = f"{draw.choice(SYLLABLES)}{own}@youjian.test"
        phone = f"13{draw.randrange(10**8, 10**9)}"
        level, gone = draw.choices("ABC", (1, 2, 4))[0], int(draw.random() < 0.08)
        plant, firm = draw.choice(list(PLANTS)), f"{draw.choice('华东南北')}{own}电子"
        rows.append((own, plant, firm, _person(draw), phone, mail, level, at, gone))
    insert(connection, "kehu", rows)
    return [(row[0], row[1]) for row in rows]


def _orders(
    connection: sqlite3.Connection,
    draw: random.Random,
    products: dict[str, float],
    customers: list[tuple[int, str]],
) -> None:
    orders: list[Row] = []
    lines: list[Row] = []
    shipped: list[Row] = []
    for number in range(980):
        (customer, plant), day = draw.choice(customers[:210]), draw.randrange(330)
        own, on = f"DD24{number:05}", YEAR + timedelta(days=day)
        money = draw.choices(("CNY", "USD", "EUR"), (5, 3, 1))[0]
        state = draw.choices(("已完成", "执行中", "待审核", "已取消"), (6, 3, 1, 1))[0]
        total = 0.0
        for line, product in enumerate(draw.sample(list(products), draw.randint(1, 5)), 1):
            unit = draw.choices(("pcs", "kpcs", "wafer"), (5, 3, 1))[0]
            many = draw.randint(2, 60) if unit != "pcs" else draw.randint(5, 90) * 100
            scale = {"pcs": 1, "kpcs": 1000, "wafer": 800}[unit]
            price = round(products[product] * scale * draw.uniform(1.1, 1.7) / RATES[money], 3)
            worth = round(many * price, 2)
            total += worth
            lines.append((own, line, product, unit, many, price, worth))
            shipped += _shipments(draw, len(shipped), (own, line, many, day, state))
        orders.append((own, plant, customer, _number(on), money, round(total, 2), state))
    insert(connection, "dingdan", orders)
    insert(connection, "dingdan_mx", lines)
    insert(connection, "fahuo", shipped)
    rates = [
        (_number(YEAR + timedelta(days=day)), code, _rate(draw, code))
        for day in range(366)
        for code in RATES
    ]
    insert(connection, "huilv", rates)


def _rate(draw: random.Random, code: str) -> float:
    return 1.0 if code == "CNY" else round(RATES[code] * draw.uniform(0.97, 1.03), 5)


def _shipments(draw: random.Random, before: int, line: tuple[str, int, int, int, str]) -> list[Row]:
    own, number, many, day, state = line
    if state in {"待审核", "已取消"} or draw.random() < 0.1:
        return []
    parts = [many] if draw.random() < 0.6 else [many // 2, many - many // 2]
    first = seconds(2024, 1, 1) + day * 86_400
    return [
        (
            500_001 + before + at,
            own,
            number,
            first + draw.randrange(86_400, 30 * 86_400),
            part,
            round(draw.uniform(15, 400), 2),
            f"SF{draw.randrange(10**11, 10**12)}",
        )
        for at, part in enumerate(parts)
    ]


def _machines(connection: sqlite3.Connection, draw: random.Random) -> list[tuple[int, str]]:
    rows: list[Row] = []
    for number in range(72):
        step = ("LITHO", "ETCH", "DEP", "IMP", "CMP")[number % 5]
        bought = (date(2014, 1, 1) + timedelta(days=draw.randrange(3500))).isoformat()
        worth = round(draw.uniform(1, 90) * 100_000, 2)
        plant = ("SH01", "WX02")[number % 2]
        rows.append((801 + number, plant, f"{step}-{number:03}", step, bought, worth))
    insert(connection, "shebei", rows)
    extra = [(row[0], draw.randrange(10**8), round(draw.uniform(90, 900), 1)) for row in rows]
    insert(connection, "shebei_ext", extra)
    return [(row[0], row[1]) for row in rows]


def _lots(
    connection: sqlite3.Connection,
    draw: random.Random,
    products: list[str],
    machines: list[tuple[int, str]],
) -> None:
    lots: list[Row] = []
    steps: list[Row] = []
    tests: list[Row] = []
    for plant in ("SH01", "WX02"):
        for own in range(24_001, 24_281):
            begun = draw.randrange(330)
            on = YEAR + timedelta(days=begun)
            wafers, urgent = draw.choice((12, 24, 25)), draw.randint(1, 5)
            lots.append((plant, own, draw.choice(products), on.isoformat(), wafers, urgent))
            at = (seconds(2024, 1, 1) + begun * 86_400) * 1000
            for _ in range(draw.randint(4, 8)):
                at += draw.randint(600_000, 90_000_000)
                out = at + draw.randint(300_000, 7_200_000)
                tool = draw.choice([each for each, its in machines if its == plant])
                recipe = draw.randint(1_700_000_000, 1_739_999_999)
                lost = draw.choices((0, 1, 2), (30, 2, 1))[0]
                row = (plant, own, tool, at, out, recipe, _person(draw), lost)
                steps.append((len(steps) + 1, *row))
            for wafer in draw.sample(range(1, wafers + 1), draw.randint(3, 8)):
                dies, day = draw.randint(300, 2400), on + timedelta(days=draw.randint(20, 34))
                good = int(dies * draw.uniform(0.55, 0.99))
                when = f"{day.isoformat()} {draw.randint(0, 23):02}:{draw.randint(0, 59):02}:00"
                tests.append((plant, own, wafer, when, dies, good, round(good / dies, 4)))
    insert(connection, "lot", lots)
    insert(connection, "lot_guocheng", steps)
    insert(connection, "wafer_ceshi", tests)


def _stock(connection: sqlite3.Connection, draw: random.Random, products: list[str]) -> None:
    stores = {"SH-A": "SH01", "SH-B": "SH01", "WX-A": "WX02", "WX-B": "WX02", "HK-A": "HK03"}
    insert(
        connection,
        "cangku",
        [
            (code, plant, f"{code}仓", float(draw.randint(300, 4000)))
            for code, plant in stores.items()
        ],
    )
    rows: list[Row] = []
    for code in stores:
        for product in products:
            held = draw.randint(200, 60_000)
            for day in range(30):
                came = draw.choice((0, 0, 0, 1)) * draw.randint(100, 6000)
                held = max(0, held + came - draw.randint(0, 1500))
                locked = min(held, draw.randint(0, 900))
                on = _number(date(2024, 11, 1) + timedelta(days=day))
                rows.append((on, code, product, held, locked, came))
    insert(connection, "kucun_ri", rows)


def _months(connection: sqlite3.Connection, draw: random.Random) -> None:
    rows: list[Row] = []
    for year in range(2020, 2025):
        for month in range(1, 13):
            for plant in ("SH01", "WX02"):
                parts = [
                    (shop, draw.randint(300, 9000), round(draw.uniform(1e5, 9e5), 1))
                    for shop in ("F1", "F2", "F3")
                ]
                made, power = sum(part[1] for part in parts), sum(part[2] for part in parts)
                for shop, many, used in (*parts, ("合计", made, round(power, 1))):
                    share = round(draw.uniform(0.7, 0.98), 4)
                    rows.append((year, month, plant, shop, many, used, share))
    insert(connection, "shengchan_yuebao", rows)
