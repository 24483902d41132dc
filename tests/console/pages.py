"""A browser without a screen: keeps cookies, and sends forms as a page of ours would."""

import re
from collections.abc import Generator
from contextlib import contextmanager

import httpx2

from tests.server.standing import ACME, Standing
from veridical.contracts.caller import Caller
from veridical.contracts.requirements_review import ReviewTask
from veridical.runs.request import review_request
from veridical.server.identity import Role

SAME = {"sec-fetch-site": "same-origin"}
_TOKEN = re.compile(r'name="csrf" value="([0-9a-f]{64})"')


def visitor(server: Standing) -> httpx2.Client:
    """Somebody who is not signed in."""
    return httpx2.Client(base_url=server.address, timeout=60)


@contextmanager
def signed_in(
    server: Standing, role: Role = Role.ADMIN, tenant: str = ACME
) -> Generator[httpx2.Client]:
    """Somebody of this tenant in this role."""
    given = {"key": server.keys[tenant, role], "next": "/console/ask"}
    with visitor(server) as client:
        response = client.post("/console/signin", data=given, headers=SAME)
        assert response.status_code == 303, response.text
        yield client


def token_of(client: httpx2.Client) -> str:
    """What the forms of this session carry."""
    found = _TOKEN.search(client.get("/console/ask").text)
    assert found is not None
    return found[1]


def started_review(server: Standing, tenant: str = ACME) -> str:
    """A review of somebody who holds none of the keys."""
    task = ReviewTask(requirements=("The system shall be fast.",))
    wanted = review_request(task, Caller(name="somebody", member_of=tenant))
    return server.services.runs.start(wanted, tenant, "somebody").run_id
