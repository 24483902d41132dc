"""Adds the console to a server's application."""

from fastapi import Depends, FastAPI
from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Receive, Scope, Send

from veridical.agent.model_address import AllowedAddresses
from veridical.console.answer_panel import AnswerPanels
from veridical.console.asset import PREFIX as STATIC
from veridical.console.badges import load_badges
from veridical.console.connecting import Connections
from veridical.console.form import MULTIPART
from veridical.console.navigation import require_module
from veridical.console.one_time_link import ENTER, OneTimeLink
from veridical.console.page import SIGN_IN, ProblemPagesMiddleware
from veridical.console.review_run import rendered_progress
from veridical.console.routes import (
    admin,
    answer_files,
    ask,
    collecting,
    conversations,
    data,
    evals,
    evidence,
    files,
    inbox,
    model,
    oidc,
    ontology,
    ontology_edit,
    proposals,
    quality,
    questions,
    requirements,
    reviews,
    rules,
    runs,
    sessions,
    settings,
    shares,
    signin,
    static,
)
from veridical.console.routes.answer_files import PUBLIC_KEY
from veridical.console.routes.data import UPLOAD
from veridical.console.routes.oidc import ATTEMPT, ATTEMPT_SECONDS, BEGIN
from veridical.console.seal import HANDOVER, HANDOVER_SECONDS, Sealer
from veridical.console.session import COOKIE, FORM, SessionMiddleware, SessionSealer, SignedIn
from veridical.console.step_view import RenderedSteps, rendered_step
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
    settings,
    oidc,
    ask,
    conversations,
    files,
    runs,
    answer_files,
    shares,
    inbox,
    data,
    collecting,
    evidence,
    requirements,
    quality,
    evals,
    reviews,
    questions,
    ontology,
    ontology_edit,
    rules,
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
_UPLOAD_SECONDS = 300.0
_SHORT = "/c/"
"""Where a short address begins: it leads to the page, which is guarded."""
_FORMS = (FORM, MULTIPART)
_BEFORE = (Depends(require_module), Depends(load_badges))
"""What every page begins with."""
_LANGUAGE = "/console/language"
_OPEN = frozenset({"/", PREFIX, SIGN_IN, ENTER, BEGIN, CALLBACK, _LANGUAGE, PUBLIC_KEY})


def add_console(app: FastAPI, link: OneTimeLink | None = None) -> None:
    """Serve the console beside the API, from the same services, behind guards of its own. With a
    ``link``, its holder enters once without a key."""
    app.state.link = link
    app.state.mcp.show_panels(AnswerPanels())
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
    return path in {"/", PREFIX} or path.startswith((f"{PREFIX}/", _SHORT))


def _console(api: FastAPI) -> ASGIApp:
    """The pages, the innermost guard first."""
    pages = FastAPI(docs_url=None, redoc_url=None, openapi_url=None, redirect_slashes=False)
    pages.state = api.state
    for router in ROUTERS:
        pages.include_router(router, dependencies=_BEFORE)
    register_error_handlers(pages)
    services: Services = api.state.services
    configured = services.settings
    secret = configured.session_secret
    key = secret.get_secret_value() if secret else None
    api.state.sealer = sealer = SessionSealer(key)
    api.state.signed_in = SignedIn(services)
    api.state.attempts = Sealer(key, ATTEMPT, ATTEMPT_SECONDS)
    api.state.handovers = Sealer(key, HANDOVER, HANDOVER_SECONDS)
    allowed = AllowedAddresses(frozenset(host.lower() for host in configured.model_hosts))
    api.state.model_switch = ModelSwitch(services.current, allowed)
    api.state.connections = Connections(services, api.state.limited_work, api.state.closing)
    api.state.rendered_steps = RenderedSteps(rendered_step)
    api.state.rendered_reviews = RenderedSteps(rendered_progress)
    app: ASGIApp = DeadlineMiddleware(pages, deadlines=api.state.deadlines)
    app = _Protected(app, services, api)
    app = SessionMiddleware(app, sealer, frozenset({SIGN_IN, _LANGUAGE}))
    small = BodyMiddleware(app, configured.body_bytes, configured.body_seconds, _FORMS)
    large = BodyMiddleware(app, configured.upload_bytes, _UPLOAD_SECONDS, _FORMS)
    app = _UploadSwitch(small, large, sealer)
    app = FramingMiddleware(app)
    app = ProblemPagesMiddleware(app)
    app = AccessLogMiddleware(app, api.state.metrics, configured.language)
    return HeadersMiddleware(app, policy=POLICY)


class _UploadSwitch:
    """Lets people who are signed in upload data; anything else is short."""

    def __init__(self, small: ASGIApp, large: ASGIApp, sealer: SessionSealer) -> None:
        self._small = small
        self._large = large
        self._sealer = sealer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        cookie = cookie_parser(Headers(scope=scope).get("cookie", "")).get(COOKIE, "")
        uploads = scope["path"] == UPLOAD and self._sealer.open(cookie) is not None
        await (self._large if uploads else self._small)(scope, receive, send)


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
        is_open = scope["path"] in _OPEN or scope["path"].startswith((STATIC, _SHORT))
        await (self._open if is_open else self._guarded)(scope, receive, send)
