"""The lexical leg against BM25 computed by hand over all documents."""

import math
import random
from collections import Counter
from collections.abc import Mapping, Sequence

import pytest

from tests.search.passages import passage, passages
from veridical.contracts.language import Language
from veridical.search.analysis.analyser import ANALYSERS
from veridical.search.chunk import Hit
from veridical.search.filter import Filter
from veridical.search.store import lexical
from veridical.search.store.collections import OutdatedIndexError, find_collection
from veridical.search.store.driver import rows
from veridical.search.store.index import PostgresIndex
from veridical.search.store.postings import CHUNK_SHIFT, MAP_LEVEL
from veridical.store.connection import Store

pytestmark = pytest.mark.postgres

_WORDS = [f"word{chr(97 + number // 26)}{chr(97 + number % 26)}" for number in range(200)]


def _texts(count: int, seed: int) -> dict[str, str]:
    """Words as they come in languages: a few often, most of them rarely."""
    draw = random.Random(seed)
    weights = [1 / (place + 1) for place in range(len(_WORDS))]
    return {
        f"d{number}": " ".join(draw.choices(_WORDS, weights, k=draw.randint(3, 120)))
        for number in range(count)
    }


def _by_hand(texts: Mapping[str, str], question: str, language: Language) -> dict[str, float]:
    analyse = ANALYSERS[language].analyse
    analysed = {key: analyse(text) for key, text in texts.items()}
    average = sum(each.length for each in analysed.values()) / len(analysed)
    counts = Counter(term for each in analysed.values() for term in each.frequencies)
    scores: dict[str, float] = {}
    for term, asked in analyse(question).frequencies.items():
        found = counts[term]
        rarity = math.log(1 + (len(texts) - found + 0.5) / (found + 0.5))
        for key, each in analysed.items():
            frequency = each.frequencies.get(term, 0)
            if frequency:
                norm = 1.5 * (0.25 + 0.75 * each.length / average)
                added = asked * rarity * 2.5 * frequency / (frequency + norm)
                scores[key] = scores.get(key, 0.0) + added
    return scores


def _best(scores: Mapping[str, float], k: int) -> list[float]:
    return sorted(scores.values(), reverse=True)[:k]


def _of_found(
    index: PostgresIndex, hits: Sequence[Hit], scores: Mapping[str, float]
) -> list[float]:
    """What the found documents score by hand, in the order in which they were found."""
    sources = {each.id: each.origin.source for each in index.chunks([hit.chunk for hit in hits])}
    return [scores[sources[hit.chunk]] for hit in hits]


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    return _texts(400, seed=7)


@pytest.fixture(scope="module")
def filled(store: Store, texts: dict[str, str]) -> PostgresIndex:
    index = PostgresIndex(store.tenant, "acme", "words")
    documents = passages(texts)
    for start in range(0, len(documents), 30):  # enough batches for a merge
        index.write(documents[start : start + 30])
    return index


@pytest.mark.parametrize("budget", [40, 400, 20_000])
@pytest.mark.parametrize("k", [1, 10, 50])
def test_the_best_are_the_best_whatever_is_left_unread(
    filled: PostgresIndex,
    texts: dict[str, str],
    k: int,
    budget: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(lexical, "BUDGETS", (budget, 8 * budget))
    monkeypatch.setattr(lexical, "AHEAD", 1)
    monkeypatch.setattr(lexical, "POOL", 1)
    draw = random.Random(k)
    for _ in range(6):
        question = " ".join(draw.sample(_WORDS, 4))
        hits = filled.lexical(question, k)
        scores = _by_hand(texts, question, Language.EN)
        assert [hit.score for hit in hits] == pytest.approx(_best(scores, k))
        assert [hit.score for hit in hits] == pytest.approx(_of_found(filled, hits, scores))
        assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))


def test_what_is_repeated_in_a_question_counts_twice(
    filled: PostgresIndex, texts: dict[str, str]
) -> None:
    question = f"{_WORDS[3]} {_WORDS[3]} {_WORDS[40]}"
    scores = _by_hand(texts, question, Language.EN)
    hits = filled.lexical(question, 10)
    assert [hit.score for hit in hits] == pytest.approx(_best(scores, 10))
    assert [hit.score for hit in hits] == pytest.approx(_of_found(filled, hits, scores))


def test_merged_segments_hold_the_same(store: Store, filled: PostgresIndex) -> None:
    with store.tenant("acme") as connection:
        found = find_collection(connection, "acme", "words")
        assert found
        sizes = rows(
            connection,
            "SELECT chunks FROM veridical.search_segments WHERE collection = %(c)s",
            {"c": found.id},
        )
    assert len(sizes) < 14
    assert sum(int(row[0]) for row in sizes) == 400


