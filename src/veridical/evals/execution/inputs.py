"""Inputs of an evaluation: gold questions and the data they are about, opened together."""

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from pydantic_ai.models import Model

from veridical.evals.execution.plan import Planned, load_golds
from veridical.evals.gold.case import GoldSet
from veridical.evals.gold.oracle import CaseTruth
from veridical.evals.modes.environment import (
    EvalEnvironment,
    database_environment,
    sample_environment,
)
from veridical.host.feature_pack import pack_of as pack_of_feature
from veridical.host.settings import FeatureSettings, read_runtime_settings
from veridical.ontology.errors import LoadError
from veridical.ontology.pack import Pack, PackNotFoundError, load_pack

ModelFor = Callable[[Planned, CaseTruth], Model | None]
"""The model that answers one run; none where every question must do without."""


@dataclass(frozen=True, slots=True)
class EvalInputs:
    """Gold questions, with the environment to ask them in."""

    sources: tuple[str, ...]
    golds: tuple[GoldSet, ...]
    stage: EvalEnvironment
    model_for: ModelFor | None = None
    """A program that answers in text instead of the model of the settings: its figures are marked
    as simulated."""


@contextmanager
def open_inputs(
    sources: Sequence[str],
    books: Path | None = None,
    database: str = "",
    ontology: str = "",
) -> Generator[EvalInputs]:
    """Gold sets as ``load_gold`` knows them, on the database that is named, else on their pack's
    sample books, else where ``veridical.toml`` has their feature. With an ontology file, no pack is
    needed.

    ``books`` is where the sample's PostgreSQL is kept. Raises ``LoadError``.
    """
    golds = load_golds(sources)
    feature = _own_data(golds[0].feature, database, ontology)
    pack = pack_of(golds, feature)
    if feature is not None:
        feature = feature.for_readers(has_tenants=pack.has_tenants)
    opened = database_environment(pack, feature) if feature else sample_environment(pack, books)
    with opened as stage:
        yield EvalInputs(tuple(sources), golds, stage)


def _own_data(name: str, database: str, ontology: str) -> FeatureSettings | None:
    """The database and the ontology that were named, else the feature of ``veridical.toml``; none
    for a pack with sample data."""
    known = configured(name)
    if database:
        named = Path(ontology) if ontology else (known and known.ontology)
        # Who names a file here can read all of it without us.
        return FeatureSettings(
            name=name, database=database, ontology=named, accept_rewriting_only=True
        )
    if ontology:
        raise LoadError("an ontology needs its data: --database")
    if known is not None and known.ontology is None and load_pack(known.pack_name).sample_data:
        return None
    return known


def configured(name: str) -> FeatureSettings | None:
    """The feature of ``veridical.toml`` with this name."""
    return next((each for each in read_runtime_settings().features if each.name == name), None)


def pack_of(golds: Sequence[GoldSet], feature: FeatureSettings | None = None) -> Pack:
    """The pack that these questions are about: of the feature, where it knows its data itself.

    Raises ``LoadError``.
    """
    own = feature or configured(golds[0].feature)
    if own is not None and own.ontology is not None:
        return pack_of_feature(own)
    try:
        return load_pack(golds[0].feature)
    except PackNotFoundError as error:
        raise LoadError(str(error)) from error
