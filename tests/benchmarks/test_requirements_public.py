"""The public sets of requirements and the agreement of labellers, on files of a few lines."""

import json
from pathlib import Path

import pytest

from benchmarks.requirements.__main__ import OWN
from benchmarks.requirements.labelled import guide_rules, labels_of, measure_agreement
from benchmarks.requirements.public import relations, sentences
from benchmarks.requirements.public.score import Call, Half, half_of, scores
from veridical.requirements.rules import RULES


def test_the_guide_defines_rules_that_there_are() -> None:
    rules = guide_rules(OWN / "labelling.md")
    assert len(rules) == len(set(rules)) == 27
    assert set(rules) <= {rule.id for rule in RULES}


def test_kappa_is_the_agreement_beyond_chance() -> None:
    first = {"a": {"VAG"}, "b": {"VAG"}, "c": set[str](), "d": set[str]()}
    second = {"a": {"VAG"}, "b": set[str](), "c": set[str](), "d": set[str]()}
    found = measure_agreement(_frozen(first), _frozen(second), ["VAG", "NUM"])
    assert found["by_rule"] == {"VAG": {"kappa": 0.5, "first": 2, "second": 1, "both": 1}}
    assert found["f1"] == round(2 / 3, 4)
    assert measure_agreement(_frozen(first), _frozen(first), ["VAG"])["kappa"] == 1.0


def test_every_requirement_labelled_twice_is_in_the_own_set() -> None:
    author = labels_of(
        json.loads(line)
        for half in ("read", "held_out")
        for line in (OWN / half / "requirements.jsonl").read_text("utf-8").splitlines()
    )
    second = labels_of(map(json.loads, (OWN / "twice_second.jsonl").read_text().splitlines()))
    assert set(second) <= set(author)
    assert len(second) >= len(author) / 5


def test_what_is_not_judged_lowers_the_coverage_alone() -> None:
    found = scores([Call(True, True), Call(True, None), Call(False, True), Call(False, False)])
    assert found["coverage"] == 0.75
    assert (found["precision"], found["recall"], found["recall_of_all"]) == (0.5, 1.0, 0.5)


def test_an_item_is_in_one_half_for_ever() -> None:
    assert half_of("library#01") is Half.DEVELOPED
    halves = [half_of(str(number)) for number in range(400)]
    assert 150 < halves.count(Half.PUBLISHED) < 250


@pytest.mark.parametrize("half", list(Half))
def test_sets_that_are_not_there_are_left_out(tmp_path: Path, half: Half) -> None:
    for measure in (sentences.pronouns, sentences.alarms, sentences.obliging):
        assert measure(tmp_path, half) == {}
    for measure in (relations.stories, relations.backlogs, relations.conflicts):
        assert measure(tmp_path, half) == {}


def test_pronouns_are_judged_at_the_place_that_is_marked(tmp_path: Path) -> None:
    folder = tmp_path / "reqeval_ambiguity" / "data"
    folder.mkdir(parents=True)
    head = "ID\tSentence\tDetected as\tResolved as\n"
    row = (
        "library#01\tWhen the scanner reads the label of the parcel, "
        "<referential>it</referential> shall turn green.\tNOCUOUS\t\n"
    )
    (folder / "training.tsv").write_text(head + row)
    (folder / "test.tsv").write_text(head)
    found = sentences.pronouns(tmp_path, half_of("library#01"))["reqeval"]
    assert (found["items"], found["called"], found["f1"]) == (1, 1, 1.0)


def test_conflicts_of_a_document_are_found_among_all_its_pairs(tmp_path: Path) -> None:
    folder = tmp_path / "req_conflict_docs"
    folder.mkdir()
    texts = ["The belt shall stop within 2 s.", "The belt shall stop within 9 s.", "Roses grow."]
    items = [{"doc": "d", "id": at, "text": text} for at, text in enumerate(texts)]
    (folder / "requirements.jsonl").write_text("\n".join(map(json.dumps, items)))
    pair = {"doc": "d", "a": 1, "b": 0, "label": "conflict", "type": None}
    (folder / "pairs.jsonl").write_text(json.dumps(pair))
    found = relations.conflicts(tmp_path, half_of("d-0-1"))["documents"]
    assert found["conflict"]["f1"] == 1.0
    assert found["conflicts_called_duplicates"] == 0


def _frozen(labels: dict[str, set[str]]) -> dict[str, frozenset[str]]:
    return {key: frozenset(rules) for key, rules in labels.items()}
