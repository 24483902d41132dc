"""Stories whose answer is computed from several results."""

from decimal import Decimal
from random import Random

from benchmarks.answer_gate.own.asked_books import Tenant, books_of
from benchmarks.answer_gate.own.making import CHF, money, month_end, percent, total_of
from benchmarks.answer_gate.own.story import Row, Story
from benchmarks.answer_gate.own.values import (
    Day,
    Money,
    Quarter,
    Rate,
    Value,
    Word,
    Year,
)


def vat(tenant: Tenant, year: int, chance: Random) -> Story | None:
    quarter = chance.randrange(1, 5)
    months = (3 * quarter - 2, 3 * quarter)
    books = books_of((tenant,))
    period = {"periodYear": year, "periodMonth": months}
    owed = books.total("AccountBalance", "creditTotal", {"accountNumber": "2200", **period})
    inputs = books.total(
        "AccountBalance",
        "debitTotal",
        {"accountNumber": ("1170", "1171"), **period},
        ("accountNumber",),
    )
    found = {number: money(amount) for number, amount in inputs.rows}
    output = money(owed.rows[0][0])
    total = total_of(list(found.values()))
    goods, other = found["1170"], found["1171"]
    if 0 in (goods.value, other.value, output.value) or len({output, goods, other}) < 3:
        return None
    values: dict[str, Value | Row] = {
        "quarter": Quarter(year, quarter),
        "output": output,
        "input_goods": goods,
        "input_other": other,
        "input_total": total,
        "payable": Money(output.value - total.value, CHF),
    }
    swaps = ((("output",), ("input_goods",)),)  # the two inputs are often told without a label
    return Story("vat", values, (owed, inputs), swaps=swaps)


def calculation(tenant: Tenant, year: int, chance: Random) -> Story | None:
    account = chance.choice(("5000", "6000", "6500", "6100"))
    books = books_of((tenant,))
    found = books.query(
        "AccountBalance",
        ("accountNumber", "closingBalance", "currency"),
        {"accountNumber": account, "periodYear": year, "periodMonth": 0},
    )
    amount = money(found.rows[0][1])
    if not amount.value:
        return None
    receipt = books.calculate(f"{amount.value} / 12")
    values: dict[str, Value | Row] = {
        "account": Word(account),
        "year": Year(year),
        "amount": amount,
        "result": Money(amount.value / 12, CHF),
    }
    return Story("calculation", values, (found, receipt))


def margin(tenant: Tenant, year: int, _chance: Random) -> Story | None:
    books = books_of((tenant,))
    annual = {"periodYear": year, "periodMonth": 0, "currency": CHF}
    income = books.total("AccountBalance", "creditTotal", {"accountNumber": "3200", **annual})
    cost = books.total(
        "AccountBalance", "debitTotal", {"accountNumber": ("4000", "4999"), **annual}
    )
    revenue, spent = money(income.rows[0][0]), money(cost.rows[0][0])
    profit = revenue.value - spent.value
    if not revenue.value or not spent.value or profit <= 0:
        return None
    values: dict[str, Value | Row] = {
        "year": Year(year),
        "revenue": revenue,
        "cost": spent,
        "profit": Money(profit, CHF),
        "margin": percent(profit, revenue.value),
    }
    slips = {"margin": (percent(spent.value, revenue.value), percent(profit, spent.value))}
    return Story("margin", values, (income, cost), slips=slips)


def exchange(tenant: Tenant, year: int, chance: Random) -> Story | None:
    month = chance.randrange(1, 13)
    books = books_of((tenant,))
    balance = books.query(
        "AccountBalance",
        ("accountNumber", "closingBalance", "currency"),
        {"accountNumber": "1022", "periodYear": year, "periodMonth": month},
    )
    price = books.query(
        "ExchangeRate",
        ("currency", "rate"),
        {"currency": "EUR", "periodYear": year, "periodMonth": month},
    )
    euros, rate = money(balance.rows[0][1], "EUR"), Decimal(str(price.rows[0][1]))
    if euros.value < 100:
        return None
    receipt = books.calculate(f"{euros.value} * {rate}")
    values: dict[str, Value | Row] = {
        "day": Day(month_end(year, month)),
        "eur": euros,
        "rate": Rate(rate),
        "chf": Money(euros.value * rate, CHF),
    }
    return Story("exchange", values, (balance, price, receipt))
