import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.console.pages import SAME, signed_in, token_of, visitor
from tests.server.standing import ACME, Standing
from veridical.console.session import COOKIE, SESSION_SECONDS, SessionSealer
from veridical.server.identity import Role

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


pytestmark = pytest.mark.postgres

FORM = {"feature": "trustee", "question": "Saldo von Konto 1020 Ende 2024?"}


def test_who_is_not_signed_in_is_led_to_where_one_does(console: Standing) -> None:
    with visitor(console) as client:
        response = client.get("/console/runs?outcome=agent")
    assert response.status_code == 303
    assert response.headers["location"] == "/console/signin?next=/console/runs%3Foutcome%3Dagent"


def test_a_part_of_a_page_sends_the_whole_page_there(console: Standing) -> None:
    with visitor(console) as client:
        response = client.get("/console/runs", headers={"HX-Request": "true"})
    assert response.headers["hx-redirect"].startswith("/console/signin")


def test_a_page_takes_no_authorization_header(console: Standing) -> None:
    """Who can make a browser send one could otherwise use a page as an interface."""
    with console.client(role=Role.ADMIN) as client:
        assert client.get("/console/ask").status_code == 303


@pytest.mark.parametrize(
    "headers",
    [
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"sec-fetch-site": "none"},
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {},
    ],
)
def test_a_form_of_another_page_is_refused(console: Standing, headers: dict[str, str]) -> None:
    with signed_in(console) as client:
        form = {**FORM, "csrf": token_of(client)}
        assert client.post("/console/ask", data=form, headers=headers).status_code == 403
        key = {"key": console.keys[ACME, Role.VIEWER]}
        assert client.post("/console/signin", data=key, headers=headers).status_code == 403


@pytest.mark.parametrize("token", ["", "0" * 64, "ü"])
def test_a_form_without_the_token_is_refused(console: Standing, token: str) -> None:
    with signed_in(console) as client:
        response = client.post("/console/ask", data={**FORM, "csrf": token}, headers=SAME)
    assert response.status_code == 403
    assert "text/html" in response.headers["content-type"]


def test_the_token_of_another_session_is_refused(console: Standing) -> None:
    with signed_in(console) as one, signed_in(console) as other:
        form = {**FORM, "csrf": token_of(other)}
        assert one.post("/console/ask", data=form, headers=SAME).status_code == 403


def test_a_form_of_our_own_is_taken(console: Standing) -> None:
    with signed_in(console) as client:
        form = {**FORM, "csrf": token_of(client)}
        assert client.post("/console/ask", data=form, headers=SAME).status_code == 303


def test_the_cookie_is_out_of_reach_for_scripts_and_other_sites(console: Standing) -> None:
    with visitor(console) as client:
        given = {"key": console.keys[ACME, Role.VIEWER]}
        sent = client.post("/console/signin", data=given, headers=SAME).headers["set-cookie"]
    assert COOKIE in sent
    for part in ("HttpOnly", "SameSite=strict", "Path=/console"):
        assert part in sent


@pytest.mark.parametrize(
    "there", ["//evil.example/console/", "https://evil.example", "/console/..\\x", "/v1/ask", ""]
)
def test_signing_in_leads_nowhere_else(console: Standing, there: str) -> None:
    with visitor(console) as client:
        given = {"key": console.keys[ACME, Role.VIEWER], "next": there}
        response = client.post("/console/signin", data=given, headers=SAME)
    assert response.headers["location"] == "/console/ask"


def test_a_wrong_key_is_told_on_the_page(console: Standing) -> None:
    with visitor(console) as client:
        response = client.post("/console/signin", data={"key": "vk_no"}, headers=SAME)
    assert response.status_code == 401
    assert 'role="alert"' in response.text


def test_signing_out_ends_the_session(console: Standing) -> None:
    with signed_in(console) as client:
        form = {"csrf": token_of(client)}
        client.post("/console/signout", data=form, headers=SAME)
        assert client.get("/console/ask").status_code == 303


def test_pages_load_nothing_from_elsewhere_and_are_never_framed(console: Standing) -> None:
    with signed_in(console) as client:
        headers = client.get("/console/ask").headers
    policy = headers["content-security-policy"]
    assert "unsafe" not in policy
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["x-frame-options"] == "DENY"
    assert headers["cache-control"] == "no-store"
