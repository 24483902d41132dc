"""``/console/signin/oidc``: to the identity provider, and back with a session."""

import asyncio
import hmac
import logging
from dataclasses import astuple

from fastapi import APIRouter, Request, Response
from starlette.responses import RedirectResponse

from veridical.console.page import SIGN_IN, page
from veridical.console.routes.signin import inside, open_session, sign_in_page
from veridical.console.seal import Sealer
from veridical.server.oidc import TokenError
from veridical.server.oidc_settings import CALLBACK
from veridical.server.oidc_sign_in import OidcSignIn, ProviderAwayError, SignInAttempt
from veridical.server.problem import ProblemCode, ProblemError
from veridical.server.services import ServicesDep

router = APIRouter()

BEGIN = f"{SIGN_IN}/oidc"
ATTEMPT = b"veridical console attempt to sign in"
ATTEMPT_SECONDS = 600
_COOKIE = "veridical_attempt"
_LONGEST_CODE = 4_000
_log = logging.getLogger("veridical.oidc")


@router.get(BEGIN)
async def begin(request: Request, services: ServicesDep, next: str = "") -> Response:
    """Sends a browser to the provider; what it must come back with is sealed in a cookie."""
    provider = _provider(services.sign_in)
    there = inside(next)
    try:
        url, attempt = await asyncio.to_thread(provider.begin)
    except ProviderAwayError as error:
        _log.warning("the identity provider can't be used: %s", error)
        return sign_in_page(request, there, "provider.away", 503)
    attempts: Sealer = request.app.state.attempts
    response = RedirectResponse(url, 303)
    response.set_cookie(
        _COOKIE,
        attempts.seal(*astuple(attempt), there),
        max_age=ATTEMPT_SECONDS,
        path=SIGN_IN,
        secure=request.url.scheme == "https",
        httponly=True,
        samesite="lax",  # the provider's page leads back here
    )
    return response


@router.get(CALLBACK)
async def come_back(
    request: Request, services: ServicesDep, code: str = "", state: str = ""
) -> Response:
    """Opens a session for a browser that returns from the provider with its sealed attempt."""
    provider = _provider(services.sign_in)
    attempts: Sealer = request.app.state.attempts
    *known, there = attempts.open(request.cookies.get(_COOKIE, "")) or ("", "", "", "")
    attempt = SignInAttempt(*known)
    is_own = bool(attempt.state) and hmac.compare_digest(state.encode(), attempt.state.encode())
    if not is_own or not 0 < len(code) <= _LONGEST_CODE:
        return _ended(sign_in_page(request, inside(there), "provider.refused"))
    try:
        credential = await asyncio.to_thread(provider.finish, code, attempt)
        identity = await services.identify(f"Bearer {credential}")
    except ProviderAwayError as error:
        _log.warning("the identity provider can't be used: %s", error)
        return _ended(sign_in_page(request, there, "provider.away", 503))
    except TokenError as error:
        _log.warning("the identity provider's answer is refused: %s", error)
        return _ended(sign_in_page(request, there, "provider.failed"))
    except ProblemError as error:
        if error.code not in (ProblemCode.UNAUTHENTICATED, ProblemCode.NOT_ALLOWED):
            raise
        return _ended(sign_in_page(request, there, "provider.unknown"))
    # A redirect would still be on its way from the provider, and no strict cookie goes along.
    response = page(request, "signed_in.html", next=there)
    if not await open_session(request, response, credential, identity):
        return _ended(sign_in_page(request, there, "provider.too_long"))
    return _ended(response)


def _provider(found: OidcSignIn | None) -> OidcSignIn:
    if found is None:
        raise ProblemError(ProblemCode.NOT_FOUND)
    return found


def _ended(response: Response) -> Response:
    """Deletes the attempt: it is valid for one answer."""
    response.delete_cookie(_COOKIE, path=SIGN_IN)
    return response
