"""Requests as those send them who measure: one connection each, timed, whatever the status."""

import http.client
import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import nan
from typing import Any

from benchmarks.server_load.comparison import percentile_ms
from benchmarks.walls.worst import Sent

_PATIENCE = 120.0
_ACCEPT = "application/json, text/event-stream"


@dataclass
class Asker:
    """Somebody with a key, on a connection that is opened again when it was closed."""

    port: int
    key: str = ""
    _line: http.client.HTTPConnection | None = None

    def send(self, sent: Sent | None, path: str = "") -> tuple[int, bytes]:
        """The status and the body; 0 when the connection was closed instead."""
        line = self._line or http.client.HTTPConnection("127.0.0.1", self.port, timeout=_PATIENCE)
        self._line = line
        headers = {"accept": _ACCEPT, "content-type": "application/json"}
        if self.key:
            headers["authorization"] = f"Bearer {self.key}"
        try:
            if sent is None:
                line.request("GET", path, headers=headers)
            else:
                line.request("POST", sent.path, json.dumps(sent.body), headers)
            got = line.getresponse()
            return got.status, got.read()
        except (OSError, http.client.HTTPException):
            self.close()
            return 0, b""

    def close(self) -> None:
        """Let go of the connection."""
        if self._line is not None:
            self._line.close()
            self._line = None


@dataclass
class Times:
    """How long requests took, and what came of them."""

    seconds: list[float] = field(default_factory=list[float])
    statuses: Counter[int] = field(default_factory=Counter[int])

    def take(self, ask: Callable[[], tuple[int, bytes]]) -> None:
        """One request."""
        began = time.perf_counter()
        status, _ = ask()
        self.seconds.append(time.perf_counter() - began)
        self.statuses[status] += 1

    @property
    def p95_ms(self) -> float:
        """What 95 % of them did not exceed."""
        return percentile_ms(self.seconds, 95) if len(self.seconds) > 1 else nan


@contextmanager
def beside(*works: Callable[[Callable[[], bool]], Any]) -> Generator[None]:
    """Threads that do these until the block ends; each is given whether it is to go on."""
    stop = threading.Event()
    threads = [
        threading.Thread(target=work, args=(lambda: not stop.is_set(),), daemon=True)
        for work in works
    ]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        for thread in threads:
            thread.join(_PATIENCE)
