from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.effort import examples
from tests.evals.gold_sample import case, gold
from veridical.contracts.language import Language
from veridical.evals.execution.plan import gold_hash, load_golds, plan
from veridical.evals.modes.mode import ModeName
from veridical.ontology.errors import LoadError


@settings(deadline=None, max_examples=examples(40))
@given(st.integers(1, 5), st.integers(1, 4), st.sets(st.sampled_from(ModeName), min_size=1))
def test_every_case_is_run_once_in_every_mode_and_repeat(
    cases: int, repeats: int, modes: set[ModeName]
) -> None:
    asked = gold(*(case(f"c{number}") for number in range(cases)))
    keys = [each.key for each in plan([asked], sorted(modes), repeats)]
    assert len(keys) == len(set(keys)) == cases * repeats * len(modes)


def test_a_mode_is_done_before_the_next_begins_and_languages_stay_together() -> None:
    asked = gold(case("a"), case("b", language=Language.DE), case("c"))
    found = plan([asked], [ModeName.FULL, ModeName.BASELINE], 2)
    assert [each.key.mode for each in found] == [ModeName.FULL] * 6 + [ModeName.BASELINE] * 6
    assert [each.key.repeat for each in found[:6]] == [0, 0, 0, 1, 1, 1]
    assert [each.case.id for each in found[:3]] == ["b", "a", "c"]


def test_a_repeat_asks_in_other_words_unless_the_model_varies() -> None:
    first, second = plan([gold()], [ModeName.FULL], 2)
    assert first.question != second.question
    first, second = plan([gold()], [ModeName.FULL], 2, same_words=True)
    assert first.question == second.question


def test_a_limit_takes_the_first_cases() -> None:
    found = plan([gold(case("a"), case("b"), case("c"))], [ModeName.FULL], limit=2)
    assert {each.case.id for each in found} == {"a", "b"}


def test_the_hash_follows_questions_and_expectations() -> None:
    same = gold_hash([gold(case("a"))])
    assert same == gold_hash([gold(case("a"))])
    assert same != gold_hash([gold(case("a", expected_answer_contains=("EUR",)))])
    assert same != gold_hash([gold(case("b"))])


def test_sets_that_share_an_id_make_no_run(tmp_path: Path) -> None:
    for name in ("one", "two"):
        told = gold(name=name).model_dump(mode="json", by_alias=True)
        (tmp_path / f"{name}.yaml").write_text(yaml.safe_dump(told), "utf-8")
    with pytest.raises(LoadError, match="a"):
        load_golds([str(tmp_path / "one.yaml"), str(tmp_path / "two.yaml")])
