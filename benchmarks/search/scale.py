"""Cost and growth on generated chunks: hybrid retrieval beside bare statements, filtered recall.

    python -m benchmarks.search.scale --chunks 100000 --json

Each size is a collection of its own, written by COPY; how fast an ingest is, is measured apart. A
chunk of number n has the host ``h<n mod 100>``, so a filter on one host keeps a hundredth. For
every question each size is asked through the product and by its bare statements, one after the
other and in turns, so that what else the machine does weighs on all alike; a ratio is that of the
medians.
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
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
from veridical.search.store import vectors
from veridical.search.store.collections import find_collection
from veridical.search.store.lexical import lexical_search, no_limits
from veridical.search.store.vector_index import build_index

_K, _BATCH, _ROUNDS, _FIRST = 20, 1_000, 3, 5
_MOST = 2**31 - 1
_COMPARED = 30
"""Questions for which everything is read."""
Asked = Mapping[str, Vector]
Times = dict[tuple[int, str], list[float]]
"""Milliseconds, by size and by what was timed."""


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
        figures |= _bytes(place, wanted)
    return figures | measured(place, size)


def fill(place: Ground, wanted: int) -> None:
    """Write the collection of this size, with its index."""
    write_collection(place.url, _name(wanted), _model(wanted), wanted, Drawn())
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
            f"lexical_exact_{wanted}": _exactness(place, wanted, asked),
        }
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
        opened.append(BareStatements.open(place, index.collection, model, _K))
        actions |= {
            (wanted, "hybrid"): lambda q, r=retriever: r.retrieve(q, _K, depth=_K),
            (wanted, "bare"): lambda q, b=opened[-1]: b.both(q, asked[q]),
            (wanted, "lexical"): lambda q, i=index: i.lexical(q, _K, NO_FILTER),
            (wanted, "vector"): lambda q, i=index, m=model: i.nearest(m, asked[q], _K, NO_FILTER),
        }
    for number in range(_ROUNDS + 1):
        for question in asked if number else list(asked)[:_FIRST]:
            for key, action in actions.items():
                began = perf_counter()
                action(question)
                if number:  # connections are open and pages are read
                    times.setdefault(key, []).append(1000 * (perf_counter() - began))
    for each in opened:
        each.close()
    return _summed_up(times, sizes)


def _summed_up(times: Times, sizes: tuple[int, ...]) -> dict[str, Any]:
    p50 = {key: median(values) for key, values in times.items()}
    p95 = {key: quantiles(values, n=20)[18] for key, values in times.items()}
    figures = {f"{part}_p50_ms_{wanted}": round(p50[wanted, part], 1) for wanted, part in times}
    figures |= {f"{part}_p95_ms_{wanted}": round(p95[wanted, part], 1) for wanted, part in times}
    for wanted in sizes:
        ratio = p50[wanted, "hybrid"] / p50[wanted, "bare"]
        figures[f"engine_ratio_{wanted}"] = round(ratio, 3)
    if len(sizes) > 1:
        for part in ("hybrid", "lexical", "vector", "bare"):
            growth = p95[sizes[-1], part] / p95[sizes[0], part]
            figures[f"p95_growth_{part}"] = round(growth, 2)
    return figures


def _recall(place: Ground, wanted: int, asked: Asked, where: Filter) -> float:
    """The part of the exact nearest that the leg finds."""
    found = expected = 0
    with place.store.tenant(TENANT) as connection:
        collection = find_collection(connection, TENANT, _name(wanted))
        if collection is None:
            raise LookupError(_name(wanted))
        for vector in asked.values():
            hits, exact = (
                {
                    hit.chunk
                    for hit in vectors.nearest(
                        connection, collection, _model(wanted), vector, _K, where, limit
                    ).hits
                }
                for limit in (vectors.EXACT_BELOW, _MOST)
            )
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
    parser.add_argument("--questions", type=int, help="questions that are asked")
    given = parser.parse_args()
    size = SMOKE if given.smoke else FULL
    chunks = tuple(sorted(given.chunks)) if given.chunks else size.chunks
    with ground() as place:
        asked = Size(chunks, given.questions or size.questions, size.ingested)
        found = scale(place, asked)
    show(found, given)


if __name__ == "__main__":
    main()
