"""``veridical db``: migrate Veridical's own database, and check it."""

from typing import TYPE_CHECKING

import typer

from veridical.cli.error_reporting import REFUSED, UsageError, err, out, reported_errors
from veridical.cli.own_database import AsJson, Database, In, own_settings
from veridical.contracts.language import Language
from veridical.messages import message

if TYPE_CHECKING:
    from veridical.engines.gap import Finding
    from veridical.host.settings import FeatureSettings

app = typer.Typer(no_args_is_help=True, help="Upgrade and check Veridical's own database.")


@app.command("upgrade")
def upgrade_command(database: Database = None, language: In = Language.EN) -> None:
    """Run the missing migrations, as the owner of the database. Can be repeated."""
    with reported_errors(language):
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
        out.print(message("tenancy.upgraded", language, revision=revision), highlight=False)


@app.command("check")
def check_command(
    database: Database = None, language: In = Language.EN, as_json: AsJson = False
) -> None:
    """Compare the database with what this release expects, and check the features' reader roles.

    Checks tables, row policies and the audit of Veridical's own database; for each feature of
    veridical.toml, whether its role keeps tenants apart.
    """
    with reported_errors(language):
        settings = own_settings(database, language)
        from veridical.store.connection import UnreachableError
        from veridical.store.migrate import MigrationError, check, newest

        try:
            differences = check(settings.database_url)
        except UnreachableError as error:
            raise UsageError(error.message(language)) from error
        except MigrationError as error:
            raise UsageError(error.message(language)) from error
        readers = _readers()
        if as_json:
            told = {feature.name: [str(each) for each in gaps] for feature, gaps in readers}
            out.print_json(data={"revision": newest(), "differences": differences, "readers": told})
        elif not differences:
            out.print(message("tenancy.agrees", language, revision=newest()), highlight=False)
        else:
            err.print(message("tenancy.differs", language), style="red")
            for difference in differences:
                err.print(f"  {difference}", markup=False, highlight=False)
        if not as_json:
            for feature, gaps in readers:
                _tell_reader(feature, gaps, language)
        from veridical.host.tenant_isolation import refusing

        if differences or any(refusing(feature, gaps) for feature, gaps in readers):
            raise typer.Exit(REFUSED)


def _readers() -> "list[tuple[FeatureSettings, list[Finding]]]":
    """The features of ``veridical.toml`` with what is missing of their readers."""
    from veridical.host.settings import read_runtime_settings
    from veridical.host.tenant_isolation import isolation_gaps

    asked = [each for each in read_runtime_settings().features if not each.on_sample and each.role]
    return [(each, isolation_gaps(each)) for each in asked]


def _tell_reader(feature: "FeatureSettings", gaps: "list[Finding]", language: Language) -> None:
    from veridical.host.data_source import source_of
    from veridical.host.feature_pack import pack_of

    told = err if gaps else out
    if source_of(feature).kind.has_roles:
        key = "reader.lacking" if gaps else "reader.sound"
        heading = message(key, language, feature=feature.name, role=feature.role)
    else:
        heading = f"{feature.name}:" if gaps else ""
    if heading:
        told.print(heading, markup=False, highlight=False)
    for each in gaps:
        text = message(f"reader.{each.gap}", language, name=each.name)
        told.print(f"  {text}", markup=False, highlight=False)
    if pack_of(feature).has_tenants:
        lock = message(f"reader.lock_{source_of(feature).kind.lock}", language)
        holds = message("reader.holds", language, feature=feature.name, lock=lock)
        out.print(holds, markup=False, highlight=False)
