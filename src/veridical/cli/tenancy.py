"""``veridical tenant`` and ``veridical key``: tenants, what they may see, their limits, and their
API keys. A key is shown in full once, when it is created."""

from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from veridical.cli.error_reporting import UsageError, as_cell, err, out, print_models
from veridical.cli.options import AsJson, In
from veridical.cli.own_database import Database, opened_store, operator_name
from veridical.contracts.language import Language
from veridical.messages import message
from veridical.server.identity import Action, Limits, Role

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from veridical.server.keys import KeyInfo
    from veridical.server.tenants import Tenant

tenant_app = typer.Typer(no_args_is_help=True, help="Make, change and disable tenants.")
key_app = typer.Typer(no_args_is_help=True, help="Make, list and revoke API keys; end sessions.")

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


@tenant_app.command("create")
def create_tenant_command(
    tenant: Id,
    name: Annotated[str, typer.Option(help="Its name; the id where left out.")] = "",
    scope: Scopes = None,
    per_minute: PerMinute = None,
    key_per_minute: KeyPerMinute = None,
    database: Database = None,
    language: In = Language.EN,
) -> None:
    """Create a tenant."""
    allowed = _scope(scope or [], language)
    with _operating(database, language) as connection:
        from veridical.server.tenants import create_tenant

        limits = Limits.model_validate(_given(per_minute, key_per_minute))
        create_tenant(connection, tenant, name or tenant, allowed, limits, actor=operator_name())
    out.print(message("tenancy.tenant_made", language, tenant=tenant))


@tenant_app.command("list")
def list_tenants_command(
    database: Database = None, language: In = Language.EN, as_json: AsJson = False
) -> None:
    """List all tenants."""
    with _operating(database, language) as connection:
        from veridical.server.tenants import tenants

        found = tenants(connection)
    if as_json:
        print_models(found)
    elif found:
        out.print(_tenant_table(found, language))
    else:
        out.print(message("tenancy.none", language))


@tenant_app.command("show")
def show_tenant_command(
    tenant: Id, database: Database = None, language: In = Language.EN, as_json: AsJson = False
) -> None:
    """Show a tenant's scope and limits."""
    with _operating(database, language) as connection:
        found = _tenant(connection, tenant)
    if as_json:
        out.print_json(data=found.model_dump(mode="json", by_alias=True))
    else:
        out.print(_tenant_table((found,), language))


@tenant_app.command("scope")
def scope_command(
    tenant: Id, scope: Scopes = None, database: Database = None, language: In = Language.EN
) -> None:
    """Set a tenant's whole scope: what is left out is removed. Runs started before keep the
    scope they had."""
    allowed = _scope(scope or [], language)
    if not allowed:
        raise UsageError(message("tenancy.nothing_to_see", language))
    with _operating(database, language) as connection:
        from veridical.server.tenants import change_scope

        changed = change_scope(connection, tenant, allowed, actor=operator_name())
    out.print(_tenant_table((changed,), language))


@tenant_app.command("disable")
def disable_command(tenant: Id, database: Database = None, language: In = Language.EN) -> None:
    """Refuse all credentials of a tenant. Its data and its keys stay."""
    with _operating(database, language) as connection:
        from veridical.server.tenants import disable_tenant

        disable_tenant(connection, tenant, actor=operator_name())
    out.print(message("tenancy.tenant_disabled", language, tenant=tenant))


@tenant_app.command("enable")
def enable_command(tenant: Id, database: Database = None, language: In = Language.EN) -> None:
    """Accept the credentials of a tenant again."""
    with _operating(database, language) as connection:
        from veridical.server.tenants import enable_tenant

        enable_tenant(connection, tenant, actor=operator_name())
    out.print(message("tenancy.tenant_enabled", language, tenant=tenant))


@tenant_app.command("limit")
def limit_command(
    tenant: Id,
    per_minute: PerMinute = None,
    key_per_minute: KeyPerMinute = None,
    database: Database = None,
    language: In = Language.EN,
) -> None:
    """Set a tenant's limits. What is left out stays as it is."""
    changed = _given(per_minute, key_per_minute)
    if not changed:
        raise UsageError(message("tenancy.nothing_to_limit", language))
    with _operating(database, language) as connection:
        from veridical.server.tenants import change_limits

        before = _tenant(connection, tenant).limits.model_dump(exclude_unset=True)
        limits = Limits.model_validate({**before, **changed})
        change_limits(connection, tenant, limits, actor=operator_name())
    payload = limits.model_dump()
    out.print(message("tenancy.tenant_limited", language, tenant=tenant, **payload))


