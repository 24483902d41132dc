import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Annotated

import httpx2
import pytest
from fastapi import Depends, FastAPI, Request
from starlette.responses import Response

from tests.server.provider import AUDIENCE, ISSUER, KEY_SET, token
from tests.server.serving import served
from tests.server.tenancy import audit_of, new_key, two_tenants
from veridical.contracts.language import Language
from veridical.server.auth import Authenticator, AuthError, Reason, requires
from veridical.server.identity import ACTIONS, Action, Identity, Role
from veridical.server.keys import NewKey, revoke_key
from veridical.server.oidc import SigningKeys, Tokens
from veridical.server.oidc_settings import OidcSettings
from veridical.server.problem import ProblemCode, ProblemError, problem_response
from veridical.store.connection import Store

pytestmark = pytest.mark.postgres


@pytest.fixture(scope="module")
def store(postgres_url: str) -> Iterator[Store]:
    with two_tenants(postgres_url) as store:
        yield store


@dataclass
class Clock:
    now: float = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def auth(store: Store, clock: Clock) -> Authenticator:
    settings = OidcSettings(issuer=ISSUER, audience=AUDIENCE, jwks_url="https://login.example")
    tokens = Tokens(settings, SigningKeys(settings, lambda: KEY_SET))
    return Authenticator(store, tokens, clock=clock)


def identify(auth: Authenticator, credential: str) -> Identity:
    return asyncio.run(auth.identify(f"Bearer {credential}"))


def refused(auth: Authenticator, header: str | None) -> Reason:
    with pytest.raises(AuthError) as told:
        asyncio.run(auth.identify(header))
    assert told.value.code is ProblemCode.UNAUTHENTICATED
    return told.value.reason


def other_secret(key: NewKey) -> str:
    return key.key[:-64] + "0" * 64


@pytest.mark.parametrize("role", Role)
def test_a_key_says_who_came(auth: Authenticator, store: Store, role: Role) -> None:
    key = new_key(store, role=role)
    identity = identify(auth, key.key)
    assert (identity.tenant, identity.name, identity.role) == ("acme", "Ada", role)
    assert (identity.actions, identity.key_id) == (ACTIONS[role], key.id)
    assert identity.caller("trustee", Language.EN, frozenset()).scope.allowed == {
        "mandateId": ("m-001",)
    }


def test_a_token_says_who_came(auth: Authenticator) -> None:
    identity = identify(auth, token())
    assert (identity.tenant, identity.name, identity.role) == ("acme", "ada", Role.ANALYST)
    assert identity.key_id is None
    assert "trustee" in identity.scope


def test_the_scheme_may_be_written_in_any_case(auth: Authenticator, store: Store) -> None:
    key = new_key(store).key
    assert asyncio.run(auth.identify(f"bearer  {key} ")).name == "Ada"


@pytest.mark.parametrize(
    "header",
    [
        "Basic dXNlcjpwYXNz",
        "Bearer",
        "Bearer ",
        "Bearer vk_",
        "Bearer vk_short_secret",
        "Bearer vk_" + "0" * 16 + "_" + "0" * 63 + "g",
        "Bearer vk_" + "0" * 16 + "_" + "0" * 64 + "ä",
        "vk_" + "0" * 16 + "_" + "0" * 64,
        "Token " + "x" * 40,
    ],
)
def test_what_is_no_credential(auth: Authenticator, header: str) -> None:
    assert refused(auth, header) in {Reason.MALFORMED, Reason.BAD_TOKEN}


def test_nothing_at_all(auth: Authenticator, store: Store) -> None:
    before = len(audit_of(store, "auth.refused"))
    assert refused(auth, None) is refused(auth, "") is Reason.MISSING
    assert len(audit_of(store, "auth.refused")) == before


def test_keys_that_open_nothing(auth: Authenticator, store: Store, clock: Clock) -> None:
    key = new_key(store)
    assert refused(auth, f"Bearer vk_{'0' * 16}_{'0' * 64}") is Reason.UNKNOWN_KEY
    assert refused(auth, f"Bearer {other_secret(key)}") is Reason.WRONG_SECRET
    assert identify(auth, key.key).name == "Ada"
    with store.tenant("acme") as connection:
        revoke_key(connection, key.id, actor="Ada")
    clock.now += 6
    assert refused(auth, f"Bearer {key.key}") is Reason.REVOKED
    # Who does not hold the secret does not learn that the key has ended.
    assert refused(auth, f"Bearer {other_secret(key)}") is Reason.WRONG_SECRET


