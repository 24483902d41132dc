"""A real server on a free port, in a thread of its own."""

import socket
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager

import uvicorn
from starlette.types import ASGIApp

from veridical.server.listener import configured
from veridical.server.settings import ServerSettings

_PATIENCE = 60.0


@contextmanager
def served(app: ASGIApp, settings: ServerSettings | None = None, port: int = 0) -> Generator[str]:
    """The address under which the application is reached until the block ends; on this port, or
    that of the settings, where one is named."""
    # Named as TCP: only then does asyncio send the parts of a response at once.
    with socket.socket(proto=socket.IPPROTO_TCP) as listener:
        settings = settings or ServerSettings()
        named = settings.port if "port" in settings.model_fields_set else 0
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", port or named))
        config = configured(app, settings)
        config.timeout_graceful_shutdown = 5
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        wait_until(lambda: server.started or not thread.is_alive())
        if not server.started:
            raise RuntimeError("the server did not start")
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(_PATIENCE)


def free_port() -> int:
    """A port that nobody listens on, for who must know it before the server starts."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def wait_until(done: Callable[[], bool]) -> None:
    """Return as soon as it is so. Raises ``TimeoutError``."""
    until = time.monotonic() + _PATIENCE
    while not done():
        if time.monotonic() > until:
            raise TimeoutError
        time.sleep(0.01)
