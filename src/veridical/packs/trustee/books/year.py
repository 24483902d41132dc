"""The ends of a year: opening, decisions of the general meeting, closing."""

from collections.abc import Iterator

from veridical.packs.trustee.accounts import CHART, is_carried
from veridical.packs.trustee.books.ledger import Ledger, Leg
from veridical.packs.trustee.books.trading import CLEARING, CLEARING_FRANCS
from veridical.packs.trustee.rates import FOREIGN, in_francs, rate

_START = {
    "1020": 300, "1021": 60, "1200": 80, "1500": 180, "1510": 40, "1520": 25, "1530": 40,
    "2400": -200, "2800": -100, "2900": -50,
}  # fmt: skip
"""The first opening in hundredths of a month's revenue; retained earnings are the rest."""
_WEAR = (("1500", "1509", 125), ("1510", "1519", 125), ("1520", "1529", 300), ("1530", "1539", 250))
"""An asset, its value adjustment, and the yearly wear in permille of its cost."""
_TAX_PERMILLE = 145
_PREPAID, _ACCRUED = ("6300", "1300"), ("6530", "2300")


def open_books(ledger: Ledger) -> None:
    """Book the opening: the balance sheet is carried over, income and expense start at nothing."""
    if ledger.balance:
        opening = {number: cents for number, cents in ledger.balance.items() if is_carried(number)}
    else:
        month = ledger.tenant.monthly_revenue
        opening = {number: share * month // 100 for number, share in _START.items()}
        opening["2970"] = -sum(opening.values())
    ledger.balance.clear()
    legs = [Leg(number, opening[number]) for number in sorted(opening)]
    ledger.post(1, "opening", f"Eröffnungsbilanz {ledger.year}", legs)
    for account, counter in (_PREPAID, _ACCRUED):
        ledger.move(
            2, "Auflösung Rechnungsabgrenzung", account, counter, ledger.balance[counter], "manual"
        )


def decide_on_result(ledger: Ledger) -> None:
    """In June last year's result is appropriated; dividends and taxes follow."""
    if ledger.month == 6:
        result = -ledger.balance["2979"]
        ledger.move(20, "Verwendung Jahresergebnis", "2979", "2970", result, "manual")
        ledger.move(20, "Beschlossene Dividende", "2970", "2261", max(0, result) * 2 // 5, "manual")
    if ledger.month == 7:
        ledger.move(10, "Auszahlung Dividende", "2261", "1020", -ledger.balance["2261"])
    if ledger.month == 9:
        ledger.move(30, "Zahlung direkte Steuern", "2208", "1020", -ledger.balance["2208"])


def close_books(ledger: Ledger) -> None:
    """December's closing bookings; the last one carries the year's result into equity."""
    day = ledger.days
    chance = ledger.chance
    legs = list(_depreciation(ledger))
    legs.append(Leg("6800", -sum(leg.cents for leg in legs)))
    ledger.post(day, "closing", "Abschreibungen", legs)
    stock = int(ledger.balance["1200"] * (chance.random() - 0.4) * 0.1)
    ledger.move(day, "Bestandesänderung Handelswaren", "1200", "4200", stock, "closing")
    account, counter = _PREPAID
    ledger.move(day, "Aktive Abgrenzung", counter, account, ledger.balance[account] // 5, "closing")
    account, counter = _ACCRUED
    fee = 400_000 + int(chance.random() * 300_000)
    ledger.move(day, "Passive Abgrenzung", account, counter, fee, "closing")
    ledger.move(
        day, "Zinsertrag Sparkonto", "1021", "6950", ledger.balance["1021"] // 200, "closing"
    )
    _revalue(ledger)
    tax = max(0, _profit(ledger)) * _TAX_PERMILLE // 1000
    ledger.move(day, "Rückstellung direkte Steuern", "8900", "2208", tax, "closing")
    ledger.move(day, f"Jahresergebnis {ledger.year}", "9000", "2979", _profit(ledger), "closing")


def _depreciation(ledger: Ledger) -> Iterator[Leg]:
    for asset, adjustment, permille in _WEAR:
        cost, written = ledger.balance[asset], -ledger.balance[adjustment]
        yield Leg(adjustment, -max(0, min(cost * permille // 1000, cost - written)))


def _revalue(ledger: Ledger) -> None:
    """Bring the franc side of the currency clearing to the year-end rate."""
    worth = sum(
        in_francs(ledger.balance[CLEARING[currency]], rate(currency, ledger.year, 12))
        for currency in FOREIGN
    )
    difference = ledger.balance[CLEARING_FRANCS] + worth
    ledger.move(ledger.days, "Kursdifferenzen", "6960", CLEARING_FRANCS, difference, "closing")


def _profit(ledger: Ledger) -> int:
    return -sum(ledger.balance[account.number] for account in CHART if 3 <= account.digit <= 8)
