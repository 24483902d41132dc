"""Roles, grants and row policies: tenants stay apart, and nobody rewrites the audit."""

from alembic import op

from veridical.store.migrations import refuse_downgrade

revision = "0002"
down_revision = "0001"

_ROLES = (
    "veridical_app",
    "veridical_worker",
    "veridical_operator",
    "veridical_tracer",
    "veridical_dbos",
)

# Roles belong to the whole server: another database may make the same one at this moment.
_ROLE = """
DO $$ BEGIN
    BEGIN
        IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = '{role}') THEN
            CREATE ROLE {role} NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOINHERIT NOREPLICATION
                NOBYPASSRLS;
        END IF;
    EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
    END;
    IF NOT pg_catalog.pg_has_role(current_user, '{role}', 'SET') THEN
        GRANT {role} TO CURRENT_USER WITH INHERIT FALSE, SET TRUE;
    END IF;
EXCEPTION WHEN insufficient_privilege THEN
    RAISE EXCEPTION USING ERRCODE = '42501', MESSAGE = format(
        'this login may not make or take the role {role}; have an administrator run:'
        ' CREATE ROLE {role} NOLOGIN (unless it exists);'
        ' GRANT {role} TO %I WITH INHERIT FALSE, SET TRUE', current_user);
END $$
"""

_SCHEMAS = """
REVOKE ALL ON SCHEMA veridical FROM PUBLIC;
GRANT USAGE ON SCHEMA veridical TO veridical_app, veridical_worker, veridical_operator,
    veridical_tracer;
CREATE SCHEMA IF NOT EXISTS dbos AUTHORIZATION veridical_dbos
"""

_GRANTS = """
REVOKE ALL ON ALL TABLES IN SCHEMA veridical FROM PUBLIC;
GRANT SELECT ON veridical.alembic_version, veridical.workers
    TO veridical_app, veridical_worker, veridical_operator;
GRANT INSERT, UPDATE, DELETE ON veridical.workers TO veridical_worker;

GRANT SELECT ON veridical.tenants TO veridical_app, veridical_worker, veridical_operator;
GRANT INSERT, UPDATE (name, scope, limits) ON veridical.tenants TO veridical_operator;
GRANT SELECT, INSERT, UPDATE (revoked_at) ON veridical.api_keys
    TO veridical_app, veridical_operator;

GRANT SELECT ON veridical.run_requests, veridical.inbox, veridical.decisions
    TO veridical_app, veridical_worker, veridical_operator;
GRANT INSERT, UPDATE (status, workflow_id, answer, error, finished_at) ON veridical.run_requests
    TO veridical_app;
GRANT INSERT, UPDATE, DELETE ON veridical.run_requests TO veridical_worker;
GRANT INSERT, UPDATE (warned_at) ON veridical.inbox TO veridical_app, veridical_worker;
GRANT INSERT ON veridical.decisions TO veridical_app, veridical_worker;

GRANT SELECT ON veridical.audit TO veridical_app, veridical_worker, veridical_operator;
GRANT INSERT (tenant, actor, action, subject, detail) ON veridical.audit
    TO veridical_app, veridical_worker, veridical_operator;

GRANT SELECT ON veridical.runs, veridical.events
    TO veridical_app, veridical_worker, veridical_operator;
GRANT INSERT, UPDATE (tenant, caller, started_at, outcome) ON veridical.runs
    TO veridical_app, veridical_worker, veridical_tracer;
GRANT INSERT ON veridical.events TO veridical_app, veridical_worker, veridical_tracer;
GRANT SELECT ON veridical.runs TO veridical_tracer;
GRANT SELECT (trace_id, sequence) ON veridical.events TO veridical_tracer;
GRANT DELETE ON veridical.runs, veridical.events TO veridical_worker
"""

_TENANT = "(SELECT nullif(current_setting('veridical.tenant', true), ''))"
_KEY = "(SELECT nullif(current_setting('veridical.key', true), ''))"
_OWN = f"tenant = {_TENANT}"
_OWN_TRACE = (
    "EXISTS (SELECT FROM veridical.runs WHERE runs.trace_id = events.trace_id"
    f" AND runs.tenant = {_TENANT})"  # made of constants
)
_SEES_ALL = "veridical_worker, veridical_operator"

_PROTECTED = (
    "tenants", "api_keys", "run_requests", "inbox", "decisions", "audit", "runs", "events",
)  # fmt: skip

_POLICIES = (
    f"of_tenant ON veridical.tenants TO veridical_app USING (id = {_TENANT})",
    f"of_all ON veridical.tenants TO {_SEES_ALL} USING (true)",
    f"of_tenant ON veridical.api_keys TO veridical_app USING ({_OWN})",
    # The key that a request presents, before anybody knows whose it is.
    f"presented ON veridical.api_keys FOR SELECT TO veridical_app USING (id = {_KEY})",
    "of_all ON veridical.api_keys TO veridical_operator USING (true)",
    *(
        policy
        for table in ("run_requests", "inbox", "decisions")
        for policy in (
            f"of_tenant ON veridical.{table} TO veridical_app USING ({_OWN})",
            f"of_all ON veridical.{table} TO {_SEES_ALL} USING (true)",
        )
    ),
    f"of_tenant ON veridical.audit FOR SELECT TO veridical_app USING ({_OWN})",
    # Who could not be identified has no tenant; what they tried is noted under none.
    "adding ON veridical.audit FOR INSERT TO veridical_app"
    f" WITH CHECK (tenant = coalesce({_TENANT}, ''))",
    f"of_all ON veridical.audit TO {_SEES_ALL} USING (true)",
    f"of_tenant ON veridical.runs TO veridical_app USING ({_OWN})",
    f"of_all ON veridical.runs TO {_SEES_ALL}, veridical_tracer USING (true)",
    f"of_tenant ON veridical.events TO veridical_app USING ({_OWN_TRACE})",
    f"of_all ON veridical.events TO {_SEES_ALL}, veridical_tracer USING (true)",
)

_APPEND_ONLY = (
    """
    CREATE FUNCTION veridical.audit_stays() RETURNS trigger LANGUAGE plpgsql
    SET search_path = pg_catalog AS $$ BEGIN
        RAISE EXCEPTION 'the audit is only ever added to' USING ERRCODE = '42501';
    END $$
    """,
    "REVOKE ALL ON FUNCTION veridical.audit_stays() FROM PUBLIC",
    "CREATE TRIGGER audit_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON veridical.audit"
    " FOR EACH STATEMENT EXECUTE FUNCTION veridical.audit_stays()",
    # Also for sessions that replay a replication stream, where triggers are silent by default.
    "ALTER TABLE veridical.audit ENABLE ALWAYS TRIGGER audit_stays",
)


def upgrade() -> None:
    """Roles first, then what they may do, then which rows."""
    for role in _ROLES:
        op.execute(_ROLE.format(role=role))
    for statement in (*_SCHEMAS.split(";"), *_GRANTS.split(";")):
        op.execute(statement)
    for table in _PROTECTED:
        op.execute(f"ALTER TABLE veridical.{table} ENABLE ROW LEVEL SECURITY")
        op.execute(f"ALTER TABLE veridical.{table} FORCE ROW LEVEL SECURITY")
    for policy in _POLICIES:
        op.execute(f"CREATE POLICY {policy}")
    for statement in _APPEND_ONLY:
        op.execute(statement)


def downgrade() -> None:
    """There is none."""
    refuse_downgrade()
