"""The judged set of the scoring, and what its figures must at least say."""

from collections import Counter

from benchmarks.search.own.collection import NOW, collection
from benchmarks.search.own.retrieval import candidates_for
from benchmarks.search.stages import Variant, measure, variants
from veridical.contracts.language import Language
from veridical.search.score.settings import ScoreSettings, Stage
from veridical.search.score.tokens import overlap, tokens


def test_the_set_is_as_large_as_it_claims() -> None:
    found = collection()
    assert len(found.pages) >= 300
    assert len(found.questions) >= 60
    per_language = Counter(each.language for each in found.questions)
    assert all(per_language[language] >= 20 for language in Language)
    assert len({page.id for page in found.pages}) == len(found.pages)
    pages = {page.id for page in found.pages}
    assert all(question.grades.keys() <= pages for question in found.questions)


def test_copies_are_near_duplicates_and_old_pages_are_old() -> None:
    pages = {page.id: page for page in collection().pages}
    for name, page in pages.items():
        if name.endswith("-copy"):
            original = pages[name.replace("-copy", "-current")]
            assert overlap(tokens(page.text), tokens(original.text)) > 0.6
            assert page.text != original.text
        if name.endswith("-outdated"):
            assert (NOW - page.date).days > 365


def test_candidates_have_legs_and_are_the_same_each_time() -> None:
    question = collection().questions[0].text
    found = candidates_for(question, 50)
    assert found == candidates_for(question, 50)
    assert {leg for each in found for leg in each.legs} == {"lexical", "trigram"}


def test_stages_do_what_they_are_for() -> None:
    asked = collection().questions[::3]
    everything, nothing = (measure(each, asked) for each in variants()[:2])
    assert everything["ndcg"] > nothing["ndcg"]
    assert everything["outdated"] < nothing["outdated"]
    assert everything["buckets"] >= nothing["buckets"]
    diverse = ScoreSettings(mmr_lambda=0.3, off=frozenset({Stage.PREFILTER}))
    assert measure(Variant("diverse", diverse), asked)["copies"] < everything["copies"]
