"""Stories about balances and turnovers of accounts."""

from datetime import date
from decimal import Decimal
from random import Random

from benchmarks.answer_gate.own.asked_books import TENANTS, Tenant, books_of
from benchmarks.answer_gate.own.making import (
    CHF,
    REVENUE,
    amount_of,
    distinct,
    largest,
    money,
    month_end,
    percent,
    records,
    total_of,
)
from benchmarks.answer_gate.own.story import Row, Story
from benchmarks.answer_gate.own.values import (
    Count,
    Day,
    Money,
    Month,
    Quarter,
    Value,
    Word,
    Year,
)


def turnover_by_month(tenant: Tenant, year: int, chance: Random) -> Story | None:
    quarter = chance.randrange(1, 5)
    account = REVENUE[tenant[1]]
    first = 3 * quarter - 2
    found = books_of((tenant,)).query(
        "AccountBalance",
        ("periodYear", "periodMonth", "creditTotal", "currency"),
        {"accountNumber": account, "periodYear": year, "periodMonth": (first, first + 2)},
        "periodMonth",
    )
    rows: list[Row] = [
        {"month": Month(year, row["periodMonth"]), "amount": money(row["creditTotal"])}
        for row in records(found)
    ]
    if not distinct(rows) or any(amount_of(row).value == 0 for row in rows):
        return None
    total = total_of([amount_of(row) for row in rows])
    best, low = largest(rows), min(rows, key=lambda row: amount_of(row).value)
    values: dict[str, Value | Row] = {
        "account": Word(account),
        "quarter": Quarter(year, quarter),
        "period": Quarter(year, quarter),
        "total": total,
        "mean": Money(total.value / 3, CHF),
        "best": best,
        "low": low,
    }
    swaps = ((("best", "month"), ("low", "month")), (("best", "amount"), ("low", "amount")))
    return Story("turnover_by_month", values, (found,), tuple(rows), swaps)


_BALANCE_ACCOUNTS = ("1020", "1021", "1100", "1500", "1300", "1000")


def balance_at_date(tenant: Tenant, year: int, chance: Random) -> Story | None:
    account = chance.choice(_BALANCE_ACCOUNTS)
    month = chance.randrange(1, 13)
    found = books_of((tenant,)).rows(
        f"""SELECT a."accountNumber", a."label", b."closingBalance", b."currency"
        FROM "TrusteeDataAccountBalance" b JOIN "TrusteeDataAccount" a
        ON a."mandateId" = b."mandateId" AND a."featureInstanceId" = b."featureInstanceId"
        AND a."accountNumber" = b."accountNumber"
        WHERE b."accountNumber" = '{account}' AND b."periodYear" = {year}
        AND b."periodMonth" = {month}"""
    )
    (row,) = records(found)
    if abs(row["closingBalance"]) < 1:
        return None
    values: dict[str, Value | Row] = {
        "account": Word(account),
        "label": Word(row["label"]),
        "day": Day(month_end(year, month)),
        "amount": money(row["closingBalance"], row["currency"]),
    }
    return Story("balance_at_date", values, (found,))


def bank_balances(tenant: Tenant, year: int, _chance: Random) -> Story | None:
    found = books_of((tenant,)).rows(
        f"""SELECT a."accountNumber", a."label", b."closingBalance", b."currency"
        FROM "TrusteeDataAccountBalance" b JOIN "TrusteeDataAccount" a
        ON a."mandateId" = b."mandateId" AND a."featureInstanceId" = b."featureInstanceId"
        AND a."accountNumber" = b."accountNumber"
        WHERE a."accountNumber" BETWEEN '1020' AND '1029' AND b."periodYear" = {year}
        AND b."periodMonth" = 0 ORDER BY a."accountNumber" """
    )
    rows: list[Row] = [
        {
            "account": Word(row["accountNumber"]),
            "label": Word(row["label"]),
            "amount": money(row["closingBalance"], row["currency"]),
        }
        for row in records(found)
    ]
    amounts = [amount_of(row) for row in rows]
    foreign = [each for each in amounts if each.currency != CHF and each.value > 1]
    if not distinct(rows) or not foreign:
        return None
    values: dict[str, Value | Row] = {
        "day": Day(date(year, 12, 31)),
        "n": Count(Decimal(len(rows))),
        "chf_total": total_of([each for each in amounts if each.currency == CHF]),
    }
    mixed = Money(sum((each.value for each in amounts), Decimal()), CHF)
    return Story("bank_balances", values, (found,), tuple(rows), illegal=mixed)


