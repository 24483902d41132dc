"""Fills the index of a collection anew for the command line."""

import json

from veridical.cli.error_reporting import UsageError, out
from veridical.cli.search_ingest import search_settings
from veridical.cli.terminal import counting
from veridical.contracts.language import Language
from veridical.messages import message
from veridical.runs.settings import RunsSettings
from veridical.runs.worker import document_store
from veridical.search.index import opened_index
from veridical.search.store.collections import collection_names
from veridical.store.connection import UnreachableError


def run_rebuild(
    settings: RunsSettings, tenant: str, collection: str, as_json: bool, language: Language
) -> None:
    """Rebuild it under a progress bar, and print how many passages it has. Raises
    ``UsageError``."""
    score = search_settings(language)
    try:
        store = document_store(settings)
        try:
            with store.tenant(tenant) as connection:
                names = collection_names(connection, tenant)
            if collection not in names:
                given = {"collection": collection, "tenant": tenant}
                raise UsageError(message("ingest.no_collection", language, **given))
            with counting(message("ingest.rebuilding", language)) as show:
                chunks = opened_index(score, store.tenant, tenant, collection).rebuild(show)
        finally:
            store.close()
    except UnreachableError as error:
        raise UsageError(error.message(language)) from error
    if as_json:
        print(json.dumps({"chunks": chunks, "index": score.index}))
    else:
        out.print(message("ingest.rebuilt", language, chunks=chunks, index=score.index))
