"""Every operation with every credential: nobody gets what is not theirs to get."""

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import httpx2
import pytest

from tests.server.conftest import Keys
from tests.server.mcp.talking import talking, text_of
from tests.server.provider import KEY_SET, STRANGE_KEY, reading, token
from tests.server.rights import (
    COLLECTION,
    MAY,
    NEEDS,
    NOTHING,
    PUBLIC,
    Belongings,
    answered,
    belongings,
    body_of,
    changes,
    names_something,
)
from tests.server.standing import ACME, BALANCE, BOOKS, GLOBEX, Standing, prepare, standing
from veridical.answering.feature import Feature
from veridical.host.documents import shelf_of
from veridical.host.settings import FeatureSearch
from veridical.sample.postgres import LocalPostgres
from veridical.search.evidence import EvidenceSearch
from veridical.search.score.settings import ScoreSettings
from veridical.server.app import ROUTERS, create_app
from veridical.server.identity import Action, Role
from veridical.server.keys import create_key, revoke_key
from veridical.server.oauth_resource import OAuthResource
from veridical.server.oidc import SigningKeys, Tokens
from veridical.server.tenants import create_tenant, disable_tenant
from veridical.store.connection import Store

pytestmark = pytest.mark.postgres

SEARCHED = FeatureSearch(collections=(COLLECTION,))
CLOSED = {operation: needed for operation, needed in NEEDS.items() if needed != PUBLIC}


@pytest.fixture(scope="module")
def own_database(postgres_server: LocalPostgres) -> tuple[str, Keys]:
    """One where nobody works: what waits for a decision goes on waiting."""
    url = postgres_server.create_database("matrix_own")
    return url, prepare(url)


@pytest.fixture(scope="module")
def server(own_database: tuple[str, Keys], trustee: Feature) -> Iterator[Standing]:
    """One that believes an identity provider as well."""
    url, keys = own_database
    settings = reading()
    tokens = Tokens(settings, SigningKeys(settings, lambda: KEY_SET))
    with closing(Store(url)) as store, closing(search_of(store)) as documents:
        feature = replace(trustee, evidence=shelf_of(documents, SEARCHED))
        oauth = OAuthResource("https://veridical.example/mcp", settings.issuer)
        with standing(
            url, feature, keys, tokens=tokens, oauth=oauth, documents=documents
        ) as running:
            yield running


def search_of(store: Store) -> EvidenceSearch:
    return EvidenceSearch(store.tenant, ScoreSettings())


@pytest.fixture(scope="module")
def own(server: Standing) -> Belongings:
    """What the first tenant has."""
    return belongings(server)


def key_of(server: Standing, tenant: str, role: Role) -> str:
    return server.keys[tenant, role]


def token_of(server: Standing, tenant: str, role: Role) -> str:
    return token(tenant=tenant, roles=[role], sub=f"{role} of {tenant}")


Credential = Callable[[Standing, str, Role], str]
CREDENTIALS = pytest.mark.parametrize("credential", [key_of, token_of])


def presenting(server: Standing, authorization: str | None) -> httpx2.Client:
    headers = {} if authorization is None else {"authorization": authorization}
    return httpx2.Client(base_url=server.address, headers=headers, timeout=60)


def bearing(server: Standing, credential: str) -> httpx2.Client:
    return presenting(server, f"Bearer {credential}")


def test_every_operation_is_in_the_table(server: Standing) -> None:
    """Also what the reference does not show."""
    app = create_app(server.services)
    documented = {
        (method.upper(), path)
        for path, operations in app.openapi()["paths"].items()
        for method in operations
    }
    routes: list[Any] = [route for router in ROUTERS for route in router.routes]
    routes += [route for route in app.routes if hasattr(route, "path")]
    served = {(method, route.path) for route in routes for method in route.methods or {"POST"}}
    served = {(method, path) for method, path in served if method != "HEAD"}
    assert documented < served
    assert NEEDS.keys() == served


