"""Database roles: each part of the system has only the rights it needs."""

from enum import StrEnum


class DatabaseRole(StrEnum):
    """Roles that cannot log in; a login acts as one of them within a transaction."""

    APP = "veridical_app"
    """The server: one tenant's rows at a time; writes to the audit, and never changes it."""
    WORKER = "veridical_worker"
    """Workers: the runs of all tenants."""
    OPERATOR = "veridical_operator"
    """Commands of the operator: tenants and keys."""
    TRACER = "veridical_tracer"
    """Adds to the traces of all tenants, and can read none of them."""
    DBOS = "veridical_dbos"
    """Owns the schema ``dbos``, the engine's own tables."""
