"""The tour of five clicks through a console with sample data."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from veridical.console.conversation import ASK
from veridical.contracts.search_context import FreshnessMode

TOUR_COOKIE = "veridical_tour"
TOUR_SECONDS = 24 * 3600
_FEATURE = "trustee"


@dataclass(frozen=True, slots=True)
class Stop:
    """One click: a form that is sent, or a link where it has no fields."""

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
