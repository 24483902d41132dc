"""Stories about bookings, and about results that are empty or cut."""

from decimal import Decimal
from random import Random

from benchmarks.answer_gate.own.asked_books import Tenant, books_of
from benchmarks.answer_gate.own.making import (
    MOST_ITEMS,
    Maker,
    amount_of,
    day_of,
    distinct,
    money,
    records,
    total_of,
)
from benchmarks.answer_gate.own.story import Row, Story
from benchmarks.answer_gate.own.values import (
    Count,
    Month,
    Quarter,
    Value,
    Word,
    Year,
)
from veridical.contracts.result import Emptiness
from veridical.gate.evidence.exhibit import Exhibit


def counts(tenant: Tenant, year: int, chance: Random) -> Story | None:
    quarter = chance.randrange(1, 5)
    first = 3 * quarter - 2
    found = books_of((tenant,)).count(
        "JournalEntry", {"periodYear": year, "periodMonth": (first, first + 2)}, ("periodMonth",)
    )
    rows: list[Row] = [
        {"month": Month(year, row["periodMonth"]), "n": Count(Decimal(row["count"]))}
        for row in records(found)
    ]
    numbers = [row["n"].value for row in rows if isinstance(row["n"], Count)]
    if len(set(numbers)) < 3:
        return None
    values: dict[str, Value | Row] = {
        "quarter": Quarter(year, quarter),
        "total": Count(sum(numbers, Decimal())),
        "best": rows[numbers.index(max(numbers))],
    }
    return Story("counts", values, (found,), tuple(rows))


def _postings_of(tenants: tuple[Tenant, ...], account: str, year: int, month: int) -> Exhibit:
    return books_of(tenants).rows(
        f"""SELECT e."bookingDate", l."text", l."debitAmount", l."currency"
        FROM "TrusteeDataJournalLine" l
        JOIN "TrusteeDataJournalEntry" e ON e."id" = l."journalEntryId"
        WHERE l."accountNumber" = '{account}' AND e."periodYear" = {year}
        AND e."periodMonth" = {month} AND l."debitAmount" > 0 ORDER BY e."bookingDate" """
    )


def postings(tenant: Tenant, year: int, chance: Random) -> Story | None:
    account, month = chance.choice(("1020", "6500", "6510", "6100")), chance.randrange(1, 13)
    found = _postings_of((tenant,), account, year, month)
    rows: list[Row] = [
        {
            "day": day_of(row["bookingDate"]),
            "text": Word(row["text"]),
            "amount": money(row["debitAmount"]),
        }
        for row in records(found)
    ]
    if not 2 <= len(rows) <= MOST_ITEMS or not distinct(rows):
        return None
    values: dict[str, Value | Row] = {
        "account": Word(account),
        "period": Month(year, month),
        "n": Count(Decimal(len(rows))),
        "total": total_of([amount_of(row) for row in rows]),
    }
    return Story("postings", values, (found,), tuple(rows))


def empty(kind: str, emptiness: Emptiness) -> Maker:
    def made(tenant: Tenant, year: int, chance: Random) -> Story | None:
        account, month = chance.choice(("6300", "6700", "6200", "6100")), chance.randrange(1, 13)
        allowed = () if emptiness is Emptiness.NOT_PERMITTED else (tenant,)
        found = _postings_of(allowed, account, year, month)
        if found.emptiness is not emptiness:
            return None
        values: dict[str, Value | Row] = {"account": Word(account), "period": Month(year, month)}
        return Story(kind, values, (found,))

    return made


def unknown(tenant: Tenant, year: int, chance: Random) -> Story | None:
    account = chance.choice(("1099", "1999", "3999", "6999", "2999"))
    found = books_of((tenant,)).query(
        "AccountBalance",
        ("closingBalance", "currency"),
        {"accountNumber": account, "periodYear": year, "periodMonth": 0},
    )
    if found.emptiness is not Emptiness.VALUE_UNKNOWN:
        raise ValueError(f"account {account} is known")
    return Story("unknown", {"account": Word(account), "year": Year(year)}, (found,))


def truncated(tenant: Tenant, year: int, chance: Random) -> Story | None:
    found = books_of((tenant,)).rows(
        f"""SELECT e."bookingDate", e."text", e."totalAmount", e."currency"
        FROM "TrusteeDataJournalEntry" e WHERE e."periodYear" = {year} AND e."source" <> 'opening'
        ORDER BY e."bookingDate", e."entryNumber" """,
        limit=chance.randrange(4, 8),
    )
    rows: list[Row] = [
        {
            "day": day_of(row["bookingDate"]),
            "text": Word(row["text"]),
            "amount": money(row["totalAmount"]),
        }
        for row in records(found)
    ]
    if not found.truncated or not distinct(rows):
        return None
    values: dict[str, Value | Row] = {"year": Year(year), "n": Count(Decimal(len(rows)))}
    return Story("truncated", values, (found,), tuple(rows))
