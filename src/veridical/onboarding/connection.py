"""Connects data without a command line: its project, in a folder of its own below the settings."""

import re
import shutil
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from veridical.contracts.language import Language
from veridical.contracts.settings_file import SETTINGS_FILE
from veridical.engines.data_file import DataFile, table_names
from veridical.engines.kind import EngineKind
from veridical.engines.registry import addresses, engine_of
from veridical.engines.stored_addresses import store_address
from veridical.onboarding.budget import Budget
from veridical.onboarding.look import Look, Progress, look_at
from veridical.onboarding.project import (
    address_of,
    drafted,
    remove_from_settings,
    write_project,
)
from veridical.onboarding.schemas import choose_schemas
from veridical.ontology.errors import SourceError, SourceProblem
from veridical.ontology.model import OntologyDescriptor
from veridical.statement.errors import EngineError

CONNECTED = "connected"
"""The folder with one folder for each feature that was connected."""
_FILES = "files"
_UNTRACKED = "addresses.toml\n*/files/\n"
"""What version control leaves out: passwords and data."""
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,59}")


@dataclass(frozen=True, slots=True)
class Connection:
    """Data that is about to be connected."""

    home: Path
    """The folder of the settings."""
    name: str
    """The name of the feature."""
    address: str
    """An address with a scheme, or the folder of its files."""
    schemas: Sequence[str] = ()

    @property
    def project(self) -> Path:
        """The folder of its ontology, its questions and its profile."""
        return self.home / CONNECTED / self.name


@dataclass(frozen=True, slots=True)
class Connected:
    """Data that is in the settings now."""

    look: Look
    ontology: OntologyDescriptor
    other_schemas: tuple[str, ...] = ()
    """Schemas that hold tables as well and are not read."""


def is_feature_name(name: str) -> bool:
    """True if connected data may have this name."""
    return _NAME.fullmatch(name) is not None


def suggested_name(source: str) -> str:
    """The name of an address, or of a file."""
    found = address_of(source).name.replace(".", "-")[:60]
    return found if is_feature_name(found) else "data"


def kind_of(address: str) -> EngineKind:
    """The engine of an address with a scheme: paths of the server are for its command line.

    Raises ``SourceError``.
    """
    kind = engine_of(address) if "://" in address else None
    if kind is None:
        raise SourceError(SourceProblem.NO_SCHEME, scheme="–", known=addresses())
    return kind


def keep_files(home: Path, name: str, files: Sequence[DataFile]) -> Connection:
    """Keeps the tables of these files; the files themselves are not kept."""
    connection = Connection(home, name, (Path(CONNECTED) / name / _FILES).as_posix())
    folder = connection.project / _FILES
    folder.mkdir(parents=True, exist_ok=True)
    for tables, file in zip(table_names(files).values(), files, strict=True):
        for table, part in zip(tables, file.parts, strict=True):
            (folder / f"{table}.parquet").write_bytes(part)
    return connection


def connect(
    connection: Connection, budget: Budget, progress: Progress, language: Language
) -> Connected:
    """Profiles the data, drafts its project and adds it to the settings.

    Raises ``SourceError``, and ``EmptySchemaError`` where a person must choose.
    """
    place = connection.home / connection.address
    has_scheme = "://" in connection.address
    source = connection.address if has_scheme else str(place)
    kind = engine_of(source)
    if kind is None:
        raise SourceError(SourceProblem.NO_DATA_FILES, source=connection.name)
    address = address_of(connection.address, connection.name)
    try:
        with closing(kind.open(source, schemas=connection.schemas)) as database:
            schemas = choose_schemas(database, connection.schemas)
            schema = database.reflect()
            if not schema.tables:
                raise SourceError(SourceProblem.NO_TABLES, source=connection.name)
            look = look_at(database, connection.project, budget, progress)
            ontology = drafted(connection.name, look, schema, database.dialect)
            dialect = database.dialect
    except EngineError as error:
        raise kind.unreadable(connection.name) from error
    if address.variable:
        store_address(connection.home, address.variable, connection.address)
    untracked = connection.home / CONNECTED / ".gitignore"
    if not untracked.exists():
        untracked.write_text(_UNTRACKED, "utf-8")
    settings = connection.home / SETTINGS_FILE
    # Read as the login itself: a role that keeps tenants apart is for the owner to set up.
    address = replace(address, role="", schemas=schemas.named)
    write_project(connection.project, address, ontology, dialect, language, settings=settings)
    return Connected(look, ontology, () if schemas.named else tuple(schemas.others))


def disconnect(home: Path, name: str) -> bool:
    """Removes what was connected under this name: its settings, its address and its files.

    False if it was not connected this way, or its settings were changed beyond recognition.
    """
    project = home / CONNECTED / name
    if not is_feature_name(name) or not project.is_dir():
        return False
    removed = remove_from_settings(home / SETTINGS_FILE, name)
    if removed is None:
        return False
    store_address(home, removed.get("database", ""), None)
    discard(project)
    return True


def discard(project: Path) -> None:
    """Removes the folder of data that could not be connected."""
    shutil.rmtree(project, ignore_errors=True)
