"""Cost and growth on generated chunks: hybrid retrieval beside bare statements, filtered recall.

Words are drawn as languages have them: the n-th is n times rarer than the first. Vectors lie around
centres, as those of texts do. A chunk of number n has the host ``h<n mod 100>``, so a filter on one
host keeps a hundredth.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import quantiles
from time import perf_counter, process_time
from typing import Any

import numpy
import psycopg
from sqlalchemy import Connection

from benchmarks.search.ground import TENANT, Ground
from veridical.contracts.language import Language
from veridical.search.chunk import Chunk, ChunkedDocument, Origin
from veridical.search.embeddings.embedder import Vector
from veridical.search.filter import NO_FILTER, Filter
from veridical.search.retrieve import Retriever
from veridical.search.store import vectors
from veridical.search.store.collections import CollectionIndex, find_collection
from veridical.search.store.index import PostgresIndex
from veridical.search.store.lexical import (
    BUDGET,
    POOL,
    lexical_search,
    lexical_statement,
    query_terms,
)
from veridical.search.store.vector_index import build_index

MODEL = "drawn"
_VOCABULARY, _WORDS, _SIZE, _CENTRES = 50_000, 90, 64, 500
_HOSTS, _BATCH, _K = 100, 1_000, 20


@dataclass(frozen=True)
class Size:
    """How much is generated and asked."""

    chunks: tuple[int, ...]
    questions: int


FULL = Size((100_000, 1_000_000), 100)
SMOKE = Size((2_000,), 10)


class _Drawn:
    """Chunks, questions and vectors, the same in every run."""

    def __init__(self) -> None:
        self._random = numpy.random.default_rng(20261116)
        weights = 1 / numpy.arange(1, _VOCABULARY + 1)
        self._weights = weights / weights.sum()
        self._centres = self._random.normal(size=(_CENTRES, _SIZE))

    def texts(self, count: int) -> list[str]:
        drawn = self._random.choice(_VOCABULARY, size=(count, _WORDS), p=self._weights)
        return [" ".join(f"w{word:x}q" for word in row) for row in drawn.tolist()]

    def vectors(self, count: int) -> list[Vector]:
        chosen = self._centres[self._random.integers(0, _CENTRES, count)]
        return (chosen + self._random.normal(scale=0.7, size=(count, _SIZE))).tolist()

    def questions(self, count: int) -> list[str]:
        """Six words each: two that are frequent, four of the middle."""
        draw = random.Random(7)
        return [
            " ".join(
                f"w{word:x}q"
                for word in (
                    *(draw.randrange(5, 100) for _ in range(2)),
                    *(draw.randrange(100, 20_000) for _ in range(4)),
                )
            )
            for _ in range(count)
        ]


class _Questions:
    """The embedder of a run: every question has its vector."""

    model = MODEL

    def __init__(self, known: dict[str, Vector]) -> None:
        self._known = known

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        return [self._known[text] for text in texts]

    def embed_query(self, text: str) -> Vector:
        return self._known[text]


def scale(place: Ground, size: Size) -> dict[str, Any]:
    """The figures at each number of chunks."""
    drawn = _Drawn()
    index = place.index("generated")
    figures: dict[str, Any] = {}
    stored = 0
    for wanted in size.chunks:
        figures |= _fill(index, drawn, stored, wanted)
        stored = wanted
        build_index(place.url, MODEL, _SIZE)
        with psycopg.connect(place.url, autocommit=True) as connection:
            connection.execute("VACUUM ANALYZE")
        figures |= _bytes(place, wanted)
        questions = drawn.questions(size.questions)
        asked = dict(zip(questions, drawn.vectors(size.questions), strict=True))
        figures |= _measured(place, index, asked, wanted)
    p95 = [figures[f"hybrid_p95_ms_{wanted}"] for wanted in size.chunks]
    if len(p95) > 1:
        figures["p95_growth"] = round(p95[-1] / p95[0], 2)
    return figures


def _fill(index: PostgresIndex, drawn: _Drawn, stored: int, wanted: int) -> dict[str, Any]:
    seconds = cpu = 0.0
    for start in range(stored, wanted, _BATCH):
        count = min(_BATCH, wanted - start)
        documents = [
            ChunkedDocument(
                Origin(f"d{start + place}", host=f"h{(start + place) % _HOSTS}"),
                f"d{start + place}",
                (Chunk(text, Language.EN),),
            )
            for place, text in enumerate(drawn.texts(count))
        ]
        began, began_cpu = perf_counter(), process_time()
        written = index.write(documents)
        seconds += perf_counter() - began
        cpu += process_time() - began_cpu
        numbers = [number for number, _ in written]
        index.write_vectors(MODEL, zip(numbers, drawn.vectors(count), strict=True))
    return {
        f"ingest_chunks_per_s_{wanted}": round((wanted - stored) / seconds),
        f"ingest_client_cpu_ms_per_chunk_{wanted}": round(1000 * cpu / (wanted - stored), 2),
    }


def _bytes(place: Ground, wanted: int) -> dict[str, Any]:
    """What a chunk takes on disk, with its indexes, by table."""
    with psycopg.connect(place.url) as connection:
        return {
            f"{table}_bytes_per_chunk_{wanted}": round(
                connection.execute(
                    "SELECT pg_total_relation_size(('veridical.search_' || %s)::regclass)", (table,)
                ).fetchone()[0]  # pyright: ignore[reportOptionalSubscript]
                / wanted
            )
            for table in ("postings", "chunks", "documents", "vectors")
        }


def _measured(
    place: Ground, index: PostgresIndex, asked: dict[str, Vector], wanted: int
) -> dict[str, Any]:
    retriever = Retriever(index, _Questions(asked))
    for question in list(asked)[:5]:  # connections are open and pages are read
        retriever.retrieve(question, _K)
    hybrid = _timed(asked, lambda question: retriever.retrieve(question, _K, depth=_K))
    bare = _bare(place, asked)
    lexical = _timed(asked, lambda question: index.lexical(question, _K, NO_FILTER))
    near = _timed(asked, lambda question: index.nearest(MODEL, asked[question], _K, NO_FILTER))
    return {
        f"hybrid_p50_ms_{wanted}": round(quantiles(hybrid, n=20)[9], 1),
        f"hybrid_p95_ms_{wanted}": round(quantiles(hybrid, n=20)[18], 1),
        f"lexical_p95_ms_{wanted}": round(quantiles(lexical, n=20)[18], 1),
        f"vector_p95_ms_{wanted}": round(quantiles(near, n=20)[18], 1),
        f"bare_p50_ms_{wanted}": round(quantiles(bare, n=20)[9], 1),
        f"engine_ratio_{wanted}": round(sum(hybrid) / sum(bare), 3),
        f"recall20_unfiltered_{wanted}": _recall(place, asked, NO_FILTER),
        f"recall20_one_host_{wanted}": _recall(place, asked, Filter(hosts=("h7",))),
        f"recall20_half_{wanted}": _recall(
            place, asked, Filter(hosts=tuple(f"h{number}" for number in range(0, _HOSTS, 2)))
        ),
        f"lexical_exact_{wanted}": _exactness(place, asked),
    }


def _timed(asked: dict[str, Vector], action: Callable[[str], object]) -> list[float]:
    milliseconds: list[float] = []
    for question in asked:
        began = perf_counter()
        action(question)
        milliseconds.append(1000 * (perf_counter() - began))
    return milliseconds


def _bare(place: Ground, asked: dict[str, Vector]) -> list[float]:
    """The two statements one after the other on a plain connection: no roles, no tenants, no rows
    of text, one round with the first budget."""
    with place.store.tenant(TENANT) as opened:
        collection = _collection(opened)
        schema = vectors.extension_schema(opened)
    lexical = lexical_statement(NO_FILTER).encode()
    given = {"collection": collection.id, "k": _K, "budget": BUDGET, "pool": POOL}
    with psycopg.connect(place.url) as connection:
        connection.execute(f"SELECT '[1]'::{schema}.halfvec".encode())
        for name, value in vectors.SCAN.items():
            connection.execute("SELECT set_config(%s, %s, false)", (name, value))

        def both(question: str) -> None:
            terms = query_terms(question, collection.languages)
            connection.execute(lexical, {**given, **terms}).fetchall()
            near = vectors.approximate_statement(schema, MODEL, _SIZE, NO_FILTER)
            vector = {**given, "vector": str(list(asked[question]))}
            connection.execute(near.encode(), vector).fetchall()

        return _timed(asked, both)


def _collection(connection: Connection) -> CollectionIndex:
    found = find_collection(connection, TENANT, "generated")
    if found is None:
        raise LookupError("generated")
    return found


def _recall(place: Ground, asked: dict[str, Vector], where: Filter) -> float:
    """The part of the exact nearest that the leg finds."""
    found = wanted = 0
    with place.store.tenant(TENANT) as connection:
        collection = _collection(connection)
        for vector in asked.values():
            hits, exact = (
                {
                    hit.chunk
                    for hit in vectors.nearest(
                        connection, collection, MODEL, vector, _K, where, limit
                    ).hits
                }
                for limit in (vectors.EXACT_BELOW, 2**31 - 1)
            )
            found += len(hits & exact)
            wanted += len(exact)
    return round(found / wanted, 4)


def _exactness(place: Ground, asked: dict[str, Vector]) -> float:
    """The part of the questions whose lexical result is proven exact."""
    with place.store.tenant(TENANT) as connection:
        collection = _collection(connection)
        proven = sum(
            lexical_search(
                connection, collection.id, query_terms(question, collection.languages), _K
            ).is_exact
            for question in asked
        )
    return round(proven / len(asked), 4)
