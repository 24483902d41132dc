"""The FastAPI application: routes, middleware and background tasks."""

import asyncio
import gc
from collections.abc import AsyncGenerator, Generator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from functools import partial

from fastapi import FastAPI
from starlette.middleware.cors import CORSMiddleware

from veridical.server import openai
from veridical.server.access_log import REQUEST_ID, AccessLogMiddleware
from veridical.server.answerer import Answerer
from veridical.server.authentication import AuthenticationMiddleware
from veridical.server.brought_files import BroughtFiles
from veridical.server.credential_monitor import CredentialMonitor
from veridical.server.error_handlers import register_error_handlers
from veridical.server.fair_turns import FairThreadPool
from veridical.server.health import Health
from veridical.server.limited_work import LimitedWork
from veridical.server.limits import ConcurrencyLimit, RateLimiter
from veridical.server.mcp.http import McpEndpoint
from veridical.server.metrics import Interceptions, Metrics
from veridical.server.openai.error import OpenAIErrorsMiddleware
from veridical.server.openapi import TITLE, describe
from veridical.server.routes import (
    ask,
    audit,
    false_blocks,
    files,
    gate,
    health,
    inbox,
    keys,
    oauth,
    ontology,
    requirement_reviews,
    requirements,
    runs,
    search,
    search_runs,
    traces,
)
from veridical.server.security import (
    OF_GRACE,
    BodyMiddleware,
    DeadlineMiddleware,
    FramingMiddleware,
    HeadersMiddleware,
    ResponseDeadlines,
)
from veridical.server.services import Services
from veridical.server.settings import ServerSettings
from veridical.server.trace_writer import TraceWriter
from veridical.server.verification import Verification

ROUTERS = (
    ask.router,
    files.router,
    runs.router,
    traces.router,
    inbox.router,
    gate.router,
    false_blocks.router,
    search.router,
    search_runs.router,
    requirements.router,
    requirement_reviews.router,
    ontology.router,
    openai.completions,
    openai.models,
    keys.router,
    audit.router,
    health.router,
    oauth.router,
)
_DOCS = "/docs"
_A_MOMENT = 0.25
_TRACE_SECONDS = 0.2
"""Seconds between writes of traces: those of one interval are written together."""
_MOST_PENDING_TRACES = 10_000
"""Traces that wait to be written; while the database is away, any more are dropped and counted."""
_SENT_BY_PAGES = ["Authorization", "Content-Type", "Idempotency-Key", "Last-Event-ID", REQUEST_ID]
_READ_BY_PAGES = ["Location", "Retry-After", REQUEST_ID]


def create_app(services: Services) -> FastAPI:
    """The application on services that are open for as long as it runs."""
    settings = services.settings
    app = FastAPI(
        title=TITLE,
        docs_url=_DOCS if settings.docs else None,
        redoc_url=None,
        lifespan=_lifespan,
        redirect_slashes=False,
    )
    app.openapi = partial(describe, app)
    _furnish(app, services)
    for router in ROUTERS:
        app.include_router(router)
    app.router.routes.append(app.state.mcp.route)
    register_error_handlers(app)
    _guard(app, settings)
    return app


