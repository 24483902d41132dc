"""The companies whose books are made: sizes, companies, trades."""

from dataclasses import dataclass
from random import Random
from typing import Literal

from pydantic import TypeAdapter

from veridical.packs.trustee.data import lists
from veridical.packs.trustee.vat import Rate

LegalForm = Literal["AG", "GmbH", "Genossenschaft", "Einzelfirma"]


@dataclass(frozen=True, slots=True)
class Size:
    """The size of a data set. Monthly counts are per set of books and vary around these."""

    name: str
    mandates: int
    sales: int
    purchases: int
    contacts: int
    validate_every: int = 1
    """One row in so many passes its model while streaming; in a built set all of them do."""


SMALL = Size("small", mandates=3, sales=2, purchases=2, contacts=24)
MEDIUM = Size("medium", mandates=8, sales=66, purchases=44, contacts=120)
LARGE = Size("large", mandates=30, sales=380, purchases=260, contacts=400, validate_every=50)
SIZES: dict[str, Size] = {size.name: size for size in (SMALL, MEDIUM, LARGE)}


@dataclass(frozen=True, slots=True)
class Trade:
    """A trade: its accounts of revenue and purchases, and their rates."""

    label: str
    revenue: tuple[tuple[str, Rate], ...]
    purchase: str
    purchase_rate: Rate
    cash_share: float
    export_share: float
    nouns: tuple[str, ...]


TRADES: tuple[Trade, ...] = TypeAdapter(tuple[Trade, ...]).validate_python(
    lists("trades")["trades"]
)


@dataclass(frozen=True, slots=True)
class Tenant:
    """One set of books: a mandate (client) and one of its instances."""

    mandate: str
    instance: str
    code: str
    company: str
    legal_form: LegalForm
    canton: str
    trade: Trade
    monthly_revenue: int
    """In cents, net, in the first year."""
    staff: int


_HOUSES = (
    ("Alpenblick", "ZH"), ("Seefeld", "ZH"), ("Rhonebrücke", "GE"), ("Monte Brè", "TI"),
    ("Wiesental", "BE"), ("Lindenhof", "SG"), ("Chasseral", "NE"), ("Pilatus", "LU"),
    ("Rheintor", "BS"), ("Lavaux", "VD"), ("Säntis", "AI"), ("Engadin", "GR"),
)  # fmt: skip
_FORMS: tuple[LegalForm, ...] = ("AG", "GmbH", "AG", "Genossenschaft", "GmbH", "Einzelfirma")


def tenants(size: Size, seed: int) -> tuple[Tenant, ...]:
    """The sets of books of this size; every third mandate, from the first on, keeps two."""
    return tuple(
        _tenant(number, letter, seed)
        for number in range(1, size.mandates + 1)
        for letter in ("ab" if number % 3 == 1 else "a")
    )


def _tenant(number: int, letter: str, seed: int) -> Tenant:
    chance = Random(f"{seed}/tenant/{number}{letter}")  # noqa: S311 # made up, no secret
    house, canton = _HOUSES[(number - 1) % len(_HOUSES)]
    series = (number - 1) // len(_HOUSES)
    trade = TRADES[(number - 1 + (letter == "b")) % len(TRADES)]
    form = _FORMS[number % len(_FORMS)]
    suffix = ("", " Nord", " Süd")[series % 3]
    mandate = f"m-{number:03d}"
    return Tenant(
        mandate=mandate,
        instance=f"{mandate}-{letter}",
        code=f"{number:03d}{letter}",
        company=f"{house}{suffix} {chance.choice(trade.nouns)} {form}",
        legal_form=form,
        canton=canton,
        trade=trade,
        monthly_revenue=chance.randrange(9_000_000, 42_000_000),
        staff=chance.randrange(4, 22),
    )
