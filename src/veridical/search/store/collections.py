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

POSTGRES = "postgres"
"""The name of the index in PostgreSQL."""


class OutdatedIndexError(Exception):
    """The words of a collection are in another index, by another version of an analyser, or not
    all there yet: it must be rebuilt."""

    def __init__(self, language: Language, stored: str, current: str) -> None:
        self.language = language
        super().__init__(f"the index was made by {stored or 'nothing yet'}, not by {current}")


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


def find_collection(
    connection: Connection, tenant: str, name: str, index: str = POSTGRES
) -> CollectionIndex | None:
    """The tenant's collection of this name. Raises ``OutdatedIndexError``."""
    found = rows(connection, _INDEXES, {"tenant": tenant, "name": name}, prepare=True)
    if not found:
        return None
    indexes = [(Language(row[1]), row[2]) for row in found if row[1] is not None]
    for language, analyser in indexes:
        check_version(language, analyser, index)
    languages = tuple(sorted(language for language, _ in indexes))
    return CollectionIndex(found[0][0], languages, sum(row[3] for row in found))


def version_of(language: Language, index: str = POSTGRES) -> str:
    """What the terms of a language are made by: the analyser, and the index that has them where it
    is not PostgreSQL."""
    version = ANALYSERS[language].version
    return version if index == POSTGRES else f"{index}:{version}"


def check_version(language: Language, analyser: str, index: str = POSTGRES) -> None:
    """Raises ``OutdatedIndexError`` unless the terms were made by this release, for this index."""
    current = version_of(language, index)
    if analyser != current:
        raise OutdatedIndexError(language, analyser, current)


_MARK = """
UPDATE veridical.search_indexes SET analyser = %(analyser)s
WHERE collection = %(collection)s AND language = %(language)s
"""


def mark_all(connection: Connection, collection: int, index: str, *, is_complete: bool) -> None:
    """Note that the words of a collection are all in this index, or that they are not yet."""
    for language in Language:
        analyser = version_of(language, index) if is_complete else ""
        given = {"collection": collection, "language": language.value, "analyser": analyser}
        rows(connection, _MARK, given)


_NAMES = "SELECT name FROM veridical.search_collections WHERE tenant = %(tenant)s"


def collection_names(connection: Connection, tenant: str) -> frozenset[str]:
    """The names of the tenant's collections."""
    return frozenset(row[0] for row in rows(connection, _NAMES, {"tenant": tenant}))
