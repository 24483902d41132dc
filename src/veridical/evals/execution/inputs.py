"""Inputs of an evaluation: gold questions and the data they are about, opened together."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from veridical.evals.acme.environment import acme_environment
from veridical.evals.acme.gold import NAME as ACME
from veridical.evals.execution.plan import load_golds
from veridical.evals.gold.case import GoldSet
from veridical.evals.modes.environment import (
    EvalEnvironment,
    database_environment,
    sample_environment,
)
from veridical.host.settings import FeatureSettings, read_runtime_settings
from veridical.ontology.errors import LoadError
from veridical.ontology.pack import Pack, PackNotFoundError, load_pack


@dataclass(frozen=True, slots=True)
class EvalInputs:
    """Gold questions, with the environment to ask them in."""

    sources: tuple[str, ...]
    golds: tuple[GoldSet, ...]
    stage: EvalEnvironment


@contextmanager
def open_inputs(
    sources: Sequence[str],
    data: Path | None = None,
    books: Path | None = None,
    database: str = "",
) -> Generator[EvalInputs]:
    """Gold sets as ``load_gold`` knows them, on the database that is named, else on their pack's
    sample books, else where ``veridical.toml`` has their feature; or ``acme`` on its data.

    ``books`` is where the sample's PostgreSQL is kept. Raises ``LoadError``.
    """
    if (folder := asks_acme(sources, data)) is not None:
        with acme_environment(folder) as (gold, stage):
            yield EvalInputs(tuple(sources), (gold,), stage)
        return
    golds = load_golds(sources)
    pack = pack_of(golds)
    feature = _own_data(pack, database)
    opened = database_environment(pack, feature) if feature else sample_environment(pack, books)
    with opened as stage:
        yield EvalInputs(tuple(sources), golds, stage)


def _own_data(pack: Pack, database: str) -> FeatureSettings | None:
    """The database that was named, else the feature of ``veridical.toml`` for a pack without
    sample data."""
    if database:
        # Who names a file here can read all of it without us.
        return FeatureSettings(name=pack.name, database=database, accept_rewriting_only=True)
    if pack.sample_data:
        return None
    return next((each for each in read_runtime_settings().features if each.name == pack.name), None)


def asks_acme(sources: Sequence[str], data: Path | None) -> Path | None:
    """Where the ACME data is, if its questions are asked. Raises ``LoadError``."""
    if ACME not in sources:
        return None
    if data is None or len(sources) > 1:
        raise LoadError("acme is asked alone, about the data of a folder: --data FOLDER")
    return data


def pack_of(golds: Sequence[GoldSet]) -> Pack:
    """The pack that these questions are about. Raises ``LoadError``."""
    try:
        return load_pack(golds[0].feature)
    except PackNotFoundError as error:
        raise LoadError(str(error)) from error
