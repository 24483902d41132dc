"""Sales, purchases and their payment: the bulk of every journal."""

from collections import defaultdict
from collections.abc import Iterator

from veridical.packs.trustee.books.contacts import Contact
from veridical.packs.trustee.books.ledger import Invoice, Ledger, Leg, Original, RowTuple, money
from veridical.packs.trustee.books.tenant import Size
from veridical.packs.trustee.dates import DAY
from veridical.packs.trustee.rates import FIRST_YEAR, SCALE, in_francs, rate
from veridical.packs.trustee.vat import Rate, vat_code

COST_CENTERS = ("100", "200", "300")
RECEIVABLE = {"CHF": "1100", "EUR": "1101", "USD": "1102"}
PAYABLE = {"CHF": "2000", "EUR": "2001"}
BANK = {"CHF": "1020", "EUR": "1022", "USD": "1023"}
CLEARING = {"EUR": "1096", "USD": "1097"}
CLEARING_FRANCS = "1095"

_SEASON = (0.86, 0.88, 1.02, 1.0, 1.01, 1.05, 0.9, 0.88, 1.06, 1.08, 1.1, 1.16)
_GROWTH = 0.025
_MATERIAL_SHARE = 0.31
_OVERHEAD_SHARE = 0.12
_OVERHEADS: tuple[tuple[str, Rate | None], ...] = (
    ("5810", "standard"),
    ("6100", "standard"),
    ("6200", "standard"),
    ("6300", None),
    ("6400", "standard"),
    ("6500", "standard"),
    ("6510", "standard"),
    ("6530", "standard"),
    ("6570", "standard"),
    ("6600", "standard"),
    ("6700", "standard"),
)
_LAGS = ((0.80, 1), (0.97, 2), (0.996, 6))
"""The share of invoices paid within so many months; the rest is never paid."""
_NEVER = 10_000