@CREDENTIALS
@pytest.mark.parametrize("role", Role)
def test_a_role_does_what_it_may_and_no_more(
    server: Standing, own: Belongings, role: Role, credential: Credential
) -> None:
    with bearing(server, credential(server, ACME, role)) as client:
        for operation, needed in NEEDS.items():
            of = belongings(server) if changes(operation) else own
            status, told = answered(client, operation, of)
            expected = {200, 201, 202} if needed <= MAY[role] else {403}
            assert status in expected, (operation, status, told)


@pytest.mark.parametrize("action", Action)
def test_a_key_does_only_what_it_was_made_for(
    server: Standing, own: Belongings, action: Action
) -> None:
    with server.services.store.tenant(ACME) as connection:
        made = create_key(connection, ACME, "narrow", Role.ADMIN, [action], actor="setup")
    with bearing(server, made.key) as client:
        for operation, needed in CLOSED.items():
            of = belongings(server) if changes(operation) else own
            status, told = answered(client, operation, of)
            expected = {200, 201, 202} if needed == frozenset({action}) else {403}
            assert status in expected, (operation, status, told)


def _revoked(server: Standing) -> str:
    with server.services.store.tenant(ACME) as connection:
        made = create_key(connection, ACME, "revoked", Role.ADMIN, actor="setup")
        revoke_key(connection, made.id, actor="setup")
    return f"Bearer {made.key}"


def _expired(server: Standing) -> str:
    past = datetime.now(UTC) - timedelta(seconds=1)
    with server.services.store.tenant(ACME) as connection:
        made = create_key(connection, ACME, "old", Role.ADMIN, expires_at=past, actor="setup")
    return f"Bearer {made.key}"


def _other_secret(server: Standing) -> str:
    return f"Bearer {server.keys[ACME, Role.ADMIN][:-64]}{'0' * 64}"


def _of_a_disabled_tenant(server: Standing) -> str:
    """A key that was good until its tenant was shut out."""
    name = f"closed-{uuid4()}"
    with server.services.store.operator() as connection:
        create_tenant(connection, name, name, {"trustee": {}}, actor="setup")
        made = create_key(connection, name, "somebody", Role.ADMIN, actor="setup")
        disable_tenant(connection, name, actor="setup")
    return f"Bearer {made.key}"


def _token_of_a_disabled_tenant(server: Standing) -> str:
    name = f"closed-{uuid4()}"
    with server.services.store.operator() as connection:
        create_tenant(connection, name, name, {"trustee": {}}, actor="setup")
        disable_tenant(connection, name, actor="setup")
    return f"Bearer {token(tenant=name, roles=['admin'])}"


UNKNOWN: Mapping[str, Callable[[Standing], str | None]] = {
    "nothing": lambda server: None,
    "nothing but the scheme": lambda server: "Bearer",
    "garbage": lambda server: "Bearer garbage",
    "a key without the scheme": lambda server: server.keys[ACME, Role.ADMIN],
    "another scheme": lambda server: f"Basic {server.keys[ACME, Role.ADMIN]}",
    "an unknown key": lambda server: f"Bearer vk_0123456789abcdef_{'0' * 64}",
    "another secret": _other_secret,
    "a revoked key": _revoked,
    "an expired key": _expired,
    "a key of a disabled tenant": _of_a_disabled_tenant,
    "a token of a disabled tenant": _token_of_a_disabled_tenant,
    "an expired token": lambda server: f"Bearer {token(roles=['admin'], exp=1_700_000_000)}",
    "a token of a stranger": lambda server: f"Bearer {token(STRANGE_KEY, roles=['admin'])}",
    "a token of no tenant": lambda server: f"Bearer {token(tenant='nobody', roles=['admin'])}",
}


