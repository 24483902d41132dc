"""Whether the database can keep anything more: found out by writing, and taking it back."""

from os import urandom

from sqlalchemy import insert

from veridical.store.connection import Store
from veridical.store.tables import AUDIT

_BYTES = 24 * 1024
"""More than a page has room for, and nothing that could be compressed: the file must grow."""


def try_writing(store: Store) -> None:
    """Raises what the database says when it has no room left. Nothing stays of it."""
    with store.presented("") as connection:
        entry = {
            "tenant": "",
            "actor": "",
            "action": "storage.tried",
            "subject": "",
            "detail": {"noise": urandom(_BYTES).hex()},
        }
        connection.execute(insert(AUDIT).inline().values(entry))
        connection.rollback()
