"""The server of the benchmark: the real one, for known questions and runs.

python -m benchmarks.server_load.serving ORDERS
"""

import asyncio
import sys

from fastapi import FastAPI

from benchmarks.scripted_balances import PACK
from benchmarks.server_load.ground import Orders
from benchmarks.server_load.processes import say_ready
from veridical.answering.feature import open_feature
from veridical.host.current_runtime import CurrentRuntime
from veridical.host.runtime import Runtime
from veridical.runs.inbox import Inbox
from veridical.runs.port import open_runs
from veridical.sample.books import Sample
from veridical.server.app import create_app
from veridical.server.auth import Authenticator
from veridical.server.listener import listen, open_socket
from veridical.server.services import Services
from veridical.server.settings import ServerSettings
from veridical.server.trace_writer import TenantTraces
from veridical.store.connection import Store

SETTINGS = ServerSettings(
    port=0,
    address_connections=3_000,
    tenant_requests=512,
    tenant_asks=64,
    tenant_threads=16,
    tenant_watchers=2_000,
    key_watchers=2_000,
)
"""One tenant and one address stand for all: their shares are as large as the whole."""


async def serve(orders: Orders) -> None:
    """Serve until told to stop."""
    feature = open_feature(PACK, Sample(orders.books_url, 0).database())
    store = Store(orders.runs_url)
    with open_runs(orders.settings, store) as runs:
        services = Services(
            current=CurrentRuntime(
                Runtime(
                    features={PACK.name: feature},
                    shared_tables={PACK.name: frozenset(PACK.shared_tables)},
                )
            ),
            store=store,
            runs=runs,
            inbox=Inbox(store),
            traces=TenantTraces(store),
            identify=Authenticator(store).identify,
            settings=SETTINGS,
        )
        await serve_app(create_app(services))
    store.close()
    feature.engine.database.close()


async def serve_app(app: FastAPI) -> None:
    """Serve an application as ``veridical serve`` does, on a free port."""
    with open_socket(SETTINGS) as listener:
        port = listener.getsockname()[1]
        await listen(app, listener, SETTINGS, ready=lambda: say_ready(port))


if __name__ == "__main__":
    asyncio.run(serve(Orders.model_validate_json(sys.argv[1])))
