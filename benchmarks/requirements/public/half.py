"""Two halves of a set, by a hash of each item's key: one to develop with, one to publish."""

from enum import StrEnum
from hashlib import sha256


class Half(StrEnum):
    """Which half of a set is measured."""

    DEVELOPED = "developed"
    """Read while the rules were written."""
    PUBLISHED = "published"
    """Not read; its figures are the ones to tell."""


def half_of(key: str) -> Half:
    """The half that the item with this key is in, the same on every machine."""
    return Half.PUBLISHED if sha256(key.encode()).digest()[0] % 2 else Half.DEVELOPED
