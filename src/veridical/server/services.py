"""Services that the routes share, provided by one dependency."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from fastapi import Depends, Request

from veridical.host.current_runtime import CurrentRuntime
from veridical.host.runtime import Runtime
from veridical.runs.inbox import Inbox
from veridical.runs.port import Runs
from veridical.server.identity import Identity
from veridical.server.oauth_resource import OAuthResource
from veridical.server.oidc_sign_in import OidcSignIn
from veridical.server.settings import ServerSettings
from veridical.server.trace_writer import TenantTraces
from veridical.store.connection import Store

Identify = Callable[[str | None], Awaitable[Identity]]
"""Returns the identity of an ``Authorization`` header. Raises ``AuthError``."""


def _ignore() -> None:
    """Does nothing."""


@dataclass(frozen=True)
class Services:
    """Everything that a server needs. Its owner closes it after the server has ended."""

    current: CurrentRuntime
    store: Store
    runs: Runs
    inbox: Inbox
    traces: TenantTraces
    identify: Identify
    settings: ServerSettings
    door: Store | None = None
    """The same database over connections of its own: for who signs in, and for health."""
    forget_credentials: Callable[[], None] = _ignore
    """Looks every key and tenant up again: what they may see has changed."""
    home: Path | None = None
    """The folder of the settings, if data may be connected there."""
    sign_in: OidcSignIn | None = None
    """Sign-in with the identity provider, where configured."""
    oauth: OAuthResource | None = None
    """How remote MCP clients sign people in, where configured."""

    @property
    def runtime(self) -> Runtime:
        """The runtime for requests that start now."""
        return self.current.now


async def services_of(request: Request) -> Services:
    """The services of the application that received this request."""
    return request.app.state.services


ServicesDep = Annotated[Services, Depends(services_of)]
