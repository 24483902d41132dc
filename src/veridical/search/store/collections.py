"""Collections of a tenant, and which languages their indexes hold."""

from dataclasses import dataclass

from sqlalchemy import Connection

from veridical.contracts.language import Language
from veridical.search.analysis.analyser import ANALYSERS
from veridical.search.store.driver import rows

_MAKE = """
INSERT INTO veridical.search_collections (tenant, name) VALUES (%(tenant)s, %(name)s)
ON CONFLICT DO NOTHING
"""
_FIND = "SELECT id FROM veridical.search_collections WHERE tenant = %(tenant)s AND name = %(name)s"
_INDEXES = """
SELECT c.id, i.language, i.analyser, coalesce((
        SELECT sum(s.chunks) FROM veridical.search_segments s
        WHERE s.collection = i.collection AND s.language = i.language
    ), 0)::bigint
FROM veridical.search_collections c
LEFT JOIN veridical.search_indexes i ON i.collection = c.id
WHERE c.tenant = %(tenant)s AND c.name = %(name)s
"""


class OutdatedIndexError(Exception):
    """A collection was indexed by another version of an analyser and must be ingested anew."""

    def __init__(self, language: Language, stored: str, current: str) -> None:
        self.language = language
        super().__init__(f"the index was made by analyser {stored}, this release has {current}")


@dataclass(frozen=True, slots=True)
class CollectionIndex:
    """A collection that can be searched."""

    id: int
    languages: tuple[Language, ...]
    size: int
    """In chunks, with those that were deleted since the last merge."""


def ensure_collection(connection: Connection, tenant: str, name: str) -> int:
    """The number of the tenant's collection of this name, which is made if there is none."""
    rows(connection, _MAKE, {"tenant": tenant, "name": name})
    return rows(connection, _FIND, {"tenant": tenant, "name": name})[0][0]


def collection_number(connection: Connection, tenant: str, name: str) -> int | None:
    """The number of the tenant's collection of this name; none where there is none."""
    found = rows(connection, _FIND, {"tenant": tenant, "name": name})
    return found[0][0] if found else None


def find_collection(connection: Connection, tenant: str, name: str) -> CollectionIndex | None:
    """The tenant's collection of this name. Raises ``OutdatedIndexError``."""
    found = rows(connection, _INDEXES, {"tenant": tenant, "name": name}, prepare=True)
    if not found:
        return None
    indexes = [(Language(row[1]), row[2]) for row in found if row[1] is not None]
    for language, analyser in indexes:
        check_version(language, analyser)
    languages = tuple(sorted(language for language, _ in indexes))
    return CollectionIndex(found[0][0], languages, sum(row[3] for row in found))


def check_version(language: Language, analyser: str) -> None:
    """Raises ``OutdatedIndexError`` unless the index was made by this release's analyser."""
    current = ANALYSERS[language].version
    if analyser != current:
        raise OutdatedIndexError(language, analyser, current)


_NAMES = "SELECT name FROM veridical.search_collections WHERE tenant = %(tenant)s"


def collection_names(connection: Connection, tenant: str) -> frozenset[str]:
    """The names of the tenant's collections."""
    return frozenset(row[0] for row in rows(connection, _NAMES, {"tenant": tenant}))
