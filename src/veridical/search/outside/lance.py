"""Words and vectors in LanceDB: files in a folder or object storage, read and written in this
process. Every tenant has a folder of its own.

Terms are those of our analysers, in a text apart by spaces, so that LanceDB splits it and changes
nothing. What was not settled yet is found all the same, by reading it.
"""

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import timedelta
from functools import cache, cached_property
from typing import Any

from veridical.contracts.extras import named_when_missing
from veridical.search.embeddings.embedder import Vector
from veridical.search.outside.place import Place
from veridical.search.outside.tables import Documents, Scored, VectorRow, WordRow, slices
from veridical.search.store.vectors import EXACT_BELOW, OtherSizeError

# Else it warns, and reads every centroid to count rows.
os.environ.setdefault("LANCE_INCLUDE_VECTOR_CENTROIDS", "false")
with named_when_missing():
    import lancedb
    import pyarrow as pa
    from lancedb.index import FTS, HnswSq
    from lancedb.query import MatchQuery

_TERMS, _VECTOR = "terms", "vector"
_WORDS = pa.schema(
    [
        pa.field("id", pa.int64(), nullable=False),
        pa.field("document", pa.int64(), nullable=False),
        pa.field(_TERMS, pa.string(), nullable=False),
    ]
)
_AS_IT_IS = FTS(
    base_tokenizer="whitespace",
    with_position=False,
    lower_case=False,
    stem=False,
    remove_stop_words=False,
    ascii_folding=False,
    max_token_length=None,
)
_MODEL = b"model"
_PART, _MOST = 1_000, 20_000
"""Rows that were not settled yet: fewer are left as they are, more never wait."""
_SHARE = 16
"""One in so many may wait: settling reads all."""
_READERS = timedelta(minutes=1)
"""How long a version stays that somebody may still be reading."""
_CACHE = 256 * 2**20
"""Bytes of an index that are kept in memory, for all tenants together."""
_AT_ONCE = 10_000
_EFFORT = 200
"""Candidates of the walk through the graph."""


