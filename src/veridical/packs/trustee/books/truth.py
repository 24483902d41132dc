"""The balance of each account, computed from the bookings alone.

For every account and period ``closing = opening + debit - credit``. The annual row (month 0) opens
with January and closes with December. Opening bookings make the opening balance; they are no
turnover.
"""

from collections.abc import Iterator, Mapping

from veridical.packs.trustee.accounts import CURRENCY_OF
from veridical.packs.trustee.books.ledger import RowTuple, Turnover, money
from veridical.packs.trustee.books.tenant import Tenant


def balance_rows(
    tenant: Tenant, year: int, turnovers: Mapping[str, Turnover]
) -> Iterator[RowTuple]:
    """The thirteen balance rows of each account in this year."""
    for account, turnover in turnovers.items():
        for month, opening, debit, credit in _periods(turnover):
            yield (
                tenant.mandate,
                tenant.instance,
                account,
                year,
                month,
                money(opening),
                money(debit),
                money(credit),
                money(opening + debit - credit),
                CURRENCY_OF[account],
            )


def _periods(turnover: Turnover) -> Iterator[tuple[int, int, int, int]]:
    yield 0, turnover.opening, sum(turnover.debits), sum(turnover.credits)
    opening = turnover.opening
    for month, (debit, credit) in enumerate(
        zip(turnover.debits, turnover.credits, strict=True), start=1
    ):
        yield month, opening, debit, credit
        opening += debit - credit
