"""The inbox of a demo: one question waits for a person, however often the demo is started."""

import asyncio
import time
from collections.abc import Iterator

import pytest
from fastapi import FastAPI

from tests.sample import trustee
from tests.server.standing import ACME, Standing, prepare, standing
from tests.server.working import working
from veridical.answering.feature import Feature
from veridical.cli.server_process import ask_for_approval
from veridical.contracts.language import Language
from veridical.contracts.person import ItemKind
from veridical.messages import message
from veridical.sample.postgres import LocalPostgres
from veridical.server.identity import Role

__all__ = ["trustee"]

pytestmark = [pytest.mark.postgres, pytest.mark.slow]

_PATIENCE = 120.0

Demo = tuple[Standing, FastAPI]


@pytest.fixture(scope="module")
def demo(postgres_server: LocalPostgres, trustee: Feature) -> Iterator[Demo]:
    url = postgres_server.create_database("demo_inbox_own")
    apps: list[FastAPI] = []
    with (
        standing(url, trustee, prepare(url), furnish=apps.append) as running,
        working(running.services.runs.settings, trustee),
    ):
        yield running, apps[0]


def _start(demo: Demo) -> None:
    server, app = demo
    key = server.keys[ACME, Role.ADMIN]
    asyncio.run(ask_for_approval(app, key, "trustee", Language.DE))


def _waiting(server: Standing) -> list[tuple[str, str]]:
    found = server.services.inbox.entries(ACME, 50, None, pending=True, asked_by=None)
    return [(each.kind, each.question) for each in found]


def _asked(server: Standing) -> int:
    with server.client(role=Role.ADMIN) as client:
        return len(client.get("/v1/runs").raise_for_status().json()["runs"])


def test_one_approval_waits_however_often_the_demo_starts(demo: Demo) -> None:
    server, _ = demo
    assert _waiting(server) == []
    _start(demo)
    until = time.monotonic() + _PATIENCE
    while not _waiting(server) and time.monotonic() < until:
        time.sleep(0.1)
    wanted = [(ItemKind.EVIDENCE, message("serve.demo_approval", Language.DE))]
    assert _waiting(server) == wanted
    asked = _asked(server)
    _start(demo)
    assert _asked(server) == asked
    assert _waiting(server) == wanted
