"""``/console/s/ID``: an answer that somebody shared; ``/console/shares``: the links to answers.

A link is no right: it opens for people of the tenant who may see runs, until it expires or is
revoked.
"""

from fastapi import APIRouter, Request, Response
from sqlalchemy import Connection
from starlette.responses import RedirectResponse

from veridical.console.conversation import with_tenant
from veridical.console.form import field, form_of
from veridical.console.page import page
from veridical.console.routes.signin import inside
from veridical.console.turns import answered_turn
from veridical.server.auth import ReadAccess
from veridical.server.identity import Action, Identity
from veridical.server.problem import ProblemCode, ProblemError
from veridical.server.services import Services, ServicesDep
from veridical.store.shares import Share, find_share, make_share, open_shares, revoke_share

router = APIRouter()

SHARED = "/console/s/"
DAYS = (1, 7, 30)
"""For how long a link may open."""
_LISTED = 200
_GONE = 410


@router.post("/console/runs/{trace_id}/share")
async def share(
    request: Request, identity: ReadAccess, services: ServicesDep, trace_id: str
) -> Response:
    """Makes a link to the answer of a run, and shows where it leads."""
    turn, _ = await answered_turn(request, services, identity, trace_id)
    chosen = field(await form_of(request), "days")
    days = next((each for each in DAYS if str(each) == chosen), DAYS[1])

    def make(connection: Connection) -> str:
        return make_share(
            connection, identity.tenant, identity.person, trace_id, turn.question, days
        )

    made = await with_tenant(services, identity, make)
    return RedirectResponse(f"{SHARED}{made}", 303)


@router.get("/console/shares")
async def listed(request: Request, identity: ReadAccess, services: ServicesDep) -> Response:
    """The links of this person that lead somewhere; for administrators, those of everybody."""
    whose = None if Action.ADMIN in identity.actions else identity.person

    def read(connection: Connection) -> tuple[Share, ...]:
        return open_shares(connection, identity.tenant, whose, _LISTED)

    return page(request, "shares.html", shares=await with_tenant(services, identity, read))


@router.get("/console/s/{share_id}")
async def show(
    request: Request, identity: ReadAccess, services: ServicesDep, share_id: str
) -> Response:
    """The answer, with who shared it and until when."""
    found = await _found(services, identity, share_id)
    if not found.is_open:
        return page(request, "share_ended.html", status=_GONE, share=found)
    turn, view = await answered_turn(request, services, identity, found.trace_id)
    return page(
        request,
        "shared.html",
        share=found,
        may_end=_may_end(identity, found),
        link=str(request.url.replace(query="", fragment="")),
        turn=turn,
        view=view,
        trace_id=found.trace_id,
    )


@router.post("/console/s/{share_id}/revoke")
async def revoke(
    request: Request, identity: ReadAccess, services: ServicesDep, share_id: str
) -> Response:
    """Ends a link: one's own, or as an administrator anybody's."""
    found = await _found(services, identity, share_id)
    if not _may_end(identity, found):
        raise ProblemError(ProblemCode.NOT_FOUND)

    def end(connection: Connection) -> None:
        revoke_share(connection, identity.tenant, identity.person, found)

    await with_tenant(services, identity, end)
    return RedirectResponse(inside(field(await form_of(request), "next")), 303)


async def _found(services: Services, identity: Identity, share_id: str) -> Share:
    def find(connection: Connection) -> Share | None:
        return find_share(connection, share_id)

    found = await with_tenant(services, identity, find)
    if found is None:
        raise ProblemError(ProblemCode.NOT_FOUND)
    return found


def _may_end(identity: Identity, share: Share) -> bool:
    return share.person == identity.person or Action.ADMIN in identity.actions
