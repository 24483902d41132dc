"""The border convention: snake_case in Python, camelCase in JSON."""

from collections.abc import Mapping
from typing import Any, Self

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel


class Wire(BaseModel):
    """An immutable value that crosses the border as camelCase JSON."""

    model_config = ConfigDict(
        alias_generator=to_camel, populate_by_name=True, frozen=True, extra="forbid"
    )

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A copy that derives its own cached properties: a changed value has another hash."""
        copied = super().model_copy(update=update, deep=deep)
        held = vars(copied)
        for name in held.keys() - type(self).model_fields.keys():
            del held[name]
        return copied
