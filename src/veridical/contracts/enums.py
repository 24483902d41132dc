"""The names a tool call may use, as closed lists."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Enums:
    """The names and values that a call may use, with the hash of their ontology."""

    tables: tuple[str, ...]
    fields: Mapping[str, tuple[str, ...]]
    """By table."""
    metrics: tuple[str, ...]
    aggregates: tuple[str, ...]
    operators: tuple[str, ...]
    hash: str

    @property
    def all_fields(self) -> tuple[str, ...]:
        """The fields of all tables, each once."""
        return tuple(sorted({name for names in self.fields.values() for name in names}))
