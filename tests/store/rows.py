"""A row in every table for a tenant."""

from sqlalchemy import Connection, text

TABLES = (
    "tenants", "api_keys", "sessions", "run_requests", "inbox", "decisions", "audit", "runs",
    "events", "conversations", "feedback", "known_questions", "shares", "kept_results",
)  # fmt: skip

_STATEMENTS = (
    "INSERT INTO veridical.tenants (id, name, scope) VALUES (:t, :t, '{}')",
    "INSERT INTO veridical.api_keys (id, tenant, name, role, actions, digest)"
    " VALUES (:t, :t, 'n', 'viewer', '{read}', '\\x00')",
    "INSERT INTO veridical.sessions (id, tenant, person, expires_at) VALUES (:t, :t, 'n', now())",
    "INSERT INTO veridical.run_requests (run_id, tenant, asked_by, request, workflow_id)"
    " VALUES (:t, :t, 'a', '{}', :t)",
    "INSERT INTO veridical.inbox (id, tenant, run_id, name, kind, subject, evidence_hash,"
    " reversible, warn_at, expires_at)"
    " VALUES (:t, :t, :t, 'n', 'call', '{}', 'h', false, now(), now())",
    "INSERT INTO veridical.decisions (item, tenant, decision, decided_by, automatic)"
    " VALUES (:t, :t, '{}', 'd', false)",
    "INSERT INTO veridical.conversations (id, tenant, person, title, feature, thread)"
    " VALUES (:t, :t, 'n', 't', 'f', '{}')",
    "INSERT INTO veridical.feedback (tenant, trace_id, person, is_right)"
    " VALUES (:t, :t, 'n', true)",
    "INSERT INTO veridical.known_questions"
    " (tenant, feature, key, name, state, pattern, evidence, decided_by)"
    " VALUES (:t, :t, :t, :t, 'certified', '{}', '{}', 'd')",
    "INSERT INTO veridical.shares (id, tenant, trace_id, person, title, expires_at)"
    " VALUES (:t, :t, :t, 'n', 't', now())",
    "INSERT INTO veridical.kept_results VALUES (:t, 'f', 'd', '', 0, now(), now())",
    "INSERT INTO veridical.audit (tenant, actor, action, subject) VALUES (:t, 'a', 'b', 'c')",
    "INSERT INTO veridical.runs (trace_id, tenant) VALUES (:t, :t)",
    "INSERT INTO veridical.events (trace_id, sequence, kind, event) VALUES (:t, 0, 'k', '{}')",
)


def fill(connection: Connection, tenant: str) -> None:
    for statement in _STATEMENTS:
        connection.execute(text(statement), {"t": tenant})


def count(connection: Connection, table: str) -> int:
    return connection.execute(text(f"SELECT count(*) FROM veridical.{table}")).scalar_one()
