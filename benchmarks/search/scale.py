"""Cost and growth on generated chunks: hybrid retrieval beside bare statements, filtered recall.

    python -m benchmarks.search.scale --index lancedb --chunks 100000 --json

Each size is a collection of its own, written by COPY; how fast an ingest is, is measured apart. A
chunk of number n has the host ``h<n mod 100>``, so a filter on one host keeps a hundredth. For
every question each size is asked through the product and by its bare statements, one after the
other and in turns, so that what else the machine does weighs on all alike; the best of three rounds
counts. A ratio is that of the medians. An index beside PostgreSQL is filled from it, as ``veridical
search rebuild`` does, and has no bare statement.
"""

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter, process_time
from typing import Any

import psycopg

from benchmarks.command import command, show
from benchmarks.search.bare import TENANT, BareStatements, Ground, ground
from benchmarks.search.bulk import HOSTS, write_collection
from benchmarks.search.drawn import SIZE, Drawn, DrawnEmbedder
from veridical.contracts.language import Language
from veridical.search.chunk import Chunk, ChunkedDocument, Origin
from veridical.search.embeddings.embedder import Vector
from veridical.search.filter import NO_FILTER, Filter
from veridical.search.retrieve import Retriever
from veridical.search.score.settings import Index
from veridical.search.store import vectors
from veridical.search.store.collections import CollectionIndex, collection_number
from veridical.search.store.lexical import lexical_search, no_limits
from veridical.search.store.vector_index import build_index

_K, _BATCH, _ROUNDS, _FIRST = 20, 1_000, 3, 5
_PAGE = 10_000
_MOST = 2**31 - 1
_COMPARED = 30
"""Questions for which everything is read."""
Asked = Mapping[str, Vector]
Times = dict[tuple[int, str], dict[str, float]]
"""Milliseconds of each question, by size and by what was timed: the best of all rounds."""


@dataclass(frozen=True)
class Size:
    """How much is generated and asked."""

    chunks: tuple[int, ...]
    questions: int
    ingested: int = 10_000


FULL = Size((100_000, 1_000_000), 100)
SMOKE = Size((2_000,), 10, 1_000)


def scale(place: Ground, size: Size) -> dict[str, Any]:
    """The figures at each number of chunks."""
    figures = _ingest(place, size.ingested)
    for wanted in size.chunks:
        fill(place, wanted)
        figures |= filled_outside(place, wanted)
        figures |= _bytes(place, wanted)
    return figures | measured(place, size)


