"""What is done and what is noted of it: both or neither."""

from collections.abc import Generator
from contextlib import contextmanager

import pytest
from sqlalchemy import text

from tests.server.rights import Operation, answered, belongings
from tests.server.standing import Standing
from veridical.server.identity import Role

pytestmark = pytest.mark.postgres

NOTED: dict[Operation, str] = {
    ("POST", "/v1/runs"): "run.started",
    ("POST", "/v1/runs/{id}/cancel"): "run.cancelled",
    ("POST", "/v1/inbox/{id}/decision"): "inbox.decided",
    ("POST", "/v1/keys"): "key.created",
    ("DELETE", "/v1/keys/{id}"): "key.revoked",
    ("GET", "/v1/keys"): "keys.read",
    ("GET", "/v1/audit"): "audit.read",
}
TABLES = ("run_requests", "decisions", "api_keys", "audit")


@contextmanager
def unable_to_note(server: Standing) -> Generator[None]:
    columns = "INSERT (tenant, actor, action, subject, detail) ON veridical.audit"
    _as_owner(server, f"REVOKE {columns} FROM veridical_app")
    try:
        yield
    finally:
        _as_owner(server, f"GRANT {columns} TO veridical_app")


def _as_owner(server: Standing, statement: str) -> None:
    with server.services.store.engine.begin() as connection:
        connection.execute(text(statement))


def _everything(server: Standing) -> list[list[str]]:
    with server.services.store.engine.begin() as connection:
        return [
            sorted(connection.scalars(text(f"SELECT CAST(t AS text) FROM veridical.{table} AS t")))
            for table in TABLES
        ]


@pytest.mark.parametrize("operation", NOTED, ids=" ".join)
def test_nothing_is_done_that_is_not_noted(server: Standing, operation: Operation) -> None:
    of = belongings(server)
    with server.client(role=Role.ADMIN) as admin:
        admin.get("/v1/runs")
        before = _everything(server)
        with unable_to_note(server):
            status, told = answered(admin, operation, of)
        assert status == 500
        assert not any(known in told for known in of.ids)
        assert _everything(server) == before
        assert answered(admin, operation, of)[0] in (200, 201, 202)
    changed = _everything(server)
    (note,) = set(changed[-1]) - set(before[-1])
    assert f",{NOTED[operation]}," in note
    assert '"admin of acme"' in note
