"""Opens the runtime for a command, and the local caller that it acts for."""

from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace

from veridical.cli.error_reporting import UsageError, err
from veridical.cli.own_database import operator_name
from veridical.contracts.caller import Caller, scope_of
from veridical.contracts.language import Language
from veridical.contracts.settings_file import SETTINGS_FILE
from veridical.host.errors import SetupError
from veridical.host.runtime import Runtime, open_runtime
from veridical.host.settings import (
    SAMPLE,
    FeatureSettings,
    RuntimeSettings,
    read_runtime_settings,
)
from veridical.messages import message
from veridical.ontology.pack import Pack, PackNotFoundError, load_pack
from veridical.testing.sample import SAMPLE_TENANT, sample_caller
from veridical.testing.sampled import sample_folder, sampled


def runtime_settings(feature: str, database: str, role: str, language: Language) -> RuntimeSettings:
    """What ``veridical.toml`` says, with this one feature: on the database that was named, else
    where the file has it, else on the pack's sample books."""
    settings = read_runtime_settings(SETTINGS_FILE)
    known = next((each for each in settings.features if each.name == feature), None)
    if database or known is None:
        with reported_setup_errors(language):
            load_pack(feature)
        known = FeatureSettings(
            name=feature,
            database=database or SAMPLE,
            role=role,
            accept_rewriting_only=True,  # who names a file here can read all of it without us
        )
    return replace(settings, features=(known,))


@asynccontextmanager
async def opened_runtime(settings: RuntimeSettings, language: Language) -> AsyncGenerator[Runtime]:
    """The runtime of these settings, with a local PostgreSQL where sample books are asked."""
    with reported_setup_errors(language), sampled(settings, sample_folder()) as ready:
        async with open_runtime(ready) as runtime:
            for name, tables in runtime.missing_tables.items():
                values = {"feature": name, "tables": ", ".join(tables)}
                err.print(message("setup.missing_tables", language, **values), style="yellow")
            yield runtime


def local_caller(feature: FeatureSettings, scope: list[str], language: Language) -> Caller:
    """The local caller: of the tenant that was named, or else of the sample books."""
    with reported_setup_errors(language):
        pack = load_pack(feature.pack_name)
    if feature.on_sample and not scope:
        return replace(sample_caller(pack, *SAMPLE_TENANT), language=language)
    return _of_tenant(pack, scope, language)


def _of_tenant(pack: Pack, scope: list[str], language: Language) -> Caller:
    pairs = [each.partition("=") for each in scope]
    if (pack.has_tenants and not pairs) or any(not sign for _, sign, _ in pairs):
        columns = next(iter(pack.tenant_columns.values()), ())
        raise UsageError(message("cli.ask_scope", language, columns=", ".join(columns) or "-"))
    allowed = {name: (value,) for name, _, value in pairs}
    name = pairs[0][2] if pairs else operator_name()
    return Caller(scope=scope_of(allowed, pack.open_tables), language=language, name=name)


@contextmanager
def reported_setup_errors(language: Language) -> Generator[None]:
    """Reports setup errors as usage errors of the command."""
    try:
        yield
    except SetupError as error:
        raise UsageError(error.message(language)) from error
    except PackNotFoundError as error:
        raise UsageError(str(error)) from error
