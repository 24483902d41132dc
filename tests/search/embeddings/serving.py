"""A server of embeddings on this machine, over real HTTP: words of like meaning share an axis."""

import json
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

MEANINGS = (
    {"car", "automobile", "vehicle", "auto", "汽车"},
    {"leave", "holiday", "vacation", "urlaub"},
    {"invoice", "bill", "rechnung"},
)
ASKED = "query: "
"""What a question begins with where an embedder is set so; passages begin with nothing."""


@dataclass
class EmbeddingServer:
    """What the server was asked, and how it behaves."""

    address: str
    size: int = len(MEANINGS) + 1
    is_away: bool = False
    """Answers every request with an error of its own."""
    longest: int = 10_000
    """Longer texts are refused, and with them the whole request."""
    pauses_after: int | None = None
    """So many texts are embedded; requests that come then wait for ``goes_on``."""
    goes_on: Event = field(default_factory=Event)
    texts: list[str] = field(default_factory=list[str])
    """All that were embedded."""

    @property
    def passages(self) -> list[str]:
        """Those that are no question."""
        return [text for text in self.texts if not text.startswith(ASKED)]

    def reply(self, asked: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        if self.is_away:
            return 503, {"error": {"message": "away"}}
        if any(len(text) > self.longest for text in asked["input"]):
            return 400, {"error": {"message": "too long"}}
        if self.pauses_after is not None and len(self.texts) >= self.pauses_after:
            self.goes_on.wait()
        self.texts += asked["input"]
        data = [
            {"object": "embedding", "index": place, "embedding": self.vector(text)}
            for place, text in enumerate(asked["input"])
        ]
        return 200, {"object": "list", "model": asked["model"], "data": data, "usage": {}}

    def vector(self, text: str) -> list[float]:
        words = text.lower()
        known = [float(sum(word in words for word in meaning)) for meaning in MEANINGS]
        return [*known, *[0.1] * (self.size - len(known))]


@contextmanager
def embedding_server() -> Generator[EmbeddingServer]:
    """A server that runs until the block ends."""

    class Serving(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            status, told = standing.reply(asked)
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("x-should-retry", "false")  # or the client would wait for it
            self.end_headers()
            with suppress(ConnectionError):  # who asked was killed meanwhile
                self.wfile.write(json.dumps(told).encode())

        def log_message(self, format: str, *args: object) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Serving) as server:
        standing = EmbeddingServer(f"http://127.0.0.1:{server.server_port}/v1")
        thread = Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield standing
        finally:
            standing.goes_on.set()
            server.shutdown()
            thread.join()