def fill(place: Ground, wanted: int) -> None:
    """Write the collection of this size, with its index."""
    write_collection(place.url, _name(wanted), _model(wanted), wanted, Drawn())
    if place.settings.index is Index.POSTGRES:
        build_index(place.url, _model(wanted), SIZE)
    with psycopg.connect(place.url, autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE")


def measured(place: Ground, size: Size) -> dict[str, Any]:
    """What is asked of collections that are there."""
    drawn = Drawn()
    questions = drawn.questions(size.questions)
    asked = dict(zip(questions, drawn.vectors(size.questions), strict=True))
    figures: dict[str, Any] = {"load_before": round(os.getloadavg()[0], 1)}
    figures |= _times(place, size.chunks, asked)
    figures["load_after"] = round(os.getloadavg()[0], 1)
    half = Filter(hosts=tuple(f"h{number}" for number in range(0, HOSTS, 2)))
    for wanted in size.chunks:
        figures |= {
            f"recall20_unfiltered_{wanted}": _recall(place, wanted, asked, NO_FILTER),
            f"recall20_one_host_{wanted}": _recall(place, wanted, asked, Filter(hosts=("h7",))),
            f"recall20_half_{wanted}": _recall(place, wanted, asked, half),
        }
        if place.settings.index is Index.POSTGRES:
            figures[f"lexical_exact_{wanted}"] = _exactness(place, wanted, asked)
    return figures


def _name(wanted: int) -> str:
    return f"g{wanted}"


def _model(wanted: int) -> str:
    return f"m{wanted}"


def _ingest(place: Ground, count: int) -> dict[str, Any]:
    """Writing without vectors, in batches, with all merges that fall due."""
    index, drawn = place.index("ingested"), Drawn()
    seconds = cpu = 0.0
    for start in range(0, count, _BATCH):
        documents = [
            ChunkedDocument(Origin(f"d{number}"), f"d{number}", (Chunk(text, Language.EN),))
            for number, text in enumerate(drawn.texts(min(_BATCH, count - start)), start)
        ]
        began, began_cpu = perf_counter(), process_time()
        index.write(documents)
        seconds += perf_counter() - began
        cpu += process_time() - began_cpu
    return {
        "ingest_chunks_per_s": round(count / seconds),
        "ingest_client_cpu_ms_per_chunk": round(1000 * cpu / count, 2),
    }


def filled_outside(place: Ground, wanted: int) -> dict[str, Any]:
    """What an index beside PostgreSQL was filled with from there, how fast, and its size."""
    if place.settings.index is Index.POSTGRES:
        return {}
    index, began = place.index(_name(wanted)), perf_counter()
    index.rebuild()
    words, began = perf_counter() - began, perf_counter()
    with psycopg.connect(place.url) as connection, connection.cursor("vectors") as cursor:
        cursor.execute(
            "SELECT chunk, embedding::text FROM veridical.search_vectors WHERE model = %s"
            " ORDER BY chunk",
            (_model(wanted),),
        )
        while page := cursor.fetchmany(_PAGE):
            index.write_vectors(_model(wanted), [(row[0], json.loads(row[1])) for row in page])
    near = perf_counter() - began
    files = (each for each in Path(place.settings.index_address).rglob("*") if each.is_file())
    size = sum(each.stat().st_size for each in files)
    return {
        f"rebuild_chunks_per_s_{wanted}": round(wanted / words),
        f"vectors_per_s_{wanted}": round(wanted / near),
        f"outside_bytes_per_chunk_{wanted}": round(size / wanted),
    }


def _bytes(place: Ground, wanted: int) -> dict[str, Any]:
    """What all chunks so far take on disk with their indexes, each, by table."""
    with psycopg.connect(place.url) as connection:
        sizes = {
            table: connection.execute(
                "SELECT pg_total_relation_size(('veridical.search_' || %s)::regclass)"
                "  / (SELECT count(*) FROM veridical.search_chunks)",
                (table,),
            ).fetchone()
            for table in ("postings", "chunks", "documents", "vectors")
        }
    return {
        f"{table}_bytes_per_chunk_{wanted}": found[0] for table, found in sizes.items() if found
    }


def _times(place: Ground, sizes: tuple[int, ...], asked: Asked) -> dict[str, Any]:
    times: Times = {}
    actions: dict[tuple[int, str], Callable[[str], object]] = {}
    opened: list[BareStatements] = []
    for wanted in sizes:
        index, model = place.index(_name(wanted)), _model(wanted)
        retriever = Retriever(index, DrawnEmbedder(model, dict(asked)))
        actions |= {
            (wanted, "hybrid"): lambda q, r=retriever: r.retrieve(q, _K, depth=_K),
            (wanted, "lexical"): lambda q, i=index: i.lexical(q, _K, NO_FILTER),
            (wanted, "vector"): lambda q, i=index, m=model: i.nearest(m, asked[q], _K, NO_FILTER),
        }
        if place.settings.index is Index.POSTGRES:
            opened.append(BareStatements.open(place, _name(wanted), model, _K))
            actions[wanted, "bare"] = lambda q, b=opened[-1]: b.both(q, asked[q])
    for number in range(_ROUNDS + 1):
        for question in asked if number else list(asked)[:_FIRST]:
            for key, action in actions.items():
                began = perf_counter()
                action(question)
                if number:  # connections are open and pages are read
                    best = times.setdefault(key, {})
                    took = 1000 * (perf_counter() - began)
                    best[question] = min(took, best.get(question, took))
    for each in opened:
        each.close()
    return _summed_up(times, sizes)


def _summed_up(times: Times, sizes: tuple[int, ...]) -> dict[str, Any]:
    p50 = {key: median(values.values()) for key, values in times.items()}
    p95 = {key: quantiles(values.values(), n=20)[18] for key, values in times.items()}
    figures = {f"{part}_p50_ms_{wanted}": round(p50[wanted, part], 1) for wanted, part in times}
    figures |= {f"{part}_p95_ms_{wanted}": round(p95[wanted, part], 1) for wanted, part in times}
    for wanted in sizes:
        if (wanted, "bare") in p50:
            ratio = p50[wanted, "hybrid"] / p50[wanted, "bare"]
            figures[f"engine_ratio_{wanted}"] = round(ratio, 3)
    if len(sizes) > 1:
        for part in {part for _, part in p95}:
            growth = p95[sizes[-1], part] / p95[sizes[0], part]
            figures[f"p95_growth_{part}"] = round(growth, 2)
    return figures


def _recall(place: Ground, wanted: int, asked: Asked, where: Filter) -> float:
    """The part of the exact nearest (PostgreSQL reads all vectors for it) that the leg finds."""
    found = expected = 0
    index = place.index(_name(wanted))
    with place.store.tenant(TENANT) as connection:
        number = collection_number(connection, TENANT, _name(wanted))
        collection = CollectionIndex(number or 0, (), wanted)
        for vector in asked.values():
            model = _model(wanted)
            near = vectors.nearest(connection, collection, model, vector, _K, where, _MOST)
            exact = {hit.chunk for hit in near.hits}
            hits = {hit.chunk for hit in index.nearest(model, vector, _K, where)}
            found += len(hits & exact)
            expected += len(exact)
    return round(found / expected, 4)


def _exactness(place: Ground, wanted: int, asked: Asked) -> float:
    """The part of the questions whose lexical scores are those of reading every posting."""
    name, questions = _name(wanted), list(asked)[:_COMPARED]
    with place.store.tenant(TENANT) as connection:
        same = 0
        for question in questions:
            cut, whole = (
                [
                    round(hit.score, 6)
                    for hit in lexical_search(
                        connection, TENANT, name, question, _K, NO_FILTER, limits
                    )
                ]
                for limits in (None, no_limits(_K))
            )
            same += cut == whole
    return round(same / len(questions), 4)


def main() -> None:
    """Print the figures."""
    parser = command(__doc__, smoke="a small part")
    parser.add_argument("--chunks", nargs="*", type=int, help="generated chunks, rising")
    parser.add_argument("--index", choices=[*Index], default=Index.POSTGRES, help="what finds")
    parser.add_argument("--questions", type=int, help="questions that are asked")
    given = parser.parse_args()
    size = SMOKE if given.smoke else FULL
    chunks = tuple(sorted(given.chunks)) if given.chunks else size.chunks
    with ground(Index(given.index)) as place:
        asked = Size(chunks, given.questions or size.questions, size.ingested)
        found = scale(place, asked)
    show(found, given)


if __name__ == "__main__":
    main()
