"""The books added up in plain Python: no SQL, no balance table, none of our tools."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import cast

from veridical.packs.trustee import models
from veridical.packs.trustee.books import Books


@dataclass(frozen=True)
class Posted:
    """One journal line with the period of its entry."""

    account: str
    year: int
    month: int
    amount: Decimal
    currency: str


def posted(books: Books, instance: str) -> list[Posted]:
    """All lines of one set of books, debit positive."""
    entries = {
        entry.id: entry
        for row in books.rows[models.TrusteeDataJournalEntry]
        for entry in [cast("models.TrusteeDataJournalEntry", row)]
        if entry.featureInstanceId == instance
    }
    return [
        Posted(
            line.accountNumber,
            entries[line.journalEntryId].periodYear,
            entries[line.journalEntryId].periodMonth,
            line.debitAmount - line.creditAmount,
            line.currency,
        )
        for row in books.rows[models.TrusteeDataJournalLine]
        for line in [cast("models.TrusteeDataJournalLine", row)]
        if line.featureInstanceId == instance
    ]


def balances(
    lines: list[Posted], first: str, last: str, year: int, months: tuple[int, int] = (1, 12)
) -> dict[str, Decimal]:
    """By currency: what the accounts from first to last have in these months of the year."""
    found: dict[str, Decimal] = {}
    for line in lines:
        in_period = line.year == year and months[0] <= line.month <= months[1]
        if first <= line.account <= last and in_period:
            found[line.currency] = found.get(line.currency, Decimal()) + line.amount
    return {currency: amount for currency, amount in found.items() if amount}


def known_amounts(lines: list[Posted]) -> Iterator[Decimal]:
    """The month-end balances of all accounts, and what each class and each year came to."""
    sums: dict[tuple[str, int], Decimal] = {}
    for line in sorted(lines, key=lambda each: (each.year, each.month)):
        result = "result" if "3" <= line.account[0] <= "8" else "balance sheet"
        for key in (line.account, line.account[0], result):
            sums[key, line.year] = sums.get((key, line.year), Decimal()) + line.amount
            yield abs(sums[key, line.year])