class LanceTables:
    """The tables of one collection."""

    index = "lancedb"
    errors = (RuntimeError, OSError, ValueError)

    def __init__(self, address: str, place: Place) -> None:
        self._address = address
        self._place = place

    def add_words(self, rows: Sequence[WordRow]) -> None:
        """Add chunks that are not there."""
        columns = {
            "id": [each.id for each in rows],
            "document": [each.document for each in rows],
            _TERMS: [" ".join(_repeated(each.terms)) for each in rows],
        }
        self._ensured(self._place.words, _WORDS).add(pa.table(columns, schema=_WORDS))

    def add_vectors(self, model: str, rows: Sequence[VectorRow]) -> None:
        """Add vectors, all of one length, of chunks that have none of the model."""
        schema = _vector_schema(model, len(rows[0].vector))
        columns = {
            "id": [each.id for each in rows],
            "document": [each.document for each in rows],
            _VECTOR: [list(each.vector) for each in rows],
        }
        table = self._ensured(self._place.vectors(model), schema)
        table.add(pa.table(columns, schema=schema))

    def held(self, documents: Collection[int], model: str | None = None) -> set[int]:
        """The chunks of these documents that have words here, or a vector of the model."""
        name = self._place.words if model is None else self._place.vectors(model)
        table = self._opened(name)
        found: set[int] = set()
        if table is None:
            return found
        for part in slices(documents, _AT_ONCE):
            query = table.search().where(_among("document", part)).select(["id"])
            found |= set(query.to_arrow()["id"].to_pylist())
        return found

    def remove(self, ids: Collection[int]) -> None:
        """Drop words and vectors of these chunks."""
        for name in self._names():
            for part in slices(ids, _AT_ONCE):
                self._tables.open_table(name).delete(_among("id", part))

    def clear_words(self) -> None:
        """Drop the words of all chunks. The table stays, for those who are reading it."""
        table = self._opened(self._place.words)
        if table is None:
            return
        table.delete("true")
        for made in table.list_indices():
            table.drop_index(made.name)

    def clear_vectors(self) -> None:
        """Drop the vectors of all models."""
        for name in self._names():
            if name != self._place.words:
                self._tables.drop_table(name, ignore_missing=True)

    def settle(self) -> None:
        """Make what was written quick to find, where enough was written."""
        for name in self._names():
            table = self._tables.open_table(name)
            is_words = name == self._place.words
            column, config = (_TERMS, _AS_IT_IS) if is_words else (_VECTOR, _graph())
            made = next((each.name for each in table.list_indices()), None)
            total = table.count_rows()
            if made is None:
                if total >= (1 if is_words else EXACT_BELOW):
                    table.create_index(column, config=config)
                continue
            waiting = table.index_stats(made).num_unindexed_rows
            if waiting >= min(max(_PART, total // _SHARE), _MOST):
                table.optimize(cleanup_older_than=_READERS)

    def matching(self, terms: Mapping[str, int], k: int, documents: Documents) -> Scored:
        """The chunks with the highest BM25."""
        table = self._opened(self._place.words)
        if table is None or not table.list_indices():
            return ()
        question: Any = MatchQuery
        query = question(" ".join(_repeated(terms)), _TERMS)
        search = _limited(table.search(query, query_type="fts"), k, documents)
        found = search.select(["id", "_score"]).to_arrow()
        return list(zip(found["id"].to_pylist(), found["_score"].to_pylist(), strict=True))

    def near(self, model: str, vector: Vector, k: int, documents: Documents) -> Scored:
        """The chunks with the nearest vectors, with their cosines. Raises ``OtherSizeError``."""
        table = self._opened(self._place.vectors(model))
        if table is None:
            return ()
        if _size(table) != len(vector):
            raise OtherSizeError
        search = table.search(list(vector), vector_column_name=_VECTOR).distance_type("cosine")
        search = _limited(search.ef(max(_EFFORT, k)).refine_factor(2), k, documents)
        found = search.select(["id", "_distance"]).to_arrow()
        distances = found["_distance"].to_pylist()
        return [
            (id, 1 - distance)
            for id, distance in zip(found["id"].to_pylist(), distances, strict=True)
        ]

    def sizes(self) -> Mapping[str, tuple[int, int]]:
        """By model: how many vectors there are, and their length."""
        found: dict[str, tuple[int, int]] = {}
        for name in self._names():
            if name != self._place.words:
                table = self._tables.open_table(name)
                model = (table.schema.metadata or {})[_MODEL].decode()
                found[model] = table.count_rows(), _size(table)
        return found

    @cached_property
    def _tables(self) -> Any:
        return _connected(self._address, self._place.folder)

    def _names(self) -> list[str]:
        """All tables of this collection that are there."""
        found: list[str] = []
        token: str | None = None
        while True:
            page = self._tables.list_tables(page_token=token)
            found += [each for each in page.tables if each.startswith(self._place.prefix)]
            token = page.page_token
            if not token:
                return found

    def _opened(self, name: str) -> Any:
        return self._tables.open_table(name) if name in self._names() else None

    def _ensured(self, name: str, schema: Any) -> Any:
        opened = self._opened(name)
        return self._tables.create_table(name, schema=schema) if opened is None else opened


@cache
def _session() -> Any:
    return lancedb.Session(index_cache_size_bytes=_CACHE, metadata_cache_size_bytes=_CACHE // 4)


@cache
def _connected(address: str, folder: str) -> Any:
    """What a tenant has; another process's writes are seen by the next call."""
    return lancedb.connect(
        f"{address.rstrip('/')}/{folder}",
        read_consistency_interval=timedelta(0),
        session=_session(),
    )


def _graph() -> Any:
    return HnswSq(distance_type="cosine")


def _vector_schema(model: str, size: int) -> Any:
    fields = [
        pa.field("id", pa.int64(), nullable=False),
        pa.field("document", pa.int64(), nullable=False),
        pa.field(_VECTOR, pa.list_(pa.float16(), size), nullable=False),
    ]
    return pa.schema(fields, metadata={_MODEL: model.encode()})


def _size(table: Any) -> int:
    return table.schema.field(_VECTOR).type.list_size


def _repeated(terms: Mapping[str, int]) -> Iterable[str]:
    return (term for term, count in terms.items() for _ in range(count))


def _among(column: str, numbers: Iterable[int]) -> str:
    """A condition of numbers alone: no text of anybody's is ever part of one."""
    return f"{column} IN ({','.join(str(int(each)) for each in numbers)})"


def _limited(search: Any, k: int, documents: Documents) -> Any:
    if documents is not None:
        search = search.where(_among("document", documents), prefilter=True)
    return search.limit(k)
