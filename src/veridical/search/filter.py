"""Filters of a search: what the documents of the found chunks must be like."""

from dataclasses import dataclass, fields
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Filter:
    """Conditions for documents; a field without a value is no condition."""

    hosts: tuple[str, ...] | None = None
    not_hosts: tuple[str, ...] | None = None
    sources: tuple[str, ...] | None = None
    """Beginnings of addresses."""
    not_sources: tuple[str, ...] | None = None
    domain_types: tuple[str, ...] | None = None
    versions: tuple[str, ...] | None = None
    since: datetime | None = None
    """The earliest detected date; a document without a date does not pass."""
    until: datetime | None = None
    policy_tags: tuple[str, ...] | None = None
    """Tags that the document must all have."""

    def __bool__(self) -> bool:
        """Whether there is any condition."""
        return any(getattr(self, field.name) is not None for field in fields(self))


NO_FILTER = Filter()