def test_a_revoked_key_ends_within_seconds(auth: Authenticator, store: Store, clock: Clock) -> None:
    key = new_key(store)
    identify(auth, key.key)
    with store.tenant("acme") as connection:
        revoke_key(connection, key.id, actor="Ada")
    clock.now += 4.9
    identify(auth, key.key)
    clock.now += 0.2
    assert refused(auth, f"Bearer {key.key}") is Reason.REVOKED


def test_a_remembered_key_is_not_looked_up(auth: Authenticator, store: Store) -> None:
    key = new_key(store).key
    identify(auth, key)
    gone = Authenticator(Store("postgresql:///gone?host=/nowhere"))
    vars(gone)["_keys"] = vars(auth)["_keys"]
    assert identify(gone, key).tenant == "acme"


def test_a_token_for_a_tenant_that_is_not_there(auth: Authenticator) -> None:
    assert refused(auth, f"Bearer {token(tenant='nobody')}") is Reason.UNKNOWN_TENANT


def test_a_token_without_a_role_may_do_nothing(auth: Authenticator) -> None:
    with pytest.raises(ProblemError) as told:
        identify(auth, token(roles=["staff"]))
    assert told.value.code is ProblemCode.NOT_ALLOWED


def test_without_a_provider_no_token_counts(store: Store) -> None:
    assert refused(Authenticator(store), f"Bearer {token()}") is Reason.MALFORMED


def test_refusals_are_noted_under_the_tenant_whose_key_was_tried(
    auth: Authenticator, store: Store
) -> None:
    key, made_up = new_key(store), "ab" * 8
    refused(auth, f"Bearer {other_secret(key)}")
    refused(auth, f"Bearer vk_{made_up}_{'0' * 64}")
    refused(auth, f"Bearer {token(exp=1)}")
    noted = {entry.subject: entry for entry in audit_of(store, "auth.refused")}
    assert noted[key.id].tenant == "acme"
    assert noted[key.id].detail == {"reason": "wrong secret"}
    assert noted[made_up].tenant == ""
    assert noted["token: ExpiredSignatureError"].tenant == ""
    assert not any("0" * 64 in str(entry) for entry in noted.values())


def test_an_attacker_can_not_fill_the_audit(auth: Authenticator, store: Store) -> None:
    before = len(audit_of(store, "auth.refused"))
    for _ in range(100):
        refused(auth, "Bearer vk_x")
    assert len(audit_of(store, "auth.refused")) - before == 60


def test_requests_are_counted(auth: Authenticator, store: Store, clock: Clock) -> None:
    key = new_key(store, "globex").key  # two a minute
    identify(auth, key)
    identify(auth, key)
    with pytest.raises(ProblemError) as told:
        identify(auth, key)
    assert told.value.code is ProblemCode.RATE_LIMITED
    assert told.value.retry_after == pytest.approx(30)
    clock.now += 31
    identify(auth, key)


@pytest.fixture
def address(store: Store) -> Iterator[str]:
    """Every action as a route."""
    app = FastAPI()
    app.state.services = SimpleNamespace(identify=Authenticator(store).identify)

    def told(request: Request, error: Exception) -> Response:
        assert isinstance(error, ProblemError)
        return problem_response(error, Language.EN, "id")

    app.add_exception_handler(ProblemError, told)
    for action in Action:
        entitled = Annotated[Identity, Depends(requires(action))]

        async def route(request: Request, identity: entitled) -> str:  # pyright: ignore
            assert request.state.identity is identity
            return identity.tenant

        app.get(f"/{action}")(route)
    with served(app) as address:
        yield address


def test_every_role_on_every_route(address: str, store: Store) -> None:
    for role in Role:
        headers = {"authorization": f"Bearer {new_key(store, role=role).key}"}
        for action in Action:
            got = httpx2.get(f"{address}/{action}", headers=headers)
            assert got.status_code == (200 if action in ACTIONS[role] else 403), (role, action)
            assert got.json() == "acme" if got.status_code == 200 else got.json()["code"]


def test_strangers_are_turned_away_from_every_route(address: str) -> None:
    for action in Action:
        for headers in ({}, {"authorization": "Bearer vk_x"}, {"x-tenant": "acme"}):
            got = httpx2.get(f"{address}/{action}?tenant=acme", headers=headers)
            assert got.status_code == 401
            assert got.headers["www-authenticate"] == "Bearer"
