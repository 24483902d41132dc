"""Own texts in three languages, ingested for tenants, and a feature that may search them."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from veridical.contracts.schema import Schema
from veridical.contracts.step import Json
from veridical.host.settings import FeatureSearch, FeatureSettings, RuntimeSettings
from veridical.ontology.model import OntologyDescriptor
from veridical.ontology.pack import Pack
from veridical.search.document_reading import IngestOptions
from veridical.search.index import opened_index
from veridical.search.ingest import files_under, ingest, ingest_batch
from veridical.search.score.settings import ScoreSettings
from veridical.store.connection import Store
from veridical.store.settings import OwnDatabase

HERE = Path(__file__).parent
HANDBOOK = HERE / "handbook"
BARE = Pack("data", OntologyDescriptor(feature_code="data"), Schema.of(()))


def stored(
    store: Store,
    tenant: str,
    collection: str,
    folder: Path,
    score: ScoreSettings = ScoreSettings(),  # noqa: B008 # immutable
) -> None:
    index = opened_index(score, store.tenant, tenant, collection)

    def run(batch: Sequence[Path]) -> Json:
        return ingest_batch(index, None, batch, IngestOptions(trust_addresses=True))

    report = asyncio.run(ingest(files_under([folder]), run))
    assert report.summary.success_ratio == 1


def settings_on(
    url: str,
    table: Path,
    collections: Sequence[str],
    tenant: str = "acme",
    score: ScoreSettings = ScoreSettings(),  # noqa: B008 # immutable
) -> RuntimeSettings:
    """A table of figures, with documents beside it."""
    table.write_text("customer,amount\nAcme,1250.50\n", "utf-8")
    feature = FeatureSettings(
        name="data",
        database=str(table),
        search=FeatureSearch(collections=tuple(collections), tenant=tenant),
    )
    return RuntimeSettings(
        (feature,),
        packs={"data": BARE},
        own_database=OwnDatabase(database_url=url),
        score=score,
    )
