"""The settings that a client is opened with: a file, a value, or data that is named directly."""

from dataclasses import replace
from os import PathLike, fspath
from pathlib import Path

from veridical.contracts.schema import Schema
from veridical.contracts.settings_file import SETTINGS_FILE, UnknownSettingError
from veridical.host.errors import SetupError, SetupProblem
from veridical.host.settings import FeatureSettings, RuntimeSettings, read_runtime_settings
from veridical.ontology.errors import LoadError
from veridical.ontology.model import OntologyDescriptor
from veridical.ontology.pack import Pack

Settings = str | PathLike[str] | RuntimeSettings
_BARE = "data"
"""The feature of a database that no pack knows."""


def client_settings(
    given: Settings | None, pack: str | Pack | None, database: str, role: str | None, model: str
) -> RuntimeSettings:
    """The given settings, else those of ``veridical.toml`` and the environment; one feature where
    a pack or a database is named. Raises ``LoadError``."""
    settings = given if isinstance(given, RuntimeSettings) else _read(given)
    if model:
        agent = settings.agent.model_copy(update={"model": model})
        settings = replace(settings, agent=agent)
    if pack is None and not database:
        return settings
    return _on_one(settings, pack or _without_ontology(), database, role)


def _read(given: str | PathLike[str] | None) -> RuntimeSettings:
    """The settings of a file; one that was named must be there."""
    path = SETTINGS_FILE if given is None else Path(fspath(given))
    if given is not None and not path.is_file():
        raise SetupError(SetupProblem.NO_SETTINGS_FILE, path=str(path))
    try:
        return read_runtime_settings(path)
    except UnknownSettingError as error:
        raise LoadError(str(error)) from error


def _on_one(
    settings: RuntimeSettings, pack: str | Pack, database: str, role: str | None
) -> RuntimeSettings:
    """The settings with one feature: on the database that was named, else where they have it."""
    name = pack.name if isinstance(pack, Pack) else pack
    packs = {**settings.packs, name: pack} if isinstance(pack, Pack) else settings.packs
    known = next((each for each in settings.features if each.name == name), None)
    if database:
        known = FeatureSettings(name=name, database=database)
    if known is None:
        raise SetupError(SetupProblem.UNNAMED_DATABASE, feature=name)
    if role is not None:
        known = known.model_copy(update={"role": role})
    return replace(settings, features=(known,), packs=packs)


def _without_ontology() -> Pack:
    """The pack of data without a description: only its names and types are known."""
    return Pack(_BARE, OntologyDescriptor(feature_code=_BARE), Schema.of(()))
