"""Signing in with an identity provider: a real one on loopback, with every step of it attacked."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest
from playwright.sync_api import Browser, expect

from tests.console.chromium import window
from tests.console.identity_provider import CLIENT, Provider, identity_provider
from tests.console.pages import visitor
from tests.server.serving import free_port
from tests.server.standing import Standing, prepare, standing
from veridical.answering.feature import Feature
from veridical.console.mount import add_console
from veridical.sample.postgres import LocalPostgres
from veridical.server.oidc import Tokens
from veridical.server.oidc_sign_in import OidcSignIn, ProviderAwayError

pytestmark = pytest.mark.postgres
BACK = re.compile(r'href="([^"]+)"')


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    with identity_provider() as running:
        yield running


@pytest.fixture(autouse=True)
def _right_again(provider: Provider) -> Iterator[None]:
    yield
    fresh = Provider()
    provider.claims, provider.id_claims = fresh.claims, fresh.id_claims
    provider.announced = fresh.announced


@pytest.fixture(scope="module")
def known(
    postgres_server: LocalPostgres, trustee: Feature, provider: Provider
) -> Iterator[Standing]:
    url = postgres_server.create_database("console_oidc")
    port = free_port()
    settings = provider.settings(f"http://127.0.0.1:{port}")
    tokens = Tokens(settings)
    with standing(
        url,
        trustee,
        prepare(url),
        tokens=tokens,
        sign_in=OidcSignIn(settings, tokens),
        furnish=add_console,
        port=port,
    ) as running:
        yield running


def _gone(client: httpx2.Client, there: str = "/console/runs") -> str:
    """To the provider, where somebody says yes; the address that leads back."""
    sent = client.get("/console/signin/oidc", params={"next": there})
    assert sent.status_code == 303
    said = httpx2.get(sent.headers["location"]).text
    found = BACK.search(said)
    assert found is not None
    return found[1].replace("&amp;", "&")


def came_back(client: httpx2.Client, **changed: str) -> httpx2.Response:
    url = urlsplit(_gone(client))
    given = {name: values[0] for name, values in parse_qs(url.query).items()}
    return client.get(url.path, params={**given, **changed})


def _is_signed_in(client: httpx2.Client) -> bool:
    return client.get("/console/runs").status_code == 200


def test_in_the_browser_from_another_site(browser: Browser, known: Standing) -> None:
    context = window(browser, locale="de")
    page = context.new_page()
    page.goto(f"{known.address}/console/runs?limit=7")
    page.click("text=Mit dem Konto Ihrer Organisation anmelden")
    page.click("#yes")
    page.wait_for_url("**/console/runs?limit=7")
    expect(page.locator(".who")).to_contain_text("Ada · acme")
    held = {each.get("name"): each for each in context.cookies()}
    assert held["veridical_session"].get("sameSite") == "Strict"
    assert held["veridical_session"].get("httpOnly")
    assert "veridical_attempt" not in held
    context.close()


def test_a_session_has_the_role_that_the_token_says(known: Standing, provider: Provider) -> None:
    provider.claims["roles"] = ["viewer"]
    with visitor(known) as client:
        assert came_back(client).status_code == 200
        assert _is_signed_in(client)
        assert client.get("/console/evidence").status_code == 403


@pytest.mark.parametrize("changed", [{"state": "other"}, {"state": ""}, {"code": ""}])
def test_an_answer_to_another_attempt_is_refused(
    known: Standing, provider: Provider, changed: dict[str, str]
) -> None:
    before = provider.exchanges
    with visitor(known) as client:
        assert came_back(client, **changed).status_code == 401
        assert not _is_signed_in(client)
    assert provider.exchanges == before


def test_nobody_is_signed_in_with_the_answer_of_somebody_else(known: Standing) -> None:
    with visitor(known) as attacker, visitor(known) as victim:
        url = _gone(attacker)
        assert victim.get(url).status_code == 401
        _gone(victim)
        assert victim.get(url).status_code == 401
        assert not _is_signed_in(victim)


def test_a_code_that_the_provider_does_not_know_and_one_used_twice(known: Standing) -> None:
    with visitor(known) as client:
        assert came_back(client, code="made up").status_code == 401
        url = _gone(client)
        held = dict(client.cookies)
        assert client.get(url).status_code == 200
    with visitor(known) as again:
        again.cookies.update(held)
        assert again.get(url).status_code == 401


WRONG: list[dict[str, Any]] = [
    {"nonce": "other"},
    {"nonce": None},
    {"aud": "another client"},
    {"aud": [CLIENT, "other"], "azp": "other"},
    {"iss": "https://elsewhere.example"},
    {"exp": 1},
    {"iat": 1},
]


@pytest.mark.parametrize("wrong", WRONG, ids=str)
def test_a_wrong_id_token_opens_nothing(
    known: Standing, provider: Provider, wrong: dict[str, Any]
) -> None:
    provider.id_claims = wrong
    with visitor(known) as client:
        assert came_back(client).status_code == 401
        assert not _is_signed_in(client)


@pytest.mark.parametrize(
    "wrong", [{"tenant": "nobody"}, {"roles": ["guest"]}, {"roles": []}, {"tenant": None}], ids=str
)
def test_who_has_no_access_here_is_told(
    known: Standing, provider: Provider, wrong: dict[str, Any]
) -> None:
    provider.claims = {**provider.claims, **wrong}
    with visitor(known) as client:
        refused = came_back(client)
        assert refused.status_code == 401
        assert "no access here" in refused.text
        assert not _is_signed_in(client)


def test_a_token_that_no_cookie_can_hold_is_told(known: Standing, provider: Provider) -> None:
    provider.claims = {**provider.claims, "groups": ["x" * 40] * 100}
    with visitor(known) as client:
        assert "too long for a cookie" in came_back(client).text
        assert not _is_signed_in(client)


def test_the_attempt_is_no_session(known: Standing) -> None:
    with visitor(known) as client:
        _gone(client)
        attempt = client.cookies["veridical_attempt"]
    with visitor(known) as client:
        client.cookies.set("veridical_session", attempt)
        assert not _is_signed_in(client)


def test_nobody_is_led_elsewhere(known: Standing) -> None:
    with visitor(known) as client:
        url = _gone(client, "https://evil.example/")
        assert "evil.example" not in client.get(url).text


@pytest.mark.parametrize(
    "announced",
    [
        {"issuer": "https://elsewhere.example"},
        {"token_endpoint": "http://elsewhere.example/token"},
        {"authorization_endpoint": "javascript:alert(1)"},
        {"token_endpoint": None},
    ],
    ids=str,
)
def test_a_provider_that_names_unsafe_places_is_not_used(
    provider: Provider, announced: dict[str, Any]
) -> None:
    provider.announced = announced
    settings = provider.settings()
    with pytest.raises(ProviderAwayError):
        OidcSignIn(settings, Tokens(settings)).begin()


def test_without_a_provider_there_is_no_such_page(console: Standing) -> None:
    assert replace(console.services).sign_in is None
    with visitor(console) as client:
        assert client.get("/console/signin/oidc").status_code == 404
        assert client.get("/console/signin/callback?code=a&state=b").status_code == 404
        assert "organisation" not in client.get("/console/signin").text


def test_a_provider_that_is_away_is_told(provider: Provider) -> None:
    settings = provider.settings(issuer="http://localhost:9", jwks_url="http://localhost:9/keys")
    with pytest.raises(ProviderAwayError):
        OidcSignIn(settings, Tokens(settings)).begin()
