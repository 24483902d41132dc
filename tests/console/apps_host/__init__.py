"""A minimal host of MCP Apps in a real browser."""

import json
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from playwright.sync_api import Browser, FrameLocator, Page

from tests.console.chromium import window

_HERE = Path(__file__).parent
_POLICY = (
    "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; media-src 'self' data:; connect-src 'none'"
)
"""What the specification demands for a view that declares no domains."""


@dataclass(frozen=True)
class View:
    """A page that a server gave, in its host."""

    page: Page
    requests: list[str]
    """Whatever the browser fetched."""

    @property
    def shown(self) -> FrameLocator:
        """The inner frame."""
        return self.page.frame_locator("#sandbox").frame_locator("iframe")

    def methods(self) -> list[str]:
        """What the view sent, in its order."""
        return [each["method"] for each in self.messages() if "method" in each]

    def messages(self) -> list[dict[str, Any]]:
        """All that came from the view."""
        return self.page.evaluate("window.seen")


class _Files(BaseHTTPRequestHandler):
    def __init__(self, given: dict[str, Any], *args: Any) -> None:
        self._given = given
        super().__init__(*args)

    def do_GET(self) -> None:
        name = self.path.strip("/")
        if name == "given.json":
            self._send("application/json", json.dumps(self._given).encode())
        elif name in ("host.html", "sandbox.html"):
            self._send("text/html", (_HERE / name).read_bytes())
        else:
            self.send_error(404)

    def _send(self, kind: str, content: bytes) -> None:
        self.send_response(200)
        self.send_header("content-type", f"{kind}; charset=utf-8")
        if "sandbox" in self.path:
            self.send_header("content-security-policy", _POLICY)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def shown_in_host(
    browser: Browser,
    html: str,
    arguments: dict[str, Any],
    result: dict[str, Any] | None,
    *,
    theme: str = "light",
    width: int = 760,
) -> Generator[View]:
    """The view with this result, until the block ends. Complaints of the browser are errors."""
    given: dict[str, Any] = {"html": html, "arguments": arguments, "result": result}
    given |= {"theme": theme, "csp": {}}
    serving = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Files, given))
    port = serving.server_address[1]
    given["sandbox"] = f"http://localhost:{port}"  # another origin than 127.0.0.1
    Thread(target=serving.serve_forever, daemon=True).start()
    context = window(browser, viewport={"width": width, "height": 900})
    page = context.new_page()
    complaints: list[str] = []
    requests: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    page.on("request", lambda request: requests.append(request.url))
    page.goto(f"http://127.0.0.1:{port}/host.html")
    try:
        yield View(page, requests)
        assert complaints == [], complaints
    finally:
        context.close()
        serving.shutdown()
        serving.server_close()
