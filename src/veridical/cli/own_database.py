"""Opens Veridical's own database for commands, with the options that they share."""

import getpass
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer
from pydantic import ValidationError

from veridical.cli.error_reporting import UsageError, mistaken_setting
from veridical.contracts.extras import require
from veridical.contracts.language import Language
from veridical.messages import message

if TYPE_CHECKING:
    from veridical.runs.settings import RunsSettings
    from veridical.store.connection import Store

Database = Annotated[
    str | None,
    typer.Option(
        help="postgresql://… of Veridical's own tables; else VERIDICAL_RUNS_DATABASE_URL."
    ),
]
In = Annotated[Language, typer.Option(help="The language of the texts.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
OPERATOR = "operator "
"""Before the name of this machine's user, in the audit."""


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
    try:
        return f"{OPERATOR}{getpass.getuser()}"
    except (KeyError, OSError):  # a container may run under a number that has no name
        return OPERATOR.strip()
