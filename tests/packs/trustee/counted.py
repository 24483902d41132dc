"""What the gold questions about bookings, invoices and contacts ask, in plain Python: no SQL."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from veridical.packs.trustee import models
from veridical.packs.trustee.books import Books
from veridical.packs.trustee.models import TENANT, Row
from veridical.packs.trustee.rates import SCALE, Foreign, rate


@dataclass(frozen=True)
class Own:
    """The rows of one set of books."""

    books: Books
    tenant: tuple[str, str] = ("m-001", "m-001-a")

    def rows(self, model: type[Row], **wanted: Any) -> list[Any]:
        """The rows of a table whose fields have these values."""
        known = dict(zip(TENANT, self.tenant, strict=True)) | wanted
        return [
            row
            for row in self.books.rows[model]
            if all(getattr(row, name) == value for name, value in known.items())
        ]

    def contacts(self, **wanted: Any) -> list[Any]:
        """The names of these contacts."""
        return [each.name for each in self.rows(models.TrusteeDataContact, **wanted)]

    def entries(self, **wanted: Any) -> list[Any]:
        """These bookings."""
        return self.rows(models.TrusteeDataJournalEntry, **wanted)

    def invoices(self, kind: str, year: int = 0, **wanted: Any) -> list[Any]:
        """These invoices, by the year on them; of all years without one."""
        found = self.rows(models.TrusteeDataOpenItem, itemType=kind, **wanted)
        return [each for each in found if not year or _year(each.invoiceDate) == year]

    def lines(self, year: int = 0, source: str = "", **wanted: Any) -> Iterator[Any]:
        """These lines, by the year and the source of their booking."""
        entries = {entry.id: entry for entry in self.entries()}
        for line in self.rows(models.TrusteeDataJournalLine, **wanted):
            entry = entries[line.journalEntryId]
            if entry.periodYear == (year or entry.periodYear) and source in ("", entry.source):
                yield line

    def by_contact(self, invoices: Iterable[Any]) -> list[tuple[str, Decimal]]:
        """What was invoiced by contact, the largest first."""
        names = {each.id: each.name for each in self.rows(models.TrusteeDataContact)}
        sums: Counter[str] = Counter()
        for each in invoices:
            sums[names[each.contactId]] += each.invoiceAmount
        return [(name, Decimal(amount)) for name, amount in sums.most_common()]


def _year(seconds: int) -> int:
    return datetime.fromtimestamp(seconds, UTC).year


def _expense(own: Own, year: int, center: str | None) -> Decimal:
    lines = own.lines(year, costCenter=center)
    return _net(line for line in lines if "4000" <= line.accountNumber <= "6999")


def _net(lines: Iterable[Any]) -> Decimal:
    return sum((line.debitAmount - line.creditAmount for line in lines), Decimal())


def _price(currency: Foreign, year: int, month: int) -> Decimal:
    return Decimal(rate(currency, year, month)) / SCALE


def _late(own: Own) -> int:
    return sum(each.paidDate > each.dueDate for each in own.invoices("receivable", 2024))


def _average(own: Own) -> Decimal:
    amounts = [each.invoiceAmount for each in own.invoices("receivable", currency="CHF")]
    return round(sum(amounts, Decimal()) / len(amounts), 2)


COUNTED: dict[str, Callable[[Own], list[Any]]] = {
    "b016": lambda own: own.contacts(contactType="supplier"),
    "b017": lambda own: own.contacts(contactType="customer", city="Lausanne"),
    "b026": lambda own: own.contacts(contactType="customer", paymentTermDays=60),
    "b029": lambda own: [
        each.accountNumber for each in own.rows(models.TrusteeDataAccount, isActive=False)
    ],
    "b034": lambda own: [_expense(own, 2024, "200")],
    "b035": lambda own: [_expense(own, 2024, center) for center in ("100", "200", "300")],
    "b040": lambda own: [_expense(own, 2024, None)],
    "b041": lambda own: [_expense(own, 2024, "100") - _expense(own, 2023, "100")],
    "b042": lambda own: [-_net(own.lines(2024, "sales", accountNumber="2200"))],
    "b043": lambda own: [
        _net(own.lines(2025, "purchase", accountNumber="1170"))
        + _net(own.lines(2025, "purchase", accountNumber="1171"))
    ],
    "b047": lambda own: [-_net(own.lines(2024, vatCode="U00"))],
    "b051": lambda own: [_net(own.lines(2025, accountNumber="2201"))],
    "b054": lambda _: [_price("EUR", 2024, 6)],
    "b062": lambda _: [_price("EUR", 2022, 6), _price("USD", 2022, 6)],
    "b067": lambda own: [_net(own.lines(accountNumber="5000"))],
    "b068": lambda own: [len(own.invoices("payable"))],
    "b071": lambda own: [len(list(own.lines(accountNumber="1020")))],
    "b072": lambda own: [_average(own)],
    "b139": lambda own: [
        value
        for found in own.by_contact(own.invoices("receivable", 2024, currency="CHF"))[:3]
        for value in found
    ],
    "b140": lambda own: list(own.by_contact(own.invoices("payable", 2025, currency="CHF"))[0]),
    "b142": lambda own: [
        max(Counter(each.periodMonth for each in own.entries(periodYear=2025)).values())
    ],
    "b151": lambda own: [len(own.contacts(contactType="employee"))],
    "b153": lambda own: [len(own.entries(periodYear=2025))],
    "b154": lambda own: [len(own.invoices("receivable", 2025))],
    "b155": lambda own: [len({each.contactId for each in own.invoices("receivable", 2024)})],
    "b156": lambda own: [_late(own)],
    "b160": lambda own: [len(own.entries(status="reversed"))],
    "b161": lambda own: [len(own.rows(models.TrusteeDataDocument, documentType="vatReturn"))],
}
"""By case: what its answer must tell, in any order."""
