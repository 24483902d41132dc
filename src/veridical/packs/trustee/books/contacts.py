"""The people and companies that a tenant deals with, with names that are common in Switzerland.

Some names are the same for every tenant, so that a query without the tenant gives itself away.
"""

from dataclasses import dataclass
from random import Random
from typing import Literal

from pydantic import TypeAdapter

from veridical.packs.trustee.books.tenant import Size, Tenant
from veridical.packs.trustee.data import lists

Kind = Literal["customer", "supplier", "employee", "authority"]
LanguageCode = Literal["de", "fr", "it"]


@dataclass(frozen=True, slots=True)
class Contact:
    """One contact of one tenant."""

    id: str
    name: str
    kind: Kind
    street: str
    postal_code: str
    city: str
    country: str
    language: LanguageCode
    currency: Literal["CHF", "EUR", "USD"]
    term_days: int


@dataclass(frozen=True, slots=True)
class Region:
    """A part of the country with its language, its names, its towns."""

    language: LanguageCode
    street: str
    families: tuple[str, ...]
    trades: tuple[str, ...]
    towns: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class ForeignTown:
    """A town abroad and its currency."""

    currency: Literal["EUR", "USD"]
    country: str
    language: LanguageCode
    postal_code: str
    city: str
    street: str
    form: str


@dataclass(frozen=True, slots=True)
class Names:
    """The lists from which contacts are put together."""

    shared_suppliers: tuple[str, ...]
    shared_customers: tuple[str, ...]
    authorities: tuple[str, ...]
    first_names: tuple[str, ...]
    regions: tuple[Region, ...]
    abroad: tuple[ForeignTown, ...]


_NAMES = TypeAdapter(Names).validate_python(lists("names"))
_TERMS = (10, 20, 30, 30, 30, 60)


def contacts(tenant: Tenant, size: Size, seed: int) -> tuple[Contact, ...]:
    """All contacts of a tenant: shared names first, then its own, then those abroad."""
    chance = Random(f"{seed}/contacts/{tenant.code}")  # noqa: S311 # made-up names, no secret
    named: list[tuple[str, Kind]] = [
        *((name, "supplier") for name in _NAMES.shared_suppliers),
        *((name, "customer") for name in _NAMES.shared_customers),
        *((name, "authority") for name in _NAMES.authorities),
    ]
    made = [
        _domestic(tenant, number, name, kind, chance)
        for number, (name, kind) in enumerate(named, start=1)
    ]
    wanted = max(size.contacts, len(made) + 2 * len(_NAMES.abroad) + 4)
    for number in range(len(made) + 1, wanted + 1):
        kind: Kind = "customer" if number % 5 < 3 else "supplier"
        if number > wanted - 2 * len(_NAMES.abroad):
            made.append(_foreign(tenant, number, kind, chance))
        else:
            made.append(_domestic(tenant, number, None, kind, chance))
    made.extend(
        _domestic(tenant, wanted + number, _person(chance), "employee", chance)
        for number in range(1, tenant.staff + 1)
    )
    return tuple(made)


def _domestic(tenant: Tenant, number: int, name: str | None, kind: Kind, chance: Random) -> Contact:
    region = chance.choice(_NAMES.regions)
    postal_code, city = chance.choice(region.towns)
    return Contact(
        id=f"c-{tenant.code}-{number:04d}",
        name=name or f"{chance.choice(region.families)} {chance.choice(region.trades)}",
        kind=kind,
        street=f"{region.street} {chance.randrange(1, 120)}",
        postal_code=postal_code,
        city=city,
        country="CH",
        language=region.language,
        currency="CHF",
        term_days=chance.choice(_TERMS),
    )


def _foreign(tenant: Tenant, number: int, kind: Kind, chance: Random) -> Contact:
    place = _NAMES.abroad[number % len(_NAMES.abroad)]
    family = chance.choice(chance.choice(_NAMES.regions).families)
    return Contact(
        id=f"c-{tenant.code}-{number:04d}",
        name=f"{family} {place.city} {place.form}",
        kind="customer" if place.currency == "USD" else kind,
        street=f"{place.street} {chance.randrange(1, 120)}",
        postal_code=place.postal_code,
        city=place.city,
        country=place.country,
        language=place.language,
        currency=place.currency,
        term_days=30,
    )


def _person(chance: Random) -> str:
    region = chance.choice(_NAMES.regions)
    return f"{chance.choice(_NAMES.first_names)} {chance.choice(region.families)}"
