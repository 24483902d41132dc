"""Whether the database of a feature keeps tenants apart by itself, and the refusal to open it."""

import logging
import re
from os import environ

from sqlalchemy.exc import SQLAlchemyError

from veridical.engines import Postgres
from veridical.engines.reader import Finding, Gap
from veridical.host.errors import SetupError, SetupProblem
from veridical.host.settings import FeatureSettings
from veridical.ontology.pack import Pack, PackNotFoundError, load_pack, pack_names

_log = logging.getLogger(__name__)
_log.addHandler(logging.NullHandler())
_TOLD = 5
_ADDRESS = re.compile(r"postgres(ql)?(\+psycopg)?://")


def reader_gaps(feature: FeatureSettings) -> list[Finding]:
    """What is missing of a feature's reader. Raises ``SetupError`` where it can't be asked."""
    pack = pack_of(feature)
    database = Postgres(address_of(feature), role=feature.role or None, connections=1)
    try:
        return _gaps(pack, database)
    except SQLAlchemyError as error:
        raise SetupError(
            SetupProblem.NO_DATABASE, feature=feature.name, role=feature.role
        ) from error
    finally:
        database.close()


def ensure_wall(feature: FeatureSettings, pack: Pack, database: Postgres) -> None:
    """Refuses a reader that does not keep tenants apart; tells what else is open."""
    gaps = _gaps(pack, database)
    refusing = [str(each) for each in gaps if each.gap.refuses]
    if refusing:
        raise SetupError(
            SetupProblem.NO_WALL,
            feature=feature.name,
            role=feature.role,
            gaps=_some(refusing),
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
        _log.warning("%s: the reader can still reach %s", feature.name, ", ".join(map(str, gaps)))


def _gaps(pack: Pack, database: Postgres) -> list[Finding]:
    return database.gaps({**pack.tenant_columns, **dict.fromkeys(pack.shared_tables, ())})


def _some(names: list[str]) -> str:
    return ", ".join(names[:_TOLD]) + (" …" if len(names) > _TOLD else "")


def pack_of(feature: FeatureSettings) -> Pack:
    """The pack that knows a feature's data. Raises ``SetupError``."""
    try:
        return load_pack(feature.pack_name)
    except PackNotFoundError as error:
        known = ", ".join(pack_names()) or "-"
        named = feature.pack_name[:60]
        raise SetupError(
            SetupProblem.NO_PACK, feature=feature.name, pack=named, known=known
        ) from error


def address_of(feature: FeatureSettings) -> str:
    """Where a feature's data is. Raises ``SetupError``."""
    if feature.on_sample:
        raise SetupError(SetupProblem.NO_SAMPLE, feature=feature.name)
    if _ADDRESS.match(feature.database):
        return feature.database
    address = environ.get(feature.database, "")
    if not _ADDRESS.match(address):
        # An address that was mistyped may hold a password: it is not repeated.
        named = feature.database if feature.database.isidentifier() else "…"
        raise SetupError(SetupProblem.NO_VARIABLE, feature=feature.name, variable=named)
    return address
