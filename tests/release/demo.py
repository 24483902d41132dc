"""A demo that runs, and the pages of its console."""

import re
import subprocess
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep

from fastapi.routing import APIRoute

from veridical.console.mount import ROUTERS

_PATIENCE = 300.0
_WITH_MORE = frozenset(
    {
        "/console/runs/compare",
        "/console/signin/oidc",
        "/console/signin/callback",
        "/console/signing-key.pem",
        "/console/data/connect",
        "/console/ontology/edit",
        "/console/ontology/history",
        "/console/ontology/rules",
    }
)
"""What is no page by its address alone: two runs to compare, an identity provider, a file, and what
needs settings or an ontology that may be changed, which the demo has not."""


@dataclass(frozen=True)
class Demo:
    """Where it is, a key to its API, and the link by which its console is entered."""

    address: str
    key: str
    link: str


@contextmanager
def running(
    command: Sequence[str | Path], folder: Path, variables: Mapping[str, str]
) -> Generator[Demo]:
    """The demo that a command starts, until the block ends; it has to end well."""
    log = folder / "demo.log"
    words = [*map(str, command), "demo", "--no-browser"]
    with log.open("w") as told:
        process = subprocess.Popen(words, cwd=folder, env=variables, stdout=told, stderr=told)
    try:
        key = printed(log, process, r"vk_\w+")
        link = printed(log, process, r"http://\S+/console/enter\S+")
        yield Demo(link.partition("/console/")[0], key, link)
    finally:
        process.terminate()
        code = process.wait(60)
    assert code == 0, log.read_text()


def printed(log: Path, process: subprocess.Popen[bytes], pattern: str) -> str:
    """What a process prints of this kind, as soon as it does."""
    end = monotonic() + _PATIENCE
    while not (found := re.search(pattern, log.read_text())):
        assert process.poll() is None, log.read_text()
        assert monotonic() < end, log.read_text()
        sleep(0.1)
    return found[0]


def pages() -> list[str]:
    """The paths of all pages that can be opened by their address alone."""
    routes = (route for router in ROUTERS for route in router.routes)
    paths = {
        each.path for each in routes if isinstance(each, APIRoute) and "GET" in (each.methods or ())
    }
    return sorted(
        path
        for path in paths - _WITH_MORE - {"/console/enter"}
        if path.startswith("/console/") and "{" not in path
    )
