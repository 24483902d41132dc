"""A provider on this machine that misbehaves as told."""

import json
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class LocalServer:
    """Where it listens and what it was sent."""

    url: str
    bodies: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    headers: list[dict[str, str]] = field(default_factory=list[dict[str, str]])
    released: threading.Event = field(default_factory=threading.Event)


@contextmanager
def serving(
    behave: Callable[[BaseHTTPRequestHandler, LocalServer], None],
) -> Generator[LocalServer]:
    """A server whose every answer is what ``behave`` writes."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            length = int(self.headers["content-length"])
            told.bodies.append(json.loads(self.rfile.read(length)))
            told.headers.append({name.lower(): value for name, value in self.headers.items()})
            behave(self, told)
            self.close_connection = True

        def log_message(self, format: str, *args: Any) -> None:
            """Keeps quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    told = LocalServer(f"http://127.0.0.1:{server.server_address[1]}/v1")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield told
    finally:
        told.released.set()
        server.shutdown()
        thread.join()
        server.server_close()


def silent(handler: BaseHTTPRequestHandler, server: LocalServer) -> None:
    """Takes the request and says nothing."""
    server.released.wait(10)


def failing(status: int, body: Any) -> Callable[[BaseHTTPRequestHandler, LocalServer], None]:
    """Answers with an error."""

    def behave(handler: BaseHTTPRequestHandler, server: LocalServer) -> None:
        _send(handler, status, json.dumps(body).encode(), "application/json")

    return behave


def answering(*messages: dict[str, Any]) -> Callable[[BaseHTTPRequestHandler, LocalServer], None]:
    """Answers with these chat messages, one for each request."""

    def behave(handler: BaseHTTPRequestHandler, server: LocalServer) -> None:
        answer_with(handler, messages[len(server.bodies) - 1])

    return behave


def answer_with(handler: BaseHTTPRequestHandler, message: dict[str, Any]) -> None:
    """Answers with this chat message."""
    finish = "tool_calls" if message.get("tool_calls") else "stop"
    body = {
        "id": "c1",
        "object": "chat.completion",
        "created": 1,
        "model": "local",
        "choices": [
            {
                "index": 0,
                "finish_reason": message.pop("finish", finish),
                "message": {"role": "assistant", "content": None, **message},
            }
        ],
        "usage": {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10},
    }
    _send(handler, 200, json.dumps(body).encode(), "application/json")


def cut_off(*, politely: bool) -> Callable[[BaseHTTPRequestHandler, LocalServer], None]:
    """Streams the beginning of an answer, then closes: with or without the end of the body."""

    def behave(handler: BaseHTTPRequestHandler, server: LocalServer) -> None:
        _open_stream(handler)
        for text in ("The balance ", "is 4'7"):
            _stream(handler, {"content": text})
        if politely:
            handler.wfile.write(b"0\r\n\r\n")

    return behave


def streaming(
    *answers: list[dict[str, Any]],
) -> Callable[[BaseHTTPRequestHandler, LocalServer], None]:
    """Streams these deltas, one list for each request, and ends as it should."""

    def behave(handler: BaseHTTPRequestHandler, server: LocalServer) -> None:
        deltas = answers[len(server.bodies) - 1]
        _open_stream(handler)
        for delta in deltas:
            _stream(handler, delta)
        _stream(handler, {}, "tool_calls" if "tool_calls" in deltas[0] else "stop")
        _chunk(handler, b"data: [DONE]\n\n")
        handler.wfile.write(b"0\r\n\r\n")

    return behave


def trickling(handler: BaseHTTPRequestHandler, server: LocalServer) -> None:
    """Never silent, never done."""
    handler.send_response(200)
    handler.send_header("content-type", "application/json")
    handler.send_header("transfer-encoding", "chunked")
    handler.end_headers()
    with suppress(OSError):
        while not server.released.wait(0.05):
            _chunk(handler, b" ")


def _open_stream(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.send_header("content-type", "text/event-stream")
    handler.send_header("transfer-encoding", "chunked")
    handler.end_headers()


def _stream(
    handler: BaseHTTPRequestHandler, delta: dict[str, Any], finish: str | None = None
) -> None:
    chunk = {
        "id": "c1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "local",
        "choices": [{"index": 0, "delta": {"role": "assistant", **delta}, "finish_reason": finish}],
    }
    _chunk(handler, f"data: {json.dumps(chunk)}\n\n".encode())


def _chunk(handler: BaseHTTPRequestHandler, data: bytes) -> None:
    handler.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
    handler.wfile.flush()


def _send(handler: BaseHTTPRequestHandler, status: int, body: bytes, kind: str) -> None:
    handler.send_response(status)
    handler.send_header("content-type", kind)
    handler.send_header("content-length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)
