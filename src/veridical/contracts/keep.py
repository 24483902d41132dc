"""How long the results of a feature's statements may be used again."""

from collections.abc import Iterable, Mapping
from typing import Annotated

from pydantic import Field

from veridical.contracts.wire import Wire

Minutes = Annotated[float, Field(ge=0)]
_LONGEST = 30 * 24 * 60.0
"""The minutes for which results of unchanged data are kept."""


class KeepSettings(Wire):
    """How long the result of a statement may be used again; nothing is kept where nothing is set.

    It is used for the same statement, rights and tenant, under the same ontology, and never longer
    than the shortest time among its tables.
    """

    minutes: Minutes = 0.0
    """The minutes for which a result may be used again. 0: not at all."""
    tables: Mapping[str, Minutes] = Field(default_factory=dict[str, float])
    """Other times by table: ``tables = { prices = 5, orders = 0 }``. 0: never."""
    while_unchanged: bool = False
    """Results of data with a version are used for as long as it stays the same: data files, and
    DuckDB files without views."""
    most_megabytes: int = Field(default=64, ge=1)
    """The space for each tenant's results of this feature; the oldest give way."""

    @property
    def is_set(self) -> bool:
        """True if anything may be kept."""
        return self.while_unchanged or self.minutes > 0 or any(self.tables.values())

    def minutes_of(self, tables: Iterable[str], *, has_version: bool) -> float:
        """How long a result of these tables may be used again."""
        own = {name.casefold(): minutes for name, minutes in self.tables.items()}
        named = [own.get(name.casefold()) for name in tables]
        if has_version and self.while_unchanged:
            return 0.0 if 0 in named else _LONGEST
        return min((self.minutes if each is None else each for each in named), default=0.0)
