"""The worst files uploaded four at once to a real server, and what another tenant notices of it."""

import re
import tempfile
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from http.client import HTTPConnection, HTTPException
from itertools import cycle, islice
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from benchmarks.scripted_balances import PACK
from benchmarks.server_load.script import known_questions
from benchmarks.walls.asking import Asker, Times, beside
from benchmarks.walls.ground import ATTACKER, MEASURER, VICTIM, Ground, open_ground
from benchmarks.walls.worst import Sent
from veridical.server.settings import ServerSettings

AT_ONCE = 4
_PAGE = "/console/requirements"
_SAME = {"sec-fetch-site": "same-origin"}
_TOKEN = re.compile(r'name="csrf" value="([0-9a-f]{64})"')
_ITEM = "The system shall be fast and 99 % available if users, admins or guests want it. "
_BATCH = Sent("/api/v1/validate/batch", {"items": [(_ITEM * 100)[:7_500]] * 100})
"""The longest texts that one request may have rewritten."""
_PATIENCE = 120.0
_PAUSE = 0.05
_BUILDING_UP = 3.0


@dataclass(frozen=True, slots=True)
class HostileFile:
    """A file that somebody uploads."""

    ending: str
    content: bytes


@dataclass
class _Uploader:
    """Somebody who is signed in to the console, and uploads files."""

    port: int
    key: str
    statuses: Counter[int] = field(default_factory=Counter[int])
    _line: HTTPConnection | None = None
    _headers: dict[str, str] = field(default_factory=dict[str, str])
    _token: str = ""

    def send(self, file: HostileFile) -> None:
        """Upload one, whatever comes of it."""
        try:
            if not self._token:
                self._sign_in()
            edge = uuid.uuid4().hex
            part = f"--{edge}\r\nContent-Disposition: form-data; "
            head = f'{part}name="csrf"\r\n\r\n{self._token}\r\n'
            head += f'{part}name="file"; filename="a{file.ending}"\r\n\r\n'
            body = head.encode() + file.content + f"\r\n--{edge}--\r\n".encode()
            kind = {"content-type": f"multipart/form-data; boundary={edge}"}
            status, _, _ = self._request("POST", body, kind)
        except (OSError, HTTPException):
            self._line, status = None, 0
        self.statuses[status] += 1

    def _sign_in(self) -> None:
        form = urlencode({"key": self.key, "next": _PAGE}).encode()
        kind = {"content-type": "application/x-www-form-urlencoded"}
        _, headers, _ = self._request("POST", form, kind, "/console/signin")
        self._headers = {"cookie": headers.get("set-cookie", "").partition(";")[0]}
        status, _, page = self._request("GET", b"", {})
        found = _TOKEN.search(page.decode())
        if found is None:
            raise RuntimeError(f"the console shows no form: {status}")
        self._token = found[1]

    def _request(
        self, method: str, body: bytes, headers: dict[str, str], path: str = _PAGE
    ) -> tuple[int, dict[str, str], bytes]:
        line = self._line or HTTPConnection("127.0.0.1", self.port, timeout=_PATIENCE)
        self._line = line
        line.request(method, path, body, {**_SAME, **self._headers, **headers})
        got = line.getresponse()
        return got.status, {name.lower(): each for name, each in got.getheaders()}, got.read()


def uploaded(files: Sequence[HostileFile], *, smoke: bool) -> dict[str, Any]:
    """The figures of it."""
    with tempfile.TemporaryDirectory() as folder, open_ground(Path(folder)) as at:
        return _measured(at, files, 40 if smoke else 200)


def _measured(at: Ground, files: Sequence[HostileFile], asks: int) -> dict[str, Any]:
    questions = (known.text for known in known_questions())
    asker = Asker(at.port, at.keys[VICTIM])
    alone, during, health = Times(), Times(), Times()
    uploaders = [_Uploader(at.port, at.keys[MEASURER]) for _ in range(AT_ONCE)]
    for uploader in uploaders:  # what is loaded at the first use, everybody waits for once
        uploader.send(HostileFile(".txt", b"The app shall answer within 2 s."))
    batches = Asker(at.port, at.keys[ATTACKER])
    _ask(asker, Times(), islice(questions, 10))
    _ask(asker, alone, islice(questions, asks))
    stop = threading.Event()
    attackers = [
        *(partial(_upload, each, files, place) for place, each in enumerate(uploaders)),
        partial(_post, batches),
    ]
    with ExitStack() as stack:
        stack.callback(stop.set)
        for each in attackers:
            threading.Thread(target=each, args=(stop,), daemon=True).start()
        time.sleep(_BUILDING_UP)
        with beside(partial(_look, at, health)):
            _ask(asker, during, islice(questions, asks))
        statuses = sum((each.statuses for each in uploaders), Counter[int]())
        stop_seconds = at.stop_seconds()
    return {
        "upload_ask_ratio": round(during.p95_ms / alone.p95_ms, 2),
        "upload_ask_p95_ms_alone": alone.p95_ms,
        "upload_ask_p95_ms": during.p95_ms,
        "upload_ask_statuses": dict(alone.statuses + during.statuses),
        "upload_health_p95_ms": health.p95_ms,
        "upload_stop_seconds": round(stop_seconds, 2),
        "upload_stop_limit": ServerSettings.model_fields["stop_seconds"].default,
        "uploads": statuses.total(),
        "upload_statuses": dict(statuses),
    }


def _upload(
    uploader: _Uploader, files: Sequence[HostileFile], place: int, stop: threading.Event
) -> None:
    for file in islice(cycle(files), place, None):
        if stop.is_set():
            return
        uploader.send(file)
        stop.wait(_PAUSE)


def _post(asker: Asker, stop: threading.Event) -> None:
    while not stop.wait(_PAUSE):
        asker.send(_BATCH)


def _look(at: Ground, health: Times, goes_on: Callable[[], bool]) -> None:
    looker = Asker(at.port)
    while goes_on():
        health.take(partial(looker.send, None, "/health/live"))
        time.sleep(_PAUSE)
    looker.close()


def _ask(asker: Asker, times: Times, questions: Iterator[str]) -> None:
    asker.close()  # a line that was idle for long is closed by the server
    for question in questions:
        body = {"feature": PACK.name, "question": question}
        times.take(partial(asker.send, Sent("/v1/ask", body)))
        time.sleep(_PAUSE)
