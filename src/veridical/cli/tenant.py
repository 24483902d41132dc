"""``veridical tenant``: tenants, what they may see, and their limits."""

from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from veridical.cli.error_reporting import UsageError, as_cell, out, reported_errors
from veridical.cli.own_database import AsJson, Database, In, opened_store, operator_name
from veridical.contracts.language import Language
from veridical.messages import message
from veridical.server.identity import Limits

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from veridical.server.tenants import Tenant

app = typer.Typer(no_args_is_help=True, help="Make, change and disable tenants.")

Id = Annotated[str, typer.Argument(metavar="TENANT", help="The tenant's id.")]
PerMinute = Annotated[int | None, typer.Option(min=1, help="Requests in a minute.")]
KeyPerMinute = Annotated[int | None, typer.Option(min=1, help="Requests in a minute with one key.")]
Scopes = Annotated[
    list[str] | None,
    typer.Option(
        "--scope",
        metavar="FEATURE:COLUMN=VALUE,…",
        help="What the tenant sees of a feature; once for each column. FEATURE alone: no column.",
    ),
]


@app.command("create")
def create_command(
    tenant: Id,
    name: Annotated[str, typer.Option(help="Its name; the id where left out.")] = "",
    scope: Scopes = None,
    per_minute: PerMinute = None,
    key_per_minute: KeyPerMinute = None,
    database: Database = None,
    language: In = Language.EN,
) -> None:
    """Create a tenant."""
    with reported_errors(language):
        allowed = _scope(scope or [], language)
        with _operating(database, language) as connection:
            from veridical.server.tenants import create_tenant

            limits = Limits.model_validate(_given(per_minute, key_per_minute))
            create_tenant(
                connection, tenant, name or tenant, allowed, limits, actor=operator_name()
            )
        out.print(message("tenancy.tenant_made", language, tenant=tenant), highlight=False)


@app.command("list")
def list_command(
    database: Database = None, language: In = Language.EN, as_json: AsJson = False
) -> None:
    """List all tenants."""
    with reported_errors(language):
        with _operating(database, language) as connection:
            from veridical.server.tenants import tenants

            found = tenants(connection)
        if as_json:
            out.print_json(data=[each.model_dump(mode="json", by_alias=True) for each in found])
        elif found:
            out.print(_listed(found, language), highlight=False)
        else:
            out.print(message("tenancy.none", language))


@app.command("show")
def show_command(
    tenant: Id, database: Database = None, language: In = Language.EN, as_json: AsJson = False
) -> None:
    """Show a tenant's scope and limits."""
    with reported_errors(language):
        with _operating(database, language) as connection:
            found = _found(connection, tenant)
        if as_json:
            out.print_json(data=found.model_dump(mode="json", by_alias=True))
        else:
            out.print(_listed((found,), language), highlight=False)


@app.command("scope")
def scope_command(
    tenant: Id, scope: Scopes = None, database: Database = None, language: In = Language.EN
) -> None:
    """Set a tenant's whole scope: what is left out is removed. Runs started before keep the
    scope they had."""
    with reported_errors(language):
        allowed = _scope(scope or [], language)
        if not allowed:
            raise UsageError(message("tenancy.nothing_to_see", language))
        with _operating(database, language) as connection:
            from veridical.server.tenants import change_scope

            changed = change_scope(connection, tenant, allowed, actor=operator_name())
        out.print(_listed((changed,), language), highlight=False)


@app.command("disable")
def disable_command(tenant: Id, database: Database = None, language: In = Language.EN) -> None:
    """Refuse all credentials of a tenant. Its data and its keys stay."""
    with reported_errors(language):
        with _operating(database, language) as connection:
            from veridical.server.tenants import disable_tenant

            disable_tenant(connection, tenant, actor=operator_name())
        out.print(message("tenancy.tenant_disabled", language, tenant=tenant), highlight=False)


@app.command("enable")
def enable_command(tenant: Id, database: Database = None, language: In = Language.EN) -> None:
    """Accept the credentials of a tenant again."""
    with reported_errors(language):
        with _operating(database, language) as connection:
            from veridical.server.tenants import enable_tenant

            enable_tenant(connection, tenant, actor=operator_name())
        out.print(message("tenancy.tenant_enabled", language, tenant=tenant), highlight=False)


@app.command("limit")
def limit_command(
    tenant: Id,
    per_minute: PerMinute = None,
    key_per_minute: KeyPerMinute = None,
    database: Database = None,
    language: In = Language.EN,
) -> None:
    """Set a tenant's limits. What is left out stays as it is."""
    with reported_errors(language):
        changed = _given(per_minute, key_per_minute)
        if not changed:
            raise UsageError(message("tenancy.nothing_to_limit", language))
        with _operating(database, language) as connection:
            from veridical.server.tenants import change_limits

            held = _found(connection, tenant).limits.model_dump(exclude_unset=True)
            limits = Limits.model_validate({**held, **changed})
            change_limits(connection, tenant, limits, actor=operator_name())
        payload = limits.model_dump()
        out.print(
            message("tenancy.tenant_limited", language, tenant=tenant, **payload), highlight=False
        )


def _found(connection: "Connection", tenant: str) -> "Tenant":
    from veridical.server.tenants import TenantError, find_tenant

    found = find_tenant(connection, tenant)
    if found is None:
        raise TenantError("no_tenant", tenant)
    return found


@contextmanager
def _operating(database: str | None, language: Language) -> Generator["Connection"]:
    with opened_store(database, language) as store:
        from veridical.server.tenants import TenantError

        try:
            with store.operator() as connection:
                yield connection
        except TenantError as error:
            text = message(f"tenancy.{error.problem}", language, tenant=error.tenant)
            raise UsageError(text) from error


def _given(per_minute: int | None, key_per_minute: int | None) -> dict[str, int]:
    limits = {"per_minute": per_minute, "key_per_minute": key_per_minute}
    return {name: value for name, value in limits.items() if value is not None}


def _scope(given: list[str], language: Language) -> dict[str, dict[str, tuple[str, ...]]]:
    allowed: dict[str, dict[str, tuple[str, ...]]] = {}
    for each in given:
        feature, has_column, rest = each.partition(":")
        column, has_values, values = rest.partition("=")
        listed = tuple(value for value in values.split(",") if value)
        whole = has_column and column and has_values and listed
        if not feature or (has_column and not whole):
            raise UsageError(message("tenancy.bad_scope", language, given=each))
        columns = allowed.setdefault(feature, {})
        if has_column:
            columns[column] = (*columns.get(column, ()), *listed)
    return allowed


def _listed(found: "tuple[Tenant, ...]", language: Language) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0))
    for name in ("tenant", "name", "scope", "limits", "state"):
        table.add_column(message(f"tenancy.column_{name}", language), overflow="fold")
    for each in found:
        seen = (
            " ".join(
                (feature, *(f"{name}={','.join(map(str, of))}" for name, of in columns.items()))
            )
            for feature, columns in each.scope.items()
        )
        state = message(f"tenancy.{'active' if each.disabled_at is None else 'disabled'}", language)
        limits = str(each.limits.per_minute)
        table.add_row(*map(as_cell, (each.id, each.name, "; ".join(seen), limits, state)))
    return table
