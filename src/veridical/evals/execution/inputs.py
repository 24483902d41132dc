"""Inputs of an evaluation: gold questions and the data they are about, opened together."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from veridical.evals.acme.environment import acme_environment
from veridical.evals.acme.gold import NAME as ACME
from veridical.evals.execution.plan import load_golds
from veridical.evals.gold.case import GoldSet
from veridical.evals.modes.environment import EvalEnvironment, sample_environment
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
    sources: Sequence[str], data: Path | None = None, books: Path | None = None
) -> Generator[EvalInputs]:
    """Gold sets as ``load_gold`` knows them on their pack's sample books, or ``acme`` on its data.

    ``books`` is where the sample's PostgreSQL is kept. Raises ``LoadError``.
    """
    if (folder := asks_acme(sources, data)) is not None:
        with acme_environment(folder) as (gold, stage):
            yield EvalInputs(tuple(sources), (gold,), stage)
        return
    golds = load_golds(sources)
    with sample_environment(pack_of(golds), books) as stage:
        yield EvalInputs(tuple(sources), golds, stage)


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
