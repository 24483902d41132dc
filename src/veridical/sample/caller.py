"""Who asks the sample data."""

from veridical.contracts.caller import Caller, scope_of
from veridical.ontology.pack import Pack

SAMPLE_TENANT = ("m-001", "m-001-a")
"""The default tenant of the sample data."""


def sample_caller(pack: Pack, *tenant: str) -> Caller:
    """A caller of one tenant: a value for each tenant column, in the pack's order.

    Of data without tenants, everybody sees all.
    """
    columns = next(iter(pack.tenant_columns.values()), ())
    allowed = {column: (value,) for column, value in zip(columns, tenant, strict=True)}
    return Caller(scope=scope_of(allowed, pack.open_tables), name=next(iter(tenant), ""))
