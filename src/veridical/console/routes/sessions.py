"""``/console/sessions``: the sessions of a person, and signing out."""

import asyncio

from fastapi import APIRouter, Request, Response
from starlette.responses import RedirectResponse

from veridical.console.conversation import forget
from veridical.console.form import field, form_of
from veridical.console.page import SIGN_IN, page
from veridical.console.session import COOKIE
from veridical.server.auth import AdminAccess, ReadAccess
from veridical.server.identity import Action, Identity
from veridical.server.services import Services, ServicesDep
from veridical.server.sessions import SessionInfo, end_session, end_sessions_of, open_sessions

router = APIRouter(prefix="/console")

_PLACE = "/console/sessions"
_LONGEST_PERSON = 200


@router.get("/sessions")
async def show(request: Request, identity: ReadAccess, services: ServicesDep) -> Response:
    """One's own sessions; an administrator sees those of the whole tenant."""
    found = await asyncio.to_thread(_open, services, identity)
    return page(request, "sessions.html", sessions=found)


@router.post("/sessions/end")
async def end(request: Request, identity: AdminAccess, services: ServicesDep) -> Response:
    """Signs a person of the tenant out everywhere."""
    person = field(await form_of(request), "person", _LONGEST_PERSON)
    await asyncio.to_thread(_end_all, services, identity, person)
    return RedirectResponse(_PLACE, 303)


@router.post("/signout")
async def sign_out(identity: ReadAccess, services: ServicesDep) -> Response:
    """Ends the session of this browser, and of every copy of its cookie."""
    await asyncio.to_thread(_end, services, identity)
    return _signed_out()


@router.post("/signout/everywhere")
async def sign_out_everywhere(identity: ReadAccess, services: ServicesDep) -> Response:
    """Ends all sessions of the signed-in person."""
    await asyncio.to_thread(_end_all, services, identity, identity.person)
    return _signed_out()


def _open(services: Services, identity: Identity) -> tuple[SessionInfo, ...]:
    person = None if Action.ADMIN in identity.actions else identity.person
    with services.store.tenant(identity.tenant) as connection:
        return open_sessions(connection, identity.tenant, person)


def _end(services: Services, identity: Identity) -> None:
    with services.store.tenant(identity.tenant) as connection:
        end_session(connection, identity)


def _end_all(services: Services, identity: Identity, person: str) -> None:
    with services.store.tenant(identity.tenant) as connection:
        end_sessions_of(connection, identity.tenant, person, actor=identity.name)


def _signed_out() -> Response:
    response = RedirectResponse(SIGN_IN, 303)
    response.delete_cookie(COOKIE, path="/console")
    forget(response)
    return response
