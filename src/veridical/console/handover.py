"""Values that a page hands over to itself when the language changes: what was typed, and what is
shown only once. They go through a sealed cookie that the next page reads and deletes, never
through an address, which browsers and proxies keep."""

import json
from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import Response

from veridical.console.form import Form, field
from veridical.console.seal import LONGEST_COOKIE, Sealer

HANDOVER_COOKIE = "veridical_handover"
HANDOVER = b"veridical console handover"
HANDOVER_SECONDS = 60
_FIELDS = ("question", "text", "key")
"""Fields that may be handed over: a question, requirements, a key that was just made."""


def hand_over(request: Request, response: Response, fields: Form) -> None:
    """Hands over the fields of a form; nothing where they don't fit into a cookie."""
    given = {name: value for name in _FIELDS if (value := field(fields, name, LONGEST_COOKIE))}
    sealer: Sealer = request.app.state.handovers
    sealed = sealer.seal(json.dumps(given)) if given else ""
    if not 0 < len(sealed) <= LONGEST_COOKIE:
        return
    response.set_cookie(
        HANDOVER_COOKIE,
        sealed,
        max_age=HANDOVER_SECONDS,
        path="/console",
        secure=request.url.scheme == "https",
        httponly=True,
        samesite="strict",
    )


def handed_over(request: Request) -> Mapping[str, str]:
    """The fields that the page before handed over."""
    sealer: Sealer = request.app.state.handovers
    content = sealer.open(request.cookies.get(HANDOVER_COOKIE, ""))
    return json.loads(content[0]) if content else {}


def taken(request: Request, response: Response) -> None:
    """Deletes the values, which are shown once."""
    if HANDOVER_COOKIE in request.cookies:
        response.delete_cookie(HANDOVER_COOKIE, path="/console", httponly=True, samesite="strict")
