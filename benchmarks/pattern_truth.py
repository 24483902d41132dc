"""What is true in the books, computed from the bookings in plain Python: no pattern, no SQL.

Balances are added up from journal lines, not read from the balance table.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any, cast

from veridical.packs.trustee import models
from veridical.packs.trustee.books import Books

Slots = dict[str, str]
Truth = list[tuple[Any, ...]]
_RANGES = {
    "Cash": ("1000", "1009"),
    "Receivables": ("1100", "1109"),
    "Inventory": ("1200", "1299"),
    "PrepaidExpenses": ("1300", "1399"),
    "Payables": ("2000", "2099"),
    "Accruals": ("2300", "2399"),
    "LongTermDebt": ("2400", "2599"),
    "Provisions": ("2600", "2699"),
    "ShareCapital": ("2800", "2899"),
    "StaffCost": ("5000", "5999"),
    "Wages": ("5000", "5699"),
    "Premises": ("6000", "6099"),
    "Depreciation": ("6800", "6899"),
}
_CONTACTS = {"Customer": "customer", "Supplier": "supplier", "Employee": "employee"}


@dataclass(frozen=True)
class Ledger:
    """One tenant's bookings, sorted for adding up."""

    entries: dict[str, models.TrusteeDataJournalEntry]
    lines: list[models.TrusteeDataJournalLine]
    items: list[models.TrusteeDataOpenItem]
    contacts: list[models.TrusteeDataContact]
    rates: list[models.TrusteeDataExchangeRate]
    currencies: dict[str, str] = field(default_factory=dict[str, str])

    def balances(self, first: str, last: str, year: int, month: int = 12) -> dict[str, Decimal]:
        """By account: the year's lines up to this month, the opening among them."""
        found = {number: Decimal() for number in self.currencies if first <= number <= last}
        for line in self.lines:
            entry = self.entries[line.journalEntryId]
            if (
                first <= line.accountNumber <= last
                and entry.periodYear == year
                and entry.periodMonth <= month
            ):
                found[line.accountNumber] += line.debitAmount - line.creditAmount
        return found

    def by_currency(self, balances: dict[str, Decimal], sign: int = 1) -> Truth:
        """The balances added up within each currency."""
        found: defaultdict[str, Decimal] = defaultdict(Decimal)
        for account, amount in balances.items():
            found[self.currencies[account]] += sign * amount
        return [(currency, amount) for currency, amount in found.items()]


def ledger_of(books: Books, instance: str) -> Ledger:
    """The bookings of one set of books."""

    def own(model: type[Any]) -> list[Any]:
        return [
            row
            for row in books.rows[model]
            if getattr(row, "featureInstanceId", instance) == instance
        ]

    entries = cast("list[models.TrusteeDataJournalEntry]", own(models.TrusteeDataJournalEntry))
    accounts = cast("list[models.TrusteeDataAccount]", own(models.TrusteeDataAccount))
    return Ledger(
        {entry.id: entry for entry in entries},
        own(models.TrusteeDataJournalLine),
        own(models.TrusteeDataOpenItem),
        own(models.TrusteeDataContact),
        own(models.TrusteeDataExchangeRate),
        {account.accountNumber: account.currency for account in accounts},
    )


def truth(ledger: Ledger, intent: str, slots: Slots) -> Truth:
    """The rows that answer this intent, in any order."""
    return _TRUTHS[intent](ledger, slots)


def _rows(ledger: Ledger, balances: dict[str, Decimal]) -> Truth:
    return [(account, amount, ledger.currencies[account]) for account, amount in balances.items()]


def _bank(ledger: Ledger, slots: Slots) -> Truth:
    year, month = int(slots["year"]), int(slots.get("month", 12))
    return _rows(ledger, ledger.balances("1020", "1029", year, month))


def _account(ledger: Ledger, slots: Slots) -> Truth:
    account, year, month = slots["account"], int(slots["year"]), int(slots.get("month", 12))
    return _rows(ledger, ledger.balances(account, account, year, month))


def _account_by_month(ledger: Ledger, slots: Slots) -> Truth:
    months = range(1, 13)
    return [(month, *_account(ledger, {**slots, "month": str(month)})[0][1:]) for month in months]


def _account_by_year(ledger: Ledger, slots: Slots) -> Truth:
    last = max(entry.periodYear for entry in ledger.entries.values())
    years = range(int(slots["year"]), last + 1)
    return [
        (year, *found[0][1:])
        for year in years
        if (found := _account(ledger, {**slots, "year": str(year)}))
    ]


def _liquid(ledger: Ledger, slots: Slots) -> Truth:
    return ledger.by_currency(ledger.balances("1000", "1029", int(slots["year"])))


def _group(ledger: Ledger, slots: Slots) -> Truth:
    first, last = _RANGES[slots["group"]]
    year, month = int(slots["year"]), int(slots.get("month", 12))
    return ledger.by_currency(ledger.balances(first, last, year, month))


def _result(first: str, last: str) -> Callable[[Ledger, Slots], Truth]:
    def computed(ledger: Ledger, slots: Slots) -> Truth:
        return ledger.by_currency(ledger.balances(first, last, int(slots["year"])), sign=-1)

    return computed


def _class(ledger: Ledger, slots: Slots) -> Truth:
    digit = slots["accountClass"]
    return _rows(ledger, ledger.balances(f"{digit}000", f"{digit}999", int(slots["year"])))


