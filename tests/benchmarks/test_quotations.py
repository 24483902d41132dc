"""The benchmark of quotations over own texts: nothing right is marked, nothing wrong is not."""

from collections import Counter

from benchmarks.quotations.__main__ import figures
from benchmarks.quotations.answers import KINDS, make_answers
from benchmarks.quotations.texts import Half, half_of, own_texts
from veridical import gate
from veridical.contracts.language import Language

NEEDS_QUESTIONS = {"cited answer", "figure not in its source"}


def test_own_texts_are_judged_rightly() -> None:
    items = list(make_answers(own_texts(), 4, seed=7))
    proofs = [gate.check(each.answer, each.chunks, language=each.language) for each in items]
    found = figures(items, proofs)
    assert found["right marked"] == 0
    assert found["wrong unmarked"] == 0


def test_every_kind_is_made_in_every_language() -> None:
    made = Counter((each.kind, each.language) for each in make_answers(own_texts(), 2, seed=1))
    assert {kind for kind, _ in made} == set(KINDS) - NEEDS_QUESTIONS
    assert all(made[kind, language] == 2 for kind, _ in made for language in Language)


def test_the_halves_are_told_by_names_alone() -> None:
    halves = Counter(half_of(f"xquad/p{at:03}") for at in range(240))
    assert set(halves) == set(Half)
    assert min(halves.values()) > 90