@key_app.command("create")
def create_key_command(
    tenant: Annotated[str, typer.Argument(metavar="TENANT", help="Whose key it is.")],
    name: Annotated[str, typer.Option(help="The key's name, such as that of a program.")],
    role: Annotated[Role, typer.Option(help="What it may do.")] = Role.ANALYST,
    action: Annotated[
        list[Action] | None, typer.Option(help="Only this of what the role may; may be repeated.")
    ] = None,
    person: Annotated[
        str,
        typer.Option(help="Who will use it, else its name. They can't approve their own requests."),
    ] = "",
    days: Annotated[float | None, typer.Option(min=0, help="How long it is valid.")] = None,
    database: Database = None,
    language: In = Language.EN,
    as_json: AsJson = False,
) -> None:
    """Create a key and show it, this once. The key alone goes to standard output."""
    with _operating(database, language, tenant) as connection:
        from veridical.server.keys import create_key

        made = create_key(
            connection,
            tenant,
            name,
            role,
            action or None,
            None if days is None else datetime.now(UTC) + timedelta(days=days),
            actor=operator_name(),
            person=person,
        )
    if as_json:
        out.print_json(made.model_dump_json(by_alias=True))
        return
    err.print(message("tenancy.key_once", language))
    out.print(made.key, soft_wrap=True)


@key_app.command("list")
def list_keys_command(
    tenant: Annotated[str | None, typer.Option(help="Only this tenant's keys.")] = None,
    database: Database = None,
    language: In = Language.EN,
    as_json: AsJson = False,
) -> None:
    """List keys, without their secrets."""
    with _operating(database, language) as connection:
        from veridical.server.keys import keys

        found = keys(connection, tenant)
    if as_json:
        print_models(found)
    elif found:
        out.print(_key_table(found, language))
    else:
        out.print(message("tenancy.none", language))


@key_app.command("revoke")
def revoke_command(
    key: Annotated[str, typer.Argument(metavar="KEY", help="Its id, as list shows it.")],
    database: Database = None,
    language: In = Language.EN,
) -> None:
    """Revoke a key for good."""
    with _operating(database, language, key=key) as connection:
        from veridical.server.keys import parse_key, revoke_key

        # The whole key may be given, too.
        info = revoke_key(connection, parse_key(key) or key, actor=operator_name())
    out.print(message("tenancy.key_revoked", language, key_id=info.id, name=info.name))


@key_app.command("sign-out")
def sign_out_command(
    tenant: Annotated[str, typer.Argument(metavar="TENANT", help="Whose member it is.")],
    person: Annotated[str, typer.Argument(metavar="PERSON", help="As the console names them.")],
    database: Database = None,
    language: In = Language.EN,
) -> None:
    """End a person's sessions in all browsers. Their keys stay valid."""
    with _operating(database, language, tenant) as connection:
        from veridical.server.sessions import end_sessions_of

        count = end_sessions_of(connection, tenant, person, actor=operator_name())
    out.print(message("sessions.ended", language, count=count))


@contextmanager
def _operating(
    database: str | None, language: Language, tenant: str = "", key: str = ""
) -> Generator["Connection"]:
    """A connection of the operator; refusals that concern a tenant or a key are reported."""
    with opened_store(database, language) as store:
        from veridical.server.keys import KeyRefusedError
        from veridical.server.tenants import TenantError
        from veridical.trace.redact import redact_text

        try:
            with store.operator() as connection:
                yield connection
        except TenantError as error:
            text = message(f"tenancy.{error.problem}", language, tenant=error.tenant)
            raise UsageError(text) from error
        except KeyRefusedError as error:
            values = {"tenant": tenant, "key_id": redact_text(key)}
            raise UsageError(message(f"tenancy.{error.problem}", language, **values)) from error


def _tenant(connection: "Connection", tenant: str) -> "Tenant":
    from veridical.server.tenants import TenantError, find_tenant

    found = find_tenant(connection, tenant)
    if found is None:
        raise TenantError("no_tenant", tenant)
    return found


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


def _tenant_table(found: "Sequence[Tenant]", language: Language) -> Table:
    def cells(each: "Tenant") -> tuple[str, ...]:
        seen = (
            " ".join(
                (feature, *(f"{name}={','.join(map(str, of))}" for name, of in columns.items()))
            )
            for feature, columns in each.scope.items()
        )
        state = message(f"tenancy.{'active' if each.disabled_at is None else 'disabled'}", language)
        return each.id, each.name, "; ".join(seen), str(each.limits.per_minute), state

    return _table(("tenant", "name", "scope", "limits", "state"), map(cells, found), language)


def _key_table(found: "Sequence[KeyInfo]", language: Language) -> Table:
    def cells(each: "KeyInfo") -> tuple[str, ...]:
        until = f"{each.expires_at:%Y-%m-%d}" if each.expires_at else ""
        state = message(f"tenancy.{_state(each)}", language, until=until)
        return each.id, each.tenant, each.name, each.role, state

    return _table(("key", "tenant", "name", "role", "state"), map(cells, found), language)


def _table(columns: tuple[str, ...], rows: Iterable[tuple[str, ...]], language: Language) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0))
    for name in columns:
        table.add_column(message(f"tenancy.column_{name}", language), overflow="fold")
    for row in rows:
        table.add_row(*map(as_cell, row))
    return table


def _state(key: "KeyInfo") -> str:
    if key.revoked_at is not None:
        return "revoked"
    if key.expires_at is not None and key.expires_at <= datetime.now(UTC):
        return "expired"
    return "active" if key.expires_at is None else "active_until"
