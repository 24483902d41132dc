"""The caller of a request: permissions, tenant and language."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from veridical.contracts.language import Language

ScopeValue = str | int


@dataclass(frozen=True)
class Scope:
    """The rows a caller may see: for each tenant column, the values allowed.

    The host fills this in from the credential; a model never writes it. A table that has none of
    the columns is refused unless it is named in ``shared`` (reference data without a tenant).
    """

    allowed: Mapping[str, tuple[ScopeValue, ...]] = field(
        default_factory=dict[str, tuple[ScopeValue, ...]]
    )
    shared: frozenset[str] = frozenset()

    @cached_property
    def kind(self) -> tuple[object, ...]:
        """The key of scopes that are the same for a check: the values don't count."""
        pinned = sorted((column, len(values) == 1) for column, values in self.allowed.items())
        return (*pinned, self.shared)


WHOLE = frozenset({"*"})
"""Shared tables of a database without tenants: all of them."""


def scope_of(allowed: Mapping[str, tuple[ScopeValue, ...]], shared: frozenset[str]) -> Scope:
    """The scope of a member of a tenant, or of a caller without one where there are no tenants.

    As soon as a tenant column is set, a table without it is no longer open to all.
    """
    return Scope(allowed, shared - WHOLE if allowed else shared)


@dataclass(frozen=True, slots=True)
class Permissions:
    """The tables and columns a caller may see. Names are globs: ``*``, ``Account*``, ``Staff.pay``.

    What is denied wins over what is allowed.
    """

    allow: tuple[str, ...] = ("*",)
    deny: tuple[str, ...] = ()


EVERYTHING = Permissions()


@dataclass(frozen=True, slots=True)
class Caller:
    """One request's identity."""

    scope: Scope = Scope()
    permissions: Permissions = EVERYTHING
    language: Language = Language.EN
    name: str = "anonymous"
    member_of: str = ""
    """The tenant of Veridical's own tables whose credential this is: whose documents may be
    searched. Empty without a credential."""

    @property
    def tenant(self) -> str:
        """The tenant, where the scope names exactly one."""
        values = next(iter(self.scope.allowed.values()), ())
        return str(values[0]) if len(values) == 1 else ""
