"""Signing keys of the identity provider (JWKS): fetched on demand, refreshed when they change."""

import json
import logging
import time
from collections.abc import Callable, Mapping
from threading import Lock
from typing import Any

import jwt

from veridical.server.oidc_settings import Algorithm, OidcSettings

_KEY_TYPES = frozenset({"RSA", "EC", "OKP"})
FRESH_SECONDS = 3600.0
"""How long fetched keys are used before they are fetched again."""
_STALE_SECONDS = 86_400.0
"""How long they are used while they can't be fetched."""
_REFETCH_SECONDS = 30.0
"""How soon an unknown key may have them fetched again: the provider may have new ones, and made-up
names of keys must not flood it."""

_log = logging.getLogger("veridical.oidc")


class TokenError(Exception):
    """The token is invalid; the text says why, for the log and not for its sender."""


Fetch = Callable[[], Any]
"""The provider's key set, read anew."""


class SigningKeys:
    """The provider's signing keys, by key id."""

    def __init__(
        self, settings: OidcSettings, fetch: Fetch, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._settings = settings
        self._fetch = fetch
        self._clock = clock
        self._keys: Mapping[str, jwt.PyJWK] = {}
        self._fetched_at: float | None = None
        self._tried_at: float | None = None
        self._one_at_a_time = Lock()

    def find(self, key_id: str) -> jwt.PyJWK:
        """The key of this name. Raises ``TokenError``. May fetch: not for the event loop."""
        if self._is_due(key_id):
            with self._one_at_a_time:
                if self._is_due(key_id):
                    self._refresh()
        found = self._keys.get(key_id)
        if found is None or self._age(self._fetched_at) > _STALE_SECONDS:
            raise TokenError("unknown key")
        return found

    def _is_due(self, key_id: str) -> bool:
        """Whether to fetch: for an unknown key or after a while, and not if just tried."""
        wanted = key_id not in self._keys or (self._age(self._fetched_at) > FRESH_SECONDS)
        return wanted and self._age(self._tried_at) >= _REFETCH_SECONDS

    def _refresh(self) -> None:
        """What can't be fetched leaves the keys as they are: a provider that is away for a while
        locks nobody out."""
        self._tried_at = self._clock()
        try:
            self._keys = dict(_usable(self._fetch(), self._settings.algorithms))
            self._fetched_at = self._clock()
        except (OSError, ValueError, jwt.PyJWTError) as error:
            _log.warning("the keys of the identity provider can't be read: %s", error)

    def _age(self, at: float | None) -> float:
        return float("inf") if at is None else self._clock() - at


def _usable(key_set: Any, algorithms: tuple[Algorithm, ...]) -> list[tuple[str, jwt.PyJWK]]:
    """The keys with a name that sign with an allowed algorithm; others are none of our business."""
    listed = key_set.get("keys") if isinstance(key_set, dict) else None
    if not isinstance(listed, list):
        raise ValueError("no key set")
    usable: list[tuple[str, jwt.PyJWK]] = []
    for held in listed:
        if not isinstance(held, dict) or held.get("kty") not in _KEY_TYPES:
            continue
        if held.get("use", "sig") != "sig" or not isinstance(held.get("kid"), str):
            continue
        try:
            key = jwt.PyJWK(held)
        except jwt.PyJWTError:
            continue
        if key.algorithm_name in algorithms:
            usable.append((held["kid"], key))
    return usable


def fetching(settings: OidcSettings) -> Fetch:
    """How these settings have the key set read."""
    file = settings.jwks_file
    if file is not None:
        return lambda: json.loads(file.read_text("utf-8"))
    client = jwt.PyJWKClient(settings.jwks_url, cache_jwk_set=False, timeout=5)
    return client.fetch_data
