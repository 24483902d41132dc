"""A model's server as an Ollama client knows it, whose replies are a script."""

import json
import threading
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from veridical.testing.script import ScriptedReply


@contextmanager
def scripted_provider(lines: Sequence[ScriptedReply]) -> Generator[str]:
    """The address of the server, until the block ends."""
    left = list(lines)

    class Replies(BaseHTTPRequestHandler):
        """Gives the next line to each request."""

        def do_POST(self) -> None:  # the library's name
            """The next line as a completion."""
            self.rfile.read(int(self.headers["content-length"]))
            body = json.dumps(_completion(left.pop(0), len(left))).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
            """Nothing: the tests' output is theirs."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Replies) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/v1"
        finally:
            server.shutdown()


def _completion(line: ScriptedReply, number: int) -> dict[str, Any]:
    said: dict[str, Any] = {"role": "assistant", "content": line}
    if not isinstance(line, str):
        calls = [
            {
                "id": f"call-{number}-{place}",
                "type": "function",
                "function": {"name": name, "arguments": json.dumps(arguments)},
            }
            for place, (name, arguments) in enumerate(line)
        ]
        said = {"role": "assistant", "content": None, "tool_calls": calls}
    ending = "stop" if isinstance(line, str) else "tool_calls"
    return {
        "id": f"completion-{number}",
        "object": "chat.completion",
        "created": 0,
        "model": "scripted",
        "choices": [{"index": 0, "message": said, "finish_reason": ending}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    }
