"""Who may call a route: the credential's actions decide, the tenant is the credential's own."""

from typing import Annotated

from fastapi import Depends, Request

from veridical.contracts.language import Language
from veridical.server.auth import requires
from veridical.server.identity import Action, Identity

Reader = Annotated[Identity, Depends(requires(Action.READ))]
Asker = Annotated[Identity, Depends(requires(Action.ASK))]
Administrator = Annotated[Identity, Depends(requires(Action.ADMIN))]


async def language_of_request(request: Request) -> Language:
    """The language that the caller wants to be spoken to in."""
    return request.state.language


InLanguage = Annotated[Language, Depends(language_of_request)]
