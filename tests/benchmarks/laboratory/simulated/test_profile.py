from pathlib import Path

import pytest

from benchmarks.laboratory.simulated.profile import (
    CALL_MISTAKES,
    HABITS,
    SENTENCE_MISTAKES,
    Mistake,
    Profile,
    load_profile,
)
from veridical.evals.modes.mode import ABLATION
from veridical.ontology.errors import LoadError


def test_every_mistake_is_of_one_sort() -> None:
    assert sorted((*CALL_MISTAKES, *SENTENCE_MISTAKES, *HABITS)) == sorted(Mistake)


def test_the_careless_one_makes_every_mistake_in_every_mode() -> None:
    careless = load_profile("careless")
    assert all(0 < careless.rate(kind, mode) < 1 for kind in Mistake for mode in ABLATION)


def test_the_flawless_one_makes_none() -> None:
    flawless = load_profile("flawless")
    assert not any(flawless.rate(kind, mode) for kind in Mistake for mode in ABLATION)


def test_a_profile_comes_back_from_its_file(tmp_path: Path) -> None:
    careless = load_profile("careless")
    path = tmp_path / "measured.json"
    path.write_text(careless.model_dump_json(by_alias=True), "utf-8")
    assert load_profile(str(path)) == careless
    assert load_profile(f"{path}#5") == careless.model_copy(update={"seed": 5})


@pytest.mark.parametrize("name", ["nobody", "missing.toml", "careless#x"])
def test_a_profile_that_is_not_there_is_named(name: str) -> None:
    with pytest.raises(LoadError, match=name.partition("#")[0]):
        load_profile(name)


def test_a_rate_is_a_share() -> None:
    with pytest.raises(ValueError, match="less than or equal to 1"):
        Profile.model_validate({"name": "x", "mistakes": {"wrongYear": {"full": 1.5}}})
