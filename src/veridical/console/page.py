"""Renders pages: templates with escaped values, texts from the message catalogue."""

import json
from datetime import UTC, datetime
from functools import cache, partial
from http import HTTPStatus
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from veridical.console import drawing
from veridical.console.asset import STYLES, asset_url, assets
from veridical.console.badges import badges_of
from veridical.console.conversation import ASK, last_conversation
from veridical.console.maintenance import is_maintainer
from veridical.console.navigation import Section, current_place, module_of, navigation
from veridical.console.seal import hand_over, taken
from veridical.console.session import COOKIE as SESSION_COOKIE
from veridical.console.theme import Theme, theme_of
from veridical.console.tour import STOPS, TOUR_COOKIE, Stop
from veridical.contracts.language import Language
from veridical.messages import message
from veridical.reading import shown
from veridical.server.identity import Identity
from veridical.server.problem import MEDIA_TYPE
from veridical.server.services import Services

HOME = ASK
SIGN_IN = "/console/signin"
HX_REQUEST = "hx-request"
LANGUAGE_COOKIE = "veridical_language"
LANGUAGES = {Language.DE: "Deutsch", Language.EN: "English", Language.ZH: "中文"}


def page(request: Request, template: str, *, status: int = 200, **values: Any) -> HTMLResponse:
    """A page, or a part of one, in the reader's language."""
    response = HTMLResponse(rendered(request, template, **values), status)
    taken(request, response)
    return response


def rendered(request: Request, template: str, **values: Any) -> str:
    """The text of a page, or of a part of one."""
    language = language_of(request)
    identity: Identity | None = getattr(request.state, "identity", None)
    session = getattr(request.state, "session", None)
    sections = _sections(request, identity)
    given: dict[str, Any] = {
        "languages": LANGUAGES,
        "identity": identity,
        "csrf": session.csrf if session else "",
        "address": _address(request),
        "here": current_place(sections, request.url.path),
        "conversation": last_conversation(request),
        "typed_in": "",
        "feedback": {},
        "sections": sections,
        "badges": badges_of(request),
        "dark": theme_of(request).media,
        "kept": _kept(request),
        "now": datetime.now(UTC),
        "tour": _stops(request) if identity is not None else (),
    }
    return part(language, template, **{**given, **values})


def part(language: Language, template: str, **values: Any) -> str:
    """A part of a page that is the same for all who read in this language."""
    given: dict[str, Any] = {
        "language": language,
        "t": partial(_text, language),
        "number": partial(_number, language),
        "day": partial(_day, language),
        "follows": False,
        "asked_at": ASK,
    }
    return environment().get_template(template).render({**given, **values})


def language_of(request: Request) -> Language:
    """The language that the reader chose, or that their browser asks for."""
    chosen = request.cookies.get(LANGUAGE_COOKIE, "")
    return Language(chosen) if chosen in set(Language) else request.state.language