class Trading:
    """The invoices of one tenant and their payment dates."""

    def __init__(self, ledger: Ledger, contacts: tuple[Contact, ...], size: Size) -> None:
        self.ledger = ledger
        self.items: list[RowTuple] = []
        self._size = size
        self._customers = _by_currency(contacts, "customer")
        self._suppliers = _by_currency(contacts, "supplier")
        self._due: defaultdict[int, list[Invoice]] = defaultdict(list)
        self._invoices = 0

    def revenue(self) -> float:
        """The net revenue that this month aims at, in cents."""
        ledger = self.ledger
        grown: float = (1 + _GROWTH) ** (ledger.year - FIRST_YEAR)
        return ledger.tenant.monthly_revenue * grown * _SEASON[ledger.month - 1]

    def sell(self) -> None:
        """Write the month's invoices and cash sales."""
        trade, chance = self.ledger.tenant.trade, self.ledger.chance
        count = self._around(self._size.sales)
        mean = self.revenue() / count
        for _ in range(count):
            net = self._spread(mean)
            account, vat = trade.revenue[int(chance.random() * len(trade.revenue))]
            way = chance.random()
            if way < trade.cash_share:
                self._sell_for_cash(net, account, vat)
            elif way < trade.cash_share + trade.export_share:
                self._export(net, account)
            else:
                self._invoice(net, account, vat)

    def buy(self) -> None:
        """Book the month's supplier invoices: material, then overheads."""
        trade = self.ledger.tenant.trade
        revenue = self.revenue()
        material = max(1, self._around(self._size.purchases) * 3 // 5)
        for _ in range(material):
            net = self._spread(revenue * _MATERIAL_SHARE / material)
            if self.ledger.chance.random() < trade.export_share / 3:
                self._import(net, trade.purchase)
            else:
                self._receive(net, trade.purchase, trade.purchase_rate, "1170")
        overhead = max(1, self._around(self._size.purchases) * 2 // 5)
        for _ in range(overhead):
            account, vat = _OVERHEADS[int(self.ledger.chance.random() * len(_OVERHEADS))]
            self._receive(self._spread(revenue * _OVERHEAD_SHARE / overhead), account, vat, "1171")
        if self.ledger.month == 3:
            asset = ("1500", "1510", "1520", "1530")[self.ledger.year % 4]
            self._receive(self._spread(revenue * 0.3), asset, "standard", "1171")

    def settle(self) -> None:
        """Pay the items due this month, some of them in part."""
        for invoice in self._due.pop(self._now(), ()):
            rest = invoice.cents - invoice.paid
            partly = not invoice.paid and self.ledger.chance.random() < 0.01
            self._pay(invoice, rest // 2 if partly else rest)
            if invoice.paid < invoice.cents:
                self._due[self._now() + 3].append(invoice)
            else:
                self.items.append(self._item(invoice))

    def close(self) -> Iterator[RowTuple]:
        """The items that are still open when the books end."""
        for month in sorted(self._due):
            yield from (self._item(invoice) for invoice in self._due[month])

    def _sell_for_cash(self, net: int, account: str, vat: Rate) -> None:
        code = vat_code("output", vat, self.ledger.year)
        tax = code.tax(net)
        legs = (
            Leg("1000", net + tax),
            Leg(account, -net, code.code, self._cost_center()),
            Leg("2200", -tax, code.code),
        )
        self.ledger.post(self.ledger.some_day(), "sales", "Barverkauf", legs)

    def _invoice(self, net: int, account: str, vat: Rate) -> None:
        ledger = self.ledger
        customer = self._pick(self._customers["CHF"])
        code = vat_code("output", vat, ledger.year)
        tax = code.tax(net)
        number = self._number("R")
        day = ledger.some_day()
        legs = (
            Leg("1100", net + tax, contact=customer.id),
            Leg(account, -net, code.code, self._cost_center()),
            Leg("2200", -tax, code.code),
        )
        entry = ledger.post(day, "sales", f"Rechnung {number} {customer.name}", legs, number)
        self._open("receivable", number, customer, entry, day, net + tax)

    def _export(self, francs: int, account: str) -> None:
        ledger = self.ledger
        currency = "EUR" if ledger.chance.random() < 0.75 else "USD"
        customer = self._pick(self._customers[currency])
        price = rate(currency, ledger.year, ledger.month)
        cents = francs * SCALE // price
        francs = in_francs(cents, price)
        origin = Original(cents, currency, price)
        number = self._number("R")
        day = ledger.some_day()
        legs = (
            Leg(RECEIVABLE[currency], cents, contact=customer.id),
            Leg(CLEARING[currency], -cents),
            Leg(CLEARING_FRANCS, francs, foreign=origin),
            Leg(account, -francs, "U00", self._cost_center(), foreign=origin),
        )
        entry = ledger.post(day, "sales", f"Rechnung {number} {customer.name}", legs, number)
        self._open("receivable", number, customer, entry, day, cents)

    def _receive(self, net: int, account: str, vat: Rate | None, tax_account: str) -> None:
        ledger = self.ledger
        supplier = self._pick(self._suppliers["CHF"])
        code = vat_code("input", vat, ledger.year) if vat else None
        tax = code.tax(net) if code else 0
        center = self._cost_center() if account[0] in "3456" else None
        legs = (
            Leg(account, net, code.code if code else None, center),
            Leg(tax_account, tax, code.code if code else None),
            Leg("2000", -net - tax, contact=supplier.id),
        )
        self._book_purchase(supplier, legs, net + tax)

    def _import(self, francs: int, account: str) -> None:
        supplier = self._pick(self._suppliers["EUR"])
        price = rate("EUR", self.ledger.year, self.ledger.month)
        cents = francs * SCALE // price
        francs = in_francs(cents, price)
        origin = Original(cents, "EUR", price)
        legs = (
            Leg(account, francs, None, self._cost_center(), foreign=origin),
            Leg(CLEARING_FRANCS, -francs, foreign=origin),
            Leg(CLEARING["EUR"], cents),
            Leg("2001", -cents, contact=supplier.id),
        )
        self._book_purchase(supplier, legs, cents)

    def _book_purchase(self, supplier: Contact, legs: tuple[Leg, ...], gross: int) -> None:
        day = self.ledger.some_day()
        number = self._number("L")
        text = f"Lieferantenrechnung {number} {supplier.name}"
        entry = self.ledger.post(day, "purchase", text, legs, number)
        self.ledger.file(entry, "supplierInvoice", f"{number}.pdf", day, supplier.id)
        self._open("payable", number, supplier, entry, day, gross)

    def _open(
        self, kind: str, number: str, contact: Contact, entry: str, day: int, gross: int
    ) -> None:
        seconds = self.ledger.seconds(day)
        accounts = RECEIVABLE if kind == "receivable" else PAYABLE
        invoice = Invoice(
            f"oi-{entry[3:]}",
            kind,
            number,
            contact.id,
            accounts[contact.currency],
            entry,
            seconds,
            seconds + contact.term_days * DAY,
            gross,
            contact.currency,
        )
        luck = self.ledger.chance.random()
        lag = next((lag for share, lag in _LAGS if luck < share), _NEVER)
        self._due[self._now() + lag].append(invoice)

    def _pay(self, invoice: Invoice, cents: int) -> None:
        ledger = self.ledger
        day = ledger.some_day()
        incoming = invoice.kind == "receivable"
        amount = cents if incoming else -cents
        word = "Zahlungseingang" if incoming else "Zahlung"
        legs = (
            Leg(BANK[invoice.currency], amount),
            Leg(invoice.account, -amount, contact=invoice.contact),
        )
        ledger.post(day, "bank", f"{word} {invoice.number}", legs, invoice.number)
        invoice.paid += cents
        if invoice.paid == invoice.cents:
            invoice.paid_date = ledger.seconds(day)

    def _item(self, invoice: Invoice) -> RowTuple:
        overdue = (self.ledger.seconds(self.ledger.days) - invoice.due) // (30 * DAY)
        settled = invoice.paid == invoice.cents
        return (
            self.ledger.tenant.mandate,
            self.ledger.tenant.instance,
            invoice.id,
            invoice.kind,
            invoice.number,
            invoice.contact,
            invoice.account,
            invoice.entry,
            invoice.date,
            invoice.due,
            invoice.paid_date,
            money(invoice.cents),
            money(invoice.paid),
            money(invoice.cents - invoice.paid),
            invoice.currency,
            "paid" if settled else "partial" if invoice.paid else "open",
            0 if settled else max(0, min(3, overdue)),
        )

    def _now(self) -> int:
        return self.ledger.year * 12 + self.ledger.month

    def _number(self, letter: str) -> str:
        self._invoices += 1
        return f"{letter}-{self.ledger.year}-{self._invoices:06d}"

    def _around(self, count: int) -> int:
        return max(1, round(count * (0.85 + 0.3 * self.ledger.chance.random())))

    def _spread(self, mean: float) -> int:
        return max(100, int(mean * (0.35 + 1.3 * self.ledger.chance.random())))

    def _cost_center(self) -> str:
        return COST_CENTERS[int(self.ledger.chance.random() * len(COST_CENTERS))]

    def _pick(self, contacts: tuple[Contact, ...]) -> Contact:
        return contacts[int(self.ledger.chance.random() * len(contacts))]


def _by_currency(contacts: tuple[Contact, ...], kind: str) -> dict[str, tuple[Contact, ...]]:
    return {
        currency: tuple(
            contact for contact in contacts if contact.kind == kind and contact.currency == currency
        )
        for currency in BANK
    }
