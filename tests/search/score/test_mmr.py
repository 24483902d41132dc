"""Maximal marginal relevance: the lazy choice is the plain one."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.search.found import candidate
from veridical.contracts.search_candidate import SearchCandidate
from veridical.ontology.terms import HAN, fold, han_pairs, stem
from veridical.search.score import tokens as remembered
from veridical.search.score.diversity import select_diverse
from veridical.search.score.tokens import overlap, tokens

WORDS = st.lists(st.sampled_from(["red", "green", "blue", "black", "white", "grey"]), max_size=5)
SHARES = st.floats(0, 1)
TEXTS = st.text(
    st.sampled_from("aeouAEßÄé 1\t\n\x1c\u0308\u3000\xa0\xa8ｅ.,数据驻") | st.characters()
)
"""Latin and Chinese side by side, marks that stand on a letter, spaces of all kinds."""


def plainly(
    found: list[SearchCandidate], relevance: dict[str, float], weight: float, limit: int
) -> list[str]:
    """By the definition: every rest compared with every choice, each time."""
    words = {each.id: tokens(f"{each.title} {each.snippet}") for each in found}
    chosen: list[str] = []
    while len(chosen) < min(limit, len(found)):
        rest = sorted(name for name in words if name not in chosen)

        def value(name: str) -> float:
            highest = max((overlap(words[name], words[other]) for other in chosen), default=0.0)
            return weight * relevance[name] - (1 - weight) * highest

        chosen.append(max(rest, key=value))
    return chosen


@given(st.lists(st.tuples(WORDS, SHARES), max_size=15), SHARES, st.integers(1, 15))
def test_the_lazy_choice_is_the_plain_one(
    given: list[tuple[list[str], float]], weight: float, limit: int
) -> None:
    found = [
        candidate(f"c{place:02}", title="", snippet=" ".join(words))
        for place, (words, _) in enumerate(given)
    ]
    relevance = {each.id: share for each, (_, share) in zip(found, given, strict=True)}
    chosen = [each.id for each in select_diverse(found, relevance, weight, limit)]
    assert chosen == plainly(found, relevance, weight, limit)


@given(st.text(max_size=40), st.text(max_size=40))
def test_overlap_is_a_share_and_the_same_both_ways(one: str, other: str) -> None:
    left, right = tokens(one), tokens(other)
    assert 0 <= overlap(left, right) <= 1
    assert overlap(left, right) == overlap(right, left)
    assert overlap(left, left) == (1 if left else 0)


def test_tokens_meet_in_three_languages() -> None:
    assert tokens("Residency policies") & tokens("a policy on residency")
    assert tokens("Gläubiger") == tokens("Glaeubiger")
    assert tokens("数据驻留") == {"数据", "据驻", "驻留"}


@given(TEXTS)
def test_words_taken_one_by_one_are_those_of_the_whole_text(text: str) -> None:
    words = {stem(word) for word in re.findall("[a-z]+|[0-9]+", fold(text))}
    pairs = {pair for run in re.findall(f"[{HAN}]+", text) for pair in han_pairs(run)}
    assert tokens(text) == words | pairs


def test_remembered_words_have_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remembered, "MOST_WORDS", 3)
    known = remembered.Stems()
    for word in ("policies", "rules", "forms", "Policies", "policies"):
        assert known[word] == (stem(fold(word)),)
        assert len(known) <= 3
