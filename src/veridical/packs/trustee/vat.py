"""Swiss value-added tax: the rates before and since 2024, as codes that a booking carries."""

from dataclasses import dataclass
from typing import Literal

from veridical.packs.trustee.dates import unix_seconds

Rate = Literal["standard", "reduced", "lodging", "export"]
RATE_CHANGE_YEAR = 2024


@dataclass(frozen=True, slots=True)
class VatCode:
    """One code; the rate in tenths of a percent, so that it is exact."""

    code: str
    label: str
    direction: Literal["output", "input"]
    rate: Rate
    permille: int
    since: int
    until: int | None

    def tax(self, net: int) -> int:
        """The tax on a net amount of cents, rounded half up."""
        return (net * self.permille + 500) // 1000


_BEGIN = 2018

VAT_CODES: tuple[VatCode, ...] = (
    VatCode("U77", "Umsatz Normalsatz 7.7 %", "output", "standard", 77, _BEGIN, 2023),
    VatCode("U25", "Umsatz reduzierter Satz 2.5 %", "output", "reduced", 25, _BEGIN, 2023),
    VatCode("U37", "Umsatz Beherbergung 3.7 %", "output", "lodging", 37, _BEGIN, 2023),
    VatCode("U81", "Umsatz Normalsatz 8.1 %", "output", "standard", 81, RATE_CHANGE_YEAR, None),
    VatCode(
        "U26", "Umsatz reduzierter Satz 2.6 %", "output", "reduced", 26, RATE_CHANGE_YEAR, None
    ),
    VatCode("U38", "Umsatz Beherbergung 3.8 %", "output", "lodging", 38, RATE_CHANGE_YEAR, None),
    VatCode("U00", "Export, von der Steuer befreit", "output", "export", 0, _BEGIN, None),
    VatCode("V77", "Vorsteuer Normalsatz 7.7 %", "input", "standard", 77, _BEGIN, 2023),
    VatCode("V25", "Vorsteuer reduzierter Satz 2.5 %", "input", "reduced", 25, _BEGIN, 2023),
    VatCode("V81", "Vorsteuer Normalsatz 8.1 %", "input", "standard", 81, RATE_CHANGE_YEAR, None),
    VatCode(
        "V26", "Vorsteuer reduzierter Satz 2.6 %", "input", "reduced", 26, RATE_CHANGE_YEAR, None
    ),
)


def vat_code(direction: Literal["output", "input"], rate: Rate, year: int) -> VatCode:
    """The code in force for this rate in this year."""
    return next(
        code
        for code in VAT_CODES
        if code.direction == direction
        and code.rate == rate
        and code.since <= year
        and (code.until is None or year <= code.until)
    )


def validity(code: VatCode) -> tuple[int, int | None]:
    """From when to when the code is in force, in Unix seconds."""
    until = None if code.until is None else unix_seconds(code.until, 12, 31)
    return unix_seconds(code.since, 1, 1), until
