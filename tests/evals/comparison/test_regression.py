import pytest

from tests.evals.records import HEADER, numbered
from veridical.contracts.language import Language
from veridical.evals.comparison.baseline import as_baseline
from veridical.evals.comparison.compare import Measure
from veridical.evals.comparison.regression import (
    Judgement,
    Ruling,
    differences,
    judge_drop,
    judgement_text,
)
from veridical.evals.modes.mode import ABLATION, ModeName

FULL = ModeName.FULL


def judged(before: str, after: str, max_drop: float) -> dict[Measure, Judgement]:
    baseline = as_baseline(HEADER, numbered(FULL, before))
    found = judge_drop(numbered(FULL, after), baseline, max_drop)
    return {judgement.comparison.of: judgement for judgement in found}


@pytest.mark.parametrize(
    ("lost", "cases", "max_drop", "ruling"),
    [
        (0, 20, 0.0, Ruling.PASSES),
        (5, 100, 0.0, Ruling.UNCLEAR),  # p = 0.0625
        (6, 100, 0.0, Ruling.DROP),  # p = 0.03125
        (6, 100, 0.06, Ruling.PASSES),
        (6, 100, 0.05, Ruling.DROP),
        (1, 4, 0.1, Ruling.UNCLEAR),
    ],
)
def test_a_drop_must_be_large_and_real(
    lost: int, cases: int, max_drop: float, ruling: Ruling
) -> None:
    found = judged("c" * cases, "r" * lost + "c" * (cases - lost), max_drop)
    assert found[Measure.CORRECT].ruling is ruling
    assert found[Measure.CORRECT].passes is (ruling is not Ruling.DROP)
    assert found[Measure.NOT_WRONG].ruling is Ruling.PASSES


def test_a_drop_in_one_of_several_modes_must_be_the_more_certain() -> None:
    """Six lost of 100 say p = 0.03 in one mode; beside four modes that stayed, it may be chance."""
    lost = "r" * 6 + "c" * 94
    before = [run for mode in ABLATION for run in numbered(mode, "c" * 100)]
    after = [
        run for mode in ABLATION for run in numbered(mode, lost if mode is FULL else "c" * 100)
    ]
    found = judge_drop(after, as_baseline(HEADER, before), 0.02)
    (full, *_) = [each for each in found if each.mode is FULL]
    assert full.ruling is Ruling.UNCLEAR
    assert "p = 0.16, after Holm for 5 modes" in judgement_text(full)
    alone = judged("c" * 100, lost, 0.02)[Measure.CORRECT]
    assert alone.ruling is Ruling.DROP
    assert full.visible is not None
    assert alone.visible is not None
    assert full.visible > alone.visible


def test_refusals_that_become_wrong_answers_are_a_drop() -> None:
    found = judged("r" * 30, "w" * 10 + "r" * 20, 0.02)
    assert found[Measure.CORRECT].ruling is Ruling.PASSES
    assert found[Measure.NOT_WRONG].ruling is Ruling.DROP


def test_getting_better_passes() -> None:
    assert all(each.passes for each in judged("w" * 30, "c" * 30, 0.0).values())


@pytest.mark.parametrize("modes", [(), (ModeName.BASELINE,)])
def test_comparing_nothing_does_not_pass(modes: tuple[ModeName, ...]) -> None:
    records = [run for mode in modes for run in numbered(mode, "ccc")]
    found = judge_drop(records, as_baseline(HEADER, numbered(FULL, "ccc")), 0.02)
    assert found
    assert {each.ruling for each in found} == {Ruling.NOTHING}
    assert not any(each.passes for each in found)
    assert "NOTHING COMPARED" in judgement_text(found[0])


def test_modes_that_only_one_of_them_has_are_not_judged() -> None:
    before = numbered(FULL, "cc") + numbered(ModeName.HINTS, "cc")
    after = numbered(FULL, "cc") + numbered(ModeName.BASELINE, "cc")
    found = judge_drop(after, as_baseline(HEADER, before), 0.02)
    assert {each.mode for each in found} == {FULL}


def test_the_words_say_how_large_how_sure_and_what_it_would_take() -> None:
    text = judgement_text(judged("c" * 100, "w" * 10 + "c" * 90, 0.02)[Measure.CORRECT])
    assert text.startswith("DROP: mode full, correct answers: -10.0 points")
    assert "95 % interval -17.4 to -5.5" in text
    assert "p = 0.002" in text
    assert "a drop of 2 is allowed" in text
    assert "show a drop from about" in text
    assert "To see a drop of 2.0 points would take about" in text


@pytest.mark.parametrize("max_drop", [0.0, 0.02, 0.5])
def test_what_it_would_take_is_more_than_there_is(max_drop: float) -> None:
    found = judged("c" * 100, "w" * 10 + "c" * 90, max_drop)[Measure.CORRECT]
    assert found.target is not None
    assert found.visible is not None
    assert found.target < found.visible
    assert found.cases_needed is not None
    assert found.cases_needed > 100


def test_attempts_that_are_missing_are_mentioned() -> None:
    found = judged("c" * 30, "c" * 10, 0.02)[Measure.CORRECT]
    assert "20 attempts of the baseline are missing" in judgement_text(found)


@pytest.mark.parametrize("language", Language)
def test_every_language_has_the_words(language: Language) -> None:
    found = judged("c" * 30, "c" * 9 + "w", 0.02)
    for each in found.values():
        assert f"{each.comparison.cases}" in judgement_text(each, language)


def test_another_model_is_told() -> None:
    other = HEADER.model_copy(update={"model": "local:large", "simulated": True})
    assert differences(HEADER, HEADER) == ()
    assert differences(other, HEADER) == (
        "model: local:large, before local:small",
        "simulated: True, before False",
    )
