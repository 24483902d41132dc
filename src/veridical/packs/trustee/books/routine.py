"""The routine bookings of every month: wages, rent, banking, taxes."""

from veridical.packs.trustee.books.ledger import Ledger, Leg, Original
from veridical.packs.trustee.books.trading import BANK, CLEARING, CLEARING_FRANCS, COST_CENTERS
from veridical.packs.trustee.dates import MONTHS
from veridical.packs.trustee.rates import FOREIGN, Foreign, in_francs, rate

_WAGE_SHARE = 0.30
_RENT_SHARE = 0.05
_DEDUCTIONS = (("2270", "5700", 64, 71), ("2271", "5720", 60, 65), ("2273", "5730", 11, 9))
"""The account of a contribution, that of the employer's part, and both parts in permille."""


def pay_wages(ledger: Ledger, revenue: float) -> None:
    """One payroll for all staff, by cost center; thirteen wages a year."""
    wages = 2 if ledger.month == 12 else 1
    gross = {
        center: int(revenue * _WAGE_SHARE / len(COST_CENTERS)) * wages for center in COST_CENTERS
    }
    total = sum(gross.values())
    kept = {owed: total * employee // 1000 for owed, _, employee, _ in _DEDUCTIONS}
    added = {owed: total * employer // 1000 for owed, _, _, employer in _DEDUCTIONS}
    net = total - sum(kept.values())
    legs = (
        *(Leg("5000", cents, cost_center=center) for center, cents in gross.items()),
        *(Leg(cost, added[owed], cost_center="100") for owed, cost, _, _ in _DEDUCTIONS),
        *(Leg(owed, -kept[owed] - added[owed]) for owed, *_ in _DEDUCTIONS),
        Leg("1091", -net),
    )
    label = f"{MONTHS[ledger.month - 1]} {ledger.year}"
    entry = ledger.post(24, "payroll", f"Lohnabrechnung {label}", legs)
    ledger.file(entry, "payslips", f"Loehne-{ledger.year}-{ledger.month:02d}.pdf", 24)
    ledger.move(25, f"Lohnzahlung {label}", "1091", "1020", net)


def pay_rent_and_bank(ledger: Ledger, revenue: float) -> None:
    """Rent on the first, charges of the bank on the last, interest each quarter."""
    label = f"{MONTHS[ledger.month - 1]} {ledger.year}"
    rent = int(revenue * _RENT_SHARE / 500) * 500
    legs = (Leg("6000", rent, cost_center="100"), Leg("1020", -rent))
    ledger.post(1, "bank", f"Miete {label}", legs)
    charges = 1_500 + int(ledger.chance.random() * 4_000)
    legs = (Leg("6940", charges, cost_center="100"), Leg("1020", -charges))
    entry = ledger.post(ledger.days, "bank", f"Bankspesen {label}", legs)
    if ledger.month % 3 == 0:
        name = f"Kontoauszug-{ledger.year}-Q{ledger.month // 3}.pdf"
        ledger.file(entry, "bankStatement", name, ledger.days)
        interest = -ledger.balance["2400"] * 5 // 1000
        ledger.move(ledger.days, "Darlehenszins", "6900", "1020", interest)
    if ledger.month == 10:
        ledger.move(15, "Amortisation Darlehen", "2400", "1020", -ledger.balance["2400"] // 20)
        ledger.move(20, "Übertrag auf Sparkonto", "1021", "1020", int(revenue * 0.1))


def bank_the_cash(ledger: Ledger) -> None:
    """Bring the till to the bank, and change foreign money each quarter."""
    surplus = ledger.balance["1000"] - 200_000
    if surplus > 0:
        ledger.move(ledger.days, "Einzahlung Kasse", "1020", "1000", surplus)
    if ledger.month % 3 == 0:
        for currency in FOREIGN:
            _change_money(ledger, currency)


def settle_duties(ledger: Ledger) -> None:
    """Value-added tax and social insurance: declared per quarter, paid afterwards."""
    quarter, position = divmod(ledger.month - 1, 3)
    if position == 0:
        for account in ("2270", "2271", "2273"):
            text = "Zahlung Sozialversicherungen"
            ledger.move(20, text, account, "1020", -ledger.balance[account])
    if position == 1:
        ledger.move(28, "Zahlung MWST", "2201", "1020", -ledger.balance["2201"])
    if position == 2:
        owed, goods, other = (ledger.balance[account] for account in ("2200", "1170", "1171"))
        legs = (
            Leg("2200", -owed),
            Leg("1170", -goods),
            Leg("1171", -other),
            Leg("2201", owed + goods + other),
        )
        label = f"Q{quarter + 1}/{ledger.year}"
        entry = ledger.post(ledger.days, "manual", f"MWST-Abrechnung {label}", legs)
        ledger.file(entry, "vatReturn", f"MWST-{ledger.year}-Q{quarter + 1}.pdf", ledger.days)


def mistake_and_correction(ledger: Ledger) -> None:
    """Once a year an invoice is booked twice, and reversed."""
    if ledger.month != 5:
        return
    cents = 10_000 + int(ledger.chance.random() * 90_000)
    legs = (Leg("6500", cents, cost_center="100"), Leg("1020", -cents))
    ledger.post(12, "manual", "Büromaterial (doppelt erfasst)", legs, status="reversed")
    back = tuple(leg._replace(cents=-leg.cents) for leg in legs)
    ledger.post(13, "manual", "Storno Büromaterial", back, status="reversal")


def _change_money(ledger: Ledger, currency: Foreign) -> None:
    balance = ledger.balance[BANK[currency]]
    sold = balance * 4 // 5 if balance > 0 else balance
    if not sold:
        return
    price = rate(currency, ledger.year, ledger.month)
    francs = in_francs(sold, price)
    origin = Original(abs(sold), currency, price)
    legs = (
        Leg("1020", francs, foreign=origin),
        Leg(CLEARING_FRANCS, -francs, foreign=origin),
        Leg(CLEARING[currency], sold),
        Leg(BANK[currency], -sold),
    )
    word = "Devisenverkauf" if sold > 0 else "Devisenkauf"
    ledger.post(ledger.days, "bank", f"{word} {currency}", legs)
