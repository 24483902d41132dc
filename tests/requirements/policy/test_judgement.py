"""Known, dismissed and silent findings: what counts, what blocks, and what survives a change."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.contracts.violation import Mode
from veridical.requirements.evaluation import KEPT
from veridical.requirements.files.requirement import Requirement
from veridical.requirements.finding import Weight
from veridical.requirements.policy.baseline import read_baseline, write_baseline
from veridical.requirements.policy.dismissal import RecordFileError, add_dismissals, read_dismissals
from veridical.requirements.policy.issue import IssueState
from veridical.requirements.policy.judgement import Judgement, dismissal_of, judge
from veridical.requirements.policy.review_policy import RULE_IDS, ReviewPolicy
from veridical.requirements.review import review

VAGUE = Requirement("A-1", "shop.md", 3, "The app must be fast.", is_named=True)
STOPS = Requirement("A-2", "shop.md", 4, "The belt shall stop within 2 s.", is_named=True)
LATER = Requirement("A-3", "shop.md", 5, "The belt shall stop within 20 s.", is_named=True)
BLOCK = ReviewPolicy(mode=Mode.BLOCK)


def _judged(*requirements: Requirement, policy: ReviewPolicy = BLOCK) -> Judgement:
    return judge(review(requirements), policy)


def _prints(found: Judgement) -> dict[str, str]:
    return {each.rule: each.fingerprint for each in found.issues}


def test_new_findings_block_and_known_ones_do_not(tmp_path: Path) -> None:
    old = _judged(VAGUE)
    path = tmp_path / "known.json"
    assert write_baseline(path, old.review, old.issues) == len(old.issues) == len(old.blocking) > 0
    grown = judge(review([STOPS, LATER, VAGUE]), BLOCK, read_baseline(path))
    assert {each.rule for each in grown.blocking} == {"CONFLICT"}
    assert grown.states[IssueState.KNOWN] == len(old.issues)


def test_conflict_blocks_by_its_own_mode() -> None:
    found = _judged(STOPS, LATER)
    assert [(each.rule, each.excerpt) for each in found.blocking] == [("CONFLICT", "A-3")]
    silent = ReviewPolicy(mode=Mode.BLOCK, rules={"CONFLICT": Mode.SHADOW})
    quiet = _judged(STOPS, LATER, policy=silent)
    assert quiet.blocking == ()
    assert [each.evaluation.score for each in quiet.review.reviewed] == [1.0, 1.0]
    assert quiet.review.pairs == ()


@pytest.mark.parametrize("mode", [Mode.SHADOW, Mode.OFF])
def test_silent_findings_lower_no_score(mode: Mode) -> None:
    found = _judged(VAGUE, policy=ReviewPolicy(mode=mode))
    assert found.review.score == KEPT[Weight.LOW]  # of the missing criterion alone
    assert bool(found.issues) is (mode is Mode.SHADOW)


def test_mode_by_type() -> None:
    policy = ReviewPolicy.model_validate({"mode": "shadow", "types": {"safety": {"mode": "block"}}})
    safe = Requirement("A-9", "shop.md", 9, VAGUE.text, "Safety", is_named=True)
    found = _judged(VAGUE, safe, policy=policy)
    assert {found.review.reviewed[each.place].requirement.id for each in found.blocking} == {"A-9"}


def test_fingerprint_survives_moves_and_other_words() -> None:
    moved = Requirement("A-1", "docs/shop.md", 90, "Also, the app must be fast.", is_named=True)
    assert _prints(_judged(VAGUE)) == _prints(_judged(moved))


def test_fingerprint_without_an_id_follows_the_wording() -> None:
    first = Requirement("1", "a.txt", 1, VAGUE.text)
    assert _prints(_judged(first)) == _prints(_judged(Requirement("7", "a.txt", 7, VAGUE.text)))
    other = Requirement("1", "a.txt", 1, "The page must be fast.")
    assert _prints(_judged(first)).keys() == _prints(_judged(other)).keys()
    assert _prints(_judged(first)) != _prints(_judged(other))


def test_same_word_twice_has_two_fingerprints() -> None:
    twice = Requirement("A", "a.md", 1, "The fast app must be fast.", is_named=True)
    marks = [each.fingerprint for each in _judged(twice).issues]
    assert len(marks) == len(set(marks)) >= 2


@given(st.permutations([VAGUE, STOPS, LATER]))
def test_fingerprints_do_not_depend_on_the_order(order: list[Requirement]) -> None:
    found = _judged(*order)
    assert _prints(found) == _prints(_judged(VAGUE, STOPS, LATER))


def test_dismissal_holds_until_the_text_changes(tmp_path: Path) -> None:
    path = tmp_path / "dismissed.jsonl"
    found = _judged(VAGUE)
    (issue,) = (each for each in found.issues if each.rule == "VAG")
    add_dismissals(path, [dismissal_of(found.review, issue, "Ada", "A name.", "2026-11-17")])
    kept = judge(review([VAGUE]), BLOCK, dismissals=read_dismissals(path))
    (issue,) = (each for each in kept.issues if each.rule == "VAG")
    assert (issue.state, issue.blocks) == (IssueState.DISMISSED, False)
    assert issue.dismissal
    assert (issue.dismissal.by, issue.dismissal.why) == ("Ada", "A name.")
    changed = Requirement("A-1", "shop.md", 3, "The shop must be fast.", is_named=True)
    anew = judge(review([changed]), BLOCK, dismissals=read_dismissals(path))
    assert {each.rule for each in anew.blocking} >= {"VAG"}


def test_dismissals_are_appended(tmp_path: Path) -> None:
    path = tmp_path / "dismissed.jsonl"
    found = _judged(VAGUE, STOPS, LATER)
    for each in found.issues:
        add_dismissals(path, [dismissal_of(found.review, each, "Ada", "x\ny", "2026-11-17")])
        path.write_text(path.read_text().rstrip("\n"))  # as an editor may leave it
    assert len(read_dismissals(path)) == len(found.issues) >= 2
    judged = judge(review([VAGUE, STOPS, LATER]), BLOCK, None, read_dismissals(path))
    scores = [each.evaluation.score for each in judged.review.reviewed]
    assert scores == [KEPT[Weight.LOW], 1, 1]  # the first has no acceptance criterion


@pytest.mark.parametrize(
    "content", [b"{", b"\xff\xff", b'{"fingerprint": "x"}', b"[1]", b'{"by": ""}']
)
def test_damaged_records_are_told_with_their_name(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "record.json"
    path.write_bytes(content)
    for read in (read_dismissals, read_baseline):
        with pytest.raises(RecordFileError, match=r"record\.json"):
            read(path)


def test_missing_baseline_says_how_to_write_one(tmp_path: Path) -> None:
    with pytest.raises(RecordFileError, match="requirements baseline"):
        read_baseline(tmp_path / "none.json")
    assert read_dismissals(tmp_path / "none.jsonl") == {}


def test_every_rule_has_a_mode_of_its_own() -> None:
    assert len(set(RULE_IDS)) == len(RULE_IDS)
    assert {"VAG", "CONFLICT", "DUPLICATE", "VARIANT"} <= set(RULE_IDS)
