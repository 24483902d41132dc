"""An index beside PostgreSQL adds nothing and shows nothing that PostgreSQL does not have.

Qdrant is its client's local mode here: contract only.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.search.indexes import OUTSIDE, Opened, Tables, opened_tables, opener
from tests.search.outside.hostile import HOSTILE
from tests.search.passages import passage, passages
from veridical.contracts.language import Language
from veridical.search.embed import embed_missing
from veridical.search.embeddings.embedder import Vector
from veridical.search.index import SearchIndex
from veridical.search.ingest import ingest_batch
from veridical.search.outside.index import OutsideIndex
from veridical.search.outside.lance import LanceTables
from veridical.search.outside.place import Place
from veridical.search.outside.tables import UnreachableIndexError, VectorRow, WordRow
from veridical.search.store.collections import OutdatedIndexError, ensure_collection
from veridical.search.store.index import PostgresIndex
from veridical.search.store.vectors import OtherSizeError
from veridical.search.store.writing import write_documents
from veridical.store.connection import Store

pytestmark = pytest.mark.postgres
LEASE = passage("lease", "The notice period of the lease is three months.")
FRIST = passage("frist", "Die Kündigungsfrist beträgt sechs Wochen.", Language.DE)


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tables]:
    with opened_tables(tmp_path_factory.mktemp("indexes")) as opened:
        yield opened


@pytest.fixture(params=OUTSIDE)
def outside(request: pytest.FixtureRequest, store: Store, tables: Tables) -> Opened:
    return opener(request.param, store, tables)


def _name(request: pytest.FixtureRequest) -> str:
    return request.node.name


def _texts(index: SearchIndex, question: str) -> list[str]:
    return [hit.stored.chunk.text for hit in index.lexical(question, 9) if hit.stored]


def test_tenants_find_their_own_only(outside: Opened, request: pytest.FixtureRequest) -> None:
    name = _name(request)
    mine, theirs = outside("acme", name), outside("globex", name)
    (written,) = mine.write([LEASE])
    theirs.write([passage("lease", "The lease of globex.")])
    mine.write_vectors("m", [(written[0], [1.0, 0.0])])
    assert _texts(mine, "lease") == ["The notice period of the lease is three months."]
    assert _texts(theirs, "lease") == ["The lease of globex."]
    assert theirs.nearest("m", [1.0, 0.0], 9) == ()
    theirs.write_vectors("m", [(written[0], [1.0, 0.0])])
    assert theirs.nearest("m", [1.0, 0.0], 9) == (), "a number of another tenant is nobody's"


def test_a_tenant_who_reaches_the_tables_of_another_reads_nothing(
    store: Store, tables: Tables, request: pytest.FixtureRequest
) -> None:
    """The second wall: texts come from PostgreSQL, under its row policies."""
    name = _name(request)
    for kind in OUTSIDE:
        opener(kind, store, tables)("acme", name + kind).write([LEASE])
        opener(kind, store, tables)("globex", name + kind).write([FRIST])
        stolen = tables[kind](Place("acme", name + kind))
        assert stolen.matching({"en:leas": 1}, 9, None)
        index = OutsideIndex(PostgresIndex(store.tenant, "globex", name + kind), stolen)
        assert index.lexical("lease", 9) == ()


@pytest.mark.parametrize("kind", OUTSIDE)
def test_hostile_names_hold_in_the_index_itself(tables: Tables, kind: str) -> None:
    places = [Place(tenant, "c") for tenant in HOSTILE] + [Place("c", each) for each in HOSTILE]
    for number, place in enumerate(places):
        tables[kind](place).add_words([WordRow(number, number, {"en:word": 1}, 1, 1.0)])
        tables[kind](place).add_vectors("m", [VectorRow(number, number, [1.0, 0.0])])
        tables[kind](place).settle()
    for number, place in enumerate(places):
        assert [id for id, _ in tables[kind](place).matching({"en:word": 1}, 99, None)] == [number]
        assert [id for id, _ in tables[kind](place).near("m", [1.0, 0.0], 99, None)] == [number]
        assert tables[kind](place).held(range(len(places))) == {number}
    tables[kind](places[0]).clear_words()
    tables[kind](places[0]).clear_vectors()
    assert tables[kind](places[0]).held(range(len(places))) == set()
    assert all(tables[kind](place).held(range(len(places))) for place in places[1:])


def test_who_was_killed_between_both_writes_again(
    outside: Opened, store: Store, request: pytest.FixtureRequest
) -> None:
    name = _name(request)
    index = outside("acme", name)
    with store.tenant("acme") as connection:
        number = ensure_collection(connection, "acme", name)
        write_documents(connection, "acme", number, [LEASE, FRIST], in_postgres=False)
    assert index.content_hashes(["lease", "frist"]) == {}, "the verifier: not there yet"
    assert index.lexical("lease", 9) == ()
    assert not index.write([LEASE]), "nothing is stored twice"
    assert index.content_hashes(["lease", "frist"]) == {"lease": LEASE.content_hash}
    assert index.rebuild() == 2
    assert len(index.content_hashes(["lease", "frist"])) == 2
    assert len(_texts(index, "lease")) == len(_texts(index, "Kündigungsfrist")) == 1


def test_what_is_deleted_is_not_shown_even_before_the_index_knows(
    outside: Opened, store: Store, request: pytest.FixtureRequest
) -> None:
    name = _name(request)
    index = outside("acme", name)
    index.write([LEASE, passage("other", "Another lease.")])
    with store.tenant("acme") as connection:
        number = ensure_collection(connection, "acme", name)
        changed = passage("lease", "Nothing of it stays.")
        write_documents(connection, "acme", number, [changed], in_postgres=False)
    assert _texts(index, "lease") == ["Another lease."]
    index.write([changed])
    assert _texts(index, "nothing stays") == ["Nothing of it stays."]
    assert len(index.lexical("lease", 1)) == 1, "what is gone takes no place any more"


def test_the_other_index_is_named_and_rebuilt_from_the_texts(
    outside: Opened, store: Store, request: pytest.FixtureRequest
) -> None:
    name = _name(request)
    postgres, index = PostgresIndex(store.tenant, "acme", name), outside("acme", name)
    postgres.write([LEASE, FRIST])
    before = postgres.lexical("lease", 9)
    for refused in (lambda: index.lexical("lease", 9), lambda: index.write([FRIST])):
        with pytest.raises(OutdatedIndexError):
            refused()
    assert index.rebuild() == 2
    assert _texts(index, "lease") == [LEASE.chunks[0].text]
    index.write([passage("more", "A lease more.")])
    assert len(_texts(index, "lease")) == 2
    for refused in (lambda: postgres.lexical("lease", 9), lambda: postgres.write([FRIST])):
        with pytest.raises(OutdatedIndexError):
            refused()
    index.write([passage("more", "Nothing.")])
    assert postgres.rebuild() == 3
    again = postgres.lexical("lease", 9)
    assert [hit.chunk for hit in again] == [hit.chunk for hit in before]
    with pytest.raises(OutdatedIndexError):
        index.lexical("lease", 9)


def test_an_ingest_into_another_index_names_the_rebuild(
    outside: Opened, store: Store, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    PostgresIndex(store.tenant, "acme", _name(request)).write([LEASE])
    (tmp_path / "a.txt").write_text("A lease.", "utf-8")
    outcome = ingest_batch(outside("acme", _name(request)), None, [tmp_path / "a.txt"])
    assert "veridical search rebuild" in outcome["failed"][str(tmp_path / "a.txt")]


def test_a_rebuild_that_was_killed_is_not_taken_for_a_whole_one(
    outside: Opened, request: pytest.FixtureRequest
) -> None:
    index = outside("acme", _name(request))
    index.write([LEASE, FRIST])

    def killed(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        index.rebuild(killed)
    with pytest.raises(OutdatedIndexError):
        index.lexical("lease", 9)
    assert index.rebuild() == 2
    assert len(_texts(index, "lease")) == 1


def test_writers_at_once_store_everything_once(
    outside: Opened, request: pytest.FixtureRequest
) -> None:
    name = _name(request)
    texts = {f"d{number}": f"A car, number {number}." for number in range(12)}
    documents = passages(texts)
    outside("acme", name).write(documents[:1])
    with ThreadPoolExecutor(3) as threads:
        parts = [threads.submit(outside("acme", name).write, documents[at:]) for at in range(3)]
        written = [part.result() for part in parts]
    assert sum(map(len, written)) == 11
    hits = outside("acme", name).lexical("car", 99)
    assert len(hits) == len({hit.chunk for hit in hits}) == 12


class _Embedder:
    model = "m"

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        return [[float(len(text)), 1.0] for text in texts]

    def embed_query(self, text: str) -> Vector:
        return self.embed([text])[0]


def test_vectors_are_completed_and_forgotten(
    outside: Opened, request: pytest.FixtureRequest
) -> None:
    index = outside("acme", _name(request))
    index.write(passages({f"d{number}": "A car. " * (number + 1) for number in range(5)}))
    index.write_vectors("older", [(index.lexical("car", 1)[0].chunk, [1.0, 0.0, 0.0])])
    report = embed_missing(index, _Embedder())
    assert (report.embedded, report.missing, report.others) == (5, 0, ("older",))
    assert (report.size, report.chunks) == (2, 5)
    assert embed_missing(index, _Embedder()).embedded == 0
    assert len(index.openings("m", 9)) == 5
    with pytest.raises(OtherSizeError):
        index.nearest("m", [1.0], 5)
    index.rebuild()
    assert len(index.nearest("m", [7.0, 1.0], 9)) == 5, "a rebuild keeps the vectors"
    index.write([passage("d0", "Nothing.")])
    assert len(index.nearest("m", [7.0, 1.0], 9)) == 4
    index.forget_vectors()
    assert index.vector_state("m").missing == 5
    assert index.nearest("m", [7.0, 1.0], 9) == ()


def test_an_index_that_is_away_is_named(store: Store, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    tables = LanceTables(str(tmp_path / "file"), Place("acme", "away"))
    index = OutsideIndex(PostgresIndex(store.tenant, "acme", "away"), tables)
    with pytest.raises(UnreachableIndexError, match="lancedb"):
        index.lexical("lease", 9)


def test_another_process_sees_what_was_written_and_rebuilt(store: Store, tmp_path: Path) -> None:
    """As another process does: through connections of its own, which have read before."""
    ours, theirs = (
        OutsideIndex(
            PostgresIndex(store.tenant, "acme", "seen"),
            LanceTables(f"{tmp_path}{way}", Place("acme", "seen")),
        )
        for way in ("", "/")
    )
    ours.write([LEASE])
    assert len(theirs.lexical("lease", 9)) == 1
    theirs.write([passage("other", "Another lease.")])
    assert len(ours.lexical("lease", 9)) == 2
    theirs.rebuild()
    assert len(ours.lexical("lease", 9)) == 2
