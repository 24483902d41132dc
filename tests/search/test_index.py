"""Golden cases that every index behind the port is held to."""

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.search.indexes import INDEXES, Opened, Tables, opened_tables, opener
from tests.search.passages import passage
from veridical.contracts.language import Language
from veridical.search.chunk import Chunk, ChunkedDocument, Origin, kept_positions
from veridical.search.document_reading import content_hash
from veridical.search.filter import NO_FILTER, Filter
from veridical.search.index import SearchIndex
from veridical.store.connection import Store

pytestmark = pytest.mark.postgres

_NEW, _OLD = datetime(2026, 1, 1, tzinfo=UTC), datetime(2020, 1, 1, tzinfo=UTC)
_DOCUMENTS = [
    passage("lease", "The notice period of the lease is three months.", host="a.org", date=_NEW),
    passage("work", "The notice period of the contract is one month.", host="b.org", date=_OLD),
    passage("car", "A car lease ends after thirty months.", host="a.org", tags=("fleet", "open")),
    passage("frist", "Die Kündigungsfrist beträgt sechs Wochen.", Language.DE),
    passage("租约", "租约的通知期为三个月。", Language.ZH),
    *(passage(f"other{n}", f"Something else entirely, number {n}.") for n in range(10)),
]
_VECTORS = {"lease": [1.0, 0.0, 0.0], "work": [0.9, 0.4, 0.0], "car": [0.0, 0.0, 1.0]}


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tables]:
    with opened_tables(tmp_path_factory.mktemp("indexes")) as opened:
        yield opened


@pytest.fixture(params=INDEXES)
def opened(request: pytest.FixtureRequest, store: Store, tables: Tables) -> Opened:
    return opener(request.param, store, tables)


@pytest.fixture
def index(request: pytest.FixtureRequest, opened: Opened) -> SearchIndex:
    name = request.node.callspec.params["opened"]
    made = opened("acme", f"golden {name}")
    written = made.write(_DOCUMENTS)
    known = [(n, chunk) for n, chunk in written if chunk.language is Language.EN]
    sources = {each.id: each.origin.source for each in made.chunks([n for n, _ in known])}
    made.write_vectors(
        "golden", [(n, _VECTORS[sources[n]]) for n, _ in known if sources[n] in _VECTORS]
    )
    return made


def _sources(index: SearchIndex, question: str, where: Filter = NO_FILTER, k: int = 3) -> list[str]:
    hits = index.lexical(question, k, where)
    by_id = {each.id: each.origin.source for each in index.chunks([hit.chunk for hit in hits])}
    assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    return [by_id[hit.chunk] for hit in hits]


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("notice periods of leases", ["lease", "work", "car"]),
        ("contract", ["work"]),
        ("Fristen der Kündigung", ["frist"]),
        ("通知期", ["租约"]),
        ("unheard", []),
        ("", []),
    ],
)
def test_words_find_what_they_stand_in(index: SearchIndex, question: str, found: list[str]) -> None:
    assert _sources(index, question) == found


@pytest.mark.parametrize(
    ("where", "found"),
    [
        (Filter(hosts=("a.org",)), ["lease", "car"]),
        (Filter(not_hosts=("a.org",)), ["work"]),
        (Filter(since=datetime(2025, 1, 1, tzinfo=UTC)), ["lease"]),
        (Filter(until=datetime(2025, 1, 1, tzinfo=UTC)), ["work"]),
        (Filter(policy_tags=("open", "fleet")), ["car"]),
        (Filter(policy_tags=("open", "closed")), []),
        (Filter(hosts=()), []),
        (Filter(sources=("le", "wo")), ["lease", "work"]),
        (Filter(sources=("LE",)), []),
        (Filter(sources=("ease",)), []),
        (Filter(sources=("lease and more",)), []),
        (Filter(sources=("",)), ["lease", "work", "car"]),
        (Filter(sources=()), []),
        (Filter(not_sources=("le", "ca")), ["work"]),
        (Filter(not_sources=()), ["lease", "work", "car"]),
        (Filter(sources=("le", "ca"), not_sources=("lease",), hosts=("a.org",)), ["car"]),
    ],
)
def test_filters_hold(index: SearchIndex, where: Filter, found: list[str]) -> None:
    assert _sources(index, "notice periods of leases", where) == found


def test_vectors_find_what_is_near(index: SearchIndex) -> None:
    hits = index.nearest("golden", [1.0, 0.1, 0.0], 2, NO_FILTER)
    stored = {each.id: each.origin.source for each in index.chunks([hit.chunk for hit in hits])}
    assert [stored[hit.chunk] for hit in hits] == ["lease", "work"]
    assert hits[0].score == pytest.approx(0.995, abs=0.001)
    only = index.nearest("golden", [1.0, 0.1, 0.0], 2, Filter(hosts=("b.org",)))
    assert [hit.rank for hit in only] == [1]
    assert index.nearest("another", [1.0, 0.1, 0.0], 2, NO_FILTER) == ()