@pytest.mark.parametrize("present", UNKNOWN.values(), ids=UNKNOWN.keys())
def test_who_is_not_known_gets_nothing(
    server: Standing, own: Belongings, present: Callable[[Standing], str | None]
) -> None:
    with presenting(server, present(server)) as client:
        for operation in CLOSED:
            status, told = answered(client, operation, own)
            assert status == 401, (operation, status)
            assert not any(known in told for known in own.ids), operation


def test_who_has_no_role_gets_nothing(server: Standing, own: Belongings) -> None:
    with bearing(server, token(roles=["staff"])) as client:
        statuses = {answered(client, operation, own)[0] for operation in CLOSED}
    assert statuses == {403}


@CREDENTIALS
@pytest.mark.parametrize("role", Role)
def test_what_others_have_is_not_there(
    server: Standing, role: Role, credential: Credential
) -> None:
    """Read or changed, by whatever name: as if it had never been."""
    of = belongings(server)
    before = _state(server, of)
    with bearing(server, credential(server, GLOBEX, role)) as client:
        for operation, needed in CLOSED.items():
            status, told = answered(client, operation, of)
            assert not any(known in told for known in of.ids), operation
            if not names_something(operation):
                continue
            nowhere = answered(client, operation, NOTHING)
            assert (status, _without_number(told)) == (nowhere[0], _without_number(nowhere[1]))
            may = needed - {Action.DECIDE} <= MAY[role]  # whose decision it is, the item would say
            assert status == (404 if may else 403), operation
    assert _state(server, of) == before


@pytest.mark.parametrize("path", ["/v1/runs", "/v1/inbox"])
def test_a_page_can_not_begin_at_what_others_have(
    server: Standing, own: Belongings, path: str
) -> None:
    """Whether a page comes after it would tell that it is there, and when it was made."""
    belongings(server, GLOBEX)
    thing = own.run if path == "/v1/runs" else own.item
    with server.client(GLOBEX, Role.ADMIN) as client:
        found, nowhere = (
            client.get(path, params={"before": before, "limit": 100}).json()
            for before in (thing, NOTHING.run)
        )
    assert found == nowhere


FOREIGN: Mapping[str, Any] = {
    "tenant": GLOBEX,
    "scope": {"trustee": {"mandateId": [BOOKS[GLOBEX][0]]}},
    "caller": {"allowed": {"mandateId": [BOOKS[GLOBEX][0]]}},
    "identity": {"tenant": GLOBEX},
    "askedBy": "admin of globex",
    "asked_by": "admin of globex",
    "decidedBy": "admin of globex",
    "permissions": {"allow": ["*"]},
    "actions": ["admin"],
}


@pytest.mark.parametrize("field", FOREIGN)
def test_no_body_says_who_sent_it(server: Standing, field: str) -> None:
    of = belongings(server)
    elsewhere = belongings(server, GLOBEX)
    with bearing(server, server.keys[ACME, Role.ADMIN]) as client:
        for operation in CLOSED:
            body = body_of(operation, of)
            if body is None or operation == ("POST", "/mcp") or field in body:
                continue
            status, told = answered(client, operation, of, json={**body, field: FOREIGN[field]})
            if operation == ("POST", "/v1/chat/completions"):  # where clients send all sorts
                assert _said(told) == _said(answered(client, operation, of)[1])
            else:
                assert status == 422, (operation, told)
            assert not any(known in told for known in elsewhere.ids), operation


def test_no_header_or_parameter_says_who_sent_it(server: Standing, own: Belongings) -> None:
    elsewhere = belongings(server, GLOBEX)
    named = {"x-tenant": GLOBEX, "x-veridical-tenant": GLOBEX, "x-forwarded-user": "admin"}
    with bearing(server, server.keys[ACME, Role.ADMIN]) as client:
        client.headers.update(named)
        for operation in CLOSED:
            of = belongings(server) if changes(operation) else own
            _, told = answered(client, operation, of, params={"tenant": GLOBEX})
            assert not any(known in told for known in elsewhere.ids), operation


