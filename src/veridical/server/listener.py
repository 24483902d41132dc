"""Runs the application on a socket until a stop signal."""

import asyncio
import signal
import socket
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from functools import partial
from typing import Any

import uvicorn
from fastapi import FastAPI
from starlette.types import ASGIApp

from veridical.host.reload_signal import on_reload_signal
from veridical.server.connection import (
    ConnectionCounter,
    ConnectionTimeouts,
    GuardedConnection,
    Proxies,
)
from veridical.server.settings import ServerSettings

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_BACKLOG = 2048
_WRITE_SECONDS = 30.0
"""Seconds that a response may wait for the client to read it."""
_KEEP_ALIVE_SECONDS = 5
"""Seconds that a connection stays open between two requests."""


class AddressUnavailableError(Exception):
    """The server can't bind to the configured address."""


def open_socket(settings: ServerSettings) -> socket.socket:
    """A socket at the address of the settings. Raises ``AddressUnavailableError``."""
    try:
        found = socket.getaddrinfo(
            settings.host, settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
        # With its protocol named, a connection sends what it has at once instead of waiting.
        family, kind, protocol, _, address = found[0]
        listener = socket.socket(family, kind, protocol)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(address)
        except OSError:
            listener.close()
            raise
    except OSError as error:
        raise AddressUnavailableError(error.strerror or str(error)) from error
    return listener


async def _nothing() -> None:
    """Reload nothing."""


async def listen(
    app: FastAPI,
    listener: socket.socket,
    settings: ServerSettings,
    ready: Callable[[], None] = lambda: None,
    renew: Callable[[], Awaitable[object]] = _nothing,
) -> None:
    """Serve until SIGINT or SIGTERM, then let requests finish within their time.

    SIGHUP calls ``renew``, which reloads what questions are answered from, unless it means that the
    terminal is gone. Watchers are asked to reconnect. A second signal ends it at once.
    """
    serving = _Listener(configured(app, settings), app.state.closing, ready, renew)
    await serving.serve(sockets=[listener])


def configured(app: ASGIApp, settings: ServerSettings) -> uvicorn.Config:
    """The uvicorn configuration for an application with these settings."""
    proxies = Proxies(settings.trusted_proxies)
    counter = ConnectionCounter(settings.most_connections, settings.address_connections, proxies)
    timeouts = ConnectionTimeouts(settings.header_seconds, _WRITE_SECONDS)
    guarded: Any = partial(GuardedConnection, counter=counter, timeouts=timeouts)
    return uvicorn.Config(
        app,
        http=guarded,
        timeout_keep_alive=_KEEP_ALIVE_SECONDS,
        log_config=None,
        access_log=False,
        server_header=False,
        lifespan="on",
        ws="none",
        backlog=_BACKLOG,
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=settings.trusted_proxies,
        timeout_graceful_shutdown=round(settings.stop_seconds),
    )


class _Listener(uvicorn.Server):
    """Returns after a stop signal, so that everything opened before can be closed."""

    def __init__(
        self,
        config: uvicorn.Config,
        closing: asyncio.Event,
        ready: Callable[[], None],
        renew: Callable[[], Awaitable[object]],
    ) -> None:
        super().__init__(config)
        self._closing = closing
        self._ready = ready
        self._renew = renew

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and report when it is reachable."""
        await super().startup(sockets)
        if self.started:
            self._ready()

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Without raising the signals once more at the end, as uvicorn does."""
        loop = asyncio.get_running_loop()
        for each in _SIGNALS:
            loop.add_signal_handler(each, self._stop)
        try:
            with on_reload_signal(self._renew, self._stop):
                yield
        finally:
            for each in _SIGNALS:
                loop.remove_signal_handler(each)

    def _stop(self) -> None:
        self.force_exit = self.should_exit
        self.should_exit = True
        self._closing.set()
