"""``veridical key``: API keys of tenants. A key is shown in full once, when it is created."""

from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from veridical.cli.error_reporting import UsageError, as_cell, err, out, reported_errors
from veridical.cli.own_database import AsJson, Database, In, opened_store, operator_name
from veridical.contracts.language import Language
from veridical.messages import message
from veridical.server.identity import Action, Role

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from veridical.server.keys import KeyInfo

app = typer.Typer(no_args_is_help=True, help="Make, list and revoke API keys; end sessions.")


@app.command("create")
def create_command(
    tenant: Annotated[str, typer.Argument(metavar="TENANT", help="Whose key it is.")],
    name: Annotated[str, typer.Option(help="The key's name, such as that of a program.")],
    role: Annotated[Role, typer.Option(help="What it may do.")] = Role.ANALYST,
    action: Annotated[
        list[Action] | None,
        typer.Option(help="Only this of what the role may; may be repeated."),
    ] = None,
    person: Annotated[
        str,
        typer.Option(help="Who will use it; its name where left out. Nobody approves their own."),
    ] = "",
    days: Annotated[float | None, typer.Option(min=0, help="How long it is valid.")] = None,
    database: Database = None,
    language: In = Language.EN,
    as_json: AsJson = False,
) -> None:
    """Create a key and show it, this once. The key alone goes to standard output."""
    with reported_errors(language):
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
        err.print(message("tenancy.key_once", language), highlight=False)
        out.print(made.key, highlight=False, markup=False, soft_wrap=True)


@app.command("list")
def list_command(
    tenant: Annotated[str | None, typer.Option(help="Only this tenant's keys.")] = None,
    database: Database = None,
    language: In = Language.EN,
    as_json: AsJson = False,
) -> None:
    """List keys, without their secrets."""
    with reported_errors(language):
        with _operating(database, language) as connection:
            from veridical.server.keys import keys

            found = keys(connection, tenant)
        if as_json:
            out.print_json(data=[each.model_dump(mode="json", by_alias=True) for each in found])
        elif found:
            out.print(_listed(found, language), highlight=False)
        else:
            out.print(message("tenancy.none", language))


@app.command("revoke")
def revoke_command(
    key: Annotated[str, typer.Argument(metavar="KEY", help="Its id, as list shows it.")],
    database: Database = None,
    language: In = Language.EN,
) -> None:
    """Revoke a key for good."""
    with reported_errors(language):
        with _operating(database, language, key=key) as connection:
            from veridical.server.keys import parse_key, revoke_key

            # Whoever has the whole key at hand may give that.
            info = revoke_key(connection, parse_key(key) or key, actor=operator_name())
        text = message("tenancy.key_revoked", language, key_id=info.id, name=info.name)
        out.print(text, highlight=False, markup=False)


@app.command("sign-out")
def sign_out_command(
    tenant: Annotated[str, typer.Argument(metavar="TENANT", help="Whose member it is.")],
    person: Annotated[str, typer.Argument(metavar="PERSON", help="As the console names them.")],
    database: Database = None,
    language: In = Language.EN,
) -> None:
    """End a person's sessions in all browsers. Their keys stay valid."""
    with reported_errors(language):
        with _operating(database, language, tenant) as connection:
            from veridical.server.sessions import end_sessions_of

            count = end_sessions_of(connection, tenant, person, actor=operator_name())
        out.print(message("sessions.ended", language, count=count), highlight=False)


@contextmanager
def _operating(
    database: str | None, language: Language, tenant: str = "", key: str = ""
) -> Generator["Connection"]:
    with opened_store(database, language) as store:
        from veridical.server.keys import KeyRefusedError
        from veridical.trace.redact import redact_text

        try:
            with store.operator() as connection:
                yield connection
        except KeyRefusedError as error:
            values = {"tenant": tenant, "key_id": redact_text(key)}
            raise UsageError(message(f"tenancy.{error.problem}", language, **values)) from error


def _listed(found: "tuple[KeyInfo, ...]", language: Language) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0))
    for name in ("key", "tenant", "name", "role", "state"):
        table.add_column(message(f"tenancy.column_{name}", language), overflow="fold")
    for each in found:
        until = f"{each.expires_at:%Y-%m-%d}" if each.expires_at else ""
        state = message(f"tenancy.{_state(each)}", language, until=until)
        table.add_row(*map(as_cell, (each.id, each.tenant, each.name, each.role, state)))
    return table


def _state(key: "KeyInfo") -> str:
    if key.revoked_at is not None:
        return "revoked"
    if key.expires_at is not None and key.expires_at <= datetime.now(UTC):
        return "expired"
    return "active" if key.expires_at is None else "active_until"
