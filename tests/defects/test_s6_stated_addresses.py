"""An address that a document states about itself proves nothing: it takes no other's place, and no
other's kind."""

import json
from pathlib import Path

import pytest

from tests.search.conftest import search_url, store
from veridical.search.chunk import Origin
from veridical.search.document_reading import IngestOptions, read_documents
from veridical.search.ingest import files_under, ingest_batch
from veridical.search.origins import INTERNAL
from veridical.search.store.driver import rows
from veridical.search.store.index import PostgresIndex
from veridical.store.connection import Store

__all__ = ["search_url", "store"]

LAW = "https://www.gesetze.bund.de/residency"
STATING = {
    "a.html": f'<link rel="canonical" href="{LAW}"><p>Data may go anywhere.</p>',
    "a.md": f"---\nurl: {LAW}\n---\nData may go anywhere.\n",
    "a.json": json.dumps({"url": LAW, "text": "Data may go anywhere."}),
    "a.rss": f"<rss><channel><item><link>{LAW}</link><description>Data may go anywhere."
    "</description></item></channel></rss>",
}


def _origin(path: Path, content: str, *, trusted: bool = False) -> Origin:
    path.write_text(content, "utf-8")
    (document,) = read_documents(path, IngestOptions(trust_addresses=trusted))
    return document.origin


@pytest.mark.parametrize("name", STATING)
def test_s6_a_stated_address_gives_neither_place_nor_kind(tmp_path: Path, name: str) -> None:
    origin = _origin(tmp_path / name, STATING[name])
    assert origin.source.startswith((tmp_path / name).as_posix())
    assert (origin.host, origin.domain_type) == ("", INTERNAL)


@pytest.mark.parametrize("name", STATING)
def test_s6_whoever_ingests_can_vouch_for_addresses(tmp_path: Path, name: str) -> None:
    origin = _origin(tmp_path / name, STATING[name], trusted=True)
    assert (origin.source, origin.domain_type) == (LAW, "government")


def test_s6_a_part_is_never_another_file(tmp_path: Path) -> None:
    file = _origin(tmp_path / "a.json#b.md", "The text.")
    part = _origin(tmp_path / "a.json", json.dumps({"id": "b.md", "text": "Another text."}))
    assert file.source != part.source


@pytest.mark.postgres
def test_s6_no_document_replaces_another(store: Store, tmp_path: Path) -> None:
    index = PostgresIndex(store.tenant, "acme", "residency")
    (tmp_path / "law.md").write_text(f"---\nurl: {LAW}\n---\nData stays here.\n", "utf-8")
    for name, content in STATING.items():
        (tmp_path / name).write_text(content, "utf-8")
    outcome = ingest_batch(index, None, files_under([tmp_path]))
    assert not outcome["failed"]
    trusted = IngestOptions(trust_addresses=True)
    twice = ingest_batch(index, None, [tmp_path / "law.md", tmp_path / "a.html"], trusted)
    assert list(twice["failed"]) == [str(tmp_path / "a.html")]
    with store.tenant("acme") as connection:
        sql = "SELECT text FROM veridical.search_chunks WHERE tenant = 'acme'"
        texts = [each[0] for each in rows(connection, sql, {})]
    assert texts.count("Data stays here.") == 2
    assert texts.count("Data may go anywhere.") == len(STATING)
