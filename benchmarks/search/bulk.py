"""A large collection written by COPY, as an ingest in batches of 1,000 would have left it.

An ingest of a million chunks takes most of an hour; what is measured here is the search. Terms,
levels and entries are those of the product's own functions, and so are the sizes of the segments:
merged by eights.
"""

from collections.abc import Iterable, Iterator
from typing import LiteralString

import numpy
import psycopg

from benchmarks.search.bare import TENANT
from benchmarks.search.drawn import VOCABULARY, Drawn, Table, spelled
from veridical.contracts.language import Language
from veridical.search.analysis.analyser import ANALYSERS
from veridical.search.store.merging import FAN_IN, LARGEST, map_statement
from veridical.search.store.postings import CHUNK_SHIFT, CODE_BYTES, LEVELS, level, term_code

HOSTS = 100
_BATCH = 1_000
_LANGUAGE = Language.EN
_AT_ONCE = 20_000
"""Rows of vectors that are drawn at a time."""
_COLLECTION: LiteralString = (
    "INSERT INTO veridical.search_collections (tenant, name) VALUES (%s, %s) RETURNING id"
)
_INDEX: LiteralString = (
    "INSERT INTO veridical.search_indexes (collection, language, tenant, analyser, pivot)"
    " VALUES (%s, %s, %s, %s, %s)"
)
_SEGMENT: LiteralString = (
    "INSERT INTO veridical.search_segments (tenant, collection, language, chunks, length)"
    " VALUES (%s, %s, %s, %s, %s) RETURNING id"
)
_NEXT: LiteralString = (
    "SELECT greatest((SELECT coalesce(max(id), 0) FROM veridical.search_chunks),"
    " (SELECT coalesce(max(id), 0) FROM veridical.search_documents)) + 1"
)
_DOCUMENTS: LiteralString = "documents (id, tenant, collection, source, content_hash, host)"
_CHUNKS: LiteralString = (
    "chunks (id, tenant, collection, document, position, language, text, length, terms)"
)
_POSTINGS: LiteralString = (
    "postings (tenant, collection, language, term, level, segment, n, entries)"
)
_VECTORS: LiteralString = "vectors (chunk, model, tenant, collection, document, embedding)"


