"""Synthetic Swiss books whose truth is known: every balance is computed from the bookings.

``stream_books`` makes them tenant by tenant and month by month in bounded memory; ``build_books``
gathers a small set as validated rows. The same size and seed give the same books.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from veridical.packs.trustee import models
from veridical.packs.trustee.books import master, routine, year
from veridical.packs.trustee.books.contacts import contacts
from veridical.packs.trustee.books.ledger import Ledger, RowTuple, balance_rows
from veridical.packs.trustee.books.tenant import SIZES, Size, Tenant, tenants
from veridical.packs.trustee.books.trading import Trading
from veridical.packs.trustee.models import Row
from veridical.packs.trustee.rates import YEARS
from veridical.packs.trustee.schema import columns_of


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows of one table, as tuples in the column order of the model."""

    model: type[Row]
    rows: list[RowTuple]


@dataclass(frozen=True, slots=True)
class Books:
    """A whole set in memory, every row an instance of its model."""

    rows: dict[type[Row], list[Row]]

    def batches(self) -> Iterator[Batch]:
        """The rows as a loader takes them."""
        for model, rows in self.rows.items():
            names = columns_of(model)
            yield Batch(model, [tuple(getattr(row, name) for name in names) for row in rows])


def build_books(size: str = "small", seed: int = 1) -> Books:
    """All rows of these books, each validated by its model."""
    rows: dict[type[Row], list[Row]] = {model: [] for model in models.MODELS}
    for batch in _batches(SIZES[size], seed):
        rows[batch.model].extend(_validated(batch.model, batch.rows))
    return Books(rows)


def stream_books(size: str, seed: int = 1) -> Iterator[Batch]:
    """The same rows in batches; large sizes validate a sample of each batch only."""
    chosen = SIZES[size]
    for batch in _batches(chosen, seed):
        for _ in _validated(batch.model, islice(batch.rows, 0, None, chosen.validate_every)):
            pass
        yield batch


def _validated(model: type[Row], rows: Iterable[RowTuple]) -> Iterator[Row]:
    names = columns_of(model)
    for row in rows:
        yield model.model_validate(dict(zip(names, row, strict=True)))


def _batches(size: Size, seed: int) -> Iterator[Batch]:
    yield Batch(models.TrusteeDataCurrency, list(master.currency_rows()))
    yield Batch(models.TrusteeDataExchangeRate, list(master.rate_rows()))
    yield Batch(models.TrusteeDataVatCode, list(master.vat_rows()))
    for tenant in tenants(size, seed):
        yield from _books_of(tenant, size, seed)


def _books_of(tenant: Tenant, size: Size, seed: int) -> Iterator[Batch]:
    known = contacts(tenant, size, seed)
    yield Batch(models.TrusteeDataCompany, [master.company_row(tenant)])
    yield Batch(models.TrusteeDataAccount, list(master.account_rows(tenant)))
    yield Batch(models.TrusteeDataFiscalPeriod, list(master.period_rows(tenant)))
    yield Batch(models.TrusteeDataCostCenter, list(master.cost_center_rows(tenant)))
    yield Batch(models.TrusteeDataContact, [master.contact_row(tenant, each) for each in known])
    ledger = Ledger(tenant, seed)
    trading = Trading(ledger, known, size)
    for calendar_year in YEARS:
        ledger.open_year(calendar_year)
        for month in range(1, 13):
            _book_month(ledger, trading, month)
            yield from _journal(ledger, trading)
        yield Batch(
            models.TrusteeDataAccountBalance,
            list(balance_rows(tenant, calendar_year, ledger.turnovers)),
        )
    yield Batch(models.TrusteeDataOpenItem, list(trading.close()))


def _book_month(ledger: Ledger, trading: Trading, month: int) -> None:
    ledger.open_month(month)
    if month == 1:
        year.open_books(ledger)
    revenue = trading.revenue()
    routine.pay_rent_and_bank(ledger, revenue)
    trading.settle()
    trading.sell()
    trading.buy()
    routine.mistake_and_correction(ledger)
    routine.pay_wages(ledger, revenue)
    routine.bank_the_cash(ledger)
    year.decide_on_result(ledger)
    routine.settle_duties(ledger)
    if month == 12:
        year.close_books(ledger)


def _journal(ledger: Ledger, trading: Trading) -> Iterator[Batch]:
    yield Batch(models.TrusteeDataJournalEntry, ledger.entries)
    yield Batch(models.TrusteeDataJournalLine, ledger.lines)
    yield Batch(models.TrusteeDataDocument, ledger.documents)
    yield Batch(models.TrusteeDataOpenItem, trading.items)
    ledger.entries, ledger.lines, ledger.documents, trading.items = [], [], [], []
