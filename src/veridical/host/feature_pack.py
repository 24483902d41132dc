"""The pack of a feature: from an ontology file of its own, the program's, or an installed one."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from veridical.answering.file_feature import bare_pack
from veridical.contracts.language import Language
from veridical.contracts.schema import Schema
from veridical.host.errors import SetupError, SetupProblem
from veridical.host.settings import FeatureSettings
from veridical.ontology.lint import Drift, DriftKind, lint
from veridical.ontology.load import load_ontology
from veridical.ontology.own_pack import pack_from
from veridical.ontology.pack import Pack, PackNotFoundError, load_pack, pack_names, reload_pack

_SHOWN = 8
_LIVED_WITH = frozenset({DriftKind.MISSING_TABLE, DriftKind.MISSING_COLUMN, DriftKind.TYPE_CHANGED})
"""Drift that leaves questions without an answer, and makes no answer wrong."""


def pack_of(feature: FeatureSettings, own: Mapping[str, Pack] | None = None) -> Pack:
    """The pack of a feature. Raises ``SetupError``, and ``LoadError`` for an
    ontology file that can't be used."""
    if feature.ontology is not None:
        return _of_files(feature, feature.ontology)
    if own and feature.pack_name in own:
        return own[feature.pack_name]
    if feature.files and not feature.pack:
        return bare_pack(feature.name)
    try:
        return load_pack(feature.pack_name)
    except PackNotFoundError as error:
        known = ", ".join(pack_names()) or "-"
        named = feature.pack_name[:60]
        raise SetupError(
            SetupProblem.NO_PACK, feature=feature.name, pack=named, known=known
        ) from error


def reload_pack_of(feature: FeatureSettings) -> None:
    """Reloads an installed pack; a file is read anew each time."""
    if feature.ontology is None and (feature.pack or not feature.files):
        reload_pack(feature.pack_name)


def require_fitting(feature: FeatureSettings, pack: Pack, schema: Schema, dialect: str) -> None:
    """Raises ``SetupError`` where a rule, a relation or a known question of an ontology file names
    what its tables don't have: it would protect nothing. Missing tables are reported elsewhere.
    """
    if feature.ontology is None:
        return
    found = [each for each in lint(pack.ontology, schema, dialect) if not each.kind.is_note]
    if any(each.kind is DriftKind.MISSING_TABLE for each in found):
        return  # references to them can't be distinguished from typos
    wrong = [each for each in found if each.kind not in _LIVED_WITH]
    if wrong:
        raise SetupError(
            SetupProblem.DRIFTED,
            feature=feature.name,
            ontology=str(feature.ontology),
            findings=partial(_drift_text, wrong),
        )


def _of_files(feature: FeatureSettings, ontology: Path) -> Pack:
    return pack_from(
        load_ontology(str(ontology)),
        feature.name,
        shared=feature.shared_tables,
        skills=feature.skills,
        gold=feature.gold,
    )


def _drift_text(found: list[Drift], language: Language) -> str:
    lines = [f"{each.kind} {each.text(language)}" for each in found[:_SHOWN]]
    return "; ".join(lines) + (" …" if len(found) > _SHOWN else "")
