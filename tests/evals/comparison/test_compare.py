import pytest
from hypothesis import given, settings

from tests.evals.records import numbered, record_lists, runs
from veridical.evals.comparison.compare import (
    Measure,
    compare,
    compare_modes,
    compare_together,
    modes_of,
    outcomes_of,
)
from veridical.evals.modes.mode import ModeName
from veridical.evals.scoring.record import RunRecord

BEFORE, AFTER = ModeName.BASELINE, ModeName.FULL


def test_pairs_are_counted_and_tested() -> None:
    before = outcomes_of(numbered(BEFORE, "w" * 7 + "c" * 14), BEFORE)
    after = outcomes_of(numbered(AFTER, "c" * 7 + "w" + "c" + "w" * 12), AFTER)
    found = compare(after, before)
    assert (found.cases, found.pairs, found.won, found.lost) == (21, 21, 7, 13)
    assert found.effect == pytest.approx(-6 / 21)
    assert found.candidate == pytest.approx(8 / 21)
    assert found.reference == pytest.approx(14 / 21)
    assert found.p == pytest.approx(0.2632, abs=1e-4)


def test_refusing_counts_as_not_wrong() -> None:
    before = outcomes_of(runs(BEFORE, a="w", b="c"), BEFORE)
    after = outcomes_of(runs(AFTER, a="r", b="c"), AFTER)
    assert compare(after, before, Measure.CORRECT).won == 0
    assert compare(after, before, Measure.NOT_WRONG).won == 1


def test_repeats_are_paired_with_the_same_repeat_and_count_by_case() -> None:
    before = outcomes_of(runs(BEFORE, a="wwc", b="ccc"), BEFORE)
    after = outcomes_of(runs(AFTER, a="ccw", b="ccc"), AFTER)
    found = compare(after, before)
    assert (found.cases, found.pairs, found.won, found.lost) == (2, 6, 2, 1)
    assert found.p == 1.0  # one case is ahead, by whatever number of repeats
    assert found.repeats == 3
    assert found.discordance == 0.5


def test_only_attempts_of_both_sides_are_compared() -> None:
    before = outcomes_of(runs(BEFORE, a="cc", b="cc"), BEFORE)
    after = outcomes_of(runs(AFTER, a="c ", c="cc"), AFTER)
    found = compare(after, before)
    assert (found.cases, found.pairs, found.unpaired) == (1, 1, 3)


def test_nothing_in_common_says_nothing() -> None:
    found = compare({}, outcomes_of(runs(BEFORE, a="c"), BEFORE))
    told = (found.effect, found.low, found.high, found.p, found.candidate, found.discordance)
    assert told == (None,) * 6


def test_each_mode_is_held_against_the_one_before_and_the_first() -> None:
    records = [
        run
        for mode in (ModeName.FULL, ModeName.BASELINE, ModeName.ONTOLOGY)
        for run in numbered(mode, "cw")
    ]
    assert modes_of(records) == (ModeName.BASELINE, ModeName.ONTOLOGY, ModeName.FULL)
    assert [(each.candidate, each.reference) for each in compare_modes(records)] == [
        (ModeName.ONTOLOGY, ModeName.BASELINE),
        (ModeName.FULL, ModeName.ONTOLOGY),
        (ModeName.FULL, ModeName.BASELINE),
    ]


def test_modes_that_are_compared_together_have_adjusted_p_values() -> None:
    """Seven cases won: p = 2/2^7; three comparisons of each measure."""
    records = [
        run
        for mode, ended in (
            (ModeName.BASELINE, "w" * 7),
            (ModeName.ONTOLOGY, "r" * 7),
            (ModeName.FULL, "c" * 7),
        )
        for run in numbered(mode, ended)
    ]
    found = compare_modes(records)
    assert {each.correct.tested for each in found} == {3}
    assert [each.correct.p for each in found] == pytest.approx([1, 2 / 2**7, 2 / 2**7])
    assert [each.correct.p_adjusted for each in found] == pytest.approx([1, 6 / 2**7, 6 / 2**7])
    assert [each.not_wrong.p_adjusted for each in found] == pytest.approx([6 / 2**7, 1, 6 / 2**7])


def test_what_had_nothing_to_compare_is_no_test() -> None:
    one = outcomes_of(numbered(AFTER, "c" * 7), AFTER)
    other = outcomes_of(numbered(BEFORE, "w" * 7), BEFORE)
    alone, nothing = compare_together([(one, other), (one, {})], Measure.CORRECT)
    assert (alone.p_adjusted, alone.tested) == (alone.p, 1)
    assert (nothing.p_adjusted, nothing.tested) == (None, 0)


@settings(deadline=None)
@given(record_lists, record_lists)
def test_changing_sides_mirrors_the_comparison(
    one: list[RunRecord], other: list[RunRecord]
) -> None:
    mine, yours = outcomes_of(one, AFTER), outcomes_of(other, AFTER)
    there, back = compare(mine, yours), compare(yours, mine)
    assert (there.won, there.lost) == (back.lost, back.won)
    assert there.p == back.p
    if there.effect is None or there.low is None or there.high is None:
        assert not there.pairs
        return
    assert back.effect == -there.effect
    assert (back.low, back.high) == pytest.approx((-there.high, -there.low), abs=1e-9)
    assert there.low - 1e-9 <= there.effect <= there.high + 1e-9
