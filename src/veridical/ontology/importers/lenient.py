"""Foreign files at the border: known keys are typed, unknown ones are noted as dropped."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, model_validator

_WITHOUT_MEANING: Final = frozenset(
    {
        "config",
        "meta",
        "metadata",
        "tags",
        "docs",
        "tests",
        "data_tests",
        "version",
        "group",
        "title",
    }
)


class Lenient(BaseModel):
    """A part of another tool's file. A null key counts as absent."""

    model_config = ConfigDict(extra="allow", frozen=True, coerce_numbers_to_str=True)

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, data: Any) -> Any:
        if isinstance(data, dict):
            return {key: value for key, value in data.items() if value is not None}
        return data


def unknown_keys(part: Lenient, path: str) -> Iterator[tuple[str, str]]:
    """Each key of the part, and of the parts in it, that no importer reads: (path, key)."""
    for key, value in (part.model_extra or {}).items():
        if key not in _WITHOUT_MEANING and value not in (None, "", [], {}, False):
            yield path, key
    for key in type(part).model_fields:
        value = getattr(part, key)
        for child in value if isinstance(value, tuple) else (value,):
            if isinstance(child, Lenient):
                name = getattr(child, "name", None)
                below = f"{path}.{key}.{name}" if name else f"{path}.{key}"
                yield from unknown_keys(child, below)


def children(node: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    """The mappings in the list under this key; none if it is something else."""
    found = node.get(key)
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []
