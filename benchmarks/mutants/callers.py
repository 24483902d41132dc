"""Who asks: four people who see one set of books each, and two who see several."""

from dataclasses import dataclass

from veridical.contracts.caller import Caller, Scope
from veridical.contracts.language import Language
from veridical.packs.trustee import pack

BOOKS = {
    "m-001-a": "m-001",
    "m-001-b": "m-001",
    "m-002-a": "m-002",
    "m-003-a": "m-003",
}
"""The sets of books in the small size, each with its mandate."""


@dataclass(frozen=True, slots=True)
class Audience:
    """A caller by name, the books he sees, and the tenants that he could choose one of."""

    name: str
    instances: tuple[str, ...]
    pins: tuple[dict[str, str], ...] = ()
    """How a call picks one tenant among several; empty for who sees one only."""

    @property
    def mandates(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(BOOKS[each] for each in self.instances))

    @property
    def strangers(self) -> tuple[str, ...]:
        """Mandates that exist, but not for this caller; a made-up one where he sees all."""
        others = tuple(sorted(set(BOOKS.values()) - set(self.mandates)))
        return others or ("m-004", "m-017")

    def caller(self, language: Language) -> Caller:
        allowed = {"mandateId": self.mandates, "featureInstanceId": self.instances}
        return Caller(Scope(allowed, pack.shared_tables), language=language, name=self.name)


def _pin(instance: str) -> dict[str, str]:
    """A mandate with one set of books needs no more than its own name."""
    mandate = BOOKS[instance]
    alone = list(BOOKS.values()).count(mandate) == 1
    return {"mandateId": mandate} | ({} if alone else {"featureInstanceId": instance})


SINGLE: tuple[Audience, ...] = tuple(
    Audience(f"one_{index}", (instance,)) for index, instance in enumerate(BOOKS)
)
SEVERAL: tuple[Audience, ...] = tuple(
    Audience(f"many_{len(instances)}", instances, tuple(_pin(each) for each in instances))
    for instances in (tuple(BOOKS)[:3], tuple(BOOKS))
)
AUDIENCES: dict[str, Audience] = {each.name: each for each in (*SINGLE, *SEVERAL)}
