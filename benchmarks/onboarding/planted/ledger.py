"""Books of several clients: a year's row beside its months, the currency on the invoice."""

import random
import sqlite3
from typing import Any
from uuid import UUID

DDL = """
CREATE TABLE Mandate (id TEXT, name TEXT);
CREATE TABLE Account (id TEXT, mandateId TEXT, number INTEGER, name TEXT, side TEXT);
CREATE TABLE PeriodBalance (id TEXT, mandateId TEXT, accountId TEXT, year INTEGER, month INTEGER,
  turnover REAL, closing REAL);
CREATE TABLE Customer (id TEXT, mandateId TEXT, fullName TEXT, email TEXT, createdAt TEXT,
  deletedAt INTEGER);
CREATE TABLE Invoice (id TEXT, mandateId TEXT, customerId TEXT, issuedAt INTEGER, dueDate INTEGER,
  currency TEXT, status TEXT, total REAL);
CREATE TABLE InvoiceLine (id TEXT, invoiceId TEXT, lineNo INTEGER, qty INTEGER, unitPrice REAL,
  vatRate REAL, lineTotal REAL);
CREATE TABLE ExchangeRate (day TEXT, currency TEXT, rate REAL);
"""
KEYS: dict[str, list[str]] = {
    "Mandate": ["id"],
    "Account": ["id"],
    "PeriodBalance": ["id"],
    "Customer": ["id"],
    "Invoice": ["id"],
    "InvoiceLine": ["id"],
    "ExchangeRate": ["day", "currency"],
}
FOREIGN = (
    ("Account", "mandateId", "Mandate", "id"),
    ("PeriodBalance", "mandateId", "Mandate", "id"),
    ("PeriodBalance", "accountId", "Account", "id"),
    ("Customer", "mandateId", "Mandate", "id"),
    ("Invoice", "mandateId", "Mandate", "id"),
    ("Invoice", "customerId", "Customer", "id"),
    ("InvoiceLine", "invoiceId", "Invoice", "id"),
)
SEMANTICS: dict[str, Any] = {
    "complete": True,
    "currency": "Invoice.currency",
    "measures": {
        "PeriodBalance.turnover": "additive",
        "PeriodBalance.closing": "semi_additive (at the end of the period)",
        "Invoice.total": "additive",
        "InvoiceLine.qty": "additive",
        "InvoiceLine.unitPrice": "non_additive",
        "InvoiceLine.vatRate": "non_additive",
        "InvoiceLine.lineTotal": "additive",
        "ExchangeRate.rate": "non_additive",
    },
    "dates": [
        "Customer.createdAt",
        "Customer.deletedAt",
        "Invoice.issuedAt",
        "Invoice.dueDate",
        "ExchangeRate.day",
    ],
    "encodings": {
        "Customer.createdAt": "ISO_TEXT",
        "Customer.deletedAt": "UNIX_SECONDS",
        "Invoice.issuedAt": "UNIX_MILLISECONDS",
        "Invoice.dueDate": "YYYYMMDD",
        "ExchangeRate.day": "ISO_TEXT",
    },
    "pii": ["Customer.fullName", "Customer.email"],
    "codes": {
        "Account.side": ["A", "E", "P", "R"],
        "Invoice.status": ["draft", "open", "paid", "void"],
        "Invoice.currency": ["CHF", "EUR", "USD"],
        "ExchangeRate.currency": ["CHF", "EUR", "USD"],
    },
    "number_codes": ["Account.number"],
    "units": {
        "Invoice.total": "Invoice.currency",
        "InvoiceLine.unitPrice": "Invoice.currency",
        "InvoiceLine.lineTotal": "Invoice.currency",
    },
    "tenants": [
        "Account.mandateId",
        "PeriodBalance.mandateId",
        "Customer.mandateId",
        "Invoice.mandateId",
    ],
    "levels": {"PeriodBalance.month": 0},
    "snapshots": {"PeriodBalance": ["year", "month"]},
    "soft_deletes": ["Customer.deletedAt"],
}


def fill(connection: sqlite3.Connection) -> None:
    """Three clients with forty accounts each over two years."""
    draw = random.Random(23)

    def uid() -> str:
        return str(UUID(int=draw.getrandbits(128), version=4))

    def many(table: str, rows: list[tuple[Any, ...]]) -> None:
        marks = ", ".join("?" * len(rows[0]))
        connection.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)

    mandates = [uid() for _ in range(3)]
    many("Mandate", [(each, f"Mandat {number}") for number, each in enumerate(mandates)])
    accounts = [
        (uid(), mandate, number, f"Konto {number}", "APER"[min(3, number // 2000)])
        for mandate in mandates
        for number in draw.sample(range(1000, 8999), 40)
    ]
    many("Account", accounts)
    many("PeriodBalance", [row for each in accounts for row in _balances(draw, uid, each)])
    customers = [
        (
            uid(),
            draw.choice(mandates),
            f"Person Nachname{number}",
            f"person{number}@mail.test",
            f"2024-{draw.randint(1, 12):02}-{draw.randint(1, 28):02}T08:15:00",
            1_746_000_000 + draw.randrange(9_000_000) if draw.random() < 0.1 else None,
        )
        for number in range(300)
    ]
    many("Customer", customers)
    invoices: list[tuple[Any, ...]] = []
    lines: list[tuple[Any, ...]] = []
    for _ in range(1500):
        own, customer = uid(), draw.choice(customers)
        parts = [
            (uid(), own, number, draw.randint(1, 9), round(draw.uniform(4, 300), 2))
            for number in range(1, draw.randint(2, 6))
        ]
        whole = [
            (*each, draw.choice((0.026, 0.081)), round(each[3] * each[4], 2)) for each in parts
        ]
        lines += whole
        month, day = draw.randint(1, 12), draw.randint(1, 28)
        invoices.append(
            (
                own,
                customer[1],
                customer[0],
                1_735_700_000_000 + draw.randrange(31_000_000_000),
                20_250_000 + month * 100 + day,
                draw.choices(("CHF", "EUR", "USD"), (6, 3, 1))[0],
                draw.choices(("paid", "open", "draft", "void"), (7, 3, 1, 1))[0],
                round(sum(each[-1] for each in whole), 2),
            )
        )
    many("Invoice", invoices)
    many("InvoiceLine", lines)
    many(
        "ExchangeRate",
        [
            (f"2025-{month:02}-{day:02}", code, round(middle * draw.uniform(0.97, 1.03), 4))
            for month in range(1, 13)
            for day in (1, 15)
            for code, middle in (("CHF", 1.0), ("EUR", 0.94), ("USD", 0.86))
        ],
    )


def _balances(draw: random.Random, uid: Any, account: tuple[Any, ...]) -> list[tuple[Any, ...]]:
    rows: list[tuple[Any, ...]] = []
    closing = draw.uniform(0, 50_000)
    for year in (2024, 2025):
        flows = [round(draw.uniform(-4000, 6000), 2) for _ in range(12)]
        for month, flow in enumerate(flows, 1):
            closing = round(closing + flow, 2)
            rows.append((uid(), account[1], account[0], year, month, flow, closing))
        rows.append((uid(), account[1], account[0], year, 0, round(sum(flows), 2), closing))
    return rows
