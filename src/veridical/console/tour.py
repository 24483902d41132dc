"""The checklist of first steps in a console with sample data: it ticks off what was really done."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from starlette.requests import Request
from starlette.responses import Response

from veridical.console.conversation import ASK
from veridical.contracts.search_context import FreshnessMode

TOUR_COOKIE = "veridical_tour"
TOUR_SECONDS = 24 * 3600
_SEPARATOR = "."
_FEATURE = "trustee"


@dataclass(frozen=True, slots=True)
class Stop:
    """One step: a form that is sent, or a link where it has no fields."""

    name: str
    """Its texts are ``tour_NAME`` and ``tour_NAME_what`` of the catalogue."""
    path: str
    method: str = "get"
    fields: Mapping[str, str] = field(default_factory=dict[str, str])
    """Plain values."""
    message_keys: Mapping[str, str] = field(default_factory=dict[str, str])
    """Values that are messages of the catalogue, by their key."""

    @property
    def asks(self) -> bool:
        """True if it asks a question, and so goes on with the conversation."""
        return self.path == ASK and self.method == "post"


_BOOKS = {"feature": _FEATURE}
STOPS = (
    Stop("ask", ASK, "post", _BOOKS, {"question": "tour_ask_question"}),
    Stop("refused", ASK, "post", _BOOKS, {"question": "tour_refused_question"}),
    Stop(
        "evidence",
        "/console/evidence",
        fields=_BOOKS | {"freshness": FreshnessMode.LAW_EVERGREEN.value},
        message_keys={"q": "tour_evidence_question"},
    ),
    Stop("inbox", "/console/inbox"),
    Stop("requirements", "/console/requirements", "post", {}, {"text": "tour_requirements_text"}),
)


def begin_tour(response: Response, *done: str) -> None:
    """Shows the checklist in this browser, with these steps done."""
    response.set_cookie(
        TOUR_COOKIE,
        _SEPARATOR.join(("on", *sorted(done))),
        max_age=TOUR_SECONDS,
        path="/console",
        httponly=True,
        samesite="strict",
    )


def ticks(request: Request) -> frozenset[str]:
    """The steps that this browser remembers as done: those of which the server keeps nothing."""
    names = {stop.name for stop in STOPS}
    return frozenset(request.cookies.get(TOUR_COOKIE, "").split(_SEPARATOR)) & names


def tick(request: Request, response: Response, name: str) -> None:
    """Remembers a step as done, where the checklist is shown."""
    if TOUR_COOKIE in request.cookies and name not in ticks(request):
        begin_tour(response, *ticks(request), name)
