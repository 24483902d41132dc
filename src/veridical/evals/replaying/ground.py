"""The questions as they are now, and the tables as they were, with nothing behind them."""

from collections.abc import Sequence
from pathlib import Path

from veridical.contracts.schema import Schema
from veridical.engines.duckdb import DuckDb
from veridical.evals.acme.stage import acme_pack, acme_questions
from veridical.evals.replaying.sealed import SealedDatabase, sealed_stage
from veridical.evals.running.ground import Ground, asks_acme, pack_of
from veridical.evals.running.plan import load_golds


def sealed_ground(sources: Sequence[str], schema: Schema, data: Path | None = None) -> Ground:
    """Where recorded runs are judged anew; ``data`` as for ``open_ground``. Raises ``LoadError``.

    What the ACME questions expect follows from the data, so theirs is read once more.
    """
    if (folder := asks_acme(sources, data)) is not None:
        database = SealedDatabase(schema, DuckDb.dialect, DuckDb.namespace)
        stage = sealed_stage(acme_pack(folder, schema), database)
        return Ground(tuple(sources), (acme_questions(folder),), stage)
    golds = load_golds(sources)
    return Ground(tuple(sources), golds, sealed_stage(pack_of(golds), SealedDatabase(schema)))
