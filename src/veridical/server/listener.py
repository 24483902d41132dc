"""Runs the application on a socket until a stop signal."""

import asyncio
import signal
import socket
from collections import Counter
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Any

import h11
import uvicorn
from fastapi import FastAPI
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from veridical.host.reload_signal import on_reload_signal
from veridical.server.settings import ServerSettings

_ANYBODY = "*"
Network = IPv4Network | IPv6Network


@dataclass(frozen=True)
class ConnectionTimeouts:
    """Timeouts of one connection, in seconds."""

    header_seconds: float
    """For the headers of a request, from the connection or from their first byte."""
    write_seconds: float
    """For the client to read its response."""


@dataclass
class ConnectionCounter:
    """Open connections: limited in total and per address."""

    most: int
    most_of_address: int
    proxies: "Proxies"
    _of: Counter[str] = field(default_factory=Counter[str])
    _all: int = 0

    def enter(self, address: str) -> bool:
        """Count one more, unless there are too many."""
        if self._all >= self.most:
            return False
        if self._of[address] >= self.most_of_address and address not in self.proxies:
            return False
        self._all += 1
        self._of[address] += 1
        return True

    def leave(self, address: str) -> None:
        """Count one less."""
        self._all -= 1
        self._of[address] -= 1
        if not self._of[address]:
            del self._of[address]


class Proxies:
    """Trusted proxy addresses, behind which there are many clients."""

    def __init__(self, listed: str) -> None:
        names = [name.strip() for name in listed.split(",") if name.strip()]
        self._anybody = _ANYBODY in names
        self._names = frozenset(names)
        self._networks = tuple(found for name in names if (found := _network(name)) is not None)

    def __contains__(self, address: str) -> bool:
        """Whether this is one of them."""
        if self._anybody or address in self._names:
            return True
        try:
            one = ip_address(address)
        except ValueError:
            return False
        return any(one in network for network in self._networks)


def _network(name: str) -> Network | None:
    try:
        return ip_network(name, strict=False)
    except ValueError:
        return None


class GuardedConnection(H11Protocol):
    """HTTP/1.1 connection that is closed when its client is too slow."""

    def __init__(
        self, *args: Any, counter: ConnectionCounter, timeouts: ConnectionTimeouts, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self._counter = counter
        self._timeouts = timeouts
        self._waiting: asyncio.TimerHandle | None = None
        self._unread: asyncio.TimerHandle | None = None
        self._counted: str | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Counts a new connection, or aborts it when there are too many."""
        super().connection_made(transport)
        address = self.client[0] if self.client else ""
        if not self._counter.enter(address):
            transport.abort()
            return
        self._counted = address
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stops the timers and releases the count."""
        self._stop_waiting()
        self._is_read()
        if self._counted is not None:
            self._counter.leave(self._counted)
            self._counted = None
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """A part of a request. Parts of headers do not give more time for the rest of them."""
        if self.transport.is_closing():
            return
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._stop_waiting()
        elif self._waiting is None and self.timeout_keep_alive_task is None:
            self._wait()

    def pause_writing(self) -> None:
        """The client does not read its response: start the write timeout."""
        super().pause_writing()
        if self._unread is None:
            self._unread = self.loop.call_later(self._timeouts.write_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        """The client reads again: stop the write timeout."""
        self._is_read()
        super().resume_writing()

    def _wait(self) -> None:
        self._waiting = self.loop.call_later(self._timeouts.header_seconds, self.transport.close)

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _is_read(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None


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
