"""The benchmark of requirements on a few labelled ones: what is found, missed and confused."""

from typing import Any

import pytest

from benchmarks.requirements.dialogues import measure_dialogues
from benchmarks.requirements.labelled import measure_pairs, measure_set
from benchmarks.requirements.reviewed import measure_reviewed

ITEMS = [
    {
        "id": "1",
        "lang": "en",
        "text": "The belt shall be fast.",
        "labels": [{"rule": "VAG", "span": "fast"}],
    },
    {
        "id": "2",
        "lang": "de",
        "text": "Das Band muss halten.",
        "labels": [{"rule": "VAG", "span": "halten"}],
    },
    {"id": "3", "lang": "en", "text": "The belt shall be slow.", "labels": []},
]


def test_precision_and_recall_by_rule_and_language() -> None:
    found = measure_set(ITEMS, misses=False)
    assert found["all"] == {"precision": 0.5, "recall": 0.5, "labels": 2, "findings": 2}
    assert found["by_rule"]["VAG en"]["precision"] == 0.5
    assert found["by_rule"]["VAG de"]["recall"] == 0.0
    assert found["language_right"] == 1.0
    assert found["requirements_per_core_second"] > 0


def test_conflicts_called_duplicates_are_counted() -> None:
    pairs = [
        {"a": "The belt shall stop.", "b": "The belt shall stop.", "kind": "conflict"},
        {"a": "The belt shall stop.", "b": "The belt shall not stop.", "kind": "conflict"},
        {"a": "The belt shall stop.", "b": "A city shall mail invoices.", "kind": "unrelated"},
    ]
    found = measure_pairs(pairs, misses=False)
    assert found["conflicts_called_duplicates"] == 1
    assert found["accuracy"] == round(2 / 3, 4)


def test_duplicates_across_languages_are_counted_apart() -> None:
    pairs = [
        {"a": "The belt shall stop.", "b": "Das Band muss anhalten.", "kind": "duplicate"},
        {"a": "The belt shall stop.", "b": "The belt shall stop.", "kind": "duplicate"},
    ]
    found = measure_pairs(pairs, misses=False)
    assert found["duplicates_across_languages"]["pairs"] == 1
    assert found["by_kind"]["duplicate"]["pairs"] == 2


@pytest.mark.parametrize("label", ["vague", {"label": "vague"}, {"rule": "VAG"}])
def test_labels_in_plain_words(label: Any) -> None:
    items = [
        {"text": "The belt shall be fast.", "lang": "en", "labels": [label], "testable": False}
    ]
    found = measure_reviewed(items, misses=False)
    assert found["by_label"]["vague"]["recall"] == 1.0
    assert found["testable"]["agreement"] == 1.0


def test_a_dialogue_may_have_the_question_itself() -> None:
    asked = {"requirement": "The belt shall be fast.", "question": "How fast? Name a figure."}
    lines = [
        {**asked, "answer": "within 2 seconds", "expected": "accepted"},
        {**asked, "answer": "no idea", "expected": "open"},
    ]
    found = measure_dialogues(lines, misses=False)
    assert found["outcomes"]["all"]["share"] == 1.0
    assert found["rewrites_with_invented_figures"] == 0


def test_what_the_product_does_not_read_is_not_evaluated() -> None:
    chinese = "系统必须在5秒内响应。"
    item = {"text": chinese, "lang": "zh", "labels": ["vague"], "testable": True}
    pair = {"a": chinese, "b": "The belt shall stop.", "kind": "unrelated"}
    line = {"requirement": chinese, "question": "谁？", "answer": "前台", "expected": "accepted"}
    assert measure_reviewed([item], misses=False)["not_evaluated"] == 1
    assert measure_pairs([pair], misses=False)["not_evaluated"] == 1
    assert measure_dialogues([line], misses=False)["not_evaluated"] == 1


@pytest.mark.parametrize(
    ("question", "answer", "expected"),
    [
        ("Who is that, please?", "the porter", "accepted"),
        ("In what role do you want this?", "2 s", "open"),
        ("Why do you need it?", "so that no parcel is lost", "accepted"),
        ("On which event?", "the lid opens", "accepted"),
        ("How long may it take?", "the porter", "open"),
    ],
)
def test_a_question_in_other_words_wants_the_same(
    question: str, answer: str, expected: str
) -> None:
    line = {"requirement": "The belt shall be fast.", "question": question}
    found = measure_dialogues([line | {"answer": answer, "expected": expected}], misses=False)
    assert found["outcomes"]["all"]["right"] == 1
