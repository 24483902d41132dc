"""The conversation that a browser is in: in the address of its page, remembered in a cookie.

Every page, link and form that leads to the conversation goes through this, so that none of them
starts another one by accident.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import parse_qs, urlencode

from starlette.requests import Request
from starlette.responses import Response

from veridical.console.form import Form, field
from veridical.contracts.question import MOST_TURNS

CONVERSATION_COOKIE = "veridical_conversation"
"""Written by the page as well, after a turn that it followed: what it says is in its address."""
ASK = "/console/ask"
_LONGEST = 100
_MOST_FIELDS = 2 * MOST_TURNS


@dataclass(frozen=True, slots=True)
class Conversation:
    """The runs of its turns, and the data that it is about."""

    feature: str = ""
    thread: tuple[str, ...] = ()

    @property
    def query(self) -> str:
        """Its query in an address; empty before the first turn."""
        if not self.thread:
            return ""
        named = [("feature", self.feature)] if self.feature else []
        return urlencode([*named, *(("t", each) for each in self.thread)])

    @property
    def address(self) -> str:
        """The page that shows it, from its last turn on."""
        return f"{ASK}?{self.query}#t-{self.thread[-1]}" if self.thread else ASK

    def with_turn(self, trace_id: str) -> "Conversation":
        """The conversation after one more turn."""
        return conversation(self.feature, (*self.thread, trace_id))


def conversation(feature: str, thread: Iterable[str]) -> Conversation:
    """The last turns of it, each once: a form may name those it was rendered with and those that
    have come since."""
    known = dict.fromkeys(each for each in thread if 0 < len(each) <= _LONGEST)
    return Conversation(feature[:_LONGEST], tuple(known)[-MOST_TURNS:])


def conversation_in(fields: Form) -> Conversation:
    """The conversation that a form goes on with."""
    return conversation(field(fields, "feature"), fields.get("t", ()))


def remembered(request: Request) -> Conversation:
    """The conversation that this browser was in last."""
    try:
        fields = parse_qs(request.cookies.get(CONVERSATION_COOKIE, ""), max_num_fields=_MOST_FIELDS)
    except ValueError:
        return Conversation()
    return conversation_in(fields)


def remember(response: Response, now: Conversation) -> None:
    """The next page without a conversation in its address goes on with this one."""
    if now.thread:
        response.set_cookie(CONVERSATION_COOKIE, now.query, path="/console", samesite="strict")
    else:
        forget(response)


def forget(response: Response) -> None:
    """The next page starts a new conversation."""
    response.delete_cookie(CONVERSATION_COOKIE, path="/console", samesite="strict")
