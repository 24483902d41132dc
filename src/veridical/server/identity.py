"""The identity behind a request: tenant, role and permissions, taken from the credential alone."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from pydantic import Field

from veridical.contracts.caller import Caller, ScopeValue, scope_of
from veridical.contracts.language import Language
from veridical.contracts.wire import Wire


class Role(StrEnum):
    """Role of an identity within its tenant."""

    VIEWER = "viewer"
    ANALYST = "analyst"
    APPROVER = "approver"
    ADMIN = "admin"


class Action(StrEnum):
    """Permission that a route requires."""

    READ = "read"
    """runs, traces, the ontology"""
    ASK = "ask"
    """questions, runs, the gate, the check"""
    DECIDE = "decide"
    """what waits in the inbox"""
    ADMIN = "admin"
    """keys and the audit of one's own tenant"""


ACTIONS: Mapping[Role, frozenset[Action]] = {
    Role.VIEWER: frozenset({Action.READ}),
    Role.ANALYST: frozenset({Action.READ, Action.ASK}),
    Role.APPROVER: frozenset({Action.READ, Action.ASK, Action.DECIDE}),
    Role.ADMIN: frozenset(Action),
}
"""The most that each role may do, always within its own tenant."""


class Limits(Wire):
    """Request limits of a tenant. Its concurrent runs are limited by their queue, which treats all
    tenants alike."""

    per_minute: int = Field(default=600, ge=1)
    """Requests of the whole tenant."""
    key_per_minute: int | None = Field(default=None, ge=1)
    """Requests with one key; as many as the tenant's where not set."""


DEFAULT_LIMITS = Limits()


FeatureScopes = Mapping[str, Mapping[str, tuple[ScopeValue, ...]]]
"""The tenant columns with the values that may be seen, by feature."""


class NotEntitledError(Exception):
    """The tenant has no scope for this feature."""


@dataclass(frozen=True)
class Identity:
    """An authenticated member of one tenant."""

    tenant: str
    name: str
    role: Role
    actions: frozenset[Action]
    scope: FeatureScopes = field(default_factory=dict[str, Mapping[str, tuple[ScopeValue, ...]]])
    limits: Limits = DEFAULT_LIMITS
    key_id: str | None = None
    """None with a token."""
    expires_at: datetime | None = None
    """When the credential expires."""
    session_id: str | None = None
    """Set for a signed-in browser."""
    people: tuple[str, ...] = ()
    """Behind the credential: who uses it, then those who made it and know it. Without people, the
    name counts."""

    @property
    def person(self) -> str:
        """The person's name, the same for all of their credentials."""
        return self.people[0] if self.people else self.name

    def caller(self, feature: str, language: Language, shared: frozenset[str]) -> Caller:
        """This person as a feature knows them. Raises ``NotEntitledError``."""
        allowed = self.scope.get(feature)
        if allowed is None:
            raise NotEntitledError(feature)
        return Caller(
            scope=scope_of(allowed, shared),
            language=language,
            name=self.name,
            member_of=self.tenant,
        )
