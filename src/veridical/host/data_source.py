"""Data sources: the address of a feature's data, and the engine that opens it."""

import re
from collections.abc import Iterable
from os import environ
from pathlib import Path
from typing import NamedTuple

from veridical.engines.database import Database
from veridical.engines.kind import EngineKind
from veridical.engines.registry import UnknownSchemeError, addresses, engine_of
from veridical.host.errors import SetupError, SetupProblem
from veridical.host.settings import READER, FeatureSettings
from veridical.ontology.errors import LoadError
from veridical.statement.errors import EngineError

_HARMLESS = re.compile(r"[\w./\\ -]+")
"""The part of a mistyped address that messages may repeat, a name or a path: the rest may hold a
password."""

_PASSWORD = re.compile(r"(//[^/@:]*):[^/]*@")
_SECRET = re.compile(r"(?i)[^=]*(pass|pwd|token|secret|key)")


class DataSource(NamedTuple):
    """Where a feature's data is, and the engine that opens it."""

    kind: EngineKind
    address: str

    def open(self, feature: FeatureSettings, connections: int) -> Database:
        """The database, read as the feature's role. Raises ``LoadError``."""
        try:
            return self.kind.open(self.address, feature.role or None, connections, feature.schemas)
        except EngineError as error:
            raise self.unreadable(feature) from error

    def identity(self, feature: FeatureSettings) -> str:
        """What decides the rows of a statement there: address, login, role and schemas; never a
        password."""
        place = self.address
        if "://" not in place:
            place = str(Path(place).resolve())
        head, _, query = _PASSWORD.sub(r"\1@", place).partition("?")
        pairs = sorted(each for each in query.split("&") if each and not _SECRET.match(each))
        return repr((self.kind.name, head, pairs, feature.role, feature.schemas))

    def unreadable(self, feature: FeatureSettings) -> LoadError:
        """The reason why nothing can be read from it."""
        if self.kind.recognises is not None:
            return self.kind.unreadable(self.address)
        return SetupError(SetupProblem.NO_DATABASE, feature=feature.name, role=feature.role)


def source_of(feature: FeatureSettings, added: Iterable[EngineKind] = ()) -> DataSource:
    """Where a feature's data is. Raises ``SetupError``, and ``SourceError`` for a file that can't
    be read."""
    if feature.on_sample:
        raise SetupError(SetupProblem.NO_SAMPLE, feature=feature.name)
    known = tuple(added)
    named = feature.database
    address = environ.get(named, named)
    try:
        kind = engine_of(address, known)
    except UnknownSchemeError as error:
        raise SetupError(
            SetupProblem.NO_ENGINE, feature=feature.name, scheme=error.scheme, known=error.known
        ) from error
    if kind is None:
        shown = named if _HARMLESS.fullmatch(named) else "…"
        raise SetupError(
            SetupProblem.NO_VARIABLE,
            feature=feature.name,
            variable=shown,
            known=addresses(known),
        )
    if not kind.has_roles and feature.role not in ("", READER):
        raise SetupError(
            SetupProblem.NO_ROLES, feature=feature.name, role=feature.role, engine=kind.title
        )
    return DataSource(kind, address)
