"""The session of a browser: the credential that somebody signed in with, sealed in a cookie.

Nothing is kept on the server: every request is authenticated anew with the credential in the
cookie, so that a revoked key ends its sessions, and any server that knows the secret can serve.
"""

import base64
import hashlib
import hmac
import json
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

COOKIE = "veridical_session"
SESSION_SECONDS = 12 * 3600
_NONCE_BYTES = 12
LONGEST_COOKIE = 3_900
"""Browsers keep 4,096 bytes of a cookie with its name and attributes."""
_PURPOSE = b"veridical console session"


@dataclass(frozen=True, slots=True)
class Session:
    """Somebody who signed in with a browser."""

    credential: str
    csrf: str
    """Sent with every form: a page of somebody else can't know it."""


class SessionSealer:
    """Seals sessions into cookies, and opens them again."""

    def __init__(
        self,
        secret: str | None,
        clock: Callable[[], float] = time.time,
        purpose: bytes = _PURPOSE,
        seconds: int = SESSION_SECONDS,
    ) -> None:
        # without a secret of their own, sessions end with the process
        root = secret.encode() if secret else os.urandom(32)
        self._key = hashlib.sha256(purpose + root).digest()
        self._clock = clock
        self._purpose = purpose
        self._seconds = seconds

    def seal(self, credential: str) -> str:
        """A cookie for somebody who has just signed in with this credential."""
        nonce = os.urandom(_NONCE_BYTES)
        content = json.dumps({"credential": credential, "at": int(self._clock())}).encode()
        sealed = AESGCM(self._key).encrypt(nonce, content, self._purpose)
        return base64.urlsafe_b64encode(nonce + sealed).decode()

    def open(self, cookie: str) -> Session | None:
        """The session in a cookie; none where it is not ours, was altered or is too old."""
        content = self._content(cookie)
        if content is None or not 0 <= self._clock() - content["at"] <= self._seconds:
            return None
        return Session(content["credential"], self._csrf(cookie))

    def _content(self, cookie: str) -> dict[str, Any] | None:
        if len(cookie) > LONGEST_COOKIE:
            return None
        try:
            raw = base64.urlsafe_b64decode(cookie.encode("ascii"))
            plain = AESGCM(self._key).decrypt(raw[:_NONCE_BYTES], raw[_NONCE_BYTES:], self._purpose)
        except (ValueError, InvalidTag):
            return None
        return json.loads(plain)

    def _csrf(self, cookie: str) -> str:
        return hmac.new(self._key, b"csrf" + cookie.encode(), hashlib.sha256).hexdigest()
