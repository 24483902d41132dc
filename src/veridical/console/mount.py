"""Adds the console to a server's application."""

from fastapi import FastAPI
from starlette.types import ASGIApp, Receive, Scope, Send

from veridical.agent.model_address import AllowedAddresses
from veridical.console.asset import PREFIX as STATIC
from veridical.console.handover import HANDOVER, HANDOVER_SECONDS
from veridical.console.live_run import RenderedSteps, rendered_step
from veridical.console.one_time_link import ENTER, OneTimeLink
from veridical.console.page import SIGN_IN
from veridical.console.problem_pages import ProblemPagesMiddleware
from veridical.console.review_run import rendered_progress
from veridical.console.routes import (
    admin,
    ask,
    evals,
    evidence,
    inbox,
    model,
    oidc,
    ontology,
    proposals,
    quality,
    requirements,
    reviews,
    runs,
    sessions,
    signin,
    static,
)
from veridical.console.routes.oidc import ATTEMPT, ATTEMPT_SECONDS, BEGIN
from veridical.console.seal import Sealer
from veridical.console.session import SessionSealer, SignedIn
from veridical.console.session_middleware import FORM, SessionMiddleware
from veridical.console.upload import MULTIPART
from veridical.host.model_switch import ModelSwitch
from veridical.server.access_log import AccessLogMiddleware
from veridical.server.authentication import AuthenticationMiddleware
from veridical.server.error_handlers import register_error_handlers
from veridical.server.oidc_settings import CALLBACK
from veridical.server.security import (
    BodyMiddleware,
    DeadlineMiddleware,
    FramingMiddleware,
    HeadersMiddleware,
)
from veridical.server.services import Services

PREFIX = "/console"
_SECTIONS = (
    signin,
    sessions,
    oidc,
    ask,
    runs,
    inbox,
    evidence,
    requirements,
    quality,
    evals,
    reviews,
    ontology,
    proposals,
    admin,
    model,
    static,
)
ROUTERS = tuple(section.router for section in _SECTIONS)
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_FORMS = (FORM, MULTIPART)
_LANGUAGE = "/console/language"
_OPEN = frozenset({"/", PREFIX, SIGN_IN, ENTER, BEGIN, CALLBACK, _LANGUAGE})


def add_console(app: FastAPI, link: OneTimeLink | None = None) -> None:
    """Serve the console beside the API, from the same services, behind guards of its own. With a
    ``link``, its holder enters once without a key."""
    app.state.link = link
    app.add_middleware(_ConsoleSwitch, console=_console(app))


class _ConsoleSwitch:
    """Routes requests for the console to it, and all others to the API."""

    def __init__(self, app: ASGIApp, console: ASGIApp) -> None:
        self.app = app
        self._console = console

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        is_page = scope["type"] == "http" and _is_page(scope["path"])
        await (self._console if is_page else self.app)(scope, receive, send)


def _is_page(path: str) -> bool:
    return path == "/" or path == PREFIX or path.startswith(f"{PREFIX}/")


def _console(api: FastAPI) -> ASGIApp:
    """The pages, the innermost guard first."""
    pages = FastAPI(docs_url=None, redoc_url=None, openapi_url=None, redirect_slashes=False)
    pages.state = api.state
    for router in ROUTERS:
        pages.include_router(router)
    register_error_handlers(pages)
    services: Services = api.state.services
    settings = services.settings
    secret = settings.session_secret
    key = secret.get_secret_value() if secret else None
    api.state.sealer = sealer = SessionSealer(key)
    api.state.signed_in = SignedIn(services)
    api.state.attempts = Sealer(key, ATTEMPT, ATTEMPT_SECONDS)
    api.state.handovers = Sealer(key, HANDOVER, HANDOVER_SECONDS)
    allowed = AllowedAddresses(frozenset(host.lower() for host in settings.model_hosts))
    api.state.model_switch = ModelSwitch(services.current, allowed)
    api.state.rendered_steps = RenderedSteps(rendered_step)
    api.state.rendered_reviews = RenderedSteps(rendered_progress)
    app: ASGIApp = DeadlineMiddleware(pages, deadlines=api.state.deadlines)
    app = _Protected(app, services, api)
    app = SessionMiddleware(app, sealer, frozenset({SIGN_IN, _LANGUAGE}))
    app = BodyMiddleware(app, settings.body_bytes, settings.body_seconds, _FORMS)
    app = FramingMiddleware(app)
    app = ProblemPagesMiddleware(app)
    app = AccessLogMiddleware(app, api.state.metrics, settings.language)
    return HeadersMiddleware(app, policy=POLICY)


class _Protected:
    """Requires a signed-in identity for all pages but the open ones."""

    def __init__(self, app: ASGIApp, services: Services, api: FastAPI) -> None:
        self._open = app
        self._guarded = AuthenticationMiddleware(
            app,
            services,
            api.state.requests,
            api.state.monitor,
            (f"{PREFIX}/",),
            api.state.signed_in,
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        is_open = scope["path"] in _OPEN or scope["path"].startswith(STATIC)
        await (self._open if is_open else self._guarded)(scope, receive, send)