def _furnish(app: FastAPI, services: Services) -> None:
    """Set up ``request.app.state`` for the routes."""
    settings, state = services.settings, app.state
    state.services = services
    state.metrics = counted = Metrics()
    state.interceptions = Interceptions(counted, with_texts=settings.gate_texts)
    state.reports = RateLimiter()
    state.closing = asyncio.Event()
    state.deadlines = ResponseDeadlines(
        settings.request_seconds, state.closing, settings.stop_seconds
    )
    state.trace_writer = TraceWriter(
        services.traces.save, _TRACE_SECONDS, _MOST_PENDING_TRACES, counted
    )
    limit = ConcurrencyLimit(settings.most_asks, counted.asks, settings.tenant_asks)
    state.answerer = Answerer(
        services.current, counted, state.trace_writer, limit, state.interceptions
    )
    state.requests = ConcurrencyLimit(
        settings.most_requests, counted.requests, settings.tenant_requests
    )
    state.monitor = CredentialMonitor(services.door or services.store)
    state.watchers = ConcurrencyLimit(
        settings.most_watchers, counted.watchers, settings.tenant_watchers, settings.key_watchers
    )
    works = ConcurrencyLimit(settings.most_works, counted.works, settings.tenant_works)
    state.verification = Verification(services.current, settings, works, state.interceptions)
    state.limited_work = LimitedWork(settings.processes, works)
    state.brought_files = BroughtFiles(state.answerer, state.limited_work)
    state.mcp = McpEndpoint(services, state.answerer, state.verification, state.brought_files)
    writer: TraceWriter = state.trace_writer
    state.health = Health(services, counted, state.closing, lambda: writer.is_stuck)


def _guard(app: FastAPI, settings: ServerSettings) -> None:
    """Add the middleware, the innermost first."""
    app.add_middleware(DeadlineMiddleware, deadlines=app.state.deadlines)
    app.add_middleware(
        BodyMiddleware, most_bytes=settings.body_bytes, seconds=settings.body_seconds
    )
    state = app.state
    app.add_middleware(
        AuthenticationMiddleware,
        services=state.services,
        limit=state.requests,
        monitor=state.monitor,
    )
    if settings.allowed_origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=settings.allowed_origins,
            allow_methods=["GET", "POST", "DELETE"],
            allow_headers=_SENT_BY_PAGES,
            expose_headers=_READ_BY_PAGES,
        )
    app.add_middleware(FramingMiddleware)
    app.add_middleware(AccessLogMiddleware, metrics=app.state.metrics, language=settings.language)
    app.add_middleware(OpenAIErrorsMiddleware)
    app.add_middleware(HeadersMiddleware, docs_paths=[_DOCS] if settings.docs else [])


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncGenerator[None]:
    settings: ServerSettings = app.state.services.settings
    writer: TraceWriter = app.state.trace_writer
    endpoint: McpEndpoint = app.state.mcp
    verification: Verification = app.state.verification
    limited: LimitedWork = app.state.limited_work
    threads = FairThreadPool(settings.threads, settings.tenant_threads)
    asyncio.get_running_loop().set_default_executor(threads)
    deadlines: ResponseDeadlines = app.state.deadlines
    monitor: CredentialMonitor = app.state.monitor
    async with AsyncExitStack() as stack:
        over = asyncio.Event()
        stack.enter_context(_interrupting(app, over))
        for each in (writer, verification, limited, endpoint, deadlines, monitor):
            await stack.enter_async_context(each.at_work())
        with _settled():
            yield
        app.state.closing.set()
        over.set()


@contextmanager
def _interrupting(app: FastAPI, over: asyncio.Event) -> Generator[None]:
    """Interrupts work that would delay the server's end, while the block runs."""
    task = asyncio.create_task(_interrupt_in_time(app, over))
    try:
        yield
    finally:
        task.cancel()


async def _interrupt_in_time(app: FastAPI, over: asyncio.Event) -> None:
    """End heavy work at once, and database queries when the time for answers is over."""
    await app.state.closing.wait()
    await app.state.verification.end()
    await app.state.limited_work.end()
    with suppress(TimeoutError):
        async with asyncio.timeout(app.state.services.settings.stop_seconds * OF_GRACE):
            await over.wait()
    while True:
        await _interrupt(app)
        await asyncio.sleep(_A_MOMENT)


async def _interrupt(app: FastAPI) -> None:
    for feature in app.state.services.runtime.features.values():
        interrupt = getattr(feature.engine.database, "interrupt", None)
        if interrupt is not None:
            await asyncio.to_thread(interrupt)


@contextmanager
def _settled() -> Generator[None]:
    """Keep everything loaded so far out of garbage collection while the block runs."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
