"""A runtime on sample data: for trying out, and for tests."""

from collections.abc import Generator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from veridical.contracts.caller import Caller
from veridical.contracts.extras import require
from veridical.host.feature_pack import pack_of
from veridical.host.settings import FeatureSettings, RuntimeSettings, read_runtime_settings
from veridical.ontology.pack import Pack
from veridical.sample.caller import SAMPLE_TENANT, sample_caller

if TYPE_CHECKING:
    from veridical.sample.postgres import LocalPostgres, Started


@contextmanager
def sampled(
    settings: RuntimeSettings, folder: Path | None = None, started: "Started | None" = None
) -> Generator[RuntimeSettings]:
    """The settings with a database behind each feature that is set up on ``sample``.

    A local PostgreSQL is started for them, in this folder or in one that is thrown away, and runs
    until the block ends, unless one is ``started`` already. Without such a feature nothing is
    started. Raises ``SetupError``, and
    ``MissingExtraError`` where nothing can be started.
    """
    if not any(each.on_sample for each in settings.features):
        yield settings
        return
    require("local")  # no deployment needs a local PostgreSQL
    from veridical.sample.postgres import local_postgres

    with nullcontext(started()) if started else local_postgres(folder) as server:
        yield replace(
            settings,
            features=tuple(
                _on(server, each, pack_of(each, settings.packs)) if each.on_sample else each
                for each in settings.features
            ),
        )


def resampled(first: RuntimeSettings) -> RuntimeSettings:
    """The settings as the file has them now, on the sample data that was started at first."""
    started = {each.name: each for each in first.features}
    settings = read_runtime_settings()
    features = tuple(
        started.get(each.name, each) if each.on_sample else each for each in settings.features
    )
    return replace(
        settings,
        features=features,
        engines=first.engines,
        own_database=first.own_database,
        certified=first.certified,
        results=first.results,
    )


def sampling_callers(settings: RuntimeSettings) -> dict[str, Caller]:
    """The default callers of sample data, by feature."""
    packs = {
        each.name: pack_of(each, settings.packs) for each in settings.features if each.on_sample
    }
    return {
        name: sample_caller(pack, *SAMPLE_TENANT)
        for name, pack in packs.items()
        if pack.has_tenants
    }


def _on(server: "LocalPostgres", feature: FeatureSettings, pack: Pack) -> FeatureSettings:
    from veridical.sample.books import READER, load_sample

    sample = load_sample(pack, server)
    return feature.model_copy(update={"database": sample.url, "role": READER})