def balance_by_month(tenant: Tenant, year: int, chance: Random) -> Story | None:
    account = chance.choice(("1020", "1021", "1100"))
    first = chance.randrange(1, 8)
    found = books_of((tenant,)).query(
        "AccountBalance",
        ("periodMonth", "closingBalance", "currency"),
        {"accountNumber": account, "periodYear": year, "periodMonth": (first, first + 3)},
        "periodMonth",
    )
    rows: list[Row] = [
        {"month": Month(year, row["periodMonth"]), "amount": money(row["closingBalance"])}
        for row in records(found)
    ]
    if not distinct(rows) or any(amount_of(row).value <= 0 for row in rows):
        return None
    begin, end = amount_of(rows[0]).value, amount_of(rows[-1]).value
    values: dict[str, Value | Row] = {
        "account": Word(account),
        "year": Year(year),
        "first": rows[0],
        "last": rows[-1],
        "peak": largest(rows),
        "change": Money(end - begin, CHF),
        "pct": percent(end - begin, begin),
    }
    slips = {"pct": (percent(end - begin, end), percent(end, begin))}
    swaps = ((("first", "amount"), ("last", "amount")), (("peak", "month"), ("first", "month")))
    total = total_of([amount_of(row) for row in rows])
    return Story("balance_by_month", values, (found,), tuple(rows), swaps, slips, total)


def year_on_year(tenant: Tenant, year: int, _chance: Random) -> Story | None:
    account = REVENUE[tenant[1]]
    found = books_of((tenant,)).query(
        "AccountBalance",
        ("periodYear", "creditTotal", "currency"),
        {"accountNumber": account, "periodYear": (year - 1, year), "periodMonth": 0},
        "periodYear",
    )
    before, after = (money(row["creditTotal"]) for row in records(found))
    change = after.value - before.value
    values: dict[str, Value | Row] = {
        "account": Word(account),
        "y1": Year(year - 1),
        "y2": Year(year),
        "a1": before,
        "a2": after,
        "diff": Money(change, CHF),
        "pct": percent(change, before.value),
    }
    slips = {"pct": (percent(change, after.value), percent(after.value, before.value))}
    return Story("year_on_year", values, (found,), swaps=((("a1",), ("a2",)),), slips=slips)


def shares(tenant: Tenant, year: int, _chance: Random) -> Story | None:
    found = books_of((tenant,)).rows(
        f"""SELECT a."accountNumber", a."label", b."closingBalance", b."currency"
        FROM "TrusteeDataAccountBalance" b JOIN "TrusteeDataAccount" a
        ON a."mandateId" = b."mandateId" AND a."featureInstanceId" = b."featureInstanceId"
        AND a."accountNumber" = b."accountNumber"
        WHERE a."accountNumber" BETWEEN '6000' AND '6399' AND b."periodYear" = {year}
        AND b."periodMonth" = 0 ORDER BY b."closingBalance" DESC"""
    )
    amounts = [money(row["closingBalance"]) for row in records(found)]
    total = total_of(amounts)
    if len(set(amounts)) < len(amounts) or any(each.value <= 0 for each in amounts):
        return None
    rows: list[Row] = [
        {
            "label": Word(row["label"]),
            "amount": amount,
            "share": percent(amount.value, total.value),
        }
        for row, amount in zip(records(found), amounts, strict=True)
    ]
    values: dict[str, Value | Row] = {"year": Year(year), "total": total, "first": rows[0]}
    slips = {"first.share": (percent(amounts[0].value, total.value - amounts[0].value),)}
    return Story("shares", values, (found,), tuple(rows), slips=slips)


def mandates(tenant: Tenant, year: int, _chance: Random) -> Story | None:
    count = 2 + TENANTS.index(tenant) % 3
    found = books_of(TENANTS[-count:]).rows(
        f"""SELECT c."name", SUM(b."closingBalance") AS "closingBalance", b."currency"
        FROM "TrusteeDataAccountBalance" b JOIN "TrusteeDataCompany" c
        ON c."mandateId" = b."mandateId" AND c."featureInstanceId" = b."featureInstanceId"
        WHERE b."accountNumber" = '1020' AND b."periodYear" = {year} AND b."periodMonth" = 0
        GROUP BY b."mandateId", c."name", b."currency" ORDER BY c."name" """
    )
    rows: list[Row] = [
        {"name": Word(row["name"]), "amount": money(row["closingBalance"])}
        for row in records(found)
    ]
    values: dict[str, Value | Row] = {
        "day": Day(date(year, 12, 31)),
        "n": Count(Decimal(len(rows))),
        "total": total_of([amount_of(row) for row in rows]),
        "largest": largest(rows),
    }
    return Story("mandates", values, (found,), tuple(rows))