@cache
def environment() -> Environment:
    """The templates. Every value is escaped; a name that is not given is a mistake."""
    made = Environment(
        loader=PackageLoader("veridical.console"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    given: dict[str, Any] = {
        "asset": asset_url,
        "style": _style,
        "light": partial(_inlined, *STYLES),
        "dark": partial(_inlined, "dark.css"),
        "panel_script": partial(_inlined, "panel.js"),
        "drawing": drawing,
    }
    made.globals.update(given)
    made.filters.update({"minute": _minute, "took": took, "visible": visible})
    return made


def _section(request: Request) -> str:
    return request.url.path.split("/")[2] if request.url.path.count("/") > 1 else ""


def _address(request: Request) -> str:
    """The address of this page; that of its section for the answer to a form."""
    if request.method not in ("GET", "HEAD"):
        return f"/console/{_section(request)}"
    query = f"?{request.url.query}" if request.url.query else ""
    return f"{request.url.path}{query}"


def _sections(request: Request, identity: Identity | None) -> tuple[Section, ...]:
    if identity is None:
        return ()
    services: Services = request.app.state.services
    maintains = is_maintainer(services, identity)
    return navigation(identity.actions, services.settings.console_modules, maintains=maintains)


def _kept(request: Request) -> str:
    """The chosen data, which the pages of one section share."""
    feature = request.query_params.get("feature", "")
    return f"?{urlencode({'feature': feature})}" if feature else ""


def _stops(request: Request) -> tuple[Stop, ...]:
    """The steps of the checklist whose pages are there."""
    if TOUR_COOKIE not in request.cookies:
        return ()
    services: Services = request.app.state.services
    return tuple(
        stop for stop in STOPS if module_of(stop.path) in {None, *services.settings.console_modules}
    )


def _text(language: Language, key: str, **values: Any) -> str:
    stage, _, name = key.rpartition(".")
    return message(f"{stage or 'console'}.{name}", language, **values)


def _number(language: Language, value: float) -> str:
    return shown.count(value, language)


def _day(language: Language, moment: datetime | None) -> Markup:
    """The day of a document: the same in every time zone."""
    if moment is None:
        return Markup("–")
    at = moment.astimezone(UTC).date()
    return Markup('<span class="day">{}</span>').format(shown.day(at, language))


def _minute(moment: datetime | float | str | None) -> Markup:
    """A moment that a program can read as well; the browser shows it in its own time zone. One
    from a file that people may edit is shown as it stands where it can't be read."""
    if moment is None:
        return Markup("–")
    if isinstance(moment, str):
        try:
            moment = datetime.fromisoformat(moment)
        except ValueError:
            return escape(visible(moment))
    at = datetime.fromtimestamp(moment, UTC) if isinstance(moment, float | int) else moment
    at = at.astimezone(UTC)
    shown = f"{at:%Y-%m-%d %H:%M} UTC"
    return Markup('<time datetime="{}">{}</time>').format(at.isoformat(timespec="seconds"), shown)


def took(seconds: float) -> str:
    """A duration: ``0.8 s``."""
    return f"{seconds:.1f} s" if seconds >= _SHORTEST else f"< {_SHORTEST} s"


_SHORTEST = 0.1


def _style() -> Markup:
    """The style of the console, for a file that has nothing beside it."""
    dark = _inlined("dark.css")
    return Markup(f"{_inlined(*STYLES)}\n@media {Theme.SYSTEM.media} {{\n{dark}}}")  # noqa: S704 # our own


def _inlined(*names: str) -> Markup:
    """Files as a part of a page."""
    return Markup("".join(assets()[name].content.decode() for name in names))  # noqa: S704 # our own


_INVISIBLE = dict.fromkeys(
    (
        *range(9),
        0x0B,
        0x0C,
        *range(0x0E, 0x20),
        0x7F,
        *range(0x202A, 0x202F),
        *range(0x2066, 0x206A),
    ),
    "\ufffd",
)


def visible(text: object) -> str:
    """A text without control characters, such as those that change the writing direction."""
    return str(text).translate(_INVISIBLE)


_KEPT = ("retry-after", "connection")


class ProblemPagesMiddleware:
    """Turns problem documents into pages; without an identity, redirects to the sign-in."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        starts: list[Message] = []
        parts: list[bytes] = []

        async def watched(message: Message) -> None:
            if message["type"] == "http.response.start" and _is_problem(message):
                starts.append(message)
            elif starts:
                parts.append(message.get("body", b""))
            else:
                await send(message)

        await self.app(scope, receive, watched)
        if starts:
            request = Request(scope, receive)
            problem = json.loads(b"".join(parts))
            response = _response(request, problem, Headers(raw=starts[0]["headers"]))
            await response(scope, receive, send)


def _is_problem(message: Message) -> bool:
    headers = Headers(raw=message.get("headers", []))
    return headers.get("content-type", "").startswith(MEDIA_TYPE)


def _response(request: Request, problem: dict[str, Any], headers: Headers) -> Response:
    status = int(problem["status"])
    if status == HTTPStatus.UNAUTHORIZED:
        return _to_sign_in(request)
    is_part = HX_REQUEST in request.headers
    kept = {name: headers[name] for name in _KEPT if name in headers}
    shown = (
        page(request, "part_failed.html", status=status, problem=problem["detail"])
        if is_part
        else page(request, "problem.html", status=status, problem=problem)
    )
    shown.headers.update(kept)
    return shown


def _to_sign_in(request: Request) -> Response:
    """The way to the sign-in and back; with the question that was on its way."""
    was_here = request.method != "GET" or HX_REQUEST in request.headers
    ended = "&ended=true" if was_here or SESSION_COOKIE in request.cookies else ""
    there = f"{SIGN_IN}?next={quote(_left_page(request))}{ended}"
    if HX_REQUEST in request.headers:  # the whole page goes there, not a part of it
        return Response(status_code=HTTPStatus.NO_CONTENT, headers={"hx-redirect": there})
    response = RedirectResponse(there, HTTPStatus.SEE_OTHER)
    hand_over(request, response, getattr(request.state, "fields", {}))
    return response


def _left_page(request: Request) -> str:
    """The page that somebody was on, where it is known: that of a part, or of a form."""
    if HX_REQUEST in request.headers:
        return urlsplit(request.headers.get("hx-current-url", "")).path or HOME
    return _address(request)
