"""Which schemas of a database are read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from veridical.engines.database import Database, HasSchemas
from veridical.ontology.errors import SourceError, SourceProblem


@dataclass(frozen=True, slots=True)
class SchemaChoice:
    """The schemas that are read, and the others that hold tables, each with their number."""

    named: tuple[str, ...] = ()
    """Those that the settings must name; none where the usual one is read."""
    read: Mapping[str, int] = field(default_factory=dict[str, int])
    others: Mapping[str, int] = field(default_factory=dict[str, int])
    is_taken: bool = False
    """True if the usual one is empty, and the only other one is read."""


class EmptySchemaError(SourceError):
    """The schemas that were to be read hold no tables, and several others do."""

    def __init__(self, empty: Sequence[str], seen: Mapping[str, int], options: str) -> None:
        self.seen = seen
        values = {"schema": ", ".join(empty), "seen": with_counts(seen), "options": options}
        super().__init__(SourceProblem.SCHEMA_EMPTY, **values)


def choose_schemas(database: Database, named: Sequence[str]) -> SchemaChoice:
    """The schemas to read: the named ones, else the usual one, else the only one with tables.

    Raises ``EmptySchemaError`` where a person must choose, and ``EngineError``.
    """
    if not isinstance(database, HasSchemas):
        return SchemaChoice()
    seen = database.seen_schemas()
    read = {name: seen[name] for name in database.schemas if name in seen}
    others = {name: count for name, count in seen.items() if name not in read}
    if not read and len(others) == 1 and not named:
        database.schemas = tuple(others)
        return SchemaChoice(tuple(others), others, is_taken=True)
    empty = [name for name in database.schemas if name not in seen]
    if seen and (not read or (named and empty)):
        raise EmptySchemaError(empty, seen, schema_options(others))
    return SchemaChoice(tuple(named), read, others)


def with_counts(schemas: Mapping[str, int]) -> str:
    """Schemas with their numbers of tables."""
    return ", ".join(f"{name} ({count})" for name, count in schemas.items())


def schema_options(names: Sequence[str] | Mapping[str, int]) -> str:
    """The options of a command that choose them."""
    return " ".join(f"--schema {name}" for name in names)
