"""A runtime of settings with an embedder: the tool finds by meaning, and says when it can't."""

from pathlib import Path

import pytest

import veridical
from tests.search.embeddings.serving import embedding_server
from tests.search.evidence.library import HANDBOOK, settings_on, stored
from veridical.search.embed import embed_missing
from veridical.search.embeddings.opened import opened_embedder
from veridical.search.embeddings.settings import EmbedderSettings
from veridical.search.score.settings import ScoreSettings
from veridical.search.store.index import PostgresIndex
from veridical.store.connection import Store
from veridical.tools.evidence import SEARCH_EVIDENCE

pytestmark = pytest.mark.postgres


def test_the_tool_finds_what_shares_no_word(store: Store, search_url: str, tmp_path: Path) -> None:
    stored(store, "acme", "handbook", HANDBOOK)
    with embedding_server() as server:
        embedder = EmbedderSettings(model="m", endpoint=server.address)
        opened = opened_embedder(embedder)
        assert opened is not None
        embed_missing(PostgresIndex(store.tenant, "acme", "handbook"), opened)
        settings = settings_on(
            search_url, tmp_path / "t.csv", ["handbook"], score=ScoreSettings(embedder=embedder)
        )
        with veridical.open(settings) as client:
            found = client.toolbox().call(SEARCH_EVIDENCE, {"question": "vacation", "limit": 1})
            assert "25 days" in found.data["chunks"][0]["text"]
            assert found.error_details is None
            server.is_away = True
            words = client.toolbox().call(SEARCH_EVIDENCE, {"question": "days of paid leave"})
            assert words.success
            assert "25 days" in words.data["chunks"][0]["text"]
            assert words.error_details == {"flags": {"lexicalOnly": True}}
