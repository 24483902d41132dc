"""The benchmark of requirements on a few labelled ones: what is found, missed and confused."""

from benchmarks.requirements.labelled import measure_pairs, measure_set

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
