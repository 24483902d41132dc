"""Seals the content of cookies: a browser can't read it, alter it or use it too long."""

import base64
import hashlib
import hmac
import json
import os
import time
from collections.abc import Callable, Mapping
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from starlette.requests import Request
from starlette.responses import Response

from veridical.console.form import Form, field

_NONCE_BYTES = 12
LONGEST_COOKIE = 3_900
"""Browsers keep 4,096 bytes of a cookie with its name and attributes."""


class Sealer:
    """Seals contents of one purpose, and opens them again."""

    def __init__(
        self,
        secret: str | None,
        purpose: bytes,
        seconds: int,
        clock: Callable[[], float] = time.time,
    ) -> None:
        # without a secret of their own, cookies end with the process
        root = secret.encode() if secret else os.urandom(32)
        self._key = hashlib.sha256(purpose + root).digest()
        self._clock = clock
        self._purpose = purpose
        self.seconds = seconds
        """The time for which a sealed value can be opened."""

    def seal(self, *content: str) -> str:
        """A cookie with this content."""
        nonce = os.urandom(_NONCE_BYTES)
        plain = json.dumps({"content": content, "at": int(self._clock())}).encode()
        sealed = AESGCM(self._key).encrypt(nonce, plain, self._purpose)
        return base64.urlsafe_b64encode(nonce + sealed).decode()

    def open(self, cookie: str) -> tuple[str, ...] | None:
        """The content of a cookie; none where it is not ours, was altered or is too old."""
        opened = self._opened(cookie)
        if opened is None or not 0 <= self._clock() - opened["at"] <= self.seconds:
            return None
        return tuple(opened["content"])

    def _opened(self, cookie: str) -> dict[str, Any] | None:
        if len(cookie) > LONGEST_COOKIE:
            return None
        try:
            raw = base64.urlsafe_b64decode(cookie.encode("ascii"))
            plain = AESGCM(self._key).decrypt(raw[:_NONCE_BYTES], raw[_NONCE_BYTES:], self._purpose)
        except (ValueError, InvalidTag):
            return None
        return json.loads(plain)

    def sign(self, text: str) -> str:
        """The signature of this text, which only this key can make."""
        return hmac.new(self._key, text.encode(), hashlib.sha256).hexdigest()


HANDOVER_COOKIE = "veridical_handover"
HANDOVER = b"veridical console handover"
HANDOVER_SECONDS = 60
TYPED = ("question", "text")
"""What people type that may be handed over: a question, requirements."""
_FIELDS = (*TYPED, "key")
"""Fields that may be handed over: also a key that was just made."""


def hand_over(request: Request, response: Response, fields: Form) -> None:
    """Hands over the fields of a form; nothing where they don't fit into a cookie."""
    given = {name: value for name in _FIELDS if (value := field(fields, name, LONGEST_COOKIE))}
    sealer: Sealer = request.app.state.handovers
    sealed = sealer.seal(json.dumps(given)) if given else ""
    if not 0 < len(sealed) <= LONGEST_COOKIE:
        return
    response.set_cookie(
        HANDOVER_COOKIE,
        sealed,
        max_age=HANDOVER_SECONDS,
        path="/console",
        secure=request.url.scheme == "https",
        httponly=True,
        samesite="strict",
    )


def handed_over(request: Request) -> Mapping[str, str]:
    """The fields that the page before handed over."""
    sealer: Sealer = request.app.state.handovers
    content = sealer.open(request.cookies.get(HANDOVER_COOKIE, ""))
    return json.loads(content[0]) if content else {}


def taken(request: Request, response: Response) -> None:
    """Deletes the values, which are shown once."""
    if HANDOVER_COOKIE in request.cookies:
        response.delete_cookie(HANDOVER_COOKIE, path="/console", httponly=True, samesite="strict")
