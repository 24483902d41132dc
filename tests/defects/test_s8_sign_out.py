"""Whoever signs out has signed out: no copy of their cookie opens anything, on any server."""

import time
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager

import httpx2
import pytest
from playwright.sync_api import expect

from tests.console.chromium import chromium, sign_in, window
from tests.console.identity_provider import identity_provider
from tests.console.pages import SAME, signed_in, started_review, token_of, visitor
from tests.console.test_oidc import came_back
from tests.sample import trustee
from tests.server.standing import ACME, GLOBEX, Standing, prepare, standing
from veridical.answering.feature import Feature
from veridical.console.mount import add_console
from veridical.console.session import COOKIE
from veridical.runs.retention import delete_expired
from veridical.sample.postgres import LocalPostgres
from veridical.server.identity import Role
from veridical.server.keys import create_key, revoke_key
from veridical.server.oidc import Tokens
from veridical.server.oidc_sign_in import OidcSignIn

__all__ = ["trustee"]
pytestmark = pytest.mark.postgres
PAGE = "/console/runs"


@pytest.fixture(scope="module")
def servers(postgres_server: LocalPostgres, trustee: Feature) -> Iterator[tuple[Standing, ...]]:
    """Two behind one address: the same database and the same secret."""
    url = postgres_server.create_database("s8_sign_out")
    keys = prepare(url)
    with ExitStack() as stack:
        provider = stack.enter_context(identity_provider())
        tokens = Tokens(provider.settings())
        yield tuple(
            stack.enter_context(
                standing(
                    url,
                    trustee,
                    keys,
                    tokens=tokens,
                    sign_in=OidcSignIn(provider.settings(), tokens),
                    furnish=add_console,
                    session_secret="s" * 32,
                )
            )
            for _ in range(2)
        )


@contextmanager
def copied(cookie: str, server: Standing) -> Generator[httpx2.Client]:
    """Somebody with a copy of this cookie."""
    with visitor(server) as thief:
        thief.cookies.set(COOKIE, cookie, path="/console")
        yield thief


def opens(client: httpx2.Client) -> bool:
    return client.get(PAGE).status_code == 200


def post(client: httpx2.Client, path: str, **fields: str) -> None:
    form = {"csrf": token_of(client), **fields}
    assert client.post(path, data=form, headers=SAME).status_code == 303


def test_s8_a_copied_cookie_ends_with_the_session_on_every_server(
    servers: tuple[Standing, ...],
) -> None:
    with signed_in(servers[0]) as client, signed_in(servers[0]) as other:
        cookie = client.cookies[COOKIE]
        with copied(cookie, servers[0]) as here, copied(cookie, servers[1]) as there:
            assert opens(here)
            assert opens(there)
            post(client, "/console/signout")
            assert not opens(here)
            assert not opens(there)
        assert opens(other)


def test_s8_signing_out_everywhere_ends_all_of_ones_own_sessions_alone(
    servers: tuple[Standing, ...],
) -> None:
    with (
        signed_in(servers[0]) as here,
        signed_in(servers[1]) as there,
        signed_in(servers[0], Role.VIEWER) as somebody,
        signed_in(servers[0], tenant=GLOBEX) as elsewhere,
    ):
        post(here, "/console/signout/everywhere")
        assert not opens(here)
        assert not opens(there)
        assert opens(somebody)
        assert opens(elsewhere)


def test_s8_a_revoked_key_ends_its_sessions_at_once(servers: tuple[Standing, ...]) -> None:
    store = servers[0].services.store
    with store.tenant(ACME) as connection:
        made = create_key(connection, ACME, "leaver", Role.ANALYST, actor="setup")
    with visitor(servers[1]) as client:
        client.post("/console/signin", data={"key": made.key}, headers=SAME)
        assert opens(client)
        with store.operator() as connection:
            revoke_key(connection, made.id, actor="operator")
        assert not opens(client)


def test_s8_an_administrator_ends_the_sessions_of_who_came_from_the_provider(
    servers: tuple[Standing, ...],
) -> None:
    with visitor(servers[1]) as ada, signed_in(servers[0]) as admin:
        came_back(ada)
        assert opens(ada)
        assert "Ada" in admin.get("/console/sessions").text
        post(admin, "/console/sessions/end", person="Ada")
        assert not opens(ada)


def test_s8_an_open_stream_ends_with_its_session(servers: tuple[Standing, ...]) -> None:
    run = started_review(servers[0])
    with signed_in(servers[0]) as client, copied(client.cookies[COOKIE], servers[1]) as thief:
        with thief.stream("GET", f"/console/runs/{run}/events") as stream:
            assert stream.status_code == 200
            post(client, "/console/signout")
            began = time.monotonic()
            stream.read()
        assert time.monotonic() - began < 30


def test_s8_what_is_over_is_cleared_away(servers: tuple[Standing, ...]) -> None:
    services = servers[0].services
    store, runs = services.store, services.runs.client
    with signed_in(servers[0]) as client:
        with store.engine.begin() as connection:
            connection.exec_driver_sql("SET LOCAL ROLE veridical_operator")
            before = connection.exec_driver_sql("SELECT count(*) FROM veridical.sessions").scalar()
        assert delete_expired(store, runs, 3, 90).sessions == 0
        assert opens(client)
        with store.engine.begin() as connection:
            connection.exec_driver_sql(
                "UPDATE veridical.sessions SET expires_at = now() - interval '4 days'"
            )
        assert delete_expired(store, runs, 3, 90).sessions == before
        assert not opens(client)


def test_s8_in_the_browser(servers: tuple[Standing, ...]) -> None:
    with chromium() as browser:
        page = window(browser, locale="en").new_page()
        sign_in(page, servers[0], where="runs")
        page.click(".who .name")
        expect(page.locator("main")).to_contain_text("this browser")
        held = {each.get("name"): each.get("value") for each in page.context.cookies()}
        page.click("text=Sign out everywhere")
        page.wait_for_url("**/console/signin")
        with copied(str(held[COOKIE]), servers[1]) as thief:
            assert not opens(thief)