def segment_sizes(chunks: int) -> list[int]:
    """How many chunks each segment has after an ingest of this many."""
    sizes: list[int] = []
    size = _BATCH
    while size < LARGEST:
        size *= FAN_IN
    while size > _BATCH:
        sizes += [size] * (chunks // size)
        chunks %= size
        size //= FAN_IN
    sizes += [_BATCH] * (chunks // _BATCH)
    return sizes + ([chunks % _BATCH] if chunks % _BATCH else [])


def write_collection(url: str, name: str, model: str, chunks: int, drawn: Drawn) -> None:
    """Store a collection of this many drawn chunks, each a document, with vectors of this model."""
    with psycopg.connect(url) as connection:
        found = connection.execute(_COLLECTION, (TENANT, name)).fetchone()
        collection = int(found[0])  # pyright: ignore[reportOptionalSubscript]
        started = False
        for size in segment_sizes(chunks):
            words = drawn.words(size)
            pivot = float(words.shape[1])
            if not started:
                analyser = ANALYSERS[_LANGUAGE].version
                about = (collection, _LANGUAGE.value, TENANT, analyser, pivot)
                connection.execute(_INDEX, about)
                started = True
            _write_segment(connection, collection, words, pivot)
        _write_vectors(connection, collection, model, drawn)
        for table in ("documents", "chunks"):
            connection.execute(
                f"SELECT setval('veridical.search_{table}_id_seq',"
                f" (SELECT max(id) FROM veridical.search_{table}))".encode()
            )


def _write_segment(
    connection: psycopg.Connection, collection: int, words: Table, pivot: float
) -> None:
    count, length = words.shape
    about = (TENANT, collection, _LANGUAGE.value)
    made = connection.execute(_SEGMENT, (*about, count, count * length)).fetchone()
    start = connection.execute(_NEXT).fetchone()
    segment, first = (int(found[0]) for found in (made, start))  # pyright: ignore[reportOptionalSubscript]
    _copy(
        connection,
        _DOCUMENTS,
        (
            f"{first + place}\t{TENANT}\t{collection}\td{first + place}\td{first + place}"
            f"\th{(first + place) % HOSTS}\n"
            for place in range(count)
        ),
    )
    chunk, word, frequency = _counted(words)
    _copy(connection, _CHUNKS, _chunk_rows(collection, first, words, (chunk, word, frequency)))
    _copy(
        connection,
        _POSTINGS,
        (
            f"{TENANT}\t{collection}\t{_LANGUAGE.value}\t{term}\t{place}\t{segment}\t{n}\t{held}\n"
            for term, place, n, held in _postings((chunk + first, word, frequency), length, pivot)
        ),
    )
    made_of = {"collection": collection, "language": _LANGUAGE.value, "tenant": TENANT}
    connection.execute(map_statement().encode(), {**made_of, "made": segment})


def _counted(words: Table) -> tuple[Table, Table, Table]:
    """Chunk, word and frequency, in the order of the chunks."""
    numbered = words + numpy.arange(len(words))[:, None] * VOCABULARY
    found, frequency = numpy.unique(numbered, return_counts=True)
    return found // VOCABULARY, found % VOCABULARY, frequency


def _chunk_rows(
    collection: int, first: int, words: Table, counted: tuple[Table, Table, Table]
) -> Iterator[str]:
    chunk, word, frequency = counted
    codes = b"".join(term_code(spelled(each)) for each in range(VOCABULARY))
    by_word = numpy.frombuffer(codes, numpy.uint8).reshape(VOCABULARY, CODE_BYTES)
    coded = numpy.column_stack([by_word[word], frequency.astype(numpy.uint8)])
    ends = numpy.searchsorted(chunk, numpy.arange(1, len(words) + 1))
    start = 0
    for place, end in enumerate(ends.tolist()):
        id = first + place
        text = " ".join(map(spelled, words[place].tolist()))
        yield (
            f"{id}\t{TENANT}\t{collection}\t{id}\t0\t{_LANGUAGE.value}\t{text}"
            f"\t{words.shape[1]}\t\\\\x{coded[start:end].tobytes().hex()}\n"
        )
        start = end


def _postings(
    counted: tuple[Table, Table, Table], length: int, pivot: float
) -> Iterator[tuple[str, int, int, str]]:
    """Term, level, how many, and the entries."""
    chunk, word, frequency = counted
    by_frequency = [level(each, length, pivot) for each in range(1, length + 1)]
    key = word * LEVELS + numpy.array(by_frequency)[frequency - 1]
    entries = (chunk << CHUNK_SHIFT) | (frequency << 16) | length
    order = numpy.argsort(key, kind="stable")
    key, entries = key[order], entries[order]
    starts = numpy.flatnonzero(numpy.diff(key, prepend=-1)).tolist()
    for start, end in zip(starts, [*starts[1:], len(key)], strict=True):
        term, place = divmod(int(key[start]), LEVELS)
        yield spelled(term), place, end - start, _array(entries[start:end])


def _write_vectors(
    connection: psycopg.Connection, collection: int, model: str, drawn: Drawn
) -> None:
    ids = [
        row[0]
        for row in connection.execute(
            "SELECT id FROM veridical.search_chunks WHERE collection = %s ORDER BY id",
            (collection,),
        )
    ]

    def lines() -> Iterator[str]:
        for start in range(0, len(ids), _AT_ONCE):
            part = ids[start : start + _AT_ONCE]
            values = numpy.round(numpy.array(drawn.vectors(len(part))), 4).tolist()
            for id, vector in zip(part, values, strict=True):
                yield f"{id}\t{model}\t{TENANT}\t{collection}\t{id}\t{vector}\n"

    _copy(connection, _VECTORS, lines())


def _array(numbers: Table) -> str:
    return "{" + str(numbers.tolist())[1:-1] + "}"


def _copy(connection: psycopg.Connection, table: LiteralString, lines: Iterable[str]) -> None:
    with (
        connection.cursor() as cursor,
        cursor.copy(f"COPY veridical.search_{table} FROM STDIN".encode()) as copy,
    ):
        for line in lines:
            copy.write(line)
