"""``veridical db``: bring Veridical's own database to this release, and see whether it is there."""

import typer

from veridical.cli.friendly import REFUSED, UsageError, err, friendly, out
from veridical.cli.own_database import AsJson, Database, In, own_settings
from veridical.contracts.language import Language
from veridical.messages import say

app = typer.Typer(no_args_is_help=True, help="Upgrade and check Veridical's own database.")


@app.command("upgrade")
def upgrade_command(database: Database = None, language: In = Language.EN) -> None:
    """Run the migrations that are missing, as the owner of the database. It can be run again."""
    with friendly(language):
        settings = own_settings(database, language)
        from veridical.runs.dbos_setup import prepare_engine
        from veridical.store.connection import UnreachableError
        from veridical.store.migrate import MigrationError, upgrade

        try:
            revision = upgrade(settings.database_url)
            prepare_engine(settings)
        except UnreachableError as error:
            raise UsageError(error.message(language)) from error
        except MigrationError as error:
            raise UsageError(error.message(language)) from error
        out.print(say("tenancy.upgraded", language, revision=revision), highlight=False)


@app.command("check")
def check_command(
    database: Database = None, language: In = Language.EN, as_json: AsJson = False
) -> None:
    """Compare the database with what this release expects: tables, row policies, the audit."""
    with friendly(language):
        settings = own_settings(database, language)
        from veridical.store.connection import UnreachableError
        from veridical.store.migrate import MigrationError, check, newest

        try:
            differences = check(settings.database_url)
        except UnreachableError as error:
            raise UsageError(error.message(language)) from error
        except MigrationError as error:
            raise UsageError(error.message(language)) from error
        if as_json:
            out.print_json(data={"revision": newest(), "differences": differences})
        elif not differences:
            out.print(say("tenancy.agrees", language, revision=newest()), highlight=False)
        else:
            err.print(say("tenancy.differs", language), style="red")
            for difference in differences:
                err.print(f"  {difference}", markup=False, highlight=False)
        if differences:
            raise typer.Exit(REFUSED)
