"""Chinese names: versions of a contract, balances at month ends, a region that is the total."""

import random
import sqlite3
from typing import Any

DDL = """
CREATE TABLE 客户 (客户编号 TEXT, 姓名 TEXT, 手机 TEXT, 城市 TEXT, 等级 TEXT, 是否删除 INTEGER);
CREATE TABLE 订阅 (订阅编号 INTEGER, 客户编号 TEXT, 套餐 TEXT, 单价 REAL,
  生效日期 TEXT, 失效日期 TEXT);
CREATE TABLE 月末余额 (截止日期 TEXT, 客户编号 TEXT, 余额 REAL);
CREATE TABLE 交易 (交易编号 INTEGER, 客户编号 TEXT, 交易时间 INTEGER, 币种 TEXT, 金额 REAL);
CREATE TABLE 区域销售 (年份 INTEGER, 地区 TEXT, 销售额 REAL, 订单数 INTEGER, 转化率 REAL);
CREATE TABLE 员工 (工号 INTEGER, 姓名 TEXT, 上级工号 INTEGER, 入职日期 TEXT, 月薪 REAL);
"""
KEYS: dict[str, list[str]] = {
    "客户": ["客户编号"],
    "订阅": ["订阅编号"],
    "月末余额": ["截止日期", "客户编号"],
    "交易": ["交易编号"],
    "区域销售": ["年份", "地区"],
    "员工": ["工号"],
}
FOREIGN = (
    ("订阅", "客户编号", "客户", "客户编号"),
    ("月末余额", "客户编号", "客户", "客户编号"),
    ("交易", "客户编号", "客户", "客户编号"),
    ("员工", "上级工号", "员工", "工号"),
)
REGIONS = ("华东", "华南", "华北", "西南")
SEMANTICS: dict[str, Any] = {
    "complete": True,
    "currency": "交易.币种",
    "measures": {
        "订阅.单价": "non_additive",
        "月末余额.余额": "semi_additive (at a date)",
        "交易.金额": "additive",
        "区域销售.销售额": "additive",
        "区域销售.订单数": "additive",
        "区域销售.转化率": "non_additive",
        "员工.月薪": "additive",
    },
    "dates": [
        "订阅.生效日期",
        "订阅.失效日期",
        "月末余额.截止日期",
        "交易.交易时间",
        "员工.入职日期",
    ],
    "encodings": {
        "订阅.生效日期": "ISO_TEXT",
        "订阅.失效日期": "ISO_TEXT",
        "月末余额.截止日期": "ISO_TEXT",
        "交易.交易时间": "UNIX_MILLISECONDS",
        "员工.入职日期": "ISO_TEXT",
    },
    "pii": ["客户.姓名", "客户.手机", "员工.姓名", "员工.月薪"],
    "codes": {
        "客户.等级": ["普通", "金卡", "银卡"],
        "订阅.套餐": ["专业版", "企业版", "基础版"],
        "交易.币种": ["CNY", "HKD", "USD"],
        "区域销售.地区": ["华东", "华北", "华南", "合计", "西南"],
    },
    "units": {"交易.金额": "交易.币种"},
    "levels": {"区域销售.地区": "合计"},
    "snapshots": {"月末余额": ["截止日期"]},
    "soft_deletes": ["客户.是否删除"],
    "validity": {"订阅": ["生效日期", "失效日期"]},
    "self_reference": ["员工.上级工号"],
}


def fill(connection: sqlite3.Connection) -> None:
    """Two hundred and fifty customers over two years."""
    draw = random.Random(37)

    def many(table: str, rows: list[tuple[Any, ...]]) -> None:
        marks = ", ".join("?" * len(rows[0]))
        connection.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)

    customers = [f"K{number:05}" for number in range(250)]
    names = ("王", "李", "张", "刘", "陈", "杨")
    many(
        "客户",
        [
            (
                each,
                draw.choice(names) + draw.choice("伟芳娜敏静强磊洋艳勇"),
                f"13{draw.randrange(10**8, 10**9)}",
                draw.choice(("上海", "北京", "深圳", "成都", "杭州", "武汉")),
                draw.choice(("普通", "银卡", "金卡")),
                int(draw.random() < 0.08),
            )
            for each in customers
        ],
    )
    contracts: list[tuple[Any, ...]] = []
    for each in customers[:200]:
        for version in range(draw.randint(1, 3)):
            ends = f"202{4 + version}-06-30" if version < 2 and draw.random() < 0.8 else None
            starts = f"202{3 + version}-07-01"
            plan = draw.choice(("基础版", "专业版", "企业版"))
            price = {"基础版": 99.0, "专业版": 299.0, "企业版": 899.0}[plan]
            contracts.append((len(contracts) + 1, each, plan, price, starts, ends))
            if ends is None:
                break
    many("订阅", contracts)
    balances: list[tuple[Any, ...]] = []
    for each in customers:
        held = draw.uniform(1000, 90_000)
        for year in (2024, 2025):
            for month in range(1, 13):
                held *= draw.uniform(0.93, 1.08)
                balances.append((f"{year}-{month:02}-28", each, round(held, 2)))
    many("月末余额", balances)
    many(
        "交易",
        [
            (
                number,
                draw.choice(customers),
                1_704_100_000_000 + draw.randrange(60_000_000_000),
                draw.choices(("CNY", "USD", "HKD"), (8, 2, 1))[0],
                round(draw.uniform(-500, 8000), 2),
            )
            for number in range(1, 3001)
        ],
    )
    sales: list[tuple[Any, ...]] = []
    for year in range(2010, 2026):
        parts = [(draw.randint(100_000, 900_000), draw.randint(100, 900)) for _ in REGIONS]
        shares = [round(draw.uniform(0.01, 0.2), 4) for _ in range(5)]
        sales += [
            (year, *row) for row in zip(REGIONS, *zip(*parts, strict=True), shares, strict=False)
        ]
        money, orders = (sum(each) for each in zip(*parts, strict=True))
        sales.append((year, "合计", money, orders, shares[4]))
    many("区域销售", sales)
    many(
        "员工",
        [
            (
                number,
                draw.choice(names) + draw.choice("建国志军丽平"),
                None if number == 101 else draw.randint(101, max(101, 101 + (number - 101) // 6)),
                f"20{draw.randint(10, 24)}-{draw.randint(1, 12):02}-{draw.randint(1, 28):02}",
                float(draw.randint(60, 400) * 100),
            )
            for number in range(101, 161)
        ],
    )
