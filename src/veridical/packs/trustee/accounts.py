"""The Swiss chart of accounts for small and medium companies: classes, groups, accounts.

Amounts are debit positive everywhere, so the normal side of an account tells the sign that its
balance usually has: debit positive, credit negative.
"""

from dataclasses import dataclass
from typing import Literal

from pydantic import TypeAdapter

from veridical.packs.trustee.data import table

Kind = Literal["asset", "liability", "equity", "income", "expense", "closing"]
Side = Literal["debit", "credit"]


@dataclass(frozen=True, slots=True)
class AccountClass:
    """The first digit of an account number. ``carried`` classes keep their balance at year end."""

    digit: int
    entity: str
    side: Side
    carried: bool


@dataclass(frozen=True, slots=True)
class AccountGroup:
    """A range of account numbers with one meaning."""

    entity: str
    first: str
    last: str
    kind: Kind
    side: Side

    @property
    def digit(self) -> int:
        """The class that the group belongs to."""
        return int(self.first[0])


@dataclass(frozen=True, slots=True)
class Account:
    """One account of the chart."""

    number: str
    label: str
    currency: Literal["CHF", "EUR", "USD"]
    active: bool

    @property
    def digit(self) -> int:
        """The class that the account belongs to."""
        return int(self.number[0])


CLASSES: tuple[AccountClass, ...] = TypeAdapter(tuple[AccountClass, ...]).validate_python(
    table("classes")
)
GROUPS: tuple[AccountGroup, ...] = TypeAdapter(tuple[AccountGroup, ...]).validate_python(
    table("groups")
)
CHART: tuple[Account, ...] = TypeAdapter(tuple[Account, ...]).validate_python(table("accounts"))

CURRENCY_OF: dict[str, str] = {account.number: account.currency for account in CHART}
_CLASS_OF: dict[int, AccountClass] = {each.digit: each for each in CLASSES}


def is_carried(number: str) -> bool:
    """True for the balance sheet: its accounts open the year with what they closed the last."""
    return _CLASS_OF[int(number[0])].carried


def group_of(number: str) -> AccountGroup | None:
    """The group whose range holds this account number."""
    return next((group for group in GROUPS if group.first <= number <= group.last), None)


def class_of(number: str) -> AccountClass:
    """The class of this account number."""
    return _CLASS_OF[int(number[0])]


def kind_of(number: str) -> Kind:
    """The account's meaning: that of its group or else of its class."""
    group = group_of(number)
    if group is not None:
        return group.kind
    if number[0] == "9":
        return "closing"
    return "income" if class_of(number).side == "credit" else "expense"


def side_of(number: str) -> Side:
    """The side on which the account normally stands."""
    group = group_of(number)
    return (group or class_of(number)).side
