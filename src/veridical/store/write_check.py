"""Write check: whether the database has room left, tried by writing and rolling back."""

from os import urandom

from sqlalchemy import insert

from veridical.store.connection import Store
from veridical.store.tables import AUDIT

_BYTES = 24 * 1024
"""More than a page has room for, and nothing that could be compressed: the file must grow."""


def try_writing(store: Store) -> None:
    """Write and roll back. Raises the database's error when it has no room left."""
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
