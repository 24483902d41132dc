"""A whole server on a real database: two tenants with their books, and a key for each role."""

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx2
from fastapi import FastAPI
from pydantic_ai.models import Model

from tests.sample import PACK
from tests.server.serving import served
from veridical.answering.feature import Feature
from veridical.contracts.person import Approvals
from veridical.gate.policy import DEFAULT, Policy
from veridical.host.certified_questions import CertifiedQuestions
from veridical.host.current_runtime import CurrentRuntime
from veridical.host.runtime import Runtime
from veridical.runs.dbos_setup import prepare_engine
from veridical.runs.inbox import Inbox
from veridical.runs.port import open_runs
from veridical.runs.settings import RunsSettings
from veridical.search.evidence import EvidenceSearch
from veridical.server.app import create_app
from veridical.server.auth import Authenticator
from veridical.server.identity import Limits, Role
from veridical.server.keys import create_key
from veridical.server.oauth_resource import OAuthResource
from veridical.server.oidc import Tokens
from veridical.server.oidc_sign_in import OidcSignIn
from veridical.server.services import Services
from veridical.server.settings import ServerSettings
from veridical.server.tenants import create_tenant
from veridical.server.trace_writer import TenantTraces
from veridical.store.connection import Store
from veridical.store.migrate import upgrade

ACME, GLOBEX = "acme", "globex"
BOOKS = {ACME: ("m-001", "m-001-a"), GLOBEX: ("m-002", "m-002-a")}
BALANCE = "Wie hoch war der Saldo von Konto 1020 Ende 2024?"
"""A known question: no model is asked."""
_NOTHING: Mapping[str, str] = {}
_PLENTY = Limits(per_minute=1_000_000)
_SETTINGS = RunsSettings(database_url="-", lease_seconds=2, poll_seconds=0.05, stop_seconds=5)


@dataclass(frozen=True)
class Standing:
    """A server that runs, and how to come to it."""

    address: str
    services: Services
    keys: dict[tuple[str, Role], str]

    def client(
        self, tenant: str = ACME, role: Role = Role.ANALYST, headers: Mapping[str, str] = _NOTHING
    ) -> httpx2.Client:
        """Somebody of this tenant in this role."""
        signed = {"authorization": f"Bearer {self.keys[tenant, role]}", **headers}
        return httpx2.Client(base_url=self.address, headers=signed, timeout=60)


def prepare(url: str) -> dict[tuple[str, Role], str]:
    """Tables, two tenants and their keys."""
    upgrade(url)
    prepare_engine(RunsSettings(database_url=url))
    store = Store(url)
    columns = next(iter(PACK.tenant_columns.values()))
    for tenant, books in BOOKS.items():
        scope = {"trustee": {column: (book,) for column, book in zip(columns, books, strict=True)}}
        with store.operator() as connection:
            create_tenant(connection, tenant, tenant, scope, _PLENTY, actor="setup")
    keys: dict[tuple[str, Role], str] = {}
    for tenant in BOOKS:
        for role in Role:
            with store.tenant(tenant) as connection:
                made = create_key(connection, tenant, f"{role} of {tenant}", role, actor="setup")
            keys[tenant, role] = made.key
    store.close()
    return keys


@contextmanager
def standing(
    url: str,
    trustee: Feature,
    keys: dict[tuple[str, Role], str],
    *,
    approvals: Approvals | None = None,
    runs: RunsSettings = _SETTINGS,
    tokens: Tokens | None = None,
    sign_in: OidcSignIn | None = None,
    oauth: OAuthResource | None = None,
    policy: Policy = DEFAULT,
    documents: EvidenceSearch | None = None,
    model: Model | None = None,
    ontologies: Mapping[str, Path] | None = None,
    furnish: Callable[[FastAPI], None] = lambda app: None,
    port: int = 0,
    home: Path | None = None,
    **settings: Any,
) -> Generator[Standing]:
    """The server until the block ends; further settings are the server's own, and
    ``furnish`` adds to the application."""
    runs = runs.model_copy(update={"database_url": url})
    store = Store(url)
    runtime = Runtime(
        features={"trustee": trustee},
        shared_tables={"trustee": frozenset(PACK.shared_tables)},
        approvals={"trustee": approvals} if approvals else {},
        policy=policy,
        documents=documents,
        model=model,
        packs={"trustee": PACK},
        ontologies=ontologies or {},
        certified=CertifiedQuestions.of_server(store),
    )
    with TemporaryDirectory() as folder, open_runs(runs, store) as opened:
        settings.setdefault("signing_key", Path(folder, "signing-key.pem"))
        services = Services(
            current=CurrentRuntime(runtime),
            store=store,
            runs=opened,
            inbox=Inbox(store),
            traces=TenantTraces(store),
            identify=Authenticator(store, tokens).identify,
            settings=ServerSettings(**settings),
            sign_in=sign_in,
            oauth=oauth,
            home=home,
        )
        app = create_app(services)
        furnish(app)
        with served(app, services.settings, port) as address:
            yield Standing(address, services, keys)
    store.close()
