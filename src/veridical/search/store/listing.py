"""Which collections a tenant has."""

from sqlalchemy import Connection

from veridical.search.store.driver import rows

_NAMES = "SELECT name FROM veridical.search_collections WHERE tenant = %(tenant)s"


def collection_names(connection: Connection, tenant: str) -> frozenset[str]:
    """The names of the tenant's collections."""
    return frozenset(row[0] for row in rows(connection, _NAMES, {"tenant": tenant}))
