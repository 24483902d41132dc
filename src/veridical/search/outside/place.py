"""Where an index beside PostgreSQL has the words and vectors of a collection."""

from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b

_BYTES = 16


@dataclass(frozen=True)
class Place:
    """The only way to the tables of a collection: each has names that no other collection has.

    Names are checksums of what tenant, collection and model are called, each of one length, so
    that no name can be a part of another one, or a path.
    """

    tenant: str
    collection: str

    @cached_property
    def folder(self) -> str:
        """The name of what holds everything of the tenant and nothing of another."""
        return _checksum(self.tenant)

    @cached_property
    def words(self) -> str:
        """The name of the table with the words."""
        return f"{self.prefix}words"

    def vectors(self, model: str) -> str:
        """The name of the table with the vectors of a model."""
        return f"{self.prefix}{_checksum(model)}"

    @cached_property
    def prefix(self) -> str:
        """How the names of all tables of this collection begin, and of no other."""
        return f"veridical-{self.folder}-{_checksum(self.collection)}-"


def _checksum(text: str) -> str:
    encoded = text.encode("utf-8", "surrogatepass")
    return blake2b(encoded, digest_size=_BYTES).hexdigest()
