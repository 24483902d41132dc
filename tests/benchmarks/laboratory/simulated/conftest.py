"""The books in every mode, and gold questions with their truth."""

from collections.abc import Iterator

import pytest

from tests.sample import PACK
from veridical.evals.gold.case import GoldSet
from veridical.evals.gold.load import load_gold
from veridical.evals.gold.oracle import CaseTruth, truths_of
from veridical.evals.modes.environment import EvalEnvironment, staged
from veridical.sample.postgres import LocalPostgres


@pytest.fixture(scope="package")
def stage(postgres_server: LocalPostgres) -> Iterator[EvalEnvironment]:
    with staged(PACK, postgres_server) as opened:
        yield opened


@pytest.fixture(scope="package")
def gold() -> GoldSet:
    return load_gold("pack:trustee/core")[0]


@pytest.fixture(scope="package")
def truths(stage: EvalEnvironment, gold: GoldSet) -> dict[str, CaseTruth]:
    return truths_of(gold, stage.truth)
