"""Opens the runtime for a command, and the local caller that it acts for."""

import re
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from veridical.answering.file_feature import FILES
from veridical.cli.error_reporting import UsageError, err
from veridical.cli.own_database import operator_name
from veridical.contracts.caller import Caller, scope_of
from veridical.contracts.language import Language
from veridical.contracts.settings_file import SETTINGS_FILE
from veridical.host.errors import SetupError
from veridical.host.feature_pack import pack_of
from veridical.host.runtime import Runtime, likened, open_runtime
from veridical.host.settings import (
    READER,
    SAMPLE,
    FeatureSettings,
    RuntimeSettings,
    read_runtime_settings,
)
from veridical.messages import message
from veridical.ontology.load import load_ontology
from veridical.ontology.pack import Pack, PackNotFoundError, load_pack
from veridical.sample.caller import SAMPLE_TENANT, sample_caller
from veridical.sample.folder import sample_folder
from veridical.sample.settings import sampled

if TYPE_CHECKING:
    from veridical.sample.postgres import Started

_SAMPLE = "trustee"
"""The default pack, which ships with Veridical."""
_NAMELESS = "data"


def runtime_settings(
    feature: str, database: str, role: str, language: Language, ontology: str = ""
) -> RuntimeSettings:
    """The settings of ``veridical.toml``, with this one feature: on the named database, else
    where the file has it, else on the pack's sample books. An ontology that was named knows the
    data instead of a pack."""
    settings = read_runtime_settings(SETTINGS_FILE)
    if ontology:
        known = own_feature(feature, database, role, language, ontology)
    else:
        known = _known(settings, feature, database, role, language)
    return replace(settings, features=(known,))


def file_settings(feature: str, files: list[str]) -> RuntimeSettings:
    """The settings of ``veridical.toml``, with one feature: these data files."""
    settings = read_runtime_settings(SETTINGS_FILE)
    known = FeatureSettings(name=feature or FILES, files=tuple(map(Path, files)))
    return replace(settings, features=(known,))


def own_feature(
    feature: str, database: str, role: str, language: Language, ontology: str
) -> FeatureSettings:
    """The feature of an ontology file and a database. Raises ``LoadError`` and ``UsageError``."""
    if not database:
        raise UsageError(message("cli.ontology_needs_database", language))
    code = load_ontology(ontology).feature_code
    made = FeatureSettings(
        name=feature or re.sub(r"^[^A-Za-z]+|[^A-Za-z0-9_.-]+", "", code)[:60] or _NAMELESS,
        ontology=Path(ontology),
        database=database,
        accept_rewriting_only=True,  # who names a file here can read all of it without us
    )
    return made if role == READER else made.model_copy(update={"role": role})


def _known(
    settings: RuntimeSettings, feature: str, database: str, role: str, language: Language
) -> FeatureSettings:
    names = [each.name for each in settings.features]
    if not feature and len(names) > 1 and _SAMPLE not in names:
        raise UsageError(message("setup.which_feature", language, known=", ".join(names)))
    name = feature or (names[0] if len(names) == 1 else _SAMPLE)
    known = next((each for each in settings.features if each.name == name), None)
    if known is not None and known.ontology is not None:
        return known.model_copy(update={"database": database}) if database else known
    if known is not None and not database:
        return known
    with reported_setup_errors(language):
        load_pack(name)
    return FeatureSettings(
        name=name,
        database=database or SAMPLE,
        role=role,
        accept_rewriting_only=True,  # as above
    )


@asynccontextmanager
async def opened_runtime(
    settings: RuntimeSettings, language: Language, started: "Started | None" = None
) -> AsyncGenerator[Runtime]:
    """The runtime of these settings, with a local PostgreSQL where sample books are used: the one
    that is ``started`` already, where there is one."""
    with reported_setup_errors(language), sampled(settings, sample_folder(), started) as ready:
        async with open_runtime(ready) as runtime:
            for name, tables in runtime.missing_tables.items():
                values = {"feature": name, "tables": likened(tables, runtime.features[name])}
                err.print(message("setup.missing_tables", language, **values), style="yellow")
            yield runtime


def local_caller(feature: FeatureSettings, scope: list[str], language: Language) -> Caller:
    """The local caller: of the tenant that was named, or else of the sample books."""
    with reported_setup_errors(language):
        pack = pack_of(feature)
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
