"""The documents of a pack in a local PostgreSQL, and the shelf from which an agent takes them."""

from collections.abc import Generator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from sqlalchemy.dialects.postgresql import insert

from veridical.contracts.extras import require
from veridical.contracts.search_context import FreshnessMode
from veridical.host.documents import shelf_of
from veridical.host.settings import FeatureSearch
from veridical.ontology.pack import Pack
from veridical.tools.evidence_shelf import EvidenceShelf

if TYPE_CHECKING:
    from veridical.sample.postgres import LocalPostgres

SAMPLE = "sample"
"""The tenant whose collection it is."""


@contextmanager
def sample_documents(pack: Pack, server: "LocalPostgres") -> Generator[EvidenceShelf | None]:
    """The pack's documents, ingested unless they are there as they are; none where it has none.

    They may be of any age: they are the same in every year.
    """
    if pack.documents is None:
        yield None
        return
    require("search")
    from veridical.search.document_reading import IngestOptions
    from veridical.search.evidence import EvidenceSearch
    from veridical.search.index import opened_index
    from veridical.search.ingest import batches, files_under, ingest_batch
    from veridical.search.score.settings import ScoreSettings
    from veridical.store.connection import Store
    from veridical.store.migrate import upgrade
    from veridical.store.tables import TENANTS

    name = f"documents_{pack.name}"
    has_any = server.has_database(name)
    url = server.url_of(name) if has_any else server.create_database(name)
    upgrade(url)
    with closing(Store(url)) as store:
        with store.operator() as connection:
            tenant = insert(TENANTS).values(id=SAMPLE, name=SAMPLE, scope={})
            connection.execute(tenant.on_conflict_do_nothing())
        settings = ScoreSettings()
        index = opened_index(settings, store.tenant, SAMPLE, pack.name)
        for batch in batches(files_under([pack.documents])):
            ingest_batch(index, None, batch, IngestOptions(trust_addresses=True))
        with closing(EvidenceSearch(store.tenant, settings)) as search:
            yield shelf_of(
                search,
                FeatureSearch(
                    collections=(pack.name,),
                    tenant=SAMPLE,
                    freshness_mode=FreshnessMode.LAW_EVERGREEN,
                ),
            )
