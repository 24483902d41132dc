"""The laboratory's inputs for an evaluation: the ACME questions, and simulated models."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.laboratory.acme.environment import acme_environment, acme_pack, acme_questions
from benchmarks.laboratory.acme.gold import NAME as ACME
from benchmarks.laboratory.simulated.model import simulated_models
from veridical.contracts.schema import Schema
from veridical.engines.duckdb import HOME, DuckDb
from veridical.evals.execution.inputs import EvalInputs, open_inputs
from veridical.evals.execution.replay import recorded_inputs
from veridical.evals.execution.sealed import SealedDatabase, sealed_environment
from veridical.ontology.errors import LoadError
from veridical.sample.folder import sample_folder

SIMULATED = "simulated:"


@dataclass(frozen=True, slots=True)
class Ground:
    """The environment of gold questions, and the model that answers."""

    data: Path | None = None
    """The folder of the ACME data."""
    model: str = ""
    """``simulated:NAME``; any other is the product's to open."""

    @contextmanager
    def opened(self, sources: tuple[str, ...]) -> Generator[EvalInputs]:
        """The questions on their data, with the simulated model. Raises ``LoadError``."""
        with self._opened(sources) as ground:
            if self.model.startswith(SIMULATED):
                models = simulated_models(self.model.removeprefix(SIMULATED), ground.stage)
                ground = replace(ground, model_for=models)
            yield ground

    def __call__(self, sources: tuple[str, ...], schema: Schema, dialect: str) -> EvalInputs:
        """The questions on recorded tables: what ACME's expect follows from the data, so that is
        read once more. A call, because a bound method is not equal to its copy in another process.
        Raises ``LoadError``."""
        folder = self._acme(sources)
        if folder is None:
            return recorded_inputs(sources, schema, dialect)
        database = SealedDatabase(schema, DuckDb.dialect, HOME)
        stage = sealed_environment(acme_pack(folder, schema), database)
        return EvalInputs(sources, (acme_questions(folder),), stage)

    @contextmanager
    def _opened(self, sources: tuple[str, ...]) -> Generator[EvalInputs]:
        folder = self._acme(sources)
        if folder is None:
            with open_inputs(sources, sample_folder()) as ground:
                yield ground
        else:
            with acme_environment(folder) as (gold, stage):
                yield EvalInputs(sources, (gold,), stage)

    def _acme(self, sources: tuple[str, ...]) -> Path | None:
        if ACME not in sources:
            return None
        if self.data is None or len(sources) > 1:
            raise LoadError("acme is asked alone, about the data of a folder: --data FOLDER")
        return self.data