TOOLS: Mapping[str, Mapping[str, Any]] = {
    "queryFeatureInstance": {"feature": "trustee", "question": BALANCE},
    "browseTable": {"tableName": "TrusteeDataAccount"},
    "queryTable": {"tableName": "TrusteeDataAccount"},
    "aggregateTable": {"tableName": "TrusteeDataAccount", "aggregate": "count"},
    "executeSqlSafe": {"sql": 'SELECT "label" FROM "TrusteeDataAccount"'},
    "knownQuestion": {"ask": {"question": "BANK_BALANCE_AT_YEAR_END", "year": 2024}},
    "describe": {"topic": "TrusteeDataAccount"},
    "stateFacts": {"facts": {}, "answer": "I do not know.", "calls": []},
    "checkAnswer": {"answer": "I do not know.", "calls": []},
    "calculate": {"expression": "1 + 1"},
    "searchEvidence": {"question": "Is there a deposit?"},
    "collectEvidence": {"collection": COLLECTION, "question": "Is there a deposit?"},
    "askAboutFiles": {
        "question": "How many rows?",
        "files": [{"name": "a.csv", "content": "n\n7\n"}],
    },
}
"""All tools, each of which needs that somebody may ask, with a call that runs."""


@pytest.mark.parametrize("role", Role)
def test_tools_run_for_those_who_may_ask(server: Standing, role: Role) -> None:
    async def talk() -> tuple[set[str], dict[str, Any]]:
        async with talking(server, role=role) as client:
            names = {tool.name for tool in (await client.list_tools()).tools}
            unknown = text_of(await client.call_tool("noSuchTool", {}))
            ran = {name: await client.call_tool(name, dict(TOOLS[name])) for name in TOOLS}
            told = {name: (result.is_error, text_of(result)) for name, result in ran.items()}
            return names, told | {"noSuchTool": (True, unknown)}

    names, told = asyncio.run(talk())
    unknown = told.pop("noSuchTool")[1]
    if Action.ASK in MAY[role]:
        assert names == TOOLS.keys()
        unanswered = {name: text for name, (is_error, text) in told.items() if is_error}
        assert unanswered.keys() == {"collectEvidence", "askAboutFiles"}
        assert "run" in unanswered["collectEvidence"]  # it waits for a person
        assert "VERIDICAL_MODEL" in unanswered["askAboutFiles"]
    else:
        assert names == set()
        for name, (is_error, text) in told.items():
            assert is_error
            assert text == unknown.replace("noSuchTool", name)


@pytest.mark.parametrize("also", [{}, {"tenant": ACME}, {"scope": {"mandateId": ["m-001"]}}])
def test_no_tool_reaches_into_anothers_books(server: Standing, also: dict[str, Any]) -> None:
    filters = [{"field": "mandateId", "op": "=", "value": BOOKS[ACME][0]}]
    asked = {"tableName": "TrusteeDataAccount", "filters": filters, **also}

    async def talk(tenant: str) -> tuple[bool, str]:
        async with talking(server, tenant, Role.ADMIN) as client:
            ran = await client.call_tool("queryTable", asked)
            data = (ran.structured_content or {}).get("data")
            return ran.is_error, json.dumps((data or {}).get("rows"))

    refused, rows = asyncio.run(talk(GLOBEX))
    assert refused or rows == "[]"
    assert BOOKS[ACME][0] not in rows


def _state(server: Standing, of: Belongings) -> tuple[Any, ...]:
    with server.client(role=Role.ADMIN) as admin:
        keys = admin.get("/v1/keys").json()["keys"]
        return (
            admin.get(f"/v1/runs/{of.run}").json(),
            admin.get(f"/v1/inbox/{of.item}").json(),
            [key for key in keys if key["id"] == of.key],
        )


def _without_number(told: str) -> dict[str, Any]:
    return {name: value for name, value in json.loads(told).items() if name != "requestId"}


def _said(told: str) -> str:
    return json.loads(told)["choices"][0]["message"]["content"]
