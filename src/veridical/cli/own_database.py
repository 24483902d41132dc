"""Veridical's own database: opened for commands, migrated and checked by ``veridical db``."""

import getpass
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer
from pydantic import ValidationError

from veridical.cli.error_reporting import REFUSED, UsageError, err, mistaken_setting, out
from veridical.cli.options import AsJson, In
from veridical.contracts.extras import require
from veridical.contracts.language import Language
from veridical.messages import message

if TYPE_CHECKING:
    from veridical.engines.gap import Finding
    from veridical.host.settings import FeatureSettings
    from veridical.runs.settings import RunsSettings
    from veridical.store.connection import Store


Database = Annotated[
    str | None,
    typer.Option(
        help="postgresql://… of Veridical's own tables; else VERIDICAL_RUNS_DATABASE_URL."
    ),
]
OPERATOR = "operator "
"""Prefix of this machine's user in the audit."""


def own_settings(database: str | None, language: Language) -> "RunsSettings":
    """The database that was named, or else the one of the environment or of ``veridical.toml``."""
    require("runs")
    from veridical.runs.settings import read_runs_settings

    try:
        return read_runs_settings(database_url=database)
    except ValidationError as error:
        if all(each["loc"] == ("database_url",) for each in error.errors()):
            raise UsageError(message("tenancy.needs_database", language)) from error
        raise mistaken_setting(error, language) from error


def has_own_database() -> bool:
    """Whether the environment or ``veridical.toml`` names one."""
    require("runs")
    from veridical.runs.settings import read_runs_settings

    try:
        return bool(read_runs_settings().database_url)
    except ValidationError as error:
        return any(each["loc"] != ("database_url",) for each in error.errors())


@contextmanager
def opened_store(database: str | None, language: Language) -> Generator["Store"]:
    """The store, closed when the block ends; errors are reported in a sentence."""
    settings = own_settings(database, language)
    from sqlalchemy.exc import ProgrammingError

    from veridical.store.connection import Store, UnreachableError

    try:
        store = Store(settings.database_url, connections=1, pgbouncer=settings.pgbouncer)
        try:
            yield store
        finally:
            store.close()
    except UnreachableError as error:
        raise UsageError(error.message(language)) from error
    except ProgrammingError as error:  # a table or a right that a migration brings
        raise UsageError(message("tenancy.not_migrated", language)) from error


def operator_name() -> str:
    """The name of the operator, for the audit: this machine's user."""
    return f"{OPERATOR}{user_name()}".strip()


def user_name() -> str:
    """This machine's user; empty in a container that runs under a number without a name."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return ""


app = typer.Typer(no_args_is_help=True, help="Upgrade and check Veridical's own database.")


@app.command("upgrade")
def upgrade_command(database: Database = None, language: In = Language.EN) -> None:
    """Run the missing migrations, as the owner of the database. Can be repeated."""
    settings = own_settings(database, language)
    from sqlalchemy.exc import DBAPIError

    from veridical.runs.dbos_setup import prepare_engine
    from veridical.store.connection import UnreachableError
    from veridical.store.migrate import MigrationError, failed, upgrade

    try:
        revision = upgrade(settings.database_url)
        prepare_engine(settings)
    except (UnreachableError, MigrationError) as error:
        raise UsageError(error.message(language)) from error
    except DBAPIError as error:  # tables of the engine that another role owns
        raise UsageError(failed(error).message(language)) from error
    out.print(message("tenancy.upgraded", language, revision=revision))


@app.command("check")
def check_command(
    database: Database = None, language: In = Language.EN, as_json: AsJson = False
) -> None:
    """Compare the database with what this release expects, and check the features' reader roles.

    Checks tables, row policies and the audit of Veridical's own database; for each feature of
    veridical.toml, whether its role keeps tenants apart.
    """
    settings = own_settings(database, language)
    from veridical.store.connection import UnreachableError
    from veridical.store.migrate import MigrationError, check, newest

    try:
        differences = check(settings.database_url)
    except (UnreachableError, MigrationError) as error:
        raise UsageError(error.message(language)) from error
    readers = _readers()
    if as_json:
        gap_names = {feature.name: [str(each) for each in gaps] for feature, gaps in readers}
        out.print_json(
            data={"revision": newest(), "differences": differences, "readers": gap_names}
        )
    elif not differences:
        out.print(message("tenancy.agrees", language, revision=newest()))
    else:
        err.print(message("tenancy.differs", language), style="red")
        for difference in differences:
            err.print(f"  {difference}")
    if not as_json:
        for feature, gaps in readers:
            _tell_reader(feature, gaps, language)
    from veridical.host.tenant_isolation import refusing

    if differences or any(refusing(feature, gaps) for feature, gaps in readers):
        raise typer.Exit(REFUSED)


@app.command("clear-results")
def clear_results_command(
    tenant: Annotated[str, typer.Option(help="Only those of this tenant.")] = "",
    feature: Annotated[str, typer.Option(help="Only those of this feature.")] = "",
    database: Database = None,
    language: In = Language.EN,
) -> None:
    """Delete kept results, for example after data was loaded: their statements run again."""
    with opened_store(database, language) as store, store.operator() as connection:
        from veridical.store.kept_results import clear_results

        gone = clear_results(connection, tenant, feature)
    out.print(message("tenancy.results_cleared", language, count=gone))


def _readers() -> "list[tuple[FeatureSettings, list[Finding]]]":
    """The features of ``veridical.toml`` with what is missing of their readers."""
    from veridical.host.settings import read_runtime_settings
    from veridical.host.tenant_isolation import isolation_gaps

    features = [
        each
        for each in read_runtime_settings().features
        if not each.on_sample and not each.files and each.role
    ]
    return [(each, isolation_gaps(each)) for each in features]


def _tell_reader(feature: "FeatureSettings", gaps: "list[Finding]", language: Language) -> None:
    from veridical.host.data_source import source_of
    from veridical.host.feature_pack import pack_of

    console = err if gaps else out
    if source_of(feature).kind.has_roles:
        key = "reader.lacking" if gaps else "reader.sound"
        heading = message(key, language, feature=feature.name, role=feature.role)
    else:
        heading = f"{feature.name}:" if gaps else ""
    if heading:
        console.print(heading)
    for each in gaps:
        text = message(f"reader.{each.gap}", language, name=each.name)
        console.print(f"  {text}")
    if pack_of(feature).has_tenants:
        lock = message(f"reader.lock_{source_of(feature).kind.lock}", language)
        out.print(message("reader.holds", language, feature=feature.name, lock=lock))
