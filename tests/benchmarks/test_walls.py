import itertools
import json
import random
import socket
import threading
import time
from unittest.mock import Mock

import pytest

from benchmarks.walls.__main__ import MUST_BE_ZERO, PARTS, main
from benchmarks.walls.asking import Asker, Times
from benchmarks.walls.attackers import attack
from benchmarks.walls.bypasses import run
from benchmarks.walls.ground import FULL, SMOKE
from benchmarks.walls.strangers import SlowLines, unauthenticated
from benchmarks.walls.worst import GATED, KINDS

_PATIENCE_S = 30


class _Careless:
    """A server that answers with one status, after it has read what was announced; or at once."""

    def __init__(self, status: int, *, waits: bool) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self.listener.getsockname()[1]
        self._answer = f"HTTP/1.1 {status} X\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
        self._waits = waits
        self.asked: set[str] = set()
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                line, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._one, args=(line,), daemon=True).start()

    def _one(self, line: socket.socket) -> None:
        with line:
            head = b""
            while b"\r\n\r\n" not in head and (part := line.recv(65_536)):
                head += part
            announced = b"1048576" in head or b"chunked" in head
            if not self._waits or not announced:
                line.sendall(self._answer.encode())
                self.asked.add(head.decode("latin-1").split(" ", 2)[1])
            else:
                line.settimeout(60)
                line.recv(1)


@pytest.mark.parametrize(
    ("status", "waits", "parsed"), [(401, False, 0), (422, False, 10), (401, True, 2)]
)
def test_bodies_that_were_read_for_nobody_are_counted(
    status: int, waits: bool, parsed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("benchmarks.walls.strangers._PATIENCE", 0.5)
    server = _Careless(status, waits=waits)
    with server.listener:
        found = unauthenticated(server.port, ("/v1/ask",))
    assert found == {"unauthenticated_parsed": parsed, "unauthenticated_tried": 10}


def test_connections_that_are_held_are_counted() -> None:
    server = _Careless(200, waits=True)
    with server.listener:
        assert SlowLines(server.port, 5).held(1.0) == 5


def test_times_are_of_all_requests_whatever_their_status() -> None:
    server = _Careless(503, waits=False)
    times = Times()
    with server.listener:
        asker = Asker(server.port, "key")
        for _ in range(3):
            times.take(lambda: asker.send(None, "/health/live"))
        asker.close()
    assert times.statuses == {503: 3}
    assert times.p95_ms > 0


def test_the_attack_is_on_when_it_is_told_and_counts_what_came_of_it() -> None:
    paths = ("/v1/gate", "/v1/check", "/mcp", "/v1/chat/completions")
    server = _Careless(503, waits=False)
    with server.listener, attack(server.port, "key", seed=1, lines=1, watchers=0) as hostile:
        hostile.on()
        deadline = time.monotonic() + _PATIENCE_S
        while not server.asked.issuperset(paths) and time.monotonic() < deadline:
            time.sleep(0.05)
        hostile.off()
        told = hostile.told()
    assert all(told[f"{path} 503"] >= 1 for path in paths)


def test_the_attack_is_of_every_kind_and_differs_by_its_seed() -> None:
    for kind, path in zip(
        KINDS, ("/v1/gate", "/v1/check", "/mcp", "/v1/chat/completions"), strict=True
    ):
        first = list(itertools.islice(kind(random.Random(1)), 50))
        assert {sent.path for sent in first} == {path}
        assert list(itertools.islice(kind(random.Random(1)), 50)) == first
        assert list(itertools.islice(kind(random.Random(2)), 50)) != first
    gated = itertools.islice(KINDS[0](random.Random(1)), 50)
    assert {sent.body["answer"] for sent in gated} >= set(GATED)


def test_a_sample_of_the_statements_is_of_hidden_ones_and_of_twins() -> None:
    found = run(seed=3, most=60)
    assert found["statements"] + found["twins"] == 60
    assert min(found["statements"], found["twins"]) > 0
    assert run(seed=3, most=60) == found


def test_the_server_is_stopped_at_the_end() -> None:
    assert list(PARTS)[-1] == "stopped"


def test_the_full_size_is_larger() -> None:
    assert all(one >= other for one, other in zip(FULL, SMOKE, strict=True))


@pytest.mark.parametrize("name", MUST_BE_ZERO)
def test_a_wall_with_a_hole_fails_the_command(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = {**dict.fromkeys(MUST_BE_ZERO, 0), "victim_p95_ratio": 99.0}
    monkeypatch.setattr("sys.argv", ["walls", "--json"])
    monkeypatch.setattr("benchmarks.walls.__main__.figures", Mock(return_value=found))
    main()
    found[name] = 1
    with pytest.raises(SystemExit, match=f"not zero: {name}"):
        main()
    assert json.loads(capsys.readouterr().out.splitlines()[-1]) == found
