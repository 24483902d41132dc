"""Renders pages: templates with escaped values, texts from the message catalogue."""

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache, partial
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import HTMLResponse

from veridical.console import chart
from veridical.console.asset import asset_url, assets
from veridical.console.conversation import ASK, remembered
from veridical.console.handover import taken
from veridical.console.tour import STOPS, TOUR_COOKIE
from veridical.contracts.language import Language
from veridical.messages import message
from veridical.reading import shown
from veridical.server.identity import Action, Identity

HOME = ASK
SIGN_IN = "/console/signin"
HX_REQUEST = "hx-request"
LANGUAGE_COOKIE = "veridical_language"
_NAMES = {Language.DE: "Deutsch", Language.EN: "English", Language.ZH: "中文"}
SECTIONS: Mapping[str, Action] = {
    "ask": Action.READ,
    "runs": Action.READ,
    "inbox": Action.READ,
    "evidence": Action.ASK,
    "requirements": Action.ASK,
    "quality": Action.ADMIN,
    "ontology": Action.READ,
    "admin": Action.ADMIN,
}
"""The pages of the navigation, each with the action that it requires."""


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
    given: dict[str, Any] = {
        "languages": _NAMES,
        "identity": identity,
        "csrf": session.csrf if session else "",
        "address": _address(request),
        "here": _section(request),
        "conversation": remembered(request),
        "typed_in": "",
        "sections": [name for name, needed in SECTIONS.items() if _may(identity, needed)],
        "now": datetime.now(UTC),
        "tour": STOPS if identity is not None and TOUR_COOKIE in request.cookies else (),
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
    given: dict[str, Any] = {"asset": asset_url, "style": _style, "chart": chart}
    made.globals.update(given)
    made.filters.update({"minute": _minute, "visible": visible})
    return made


def _section(request: Request) -> str:
    return request.url.path.split("/")[2] if request.url.path.count("/") > 1 else ""


def _address(request: Request) -> str:
    """The address of this page; that of its section for the answer to a form."""
    if request.method not in ("GET", "HEAD"):
        return f"/console/{_section(request)}"
    query = f"?{request.url.query}" if request.url.query else ""
    return f"{request.url.path}{query}"


def _may(identity: Identity | None, needed: Action) -> bool:
    return identity is not None and needed in identity.actions


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


def _style() -> Markup:
    """The style of the console, for a file that has nothing beside it."""
    return Markup(assets()["console.css"].content.decode())  # noqa: S704 # our own


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