def _turnover(ledger: Ledger, slots: Slots) -> Truth:
    lines = [
        line
        for line in ledger.lines
        if line.accountNumber == slots["account"]
        and (entry := ledger.entries[line.journalEntryId]).periodYear == int(slots["year"])
        and entry.source != "opening"
    ]
    debit, credit = (_sum(getattr(line, f"{side}Amount") for line in lines) for side in _SIDES)
    return [(slots["account"], debit, credit, ledger.currencies[slots["account"]])]


_SIDES = ("debit", "credit")


def _sum(amounts: Iterable[Decimal]) -> Decimal:
    return sum(amounts, Decimal())


def _postings(ledger: Ledger, slots: Slots) -> Truth:
    return [
        (entry.bookingDate, entry.text, line.debitAmount, line.creditAmount, line.currency)
        for line in ledger.lines
        if line.accountNumber == slots["account"]
        and (entry := ledger.entries[line.journalEntryId]).periodYear == int(slots["year"])
        and entry.periodMonth == int(slots["month"])
    ]


def _largest(ledger: Ledger, slots: Slots) -> Truth:
    amounts = sorted(
        entry.totalAmount
        for entry in ledger.entries.values()
        if entry.periodYear == int(slots["year"]) and entry.source != "opening"
    )
    return [(amount,) for amount in amounts[-int(slots["limit"]) :]]


def _bookings(ledger: Ledger, slots: Slots) -> Truth:
    asked = (int(slots["year"]), int(slots["month"]))
    entries = ledger.entries.values()
    return [(sum((entry.periodYear, entry.periodMonth) == asked for entry in entries),)]


def _cost_centers(ledger: Ledger, slots: Slots) -> Truth:
    found: defaultdict[tuple[str, str], Decimal] = defaultdict(Decimal)
    for line in ledger.lines:
        year = ledger.entries[line.journalEntryId].periodYear
        if line.costCenter and "4" <= line.accountNumber[0] <= "6" and year == int(slots["year"]):
            found[line.costCenter, line.currency] += line.debitAmount - line.creditAmount
    return [(*key, amount) for key, amount in found.items()]


def _open(kind: str) -> Callable[[Ledger, Slots], Truth]:
    def computed(ledger: Ledger, _slots: Slots) -> Truth:
        found: defaultdict[str, Decimal] = defaultdict(Decimal)
        for item in ledger.items:
            if item.itemType == kind:
                found[item.currency] += item.invoiceAmount - item.paidAmount
        return [(currency, amount) for currency, amount in found.items()]

    return computed


def _overdue(ledger: Ledger, slots: Slots) -> Truth:
    day = date.fromisoformat(slots["day"])
    return [
        (item.invoiceNumber, item.contactId, item.dueDate, item.invoiceAmount, item.currency)
        for item in ledger.items
        if item.itemType == "receivable"
        and _day(item.dueDate) < day
        and (item.paidDate is None or _day(item.paidDate) >= day)
    ]


def _day(seconds: int) -> date:
    return datetime.fromtimestamp(seconds, UTC).date()


def _contacts(ledger: Ledger, slots: Slots) -> Truth:
    kind = _CONTACTS[slots["contactType"]]
    return [(each.name, each.city) for each in ledger.contacts if each.contactType == kind]


def _rate(ledger: Ledger, slots: Slots) -> Truth:
    asked = (slots["currency"], int(slots["year"]), int(slots["month"]))
    rates = ledger.rates
    return [(e.rate,) for e in rates if (e.currency, e.periodYear, e.periodMonth) == asked]


_TRUTHS: dict[str, Callable[[Ledger, Slots], Truth]] = {
    "BANK_BALANCE_AT_YEAR_END": _bank,
    "BANK_BALANCE_AT_MONTH_END": _bank,
    "ACCOUNT_BALANCE_AT_YEAR_END": _account,
    "ACCOUNT_BALANCE_AT_MONTH_END": _account,
    "ACCOUNT_BALANCE_BY_MONTH": _account_by_month,
    "ACCOUNT_BALANCE_BY_YEAR": _account_by_year,
    "LIQUID_FUNDS_AT_YEAR_END": _liquid,
    "GROUP_BALANCE_AT_YEAR_END": _group,
    "GROUP_BALANCE_AT_MONTH_END": _group,
    "EXPENSE_OF_YEAR": _group,
    "REVENUE_OF_YEAR": _result("3000", "3999"),
    "PROFIT_OF_YEAR": _result("3000", "8999"),
    "EXPENSE_ACCOUNTS_OF_CLASS": _class,
    "ACCOUNT_TURNOVER_OF_YEAR": _turnover,
    "POSTINGS_OF_ACCOUNT_IN_MONTH": _postings,
    "LARGEST_BOOKINGS_OF_YEAR": _largest,
    "NUMBER_OF_BOOKINGS_IN_MONTH": _bookings,
    "EXPENSE_BY_COST_CENTER": _cost_centers,
    "OPEN_RECEIVABLES": _open("receivable"),
    "OPEN_PAYABLES": _open("payable"),
    "OVERDUE_INVOICES_AT_DAY": _overdue,
    "NUMBER_OF_CONTACTS": lambda ledger, slots: [(len(_contacts(ledger, slots)),)],
    "CONTACTS_OF_TYPE": _contacts,
    "EXCHANGE_RATE_AT_MONTH_END": _rate,
}
