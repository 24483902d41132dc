"""Which schemas ``veridical init`` reads: those that were named, else the usual one."""

from collections.abc import Mapping, Sequence

from veridical.cli.error_reporting import err
from veridical.contracts.language import Language
from veridical.engines.database import Database, HasSchemas
from veridical.messages import message
from veridical.ontology.errors import SourceError, SourceProblem


def choose_schemas(database: Database, named: Sequence[str], language: Language) -> tuple[str, ...]:
    """The schemas that the settings must name; none where the usual one is read.

    Says what else holds tables. Where the usual schema is empty, the only other one is taken; of
    several, somebody has to choose. Raises ``SourceError``, and ``EngineError``.
    """
    if not isinstance(database, HasSchemas):
        return ()
    seen = database.seen_schemas()
    read = [name for name in database.schemas if name in seen]
    others = {name: count for name, count in seen.items() if name not in read}
    if not read and len(others) == 1 and not named:
        database.schemas = tuple(others)
        _tell("schema_taken", language, read=_counted(others))
        return database.schemas
    empty = [name for name in database.schemas if name not in seen]
    if seen and (not read or (named and empty)):
        values = {"schema": ", ".join(empty), "seen": _counted(seen), "options": _options(others)}
        raise SourceError(SourceProblem.SCHEMA_EMPTY, **values)
    if others and not named:
        both = [*read, *others]
        counted = _counted({name: seen[name] for name in read})
        values = {"read": counted, "others": _counted(others), "options": _options(both)}
        _tell("other_schemas", language, **values)
    return tuple(named)


def _tell(key: str, language: Language, **values: str) -> None:
    text = message(f"onboarding.{key}", language, **values)
    err.print(text, style="yellow", highlight=False, markup=False, soft_wrap=True)


def _counted(schemas: Mapping[str, int]) -> str:
    return ", ".join(f"{name} ({count})" for name, count in schemas.items())


def _options(names: Sequence[str] | Mapping[str, int]) -> str:
    return " ".join(f"--schema {name}" for name in names)
