"""The link that signs in: once, for some minutes, on this machine."""

import pytest
from starlette.requests import Request

from veridical.console.one_time_link import ENTER, LINK_SECONDS, OneTimeLink, is_local


def _code(path: str) -> str:
    assert path.startswith(f"{ENTER}?code=")
    return path.partition("=")[2]


def test_it_is_good_once() -> None:
    link = OneTimeLink("vk_secret")
    code = _code(link.path())
    assert "vk_secret" not in code
    assert link.redeem("") is None
    assert link.redeem(f"{code}x") is None
    assert link.redeem(code) == "vk_secret"
    assert link.redeem(code) is None


def test_a_new_one_ends_the_one_before() -> None:
    link = OneTimeLink("vk_secret")
    first, second = _code(link.path()), _code(link.path())
    assert link.redeem(first) is None
    assert link.redeem(second) == "vk_secret"


def test_nobody_enters_before_there_is_a_link() -> None:
    assert OneTimeLink("vk_secret").redeem("") is None


def test_it_ends_after_some_minutes() -> None:
    now = [0.0]
    link = OneTimeLink("vk_secret", lambda: now[0])
    code = _code(link.path())
    now[0] = LINK_SECONDS + 1
    assert link.redeem(code) is None


@pytest.mark.parametrize(
    ("client", "host", "expected"),
    [
        ("127.0.0.1", "127.0.0.1:8000", True),
        ("127.0.0.1", "localhost:8000", True),
        ("127.0.0.1", "[", False),
        ("::1", "[::1]:8000", True),
        ("10.0.0.5", "127.0.0.1:8000", False),
        ("127.0.0.1", "evil.example:8000", False),
        ("127.0.0.1", "127.0.0.1.evil.example", False),
        ("127.0.0.1", "", False),
    ],
)
def test_local_is_who_comes_from_here_and_means_here(
    client: str, host: str, expected: bool
) -> None:
    headers = [(b"host", host.encode())]
    request = Request({"type": "http", "client": (client, 1), "headers": headers})
    assert is_local(request) is expected
