"""The conversation of a browser: one of the turns that are named, each once, the last ones only."""

from starlette.requests import Request
from starlette.responses import Response

from veridical.console.conversation import (
    CONVERSATION_COOKIE,
    Conversation,
    conversation,
    conversation_in,
    forget,
    remember,
    remembered,
)
from veridical.contracts.question import MOST_TURNS


def _with_cookie(text: str) -> Request:
    headers = [(b"cookie", f"{CONVERSATION_COOKIE}={text}".encode())]
    return Request({"type": "http", "headers": headers})


def _cookie(response: Response) -> str:
    return response.headers["set-cookie"].partition("=")[2].partition(";")[0]


def test_a_form_may_name_a_turn_twice() -> None:
    found = conversation_in({"feature": ["books"], "t": ["a", "b", "a", "c", ""]})
    assert found == Conversation("books", ("a", "b", "c"))


def test_what_was_said_long_ago_is_left_out() -> None:
    turns = [str(place) for place in range(MOST_TURNS + 5)]
    found = conversation("", turns)
    assert found.thread == tuple(turns[5:])
    assert found.with_turn("new").thread == (*turns[6:], "new")


def test_the_address_leads_to_the_last_turn() -> None:
    assert Conversation("books", ()).address == "/console/ask"
    assert Conversation("a&b", ("x", "y")).address == "/console/ask?feature=a%26b&t=x&t=y#t-y"


def test_what_is_remembered_comes_back() -> None:
    for now in (Conversation("a b", ("x", "y")), Conversation("", ("x",))):
        response = Response()
        remember(response, now)
        assert remembered(_with_cookie(_cookie(response))) == now
        assert remembered(_with_cookie(now.query)) == now  # as a page writes it


def test_what_nobody_wrote_is_no_conversation() -> None:
    for text in (
        "",
        "nonsense",
        "&".join(f"t={place}" for place in range(1_000)),
        "t=" + "x" * 999,
    ):
        assert remembered(_with_cookie(text)) == Conversation()


def test_a_new_conversation_is_remembered_as_none() -> None:
    def remember_none(response: Response) -> None:
        remember(response, Conversation("books"))

    for act in (forget, remember_none):
        response = Response()
        act(response)
        assert _cookie(response) == '""'
        assert "Max-Age=0" in response.headers["set-cookie"]
