"""Authorization dependencies of routes: the actions of the credential decide, its tenant is
fixed."""

from typing import Annotated

from fastapi import Depends, Request

from veridical.contracts.language import Language
from veridical.server.auth import requires
from veridical.server.identity import Action, Identity

ReadAccess = Annotated[Identity, Depends(requires(Action.READ))]
AskAccess = Annotated[Identity, Depends(requires(Action.ASK))]
AdminAccess = Annotated[Identity, Depends(requires(Action.ADMIN))]


async def language_of_request(request: Request) -> Language:
    """The language that the caller wants to be spoken to in."""
    return request.state.language


RequestLanguage = Annotated[Language, Depends(language_of_request)]
