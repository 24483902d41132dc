"""A judgement: a condition on the rows of an entity that has a name, such as late or low."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Self

from pydantic import Field as Pydantic
from pydantic import model_validator

from veridical.contracts.language import Text
from veridical.contracts.wire import Wire

TODAY = "today"
"""As the limit of a time: the day of the question."""


class Comparator(StrEnum):
    """The comparison of a field with a limit."""

    ABOVE = ">"
    AT_LEAST = ">="
    BELOW = "<"
    AT_MOST = "<="
    IS = "="
    IS_NOT = "!="

    @property
    def orders(self) -> bool:
        """True if it needs ordered values."""
        return self not in (Comparator.IS, Comparator.IS_NOT)


class Judgement(Wire):
    """One named condition on an entity: ``late`` is ``delay > 30``."""

    name: str
    field: str
    comparator: Comparator
    limit: str | int | float | bool | None = Pydantic(
        default=None, exclude_if=lambda limit: limit is None
    )
    """In the field's own unit; ``today`` for a time."""
    limit_field: str | None = Pydantic(default=None, exclude_if=lambda name: name is None)
    """Another field of the row, instead of a limit."""
    unless: str | None = Pydantic(default=None, exclude_if=lambda name: name is None)
    """A field: rows with a value there never match, whatever their limit."""
    label: Text = ""
    proposed: bool = Pydantic(default=False, exclude_if=lambda proposed: not proposed)
    """True until a person confirms it: it is in no prompt and in no answer."""

    @model_validator(mode="after")
    def _has_one_limit(self) -> Self:
        if (self.limit is None) is (self.limit_field is None):
            raise ValueError(f"{self.name} needs either limit or limitField")
        return self

    @property
    def fields(self) -> tuple[str, ...]:
        """All fields that it reads."""
        return tuple(filter(None, (self.field, self.limit_field, self.unless)))

    @property
    def names(self) -> tuple[str, ...]:
        """Its names: its own, and its labels in all languages."""
        labels = (self.label,) if isinstance(self.label, str) else self.label.values()
        return tuple(dict.fromkeys(filter(None, (self.name, *labels))))

    def told(self, columns: Mapping[str, str] | None = None) -> str:
        """The condition, with fields by these names: ``delay > 30``."""
        named = columns or {}
        limit = named.get(self.limit_field, self.limit_field) if self.limit_field else self.limit
        return f"{named.get(self.field, self.field)} {self.comparator} {limit}"
