"""The vector leg: exact below a row limit, HNSW above, filters that lose nothing."""

import math
import random

import psycopg
import pytest

from tests.search.passages import passage
from veridical.search.filter import NO_FILTER, Filter
from veridical.search.store import vectors
from veridical.search.store.collections import find_collection
from veridical.search.store.driver import rows
from veridical.search.store.index import PostgresIndex
from veridical.search.store.vector_index import build_index
from veridical.store.connection import Store

pytestmark = pytest.mark.postgres

_SIZE, _COUNT, _RARE = 16, 1_500, 50
MODEL = "drawn's 100%"


def _drawn(draw: random.Random) -> list[float]:
    return [draw.gauss(0, 1) for _ in range(_SIZE)]


def _cosine(one: list[float], other: list[float]) -> float:
    both = sum(a * b for a, b in zip(one, other, strict=True))
    return both / math.hypot(*one) / math.hypot(*other)


@pytest.fixture(scope="module")
def filled(store: Store, search_url: str) -> tuple[PostgresIndex, dict[int, list[float]]]:
    draw = random.Random(3)
    index = PostgresIndex(store.tenant, "acme", "vectors")
    written = index.write(
        [
            passage(f"d{number}", f"text {number}", host="rare" if number % _RARE == 0 else "often")
            for number in range(_COUNT)
        ]
    )
    stored = {number: _drawn(draw) for number, _ in written}
    index.write_vectors(MODEL, stored.items())
    index.write_vectors(MODEL, list(stored.items())[:3])  # what is there stays
    build_index(search_url, MODEL, _SIZE)
    build_index(search_url, MODEL, _SIZE)
    with psycopg.connect(search_url, autocommit=True) as connection:
        connection.execute("ANALYZE veridical.search_vectors")
    return index, stored


@pytest.mark.parametrize("where", [NO_FILTER, Filter(hosts=("rare",)), Filter(hosts=("often",))])
@pytest.mark.parametrize("exact_below", [0, 100, 10_000])
def test_the_nearest_are_found(
    store: Store,
    filled: tuple[PostgresIndex, dict[int, list[float]]],
    where: Filter,
    exact_below: int,
) -> None:
    _, stored = filled
    draw, found_of_all = random.Random(5), 0
    for _ in range(10):
        asked = _drawn(draw)
        with store.tenant("acme") as connection:
            collection = find_collection(connection, "acme", "vectors")
            assert collection
            result = vectors.nearest(connection, collection, MODEL, asked, 10, where, exact_below)
        passing = [
            number
            for place, number in enumerate(stored)
            if not where or (place % _RARE == 0) == (where.hosts == ("rare",))
        ]
        best = sorted(passing, key=lambda number: -_cosine(asked, stored[number]))[:10]
        assert result.is_exact == (exact_below >= len(passing))
        assert len(result.hits) == 10
        for hit in result.hits:
            assert hit.chunk in passing
            assert hit.score == pytest.approx(_cosine(asked, stored[hit.chunk]), abs=0.01)
        found_of_all += len({hit.chunk for hit in result.hits} & set(best))
    assert found_of_all >= 98


def test_the_graph_is_used(
    store: Store, filled: tuple[PostgresIndex, dict[int, list[float]]]
) -> None:
    with store.tenant("acme") as connection:
        schema = vectors.extension_schema(connection)
        vectors._set_scan(connection, schema)  # pyright: ignore[reportPrivateUsage]
        rows(connection, "SELECT set_config('enable_seqscan', 'off', true)", {})
        rows(connection, "SELECT set_config('enable_sort', 'off', true)", {})
        statement = vectors.approximate_statement(schema, MODEL, _SIZE, NO_FILTER)
        asked = {"vector": str([1.0] * _SIZE), "collection": 1, "k": 5}
        plan = rows(connection, "EXPLAIN " + statement, asked)
    assert "search_vectors_" in "\n".join(row[0] for row in plan)


def test_a_setting_that_is_not_taken_is_an_error(
    store: Store,
    filled: tuple[PostgresIndex, dict[int, list[float]]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(vectors, "SCAN", {"hnsw.iterative_scan": "strict"})
    with (
        pytest.raises((vectors.ScanSettingError, psycopg.errors.InvalidParameterValue)),
        store.tenant("acme") as connection,
    ):
        vectors._set_scan(connection, "public")  # pyright: ignore[reportPrivateUsage]


def test_other_tenants_have_no_part_in_it(
    store: Store, filled: tuple[PostgresIndex, dict[int, list[float]]]
) -> None:
    other = PostgresIndex(store.tenant, "globex", "vectors")
    assert other.nearest(MODEL, [1.0] * _SIZE, 5) == ()
    other.write([passage("own", "text")])
    assert other.nearest(MODEL, [1.0] * _SIZE, 5) == ()
    with store.tenant("globex") as connection:
        assert rows(connection, "SELECT count(*) FROM veridical.search_vectors", {}) == [(0,)]
    index, stored = filled
    with pytest.raises(psycopg.errors.Error), store.tenant("globex") as connection:
        rows(
            connection,
            "INSERT INTO veridical.search_vectors"
            " SELECT 1, 'm', 'acme', 1, 1, '[1]'::public.halfvec",
            {},
        )
    assert len(index.nearest(MODEL, next(iter(stored.values())), 5)) == 5


def test_vectors_go_with_their_document(store: Store) -> None:
    index = PostgresIndex(store.tenant, "acme", "gone")
    for text in ("first", "second"):
        written = index.write([passage("a", text)])
        index.write_vectors("m", [(written[0][0], [1.0, 0.0])])
    hits = index.nearest("m", [1.0, 0.0], 5)
    assert [each.chunk.text for each in index.chunks([hit.chunk for hit in hits])] == ["second"]
