"""Connects to a model at allowed addresses only, for any name and any redirect."""

from contextlib import suppress

import httpx2

from veridical.agent.model_address import AddressRefusedError, AllowedAddresses


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
