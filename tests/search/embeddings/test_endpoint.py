"""Embeddings over HTTP from a server that speaks the common protocol."""

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest

from veridical.search.embeddings.embedder import EmbeddingError
from veridical.search.embeddings.endpoint import EndpointEmbedder


class _Serving(BaseHTTPRequestHandler):
    """Answers with the length of each text; the items come in the wrong order."""

    asked: list[dict[str, Any]] = []  # noqa: RUF012 # of the whole server

    def do_POST(self) -> None:
        given = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.asked.append(given | {"path": self.path, "key": self.headers["Authorization"]})
        data = [
            {"object": "embedding", "index": place, "embedding": [float(len(text)), 1.0]}
            for place, text in enumerate(given["input"])
        ]
        if given["model"] == "short":
            data = data[1:]
        body = json.dumps({"object": "list", "model": "m", "data": data[::-1], "usage": {}})
        self.send_response(500 if given["model"] == "broken" else 200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, format: str, *args: object) -> None: ...


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Serving) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/v1"
        server.shutdown()
        thread.join()


def test_vectors_come_in_the_order_of_the_texts(address: str) -> None:
    model = EndpointEmbedder("m", address, "secret", query_prefix="q: ", passage_prefix="p: ")
    texts = ["x" * number for number in range(1, 100)]
    assert [vector[0] for vector in model.embed(texts)] == [len(text) + 3.0 for text in texts]
    assert model.embed_query("abc")[0] == 6.0
    asked = _Serving.asked[-1]
    assert (asked["path"], asked["key"]) == ("/v1/embeddings", "Bearer secret")
    assert "secret" not in repr(model)
    assert max(len(each["input"]) for each in _Serving.asked) < 99


@pytest.mark.slow
def test_what_fails_is_one_error(address: str) -> None:
    for model in ("short", "broken"):
        with pytest.raises(EmbeddingError):
            EndpointEmbedder(model, address, timeout_seconds=5).embed(["one", "two"])
    with pytest.raises(EmbeddingError):
        EndpointEmbedder("m", "http://127.0.0.1:9/v1", timeout_seconds=1).embed_query("text")
