"""Stories about invoices, customers and suppliers."""

from datetime import date
from decimal import Decimal
from random import Random

from benchmarks.answer_gate.own.asked_books import Tenant, books_of
from benchmarks.answer_gate.own.making import (
    MOST_ITEMS,
    YEARS,
    Maker,
    amount_of,
    day_of,
    distinct,
    largest,
    money,
    month_end,
    percent,
    records,
    seconds,
    total_of,
)
from benchmarks.answer_gate.own.story import Row, Story
from benchmarks.answer_gate.own.values import (
    Count,
    Day,
    Value,
    Word,
    Year,
)
from veridical.gate.evidence.exhibit import Exhibit


def open_items(kind: str, name: str) -> Maker:
    def made(tenant: Tenant, year: int, chance: Random) -> Story | None:
        day = month_end(year, chance.randrange(1, 13))
        found = _open_on(tenant, kind, day)
        rows: list[Row] = [
            {
                "name": Word(row["name"]),
                "invoice": Word(row["invoiceNumber"]),
                "due": day_of(row["dueDate"]),
                "amount": money(row["invoiceAmount"]),
            }
            for row in records(found)
        ]
        if not 2 <= len(rows) <= MOST_ITEMS or not distinct(rows):
            return None
        values: dict[str, Value | Row] = {
            "day": Day(day),
            "n": Count(Decimal(len(rows))),
            "total": total_of([amount_of(row) for row in rows]),
            "largest": largest(rows),
        }
        return Story(name, values, (found,), tuple(rows))

    return made


def _open_on(tenant: Tenant, kind: str, day: date) -> Exhibit:
    end = seconds(day)
    return books_of((tenant,)).rows(
        f"""SELECT c."name", o."invoiceNumber", o."dueDate", o."invoiceAmount", o."currency"
        FROM "TrusteeDataOpenItem" o JOIN "TrusteeDataContact" c ON c."id" = o."contactId"
        WHERE o."itemType" = '{kind}' AND o."currency" = 'CHF' AND o."invoiceDate" <= {end}
        AND (o."paidDate" IS NULL OR o."paidDate" > {end}) ORDER BY o."dueDate" """
    )


def none_items(tenant: Tenant, year: int, chance: Random) -> Story | None:
    day = month_end(year, chance.randrange(1, 13))
    found = _open_on(tenant, "receivable", day)
    if found.rows:
        return None
    return Story("none_items", {"day": Day(day)}, (found,))


def top_customers(tenant: Tenant, year: int, _chance: Random) -> Story | None:
    start, end = seconds(date(year, 1, 1)), seconds(date(year, 12, 31))
    found = books_of((tenant,)).rows(
        f"""SELECT c."name", SUM(o."invoiceAmount") AS "invoiced", o."currency"
        FROM "TrusteeDataOpenItem" o JOIN "TrusteeDataContact" c ON c."id" = o."contactId"
        WHERE o."itemType" = 'receivable' AND o."currency" = 'CHF'
        AND o."invoiceDate" BETWEEN {start} AND {end}
        GROUP BY c."name", o."currency" ORDER BY "invoiced" DESC LIMIT 5"""
    )
    amounts = [money(row["invoiced"]) for row in records(found)]
    if len(amounts) != 5:
        return None
    total = total_of(amounts)
    rows: list[Row] = [
        {
            "name": Word(row["name"]),
            "amount": amount,
            "share": percent(amount.value, total.value),
        }
        for row, amount in zip(records(found), amounts, strict=True)
    ]
    if not distinct(rows):
        return None
    values: dict[str, Value | Row] = {"year": Year(year), "total": total, "first": rows[0]}
    slips = {"first.share": (percent(amounts[0].value, total.value - amounts[0].value),)}
    return Story("top_customers", values, (found,), tuple(rows), slips=slips)


def list_suppliers(tenant: Tenant, year: int, _chance: Random) -> Story | None:
    if year not in YEARS[:3]:  # the list does not change over the years
        return None
    kind = {2020: {}, 2021: {"isActive": True}, 2022: {"currency": "CHF"}}[year]
    found = books_of((tenant,)).query(
        "Contact", ("name", "city"), {"contactType": "supplier", **kind}, "name"
    )
    rows: list[Row] = [
        {"name": Word(row["name"]), "city": Word(row["city"])} for row in records(found)
    ]
    return Story("list_suppliers", {"n": Count(Decimal(len(rows)))}, (found,), tuple(rows))
