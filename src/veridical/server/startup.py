"""Opens everything that a server needs, and closes it in reverse order."""

from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path

from veridical.host.certified_questions import CertifiedQuestions
from veridical.host.current_runtime import CurrentRuntime
from veridical.host.reload_signal import watched_files
from veridical.host.runtime import open_runtime, reopen_runtime
from veridical.host.settings import RuntimeSettings
from veridical.runs.inbox import Inbox
from veridical.runs.port import open_runs
from veridical.runs.settings import RunsSettings
from veridical.server.auth import Authenticator
from veridical.server.oauth_resource import oauth_resource
from veridical.server.oidc import Tokens
from veridical.server.oidc_settings import OidcSettings
from veridical.server.oidc_sign_in import OidcSignIn
from veridical.server.services import Services
from veridical.server.settings import ServerSettings
from veridical.server.trace_writer import TenantTraces
from veridical.store.connection import Store
from veridical.store.kept_results import StoredResults


@asynccontextmanager
async def open_services(
    settings: ServerSettings,
    runtime: Callable[[], RuntimeSettings],
    runs: RunsSettings,
    oidc: OidcSettings | None = None,
    home: Path | None = None,
) -> AsyncGenerator[Services]:
    """The services of these settings. Raises ``SetupError`` and ``UnreachableError``.

    ``runtime`` reads the settings of the runtime: now, and whenever it is to be renewed. ``home``
    is the folder of these settings, if data may be connected there.
    Its own database is not contacted yet: readiness checks whether it answers.
    """
    async with AsyncExitStack() as stack:
        store = Store(runs.database_url, connections=runs.connections, pgbouncer=runs.pgbouncer)
        stack.callback(store.close)
        opened = stack.enter_context(open_runs(runs, store))

        can_connect = home is not None and settings.console and bool(settings.maintainers)

        certified = CertifiedQuestions.of_server(store)
        results = StoredResults.of_server(store)

        def with_tenants() -> RuntimeSettings:
            return replace(runtime(), own_database=runs, certified=certified, results=results)

        first = await stack.enter_async_context(
            open_runtime(with_tenants(), may_be_empty=can_connect)
        )
        current = CurrentRuntime(
            first,
            lambda: reopen_runtime(with_tenants(), may_be_empty=can_connect),
            settings.request_seconds,
        )
        stack.push_async_callback(current.close)
        stack.enter_context(watched_files(lambda: current.files, current.renew))
        door = Store(runs.database_url, connections=2, pgbouncer=runs.pgbouncer)
        stack.callback(door.close)
        tokens = Tokens(oidc) if oidc is not None else None
        authenticator = Authenticator(door, tokens)
        yield Services(
            current=current,
            store=store,
            runs=opened,
            inbox=Inbox(store),
            traces=TenantTraces(store),
            identify=authenticator.identify,
            forget_credentials=authenticator.forget,
            home=home if can_connect else None,
            settings=settings,
            door=door,
            sign_in=OidcSignIn(oidc, tokens) if oidc and tokens and oidc.client_id else None,
            oauth=oauth_resource(oidc),
        )
