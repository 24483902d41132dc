"""Inputs of a replay: today's questions and the recorded schema, without a database."""

from collections.abc import Sequence
from pathlib import Path

from veridical.contracts.schema import Schema
from veridical.engines.duckdb import HOME, DuckDb
from veridical.evals.acme.environment import acme_pack, acme_questions
from veridical.evals.execution.inputs import EvalInputs, asks_acme, pack_of
from veridical.evals.execution.plan import load_golds
from veridical.evals.replay.sealed import SealedDatabase, sealed_environment


def recorded_inputs(
    sources: Sequence[str], schema: Schema, data: Path | None = None, dialect: str = "postgres"
) -> EvalInputs:
    """Where recorded runs are judged anew; ``data`` as for ``open_inputs``. Raises ``LoadError``.

    What the ACME questions expect follows from the data, so theirs is read once more.
    """
    if (folder := asks_acme(sources, data)) is not None:
        database = SealedDatabase(schema, DuckDb.dialect, HOME)
        stage = sealed_environment(acme_pack(folder, schema), database)
        return EvalInputs(tuple(sources), (acme_questions(folder),), stage)
    golds = load_golds(sources)
    stage = sealed_environment(pack_of(golds), SealedDatabase(schema, dialect))
    return EvalInputs(tuple(sources), golds, stage)
