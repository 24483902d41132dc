"""The lexical leg on drawn collections: what every document scores by hand is the only truth."""

import math
from collections import Counter
from collections.abc import Sequence
from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.search.passages import passages
from veridical.contracts.language import Language
from veridical.search.analysis.analyser import ANALYSERS
from veridical.search.store import lexical, merging, postings
from veridical.search.store.index import PostgresIndex
from veridical.store.connection import Store

pytestmark = pytest.mark.postgres

_WORDS = [f"word{letter}" for letter in "abcdefgh"]
_NAMES = count()
# Few words in few lengths: many documents score the same, to the last digit.
_TEXTS = st.lists(
    st.lists(st.sampled_from(_WORDS), min_size=1, max_size=6).map(" ".join),
    min_size=1,
    max_size=40,
)
_QUESTIONS = st.lists(st.sampled_from(_WORDS), min_size=1, max_size=5).map(" ".join)


def _scores(texts: Sequence[str], question: str) -> dict[int, float]:
    """BM25 of all texts that have a word of the question, by their place."""
    analyse = ANALYSERS[Language.EN].analyse
    analysed = [analyse(text) for text in texts]
    average = sum(each.length for each in analysed) / len(analysed)
    held = Counter(term for each in analysed for term in each.frequencies)
    scores: dict[int, float] = {}
    for term, asked in analyse(question).frequencies.items():
        rarity = math.log(1 + (len(texts) - held[term] + 0.5) / (held[term] + 0.5))
        for place, each in enumerate(analysed):
            if frequency := each.frequencies.get(term, 0):
                norm = 1.5 * (0.25 + 0.75 * each.length / average)
                gained = asked * rarity * 2.5 * frequency / (frequency + norm)
                scores[place] = scores.get(place, 0.0) + gained
    return scores


@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    texts=_TEXTS,
    questions=st.lists(_QUESTIONS, min_size=1, max_size=4),
    k=st.integers(1, 12),
    budget=st.sampled_from([5, 40, 20_000]),
    fewest=st.sampled_from([1, postings.FEWEST]),
)
def test_the_order_is_that_of_all_scores_and_equals_go_by_number(
    store: Store,
    monkeypatch: pytest.MonkeyPatch,
    texts: list[str],
    questions: list[str],
    k: int,
    budget: int,
    fewest: int,
) -> None:
    for module in (postings, merging):
        monkeypatch.setattr(module, "FEWEST", fewest)  # at 1, every word has a map
    monkeypatch.setattr(lexical, "BUDGETS", (budget, 8 * budget))
    monkeypatch.setattr(lexical, "AHEAD", 1)
    monkeypatch.setattr(lexical, "POOL", 1)
    index = PostgresIndex(store.tenant, "acme", f"drawn {next(_NAMES)}")
    numbers: list[int] = []
    for start in range(0, len(texts), 9):  # segments of their own
        part = {f"d{start + place}": text for place, text in enumerate(texts[start : start + 9])}
        numbers += [number for number, _ in index.write(passages(part))]
    for question in questions:
        scores = _scores(texts, question)
        best = sorted(scores, key=lambda place: (-round(scores[place], 9), numbers[place]))[:k]
        hits = index.lexical(question, k)
        assert [hit.score for hit in hits] == pytest.approx([scores[place] for place in best])
        assert [hit.chunk for hit in hits] == [numbers[place] for place in best]


def test_of_equals_the_first_one_is_found_by_a_word_that_was_read_or_by_one_that_was_not(
    store: Store,
) -> None:
    """Two words that are equally frequent: one is read, of the other the map alone is known. So
    chunks that score the same have bounds that are not."""
    read, unread = "wordr worda", "wordr wordb"
    texts = [read, *[unread] * 19, *["worda wordx"] * 69, *["wordb wordx"] * 51]
    texts += ["wordx wordy"] * 60
    index = PostgresIndex(store.tenant, "acme", "equals")
    written = index.write(passages({f"d{place}": text for place, text in enumerate(texts)}))
    numbers = [number for number, _ in written]
    for k in (1, 2, 3):
        hits = index.lexical("wordr worda wordb", k)
        assert [hit.chunk for hit in hits] == numbers[:k]
