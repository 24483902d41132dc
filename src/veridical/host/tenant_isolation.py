"""Tenant isolation of a feature's database: checks its reader role, and refuses to open without
it."""

import logging
from collections.abc import Iterable

from veridical.engines.database import Database
from veridical.engines.gap import Finding, Gap
from veridical.engines.kind import EngineKind
from veridical.host.data_source import source_of
from veridical.host.errors import SetupError, SetupProblem
from veridical.host.feature_pack import pack_of
from veridical.host.settings import FeatureSettings
from veridical.ontology.pack import Pack
from veridical.statement.errors import EngineError

_log = logging.getLogger(__name__)
_log.addHandler(logging.NullHandler())
_SHOWN = 5


def isolation_gaps(feature: FeatureSettings) -> list[Finding]:
    """The gaps of a feature's reader. Raises ``LoadError`` where it can't connect."""
    pack = pack_of(feature)
    feature = feature.for_readers(has_tenants=pack.has_tenants)
    source = source_of(feature)
    database = source.open(feature, 1)
    try:
        return _gaps(pack, source.kind, database)
    except EngineError as error:
        raise source.unreadable(feature) from error
    finally:
        database.close()


def require_isolation(
    feature: FeatureSettings, pack: Pack, kind: EngineKind, database: Database
) -> None:
    """Refuses a reader that does not keep tenants apart; logs other gaps.

    Raises ``SetupError``, and ``EngineError`` where the database does not answer.
    """
    gaps = _gaps(pack, kind, database)
    missing = refusing(feature, gaps)
    if any(each.gap is Gap.REWRITING_ONLY for each in missing):
        raise SetupError(SetupProblem.REWRITING_ONLY, feature=feature.name, engine=kind.title)
    if missing:
        raise SetupError(
            SetupProblem.NO_WALL,
            feature=feature.name,
            role=feature.role,
            gaps=_some(list(map(str, missing))),
        )
    functions = [each.name for each in gaps if each.gap is Gap.FUNCTION]
    if functions and pack.tenant_columns and not feature.accept_open_functions:
        raise SetupError(
            SetupProblem.OPEN_FUNCTIONS,
            feature=feature.name,
            role=feature.role,
            functions=_some(functions),
        )
    if gaps:
        _log.warning("%s: gaps of the reader: %s", feature.name, ", ".join(map(str, gaps)))


def refusing(feature: FeatureSettings, gaps: Iterable[Finding]) -> list[Finding]:
    """Those of the gaps that keep a feature closed, as its settings don't accept them."""
    accepted = {Gap.REWRITING_ONLY} if feature.accept_rewriting_only else set[Gap]()
    return [each for each in gaps if each.gap.refuses and each.gap not in accepted]


def _gaps(pack: Pack, kind: EngineKind, database: Database) -> list[Finding]:
    if kind.find_gaps is not None:
        tables = {**pack.tenant_columns, **dict.fromkeys(pack.shared_tables, ())}
        return kind.find_gaps(database, tables)
    return [Finding(Gap.REWRITING_ONLY, kind.title)] if pack.tenant_columns else []


def _some(names: list[str]) -> str:
    return ", ".join(names[:_SHOWN]) + (" …" if len(names) > _SHOWN else "")
