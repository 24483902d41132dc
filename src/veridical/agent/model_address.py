"""The model addresses that may be named over the network and connected to.

A person who may enter an address makes the server send requests there: without a limit, that
reaches the server's own network.
"""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import urlsplit

import httpx2

LONGEST_ADDRESS = 500
_TRANSLATED = (ip_network("64:ff9b::/96"), ip_network("2002::/16"), ip_network("64:ff9b:1::/48"))
"""Prefixes that carry an IPv4 address, which may be any."""

Resolve = Callable[[str], Awaitable[Sequence[str]]]
"""The addresses of a host. Raises ``OSError``."""


class AddressProblem(StrEnum):
    """The reason why an address is refused."""

    NO_ADDRESS = "no_address"
    NOT_HTTPS = "not_https"
    NOT_PUBLIC = "not_public"
    NO_HOST = "no_host"


class AddressRefusedError(Exception):
    """An address with a forbidden connection."""

    def __init__(self, problem: AddressProblem, host: str) -> None:
        super().__init__(f"{problem}: {host}")
        self.problem = problem
        self.host = host


async def _resolved(host: str) -> Sequence[str]:
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return [str(each[4][0]) for each in found]


@dataclass(frozen=True, slots=True)
class AllowedAddresses:
    """Public addresses over https, and the hosts that the operator names."""

    hosts: frozenset[str] = frozenset()
    resolve: Resolve = _resolved

    async def check(self, url: str) -> None:
        """Raises ``AddressRefusedError`` for a forbidden address."""
        try:
            parts = urlsplit(url)
            host, _ = (parts.hostname or "").lower(), parts.port
        except ValueError as error:
            raise AddressRefusedError(AddressProblem.NO_ADDRESS, "") from error
        plain = not (parts.username or parts.password or parts.query or parts.fragment)
        fits = plain and len(url) <= LONGEST_ADDRESS and parts.scheme in {"http", "https"}
        if not fits or not host:
            raise AddressRefusedError(AddressProblem.NO_ADDRESS, host)
        if parts.scheme != "https" and host not in self.hosts:
            raise AddressRefusedError(AddressProblem.NOT_HTTPS, host)
        await self.connectable(host)

    async def connectable(self, host: str) -> Sequence[str]:
        """The allowed addresses of this host, exactly as checked, so that its name can't mean
        something else a moment later. Raises ``AddressRefusedError``."""
        try:
            found = await self.resolve(host)
        except (OSError, UnicodeError) as error:
            raise AddressRefusedError(AddressProblem.NO_HOST, host) from error
        if not found:
            raise AddressRefusedError(AddressProblem.NO_HOST, host)
        if host.lower() not in self.hosts and not all(map(_is_public, found)):
            raise AddressRefusedError(AddressProblem.NOT_PUBLIC, host)
        return tuple(dict.fromkeys(found))


def _is_public(address: str) -> bool:
    parsed = ip_address(address)
    if isinstance(parsed, IPv6Address):
        if any(parsed in network for network in _TRANSLATED):
            return False
        parsed = parsed.ipv4_mapped or parsed
    return _is_global(parsed)


def _is_global(parsed: IPv4Address | IPv6Address) -> bool:
    return parsed.is_global and not (parsed.is_multicast or parsed.is_reserved)


class GuardedTransport(httpx2.AsyncHTTPTransport):
    """Looks a host up once, and connects to the address that it checked."""

    def __init__(self, allowed: AllowedAddresses) -> None:
        super().__init__(trust_env=False)
        self._allowed = allowed

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send the request. Raises ``httpx2.ConnectError`` for a forbidden address."""
        try:
            *others, last = await self._allowed.connectable(request.url.host)
        except AddressRefusedError as error:
            raise httpx2.ConnectError(str(error), request=request) from error
        for address in others:
            with suppress(httpx2.ConnectError, httpx2.ConnectTimeout):
                return await super().handle_async_request(_aimed(request, address))
        return await super().handle_async_request(_aimed(request, last))


def _aimed(request: httpx2.Request, address: str) -> httpx2.Request:
    return httpx2.Request(
        request.method,
        request.url.copy_with(host=address),
        headers=request.headers,  # with the host by its name
        stream=request.stream,
        # The certificate is for the name too.
        extensions={**request.extensions, "sni_hostname": request.url.host},
    )


def guarded_client(allowed: AllowedAddresses) -> httpx2.AsyncClient:
    """A client for a model named over the network; it follows no redirect."""
    return httpx2.AsyncClient(
        transport=GuardedTransport(allowed), follow_redirects=False, trust_env=False
    )
