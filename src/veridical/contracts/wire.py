"""The border convention: snake_case in Python, camelCase in JSON."""

from collections.abc import Mapping
from typing import Any, Self

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel

_new = object.__new__
_set_fields = vars(BaseModel)["__dict__"].__set__
_set_given = vars(BaseModel)["__pydantic_fields_set__"].__set__
_set_extra = vars(BaseModel)["__pydantic_extra__"].__set__
_set_private = vars(BaseModel)["__pydantic_private__"].__set__
"""Setters for unchecked values, without looking up each attribute by its name."""


class Wire(BaseModel):
    """An immutable value that crosses the border as camelCase JSON."""

    model_config = ConfigDict(
        alias_generator=to_camel, populate_by_name=True, frozen=True, extra="forbid"
    )

    @classmethod
    def trusted(cls, values: dict[str, Any]) -> Self:
        """The value with these fields, which must be complete and valid: they are not checked.

        For values that our own stages make in large numbers: checking takes longer than making.
        """
        made = _new(cls)
        _set_fields(made, values)
        _set_given(made, {*values})
        _set_extra(made, None)
        _set_private(made, None)
        return made

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A copy that derives its own cached properties: a changed value has another hash."""
        if deep:
            return super().model_copy(deep=True).model_copy(update=update)
        fields, changed = type(self).model_fields, update or {}
        copied = self.trusted({name: value for name, value in vars(self).items() if name in fields})
        vars(copied).update(changed)
        _set_given(copied, self.model_fields_set | changed.keys())
        return copied
