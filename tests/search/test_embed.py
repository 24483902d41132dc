"""Vectors for chunks that have none: resumed, never twice, and what is in the way is reported."""

from collections.abc import Iterator

import pytest

from tests.search.embeddings.serving import ASKED, EmbeddingServer, embedding_server
from tests.search.passages import passage, passages
from veridical.search import embed
from veridical.search.embed import PAGE, embed_missing
from veridical.search.embeddings.endpoint import EndpointEmbedder
from veridical.search.store.index import PostgresIndex
from veridical.search.vector_gap import VectorGap
from veridical.store.connection import Store

pytestmark = pytest.mark.postgres
COUNT = 2 * PAGE + 10


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    with embedding_server() as running:
        yield running


@pytest.fixture(autouse=True)
def few_sentences(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the vectors weigh is measured too; here it need not be exact."""
    monkeypatch.setattr(embed, "SENTENCES", embed.LEAST_SENTENCES)


def filled(store: Store, name: str, count: int = COUNT) -> PostgresIndex:
    index = PostgresIndex(store.tenant, "acme", name)
    index.write(passages({f"d{number}": f"A car, number {number}." for number in range(count)}))
    return index


def test_what_has_no_vector_gets_one_and_only_once(store: Store, server: EmbeddingServer) -> None:
    index = filled(store, "whole")
    embedder = EndpointEmbedder("m", server.address, query_prefix=ASKED)
    seen: list[tuple[int, int]] = []
    first = embed_missing(index, embedder, lambda done, total: seen.append((done, total)))
    assert (first.embedded, first.missing, first.gap, first.size) == (COUNT, 0, None, 4)
    assert seen[0] == (0, COUNT)
    assert seen[-1] == (COUNT, COUNT)
    again = embed_missing(index, embedder)
    assert (again.embedded, again.missing, again.chunks) == (0, 0, COUNT)
    index.write(passages({"new": "Another automobile."}))
    assert embed_missing(index, embedder).embedded == 1
    assert len(server.passages) == COUNT + 1


class Killed(Exception):
    """The process is gone."""


def test_whoever_was_killed_goes_on_where_they_were(store: Store, server: EmbeddingServer) -> None:
    index = filled(store, "killed")
    embedder = EndpointEmbedder("m", server.address, query_prefix=ASKED)

    def die(done: int, _: int) -> None:
        if done:
            raise Killed

    with pytest.raises(Killed):
        embed_missing(index, embedder, die)
    assert index.vector_state("m").missing == COUNT - PAGE
    assert embed_missing(index, embedder).embedded == COUNT - PAGE
    assert sorted(server.passages) == sorted(
        {f"A car, number {number}." for number in range(COUNT)}
    )


def test_in_parts_each_says_where_the_next_begins(store: Store, server: EmbeddingServer) -> None:
    index = filled(store, "parts")
    index.write([passage("long", "car " * 200)])
    server.longest = 500
    embedder = EndpointEmbedder("m", server.address, query_prefix=ASKED)
    after: int | None = 0
    embedded: list[int] = []
    while after is not None:
        part = embed_missing(index, embedder, after=after, pages=1)
        embedded.append(part.embedded)
        after = part.next_after
    assert embedded == [PAGE, PAGE, 10], "the refused text is not asked about again in each part"
    assert index.vector_state("m").missing == 1
    passages_only = server.passages
    assert len(passages_only) == COUNT + passages_only.count("1")


def test_an_outage_is_reported_and_made_good(store: Store, server: EmbeddingServer) -> None:
    index = filled(store, "outage", 5)
    embedder = EndpointEmbedder("m", server.address)
    server.is_away = True
    away = embed_missing(index, embedder)
    assert (away.embedded, away.missing, away.gap) == (0, 5, VectorGap.EMBEDDER_AWAY)
    assert away.reason
    assert away.summary["gap"] == "embedder_away"
    server.is_away = False
    assert embed_missing(index, embedder).missing == 0


def test_a_refused_text_does_not_keep_the_others_back(
    store: Store, server: EmbeddingServer
) -> None:
    index = filled(store, "refused", 20)
    index.write([passage("long", "car " * 200)])
    embedder = EndpointEmbedder("m", server.address)
    server.longest = 500
    done = embed_missing(index, embedder)
    assert (done.embedded, done.missing, done.gap) == (20, 1, None)
    server.longest = 0  # nothing at all is taken: it is not the texts
    assert embed_missing(index, embedder).gap is VectorGap.EMBEDDER_AWAY


def test_a_change_of_the_embedder_is_noticed(store: Store, server: EmbeddingServer) -> None:
    index = filled(store, "changed", 5)
    old = EndpointEmbedder("old", server.address)
    embed_missing(index, old)
    new = embed_missing(index, EndpointEmbedder("new", server.address))
    assert (new.embedded, new.others) == (5, ("old",))
    index.write(passages({"more": "One more car."}))
    server.size = 7
    other = embed_missing(index, old)
    assert (other.embedded, other.missing, other.gap) == (0, 1, VectorGap.OTHER_SIZE)
    index.forget_vectors()
    renewed = embed_missing(index, old)
    assert (renewed.embedded, renewed.size, renewed.others) == (6, 7, ())


def test_a_chunk_that_is_gone_meanwhile_is_left_out(store: Store) -> None:
    index = PostgresIndex(store.tenant, "acme", "gone")
    (old, _) = index.write([passage("a", "first")])[0]
    (new, _) = index.write([passage("a", "second")])[0]
    index.write_vectors("m", [(old, [1.0, 0.0]), (new, [0.0, 1.0])])
    assert [hit.chunk for hit in index.nearest("m", [1.0, 0.0], 5)] == [new]


def test_a_tenant_embeds_its_own_chunks_only(store: Store, server: EmbeddingServer) -> None:
    filled(store, "shared", 3)
    other = PostgresIndex(store.tenant, "globex", "shared")
    other.write(passages({"theirs": "Their automobile."}))
    assert embed_missing(other, EndpointEmbedder("m", server.address)).embedded == 1
    assert server.texts == ["Their automobile."]


def test_a_collection_that_is_not_there_has_nothing_to_embed(
    store: Store, server: EmbeddingServer
) -> None:
    nowhere = PostgresIndex(store.tenant, "acme", "nowhere")
    assert embed_missing(nowhere, EndpointEmbedder("m", server.address)).chunks == 0