def test_maps_tell_which_chunks_have_a_frequent_term(store: Store, filled: PostgresIndex) -> None:
    with store.tenant("acme") as connection:
        found = find_collection(connection, "acme", "words")
        assert found
        held = rows(
            connection,
            "SELECT term, segment, level, entries FROM veridical.search_postings"
            " WHERE collection = %(c)s",
            {"c": found.id},
        )
    listed: dict[tuple[str, int], set[int]] = {}
    for term, segment, level, entries in held:
        if level != MAP_LEVEL:
            listed.setdefault((term, segment), set()).update(
                each >> CHUNK_SHIFT for each in entries
            )
    maps = {(row[0], row[1]): row[3] for row in held if row[2] == MAP_LEVEL}
    assert maps
    for key, (base, *words) in maps.items():
        bits = {place for place in range(64 * len(words)) if words[place // 64] >> place % 64 & 1}
        assert {base + bit for bit in bits} == listed[key]


def test_nothing_is_found_where_nothing_fits(filled: PostgresIndex) -> None:
    assert filled.lexical("unheard", 10) == ()
    assert filled.lexical("", 10) == ()
    assert filled.lexical("the of", 10) == ()


def test_a_filter_holds_and_loses_nothing(store: Store) -> None:
    index = PostgresIndex(store.tenant, "acme", "hosts")
    texts = _texts(300, seed=11)
    index.write(
        [
            passage(key, text, host="rare.org" if number % 60 == 0 else "often.org")
            for number, (key, text) in enumerate(texts.items())
        ]
    )
    question = " ".join(_WORDS[:3])
    scores = _by_hand(texts, question, Language.EN)
    rare = {key: scores[key] for key in scores if int(key[1:]) % 60 == 0}
    hits = index.lexical(question, 20, Filter(hosts=("rare.org",)))
    assert [hit.score for hit in hits] == pytest.approx(_best(rare, 20))
    assert [hit.score for hit in hits] == pytest.approx(_of_found(index, hits, rare))
    assert index.lexical(question, 20, Filter(hosts=("no.org",))) == ()


def test_a_changed_document_replaces_the_one_before(store: Store) -> None:
    index = PostgresIndex(store.tenant, "acme", "changing")
    assert len(index.write(passages({"a": "apples and pears", "b": "plums"}))) == 2
    assert index.write(passages({"a": "apples and pears"})) == ()
    assert len(index.write(passages({"a": "cherries"}))) == 1
    assert index.lexical("apples", 5) == ()
    assert len(index.lexical("cherries", 5)) == 1
    assert len(index.lexical("plums", 5)) == 1


def test_languages_of_a_collection_are_searched_together(store: Store) -> None:
    index = PostgresIndex(store.tenant, "acme", "languages")
    index.write(
        [
            passage("en", "Data protection policies of the company", Language.EN),
            passage("de", "Der Datenschutz im Unternehmen", Language.DE),
            passage("zh", "公司的数据保护政策", Language.ZH),
        ]
    )
    for question, source in (
        ("protection policy", "en"),
        ("Schutz der Daten", "de"),
        ("数据保护", "zh"),
    ):
        hits = index.lexical(question, 1)
        assert index.chunks([hits[0].chunk])[0].origin.source == source


def test_tenants_do_not_see_each_other(store: Store) -> None:
    own = PostgresIndex(store.tenant, "acme", "shared name")
    other = PostgresIndex(store.tenant, "globex", "shared name")
    written = own.write(passages({"a": "confidential figures"}))
    assert other.lexical("confidential", 5) == ()
    assert other.chunks([number for number, _ in written]) == []
    other.write(passages({"a": "public figures"}))
    assert len(other.lexical("figures", 5)) == 1
    with store.tenant("globex") as connection:
        for table in ("collections", "documents", "chunks", "indexes", "segments", "postings"):
            seen = rows(connection, f"SELECT DISTINCT tenant FROM veridical.search_{table}", {})
            assert seen == [("globex",)], table


def test_an_index_of_another_analyser_is_refused(store: Store) -> None:
    index = PostgresIndex(store.tenant, "acme", "old")
    index.write(passages({"a": "text"}))
    with store.tenant("acme") as connection:
        rows(
            connection,
            "UPDATE veridical.search_indexes i SET analyser = 'en-0' FROM"
            " veridical.search_collections c WHERE c.id = i.collection AND c.name = 'old'",
            {},
        )
    with pytest.raises(OutdatedIndexError):
        index.lexical("text", 1)
    with pytest.raises(OutdatedIndexError):
        index.write(passages({"b": "more text"}))
