"""Maintainers of the installation: settings for all tenants are not for every administrator."""

from typing import Annotated

from fastapi import Depends

from veridical.server.auth import AdminAccess
from veridical.server.identity import Action, Identity
from veridical.server.problem import ProblemCode, ProblemError
from veridical.server.services import Services, ServicesDep


def is_maintainer(services: Services, identity: Identity) -> bool:
    """True if an identity may see and change settings for all tenants."""
    return Action.ADMIN in identity.actions and identity.tenant in services.settings.maintainers


def may_connect(services: Services, identity: Identity) -> bool:
    """True if an identity may connect data to the settings of this server."""
    return services.home is not None and is_maintainer(services, identity)


async def _maintainer(identity: AdminAccess, services: ServicesDep) -> Identity:
    if not is_maintainer(services, identity):
        raise ProblemError(ProblemCode.NOT_FOUND)
    return identity


MaintainerAccess = Annotated[Identity, Depends(_maintainer)]
"""Lets only administrators of the configured tenants pass; for others the page is not found."""
