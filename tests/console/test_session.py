import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.console.session import SESSION_SECONDS, SessionSealer

SECRET = "s" * 32


class Clock:
    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


def test_a_cookie_opens_to_the_credential_it_was_sealed_with() -> None:
    sealer = SessionSealer(SECRET)
    opened = sealer.open(sealer.seal("id", "vk_key"))
    assert opened is not None
    assert opened.credential == "vk_key"


def test_another_server_with_the_same_secret_opens_it() -> None:
    opened = SessionSealer(SECRET).open(SessionSealer(SECRET).seal("id", "vk_key"))
    assert opened is not None


def test_without_a_secret_sessions_end_with_the_process() -> None:
    assert SessionSealer(None).open(SessionSealer(None).seal("id", "vk_key")) is None


def test_the_credential_can_not_be_read_in_the_cookie() -> None:
    assert "vk_key" not in SessionSealer(SECRET).seal("id", "vk_key")


@pytest.mark.parametrize("seconds", [SESSION_SECONDS + 1, -10])
def test_a_session_ends(seconds: int) -> None:
    clock = Clock()
    sealer = SessionSealer(SECRET, clock)
    cookie = sealer.seal("id", "vk_key")
    clock.now += seconds
    assert sealer.open(cookie) is None


def test_two_sessions_have_different_tokens() -> None:
    sealer = SessionSealer(SECRET)
    tokens = {opened.csrf for _ in range(5) if (opened := sealer.open(sealer.seal("id", "vk_key")))}
    assert len(tokens) == 5


@given(st.text(max_size=200))
def test_garbage_is_no_session(cookie: str) -> None:
    assert SessionSealer(SECRET).open(cookie) is None


@given(st.integers(min_value=0, max_value=100), st.integers(min_value=1, max_value=255))
def test_an_altered_cookie_is_no_session(place: int, change: int) -> None:
    sealer = SessionSealer(SECRET)
    raw = bytearray(base64.urlsafe_b64decode(sealer.seal("id", "vk_key")))
    raw[place % len(raw)] ^= change
    assert sealer.open(base64.urlsafe_b64encode(bytes(raw)).decode()) is None
