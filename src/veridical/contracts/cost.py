"""What a statement may read, and what it was expected to read and did."""

from collections.abc import Mapping
from typing import Self, TypeVar

from pydantic import Field, model_validator

from veridical.contracts.wire import Wire

Number = TypeVar("Number", int, float)


class CostBudget(Wire):
    """What one statement may read, by the database's own estimate."""

    most_rows_read: int | None = Field(default=None, ge=1)
    """Rows read, before any of them is filtered out."""
    most_bytes_read: int | None = Field(default=None, ge=1)
    """Bytes read, where the engine estimates them."""
    most_money: float | None = Field(default=None, gt=0)
    """The price of a statement, from the bytes that it reads and ``price_per_terabyte``."""
    price_per_terabyte: float | None = Field(default=None, gt=0)
    """The price of 10¹² bytes read, in any currency."""

    def within(self, other: "CostBudget") -> "CostBudget":
        """The lower limit of both for everything that either limits."""
        return CostBudget(
            most_rows_read=_lower(self.most_rows_read, other.most_rows_read),
            most_bytes_read=_lower(self.most_bytes_read, other.most_bytes_read),
            most_money=_lower(self.most_money, other.most_money),
            price_per_terabyte=self.price_per_terabyte or other.price_per_terabyte,
        )

    @property
    def is_set(self) -> bool:
        """True if anything is limited."""
        limits = (self.most_rows_read, self.most_bytes_read, self.most_money)
        return any(limit is not None for limit in limits)


class CostSettings(CostBudget):
    """What one statement of a feature may read; nothing is estimated where nothing is set."""

    tenants: Mapping[str, CostBudget] = Field(default_factory=dict[str, CostBudget])
    """Lower budgets by tenant: ``[features.cost.tenants.NAME]`` with the same names."""

    def of(self, tenant: str) -> CostBudget:
        """The budget of a tenant's callers."""
        own = self.tenants.get(tenant)
        return self if own is None else self.within(own)

    @model_validator(mode="after")
    def _priced(self) -> Self:
        for budget in (self, *self.tenants.values()):
            price = budget.price_per_terabyte or self.price_per_terabyte
            if budget.most_money is not None and price is None:
                raise ValueError("most_money needs price_per_terabyte")
        return self


class Cost(Wire):
    """What a statement that ran under a budget was expected to read, and what it read."""

    rows_estimated: int | None = None
    """None where the database had no estimate, or not in time."""
    bytes_estimated: int | None = None
    rows_read: int | None = None
    """None where the engine doesn't tell."""
    bytes_read: int | None = None


def _lower(one: Number | None, other: Number | None) -> Number | None:
    given = [each for each in (one, other) if each is not None]
    return min(given, default=None)
