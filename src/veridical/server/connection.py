"""Connection guard for uvicorn: header and write timeouts, connection limits per address.

uvicorn has no deadline for the headers of a request, nor for an unread response.
"""

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

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
