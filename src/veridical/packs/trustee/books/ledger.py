"""The journal while it is written: bookings that balance, turnovers, running balances.

Amounts are whole cents, debit positive. Rows are tuples in the column order of their model.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from random import Random
from typing import Any, NamedTuple

from veridical.packs.trustee.accounts import CHART, CURRENCY_OF
from veridical.packs.trustee.books.tenant import Tenant
from veridical.packs.trustee.dates import DAY, days_in, unix_seconds
from veridical.packs.trustee.rates import SCALE

RowTuple = tuple[Any, ...]


class Original(NamedTuple):
    """The original of a converted amount: cents without sign, currency, rate in ten-thousandths."""

    cents: int
    currency: str
    rate: int


class Leg(NamedTuple):
    """One side of a booking: a positive amount is debit, a negative one credit."""

    account: str
    cents: int
    vat: str | None = None
    cost_center: str | None = None
    contact: str | None = None
    foreign: Original | None = None


class UnbalancedError(ValueError):
    """A booking whose debits and credits differ in some currency."""


@dataclass(slots=True)
class Turnover:
    """Debits and credits of one account in one year, month by month."""

    opening: int = 0
    debits: list[int] = field(default_factory=lambda: [0] * 12)
    credits: list[int] = field(default_factory=lambda: [0] * 12)


@dataclass(slots=True)
class Invoice:
    """An open item with its payments."""

    id: str
    kind: str
    number: str
    contact: str
    account: str
    entry: str
    date: int
    due: int
    cents: int
    currency: str
    paid: int = 0
    paid_date: int | None = None


def money(cents: int) -> Decimal:
    """Cents as an exact amount with two decimals."""
    return Decimal(cents).scaleb(-2)


class Ledger:
    """The books of one tenant, opened year by year and month by month."""

    def __init__(self, tenant: Tenant, seed: int) -> None:
        self.tenant = tenant
        self.chance = Random(f"{seed}/{tenant.code}")  # noqa: S311 # made-up books, no secret
        self.year = 0
        self.month = 0
        self.days = 0
        self.balance: defaultdict[str, int] = defaultdict(int)
        self.turnovers: dict[str, Turnover] = {}
        self.entries: list[RowTuple] = []
        self.lines: list[RowTuple] = []
        self.documents: list[RowTuple] = []
        self._entry_number = 0
        self._month_start = 0

    def open_year(self, year: int) -> None:
        """Begin a year: numbering and turnovers start anew."""
        self.year = year
        self._entry_number = 0
        self.turnovers = {account.number: Turnover() for account in CHART}

    def open_month(self, month: int) -> None:
        """Begin a month."""
        self.month = month
        self.days = days_in(self.year, month)
        self._month_start = unix_seconds(self.year, month, 1)

    def seconds(self, day: int) -> int:
        """A day of the current month in Unix seconds."""
        return self._month_start + (day - 1) * DAY

    def some_day(self) -> int:
        """Any day of the current month."""
        return 1 + int(self.chance.random() * self.days)

    def post(
        self,
        day: int,
        source: str,
        text: str,
        legs: Iterable[Leg],
        reference: str = "",
        status: str = "posted",
    ) -> str:
        """Book these legs and return the entry's id. Raises ``UnbalancedError``."""
        self._entry_number += 1
        entry = f"je-{self.tenant.code}-{self.year}-{self._entry_number:06d}"
        opening = source == "opening"
        sums: dict[str, int] = {}
        total = 0
        position = 0
        for leg in legs:
            if not leg.cents:
                continue
            position += 1
            currency = CURRENCY_OF[leg.account]
            sums[currency] = sums.get(currency, 0) + leg.cents
            if leg.cents > 0 and currency == "CHF":
                total += leg.cents
            self._count(leg, opening)
            self.lines.append(self._line(entry, position, leg, currency, text))
        if any(sums.values()):
            raise UnbalancedError(f"{entry} {text}: {sums}")
        self.entries.append(
            (
                self.tenant.mandate,
                self.tenant.instance,
                entry,
                self._entry_number,
                self.seconds(day),
                self.year,
                self.month,
                text,
                reference,
                source,
                status,
                money(total),
                "CHF",
            )
        )
        return entry

    def move(
        self, day: int, text: str, debit: str, credit: str, cents: int, source: str = "bank"
    ) -> None:
        """Book one amount from account to account, unless it is zero."""
        if cents:
            self.post(day, source, text, (Leg(debit, cents), Leg(credit, -cents)))

    def file(self, entry: str, kind: str, name: str, day: int, contact: str | None = None) -> None:
        """File the voucher behind an entry."""
        self.documents.append(
            (
                self.tenant.mandate,
                self.tenant.instance,
                f"doc-{entry[3:]}",
                kind,
                name,
                self.seconds(day),
                entry,
                contact,
            )
        )

    def _count(self, leg: Leg, opening: bool) -> None:
        turnover = self.turnovers[leg.account]
        if opening:
            turnover.opening += leg.cents
        elif leg.cents > 0:
            turnover.debits[self.month - 1] += leg.cents
        else:
            turnover.credits[self.month - 1] -= leg.cents
        self.balance[leg.account] += leg.cents

    def _line(self, entry: str, position: int, leg: Leg, currency: str, text: str) -> RowTuple:
        account, cents, vat, cost_center, contact, foreign = leg
        origin: RowTuple = (None, None, None)
        if foreign is not None:
            origin = (
                money(foreign.cents),
                foreign.currency,
                Decimal(foreign.rate) / SCALE,
            )
        return (
            self.tenant.mandate,
            self.tenant.instance,
            f"{entry}-{position}",
            entry,
            position,
            account,
            money(cents) if cents > 0 else _ZERO,
            money(-cents) if cents < 0 else _ZERO,
            currency,
            *origin,
            vat,
            cost_center,
            contact,
            text,
        )


_ZERO = money(0)


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
