"""``/console/signin``: sign-in with a key or a link, and the reader's language."""

from collections.abc import Mapping

from fastapi import APIRouter, Request, Response
from starlette.responses import RedirectResponse

from veridical.console.form import field, form_of
from veridical.console.one_time_link import ENTER, OneTimeLink, is_local
from veridical.console.page import HOME, LANGUAGE_COOKIE, SIGN_IN, page
from veridical.console.seal import LONGEST_COOKIE, TYPED, hand_over, handed_over
from veridical.console.session import COOKIE, SESSION_SECONDS, SessionSealer, SignedIn
from veridical.console.tour import TOUR_COOKIE, begin_tour
from veridical.contracts.language import Language
from veridical.server.auth import ReadAccess
from veridical.server.identity import Identity
from veridical.server.problem import ProblemCode, ProblemError
from veridical.server.services import Services, ServicesDep

router = APIRouter()

_NOTHING: Mapping[str, str] = {}
_YEAR = 365 * 24 * 3600
_LONGEST_CREDENTIAL = 2_000
_LONGEST_ADDRESS = 40_000
"""A search with its question in the address: a character may take nine of it."""


@router.get(SIGN_IN)
async def form(request: Request, next: str = HOME, ended: bool = False) -> Response:
    """The form for the key."""
    return sign_in_page(request, inside(next), ended=ended, typed=handed_over(request))


@router.post(SIGN_IN)
async def sign_in(request: Request, services: ServicesDep) -> Response:
    """Opens a session for a valid key."""
    fields = await form_of(request)
    credential = field(fields, "key", _LONGEST_CREDENTIAL)
    there = inside(field(fields, "next"))
    typed = {name: value for name in TYPED if (value := field(fields, name))}
    try:
        identity = await services.identify(f"Bearer {credential}")
    except ProblemError as error:
        if error.code is not ProblemCode.UNAUTHENTICATED:
            raise
        return sign_in_page(request, there, "console.sign_in_refused", typed=typed)
    response = RedirectResponse(there, 303)
    hand_over(request, response, {name: (value,) for name, value in typed.items()})
    await open_session(request, response, credential, identity)
    return response


@router.get(ENTER)
async def enter(request: Request, services: ServicesDep, code: str = "") -> Response:
    """Opens a session for the one-time link of a server that was just started."""
    link: OneTimeLink | None = request.app.state.link
    credential = link.redeem(code) if link is not None and is_local(request) else None
    if link is None or credential is None:
        return RedirectResponse(SIGN_IN, 303)
    response = RedirectResponse(HOME, 303)
    identity = await services.identify(f"Bearer {credential}")
    await open_session(request, response, credential, identity)
    if link.with_tour:
        begin_tour(response)
    return response


@router.post("/console/tour")
async def end_tour(request: Request, identity: ReadAccess) -> Response:
    """Closes the checklist."""
    fields = await form_of(request)
    response = RedirectResponse(inside(field(fields, "next", _LONGEST_ADDRESS)), 303)
    response.delete_cookie(TOUR_COOKIE, path="/console")
    return response


def sign_in_page(
    request: Request,
    there: str,
    problem: str = "",
    status: int = 401,
    *,
    ended: bool = False,
    typed: Mapping[str, str] = _NOTHING,
) -> Response:
    """The sign-in page; with a problem, as the name of a message. What was typed on the page before
    goes on to the one after."""
    services: Services = request.app.state.services
    return page(
        request,
        "signin.html",
        status=status if problem else 200,
        next=there,
        problem=problem,
        ended=ended,
        typed={name: typed[name] for name in TYPED if name in typed},
        has_provider=services.sign_in is not None,
    )


async def open_session(
    request: Request, response: Response, credential: str, identity: Identity
) -> bool:
    """Puts a session into the response; false where the credential is too long for a cookie."""
    sealer: SessionSealer = request.app.state.sealer
    signed_in: SignedIn = request.app.state.signed_in
    sealed = sealer.seal(await signed_in.begin(identity), credential)
    if len(sealed) > LONGEST_COOKIE:
        return False
    response.set_cookie(
        COOKIE,
        sealed,
        max_age=SESSION_SECONDS,
        path="/console",
        secure=request.url.scheme == "https",
        httponly=True,
        samesite="strict",
    )
    return True


@router.post("/console/language")
async def choose_language(request: Request) -> Response:
    """Remembers the reader's language, and shows the same page again."""
    fields = await form_of(request)
    chosen = field(fields, "language")
    response = RedirectResponse(inside(field(fields, "next", _LONGEST_ADDRESS)), 303)
    hand_over(request, response, fields)
    if chosen in set(Language):
        response.set_cookie(
            LANGUAGE_COOKIE, chosen, max_age=_YEAR, path="/console", samesite="strict"
        )
    return response


def inside(path: str) -> str:
    """A path within the console; the home page instead of any other address."""
    is_ours = path.startswith("/console/") and "\\" not in path and "\n" not in path
    return path if is_ours else HOME
