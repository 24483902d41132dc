"""The hostile tenant: many connections of every kind at once, in a process of its own.

    python -m benchmarks.walls.attackers PORT SEED LINES WATCHERS

The key is the first line that is read. Then ``on`` has all of them send the worst they know, and
``off`` has them finish what is under way; either is answered with a line once it is so. At the end
of the input, what came of the requests is printed as JSON.
"""

import http.client
import json
import os
import random
import socket
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from benchmarks.scripted_balances import PACK
from benchmarks.walls.asking import Asker
from benchmarks.walls.worst import KINDS, Sent

_BUSY = (0, 429, 503)
_BACK_OFF = 0.1
_PATIENCE = 60.0
_NICE = 10
"""Attackers have machines of their own: what they compute must not take the server's share."""


@dataclass
class Attack:
    """A running attack, as who measures sees it."""

    _process: "subprocess.Popen[str]"

    def on(self) -> None:
        """All of them at work."""
        self._tell("on")

    def off(self) -> None:
        """None of them, and nothing of theirs under way."""
        self._tell("off")

    def told(self) -> dict[str, Any]:
        """What came of it, at its end."""
        told, _ = self._process.communicate()
        return json.loads(told.splitlines()[-1])

    def _tell(self, what: str) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{what}\n")
        self._process.stdin.flush()
        self._process.stdout.readline()


@contextmanager
def attack(port: int, key: str, seed: int, lines: int, watchers: int) -> Generator[Attack]:
    """The hostile tenant, silent at first: so many lines of each kind, so many streams."""
    given = map(str, (port, seed, lines, watchers))
    command = [sys.executable, "-m", "benchmarks.walls.attackers", *given]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdin is not None
        process.stdin.write(f"{key}\n")
        process.stdin.flush()
        try:
            yield Attack(process)
        finally:
            process.kill()


@dataclass
class _Hostile:
    """What all attackers share."""

    port: int
    key: str
    going: threading.Event = field(default_factory=threading.Event)
    told: Counter[str] = field(default_factory=Counter[str])
    _under_way: int = 0
    _changed: threading.Condition = field(default_factory=threading.Condition)
    _streams: list[http.client.HTTPConnection] = field(
        default_factory=list[http.client.HTTPConnection]
    )

    def send_on(self, requests: Iterator[Sent]) -> None:
        """One line, which sends the next as soon as there is an answer."""
        asker = Asker(self.port, self.key)
        while self.going.wait():
            sent = next(requests)
            with self._one():
                status, _ = asker.send(sent)
            self.told[f"{sent.path} {status}"] += 1
            if status in _BUSY:
                threading.Event().wait(_BACK_OFF)

    @contextmanager
    def _one(self) -> Generator[None]:
        with self._changed:
            self._under_way += 1
        try:
            yield
        finally:
            with self._changed:
                self._under_way -= 1
                self._changed.notify_all()

    def quiet(self) -> None:
        """Wait until nothing is under way."""
        self.going.clear()
        with self._changed:
            self._changed.wait_for(lambda: not self._under_way, _PATIENCE)

    def watch(self, count: int) -> None:
        """Hold open streams of a run that nobody works on."""
        if not count:
            return
        asker = Asker(self.port, self.key)
        asked = {"feature": PACK.name, "question": "Wie hoch war der Saldo?"}
        _, body = asker.send(Sent("/v1/runs", asked))
        asker.close()
        run = json.loads(body)["runId"]
        for _ in range(count):
            self._streams.append(http.client.HTTPConnection("127.0.0.1", self.port, timeout=30))
            headers = {"authorization": f"Bearer {self.key}"}
            status = 0
            with suppress(OSError, http.client.HTTPException):
                self._streams[-1].request("GET", f"/v1/runs/{run}/events", headers=headers)
                status = self._streams[-1].getresponse().status
            self.told[f"/v1/runs/events {status}"] += 1

    def unwatch(self) -> None:
        """Let go of the streams."""
        for line in self._streams:
            if line.sock is not None:
                with suppress(OSError):
                    line.sock.shutdown(socket.SHUT_RDWR)
            line.close()
        self._streams.clear()


def main() -> None:
    """Attack as told on standard input."""
    port, seed, lines, watchers = map(int, sys.argv[1:])
    os.nice(_NICE)
    hostile = _Hostile(port, sys.stdin.readline().strip())
    for number, kind in enumerate(KINDS):
        for line in range(lines):
            chance = random.Random(f"{seed} {number} {line}")
            threading.Thread(target=hostile.send_on, args=(kind(chance),), daemon=True).start()
    for order in sys.stdin:
        if order.strip() == "on":
            hostile.watch(watchers)
            hostile.going.set()
        else:
            hostile.quiet()
            hostile.unwatch()
        print(order.strip(), flush=True)
    print(json.dumps(dict(sorted(hostile.told.items()))))


if __name__ == "__main__":
    main()