def test_scores_of_qdrant_are_those_of_postgres(store: Store, tables: Tables) -> None:
    english = [each for each in _DOCUMENTS if each.chunks[0].language is Language.EN]
    scores: list[list[float]] = []
    for name in ("postgres", "qdrant"):
        index = opener(name, store, tables)("acme", f"golden two {name}")
        index.write(english)
        scores.append([hit.score for hit in index.lexical("notice lease", 5, NO_FILTER)])
    assert scores[0] == pytest.approx(scores[1], rel=1e-4)


def test_what_is_stored_comes_back_whole(index: SearchIndex) -> None:
    (hit,) = index.lexical("contract", 1, NO_FILTER)
    (stored,) = index.chunks([hit.chunk])
    assert stored.origin == _DOCUMENTS[1].origin
    assert stored.chunk == _DOCUMENTS[1].chunks[0]
    assert index.write(_DOCUMENTS[:3]) in ((), [])
    assert len(index.write([passage("work", "The contract ends.", host="b.org")])) == 1
    assert len(index.lexical("contract", 5, NO_FILTER)) == 1
    index.write([_DOCUMENTS[1]])


def test_a_beginning_may_be_a_part_of_an_address_in_any_script(index: SearchIndex) -> None:
    assert _sources(index, "通知期", Filter(sources=("租",))) == ["租约"]
    assert _sources(index, "通知期", Filter(not_sources=("租",))) == []
    near = index.nearest("golden", [1.0, 0.1, 0.0], 3, Filter(sources=("le", "ca")))
    stored = {each.id: each.origin.source for each in index.chunks([hit.chunk for hit in near])}
    assert [stored[hit.chunk] for hit in near] == ["lease", "car"]
    assert not index.nearest("golden", [1.0, 0.1, 0.0], 3, Filter(not_sources=("",)))


def _policy(*texts: str, title: str = "Policy") -> ChunkedDocument:
    chunks = tuple(Chunk(text, Language.EN) for text in texts)
    return ChunkedDocument(
        Origin("policy", title, version=title), content_hash(chunks, title), chunks
    )


def _cited(index: SearchIndex) -> dict[str, tuple[int, int, int]]:
    """By text: what the passages of the policy are known by."""
    hits = index.lexical("policy", 20, Filter(sources=("policy",)))
    stored = index.chunks([hit.chunk for hit in hits])
    return {each.chunk.text: (each.id, each.document, each.position) for each in stored}


def test_a_passage_that_stays_keeps_its_number_and_its_vector(index: SearchIndex) -> None:
    first, second, twice = "The policy begins.", "The policy ends.", "The policy says so."
    written = index.write([_policy(first, second, twice, twice)])
    index.write_vectors("kept", [(number, [1.0, 0.0]) for number, _ in written])
    before = _cited(index)
    added = index.write([_policy("A new policy.", second, twice, twice, title="Newer")])
    assert [chunk.text for _, chunk in added] == ["A new policy."]
    after = _cited(index)
    assert set(after) == {"A new policy.", second, twice}
    assert {text: after[text] for text in (second, twice)} == {
        text: before[text] for text in (second, twice)
    }
    assert after["A new policy."][1] == before[second][1], "one source is one document"
    assert len({each[2] for each in after.values()}) == len(after)
    newer = index.nearest("kept", [1.0, 0.0], 9, Filter(versions=("Newer",)))
    assert len(newer) == 3, "the vectors stay, and the document's new facts are theirs"
    titles = {each.origin.title for each in index.chunks([hit.chunk for hit in newer])}
    assert titles == {"Newer"}
    assert index.write([_policy("A new policy.", second, twice, twice, title="Newer")]) in ((), [])
    index.write([_policy("Nothing of it stays.")])
    assert index.nearest("kept", [1.0, 0.0], 9, NO_FILTER) == ()


@given(
    st.lists(st.sampled_from("abcde"), max_size=6), st.lists(st.sampled_from("abcde"), max_size=6)
)
def test_positions_are_kept_by_content(old: list[str], new: list[str]) -> None:
    stored = {place + 3: Chunk(text, Language.EN) for place, text in enumerate(old)}
    places = kept_positions(stored, [Chunk(text, Language.EN) for text in new])
    assert len(set(places)) == len(new)
    kept = [place for place in places if place in stored]
    assert all(
        stored[place].text == text
        for place, text in zip(places, new, strict=True)
        if place in stored
    )
    assert len(kept) == sum((Counter(old) & Counter(new)).values())
