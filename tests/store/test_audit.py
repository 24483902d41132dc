from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.effort import examples
from veridical.store.audit import AuditAction, entries, note
from veridical.store.connection import Store
from veridical.trace.redact import redact_json

pytestmark = pytest.mark.postgres

TEXT = st.text(st.characters(exclude_categories=()))
DETAIL = st.dictionaries(
    TEXT,
    st.recursive(
        st.none() | st.booleans() | st.integers() | TEXT, lambda each: st.lists(each, max_size=3)
    ),
    max_size=3,
)


@settings(
    deadline=None,
    max_examples=examples(50),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(actor=TEXT, subject=TEXT, detail=DETAIL)
def test_whatever_somebody_is_called_it_can_be_noted(
    store: Store, actor: str, subject: str, detail: dict[str, Any]
) -> None:
    with store.tenant("acme") as connection:
        note(connection, "acme", actor, AuditAction.DECIDED, subject, detail)
        (entry,) = entries(connection, 1)
    assert (entry.actor, entry.subject) == (redact_json(actor), redact_json(subject))
    assert entry.detail == redact_json(detail)


def test_secrets_do_not_get_into_the_audit(store: Store) -> None:
    key = "vk_" + "0a1b" * 4 + "_" + "9f8e" * 16
    detail = {"header": f"Bearer {key}", "url": "postgresql://a:b@c/d"}
    with store.tenant("acme") as connection:
        note(connection, "acme", "Ada", AuditAction.RUN_CANCELLED, key, detail)
        (entry,) = entries(connection, 1)
    assert entry.subject == "[redacted]"
    assert entry.detail == {"header": "Bearer [redacted]", "url": "postgresql://[redacted]@c/d"}


def test_what_is_undone_is_not_noted(store: Store) -> None:
    with store.tenant("globex") as connection:
        note(connection, "globex", "Ada", AuditAction.DECIDED, "item")
        connection.rollback()
    with store.tenant("globex") as connection:
        assert entries(connection) == ()
