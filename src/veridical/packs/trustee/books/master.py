"""The rows that stand before anything is booked: reference data, and each tenant's master data."""

from collections.abc import Iterator
from decimal import Decimal

from veridical.packs.trustee.accounts import CHART, class_of, group_of, kind_of, side_of
from veridical.packs.trustee.books.contacts import Contact
from veridical.packs.trustee.books.ledger import RowTuple
from veridical.packs.trustee.books.tenant import Tenant
from veridical.packs.trustee.books.trading import COST_CENTERS
from veridical.packs.trustee.dates import days_in, unix_seconds
from veridical.packs.trustee.rates import FOREIGN, SCALE, YEARS, rate
from veridical.packs.trustee.vat import VAT_CODES, validity

_CURRENCY_LABELS = (("CHF", "Schweizer Franken"), ("EUR", "Euro"), ("USD", "US-Dollar"))
_CENTER_LABELS = dict(zip(COST_CENTERS, ("Verwaltung", "Betrieb", "Verkauf"), strict=True))


def currency_rows() -> Iterator[RowTuple]:
    """All currencies."""
    yield from _CURRENCY_LABELS


def rate_rows() -> Iterator[RowTuple]:
    """The month-end rates of all years."""
    for currency in FOREIGN:
        for year in YEARS:
            for month in range(1, 13):
                last = unix_seconds(year, month, days_in(year, month))
                price = Decimal(rate(currency, year, month)) / SCALE
                yield (currency, last, year, month, price)


def vat_rows() -> Iterator[RowTuple]:
    """All tax codes."""
    for code in VAT_CODES:
        percent = Decimal(code.permille) / 10
        yield (code.code, code.label, code.direction, percent, *validity(code))


def company_row(tenant: Tenant) -> RowTuple:
    """The tenant itself."""
    digits = f"{int(tenant.code[:3]) * 7919 + ord(tenant.code[3]) * 104729:09d}"
    return (
        tenant.mandate,
        tenant.instance,
        tenant.company,
        tenant.legal_form,
        tenant.trade.label,
        tenant.canton,
        f"CHE-{digits[:3]}.{digits[3:6]}.{digits[6:9]}",
        "CHF",
    )


def account_rows(tenant: Tenant) -> Iterator[RowTuple]:
    """The chart of accounts; all tenants use the same numbers."""
    for account in CHART:
        number = account.number
        yield (
            tenant.mandate,
            tenant.instance,
            number,
            account.label,
            account.digit,
            (group_of(number) or class_of(number)).entity,
            kind_of(number),
            side_of(number),
            account.currency,
            account.active,
        )


def period_rows(tenant: Tenant) -> Iterator[RowTuple]:
    """Thirteen periods a year; the last year is still open."""
    for year in YEARS:
        status = "open" if year == YEARS[-1] else "closed"
        for month in range(13):
            start = unix_seconds(year, month or 1, 1)
            end = unix_seconds(year, month or 12, days_in(year, month or 12))
            yield (tenant.mandate, tenant.instance, year, month, start, end, status)


def cost_center_rows(tenant: Tenant) -> Iterator[RowTuple]:
    """The tenant's cost centers."""
    for center in COST_CENTERS:
        yield (tenant.mandate, tenant.instance, center, _CENTER_LABELS[center], True)


def contact_row(tenant: Tenant, contact: Contact) -> RowTuple:
    """One contact."""
    return (
        tenant.mandate,
        tenant.instance,
        contact.id,
        contact.name,
        contact.kind,
        contact.street,
        contact.postal_code,
        contact.city,
        contact.country,
        contact.language,
        contact.currency,
        contact.term_days,
        True,
    )
