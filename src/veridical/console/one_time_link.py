"""A link that signs in once: for a person who just started a server on their own machine."""

import hashlib
import hmac
import secrets
import threading
import time
from collections.abc import Callable
from urllib.parse import urlsplit

from starlette.requests import Request

ENTER = "/console/enter"
LINK_SECONDS = 600
_CODE_BYTES = 32
_LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})


class OneTimeLink:
    """A code that works once and for some minutes, only on this machine."""

    def __init__(
        self,
        credential: str,
        clock: Callable[[], float] = time.monotonic,
        *,
        with_tour: bool = False,
    ) -> None:
        self.with_tour = with_tour
        """Whether the tour begins after the sign-in: it uses the sample books."""
        self._credential = credential
        self._clock = clock
        self._until = clock() + LINK_SECONDS
        self._digest = b""
        self._lock = threading.Lock()

    def path(self) -> str:
        """The link, below the server's address. A new one ends the one before."""
        code = secrets.token_urlsafe(_CODE_BYTES)
        with self._lock:
            self._digest, self._until = _digest(code), self._clock() + LINK_SECONDS
        return f"{ENTER}?code={code}"

    def redeem(self, code: str) -> str | None:
        """The credential, once; none afterwards, for a wrong code or an expired one."""
        with self._lock:
            is_right = bool(self._digest) and hmac.compare_digest(_digest(code), self._digest)
            if not is_right or self._clock() > self._until:
                return None
            self._digest = b""
            return self._credential


def is_local(request: Request) -> bool:
    """True if it comes from this machine and names it: another host name that points here is not
    accepted."""
    client = request.client.host if request.client else ""
    try:
        named = urlsplit(f"//{request.headers.get('host', '')}").hostname
    except ValueError:  # no address at all, such as "["
        return False
    return client in _LOOPBACK and named in _LOOPBACK


def _digest(code: str) -> bytes:
    return hashlib.sha256(code.encode()).digest()
