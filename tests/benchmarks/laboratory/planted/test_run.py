"""Every rule of the check and of the gate keeps its planted runs from a worse end."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from benchmarks.laboratory.planted.planted_defect import PlantedDefect, PlantedDefects, load_plants
from benchmarks.laboratory.planted.run import Detection, detect, prepared
from tests.check.rules import test_constructs as constructs
from tests.check.test_twins import TWINS, checker_of
from tests.check.test_twins import bikes as bikes_in
from tests.sample import PACK
from veridical.check.context import Context
from veridical.check.facts import Problem
from veridical.check.rules import RULES, Rule
from veridical.contracts.call import Call, SqlCall
from veridical.contracts.proof import GateCode
from veridical.contracts.violation import Code
from veridical.evals.modes.environment import EvalEnvironment, staged
from veridical.evals.scoring.record import Outcome
from veridical.packs import research
from veridical.sample.postgres import LocalPostgres

_OF_A_SEMANTIC_LAYER = {Code.METRIC_NOT_FOUND, Code.UNREACHABLE_DIMENSION}
"""Refused before a semantic layer is asked; an agent on tables has none."""
_CALL: TypeAdapter[Call] = TypeAdapter(Call)
_WRONG_FORMS = [(Code(code), sql) for code, sql in constructs.CASES if code != "+"]
"""Statements against what an ontology can say and the books of the sample have no need of."""
_PLANTS = [(plants, plant) for plants in load_plants() for plant in plants.plants]


@pytest.fixture(scope="module")
def stage(postgres_server: LocalPostgres) -> Iterator[EvalEnvironment]:
    with staged(PACK, postgres_server) as opened:
        yield opened


@pytest.fixture(scope="module")
def library(postgres_server: LocalPostgres, stage: EvalEnvironment) -> Iterator[EvalEnvironment]:
    """The same books, and documents."""
    assert stage.known.evidence is None
    with staged(research.pack, postgres_server, "sample_trustee") as opened:
        yield opened


@pytest.mark.parametrize(
    ("plants", "plant"), _PLANTS, ids=[f"{plant.rule}-{plant.case.id}" for _, plant in _PLANTS]
)
def test_without_its_rule_a_planted_run_ends_worse(
    plants: PlantedDefects,
    plant: PlantedDefect,
    stage: EvalEnvironment,
    library: EvalEnvironment,
) -> None:
    found = detect(plant, plants, library if plants.documents else stage)
    assert found.caught, found


def test_every_rule_has_a_planted_run() -> None:
    planted = {plant.rule for _, plant in _PLANTS}
    assert not set(GateCode) - planted
    in_pairs = {pair.code for pair in TWINS} | {code for code, _ in _WRONG_FORMS}
    assert set(Code) - planted - in_pairs == _OF_A_SEMANTIC_LAYER


def test_every_rule_of_the_check_speaks_about_a_planted_call(
    stage: EvalEnvironment, tmp_path: Path
) -> None:
    bikes = bikes_in(tmp_path)
    spoke: set[Rule] = set()
    for plants, plant in _PLANTS:
        if isinstance(plant.rule, Code):
            feature = prepared(plant, stage, stage.known)
            checker = replace(feature.checker, rules=tuple(_spies(plant.rule, spoke)))
            caller = stage.caller(plant.case, plants)
            for made in plant.calls:
                call = _CALL.validate_python({"tool": made.tool, **made.arguments})
                checker.check(call, caller, plant.case.question)
    for pair in TWINS:  # what a schema shows is planted in pairs of queries, which are run as well
        checker = replace(checker_of(bikes), rules=tuple(_spies(pair.code, spoke)))
        checker.check(SqlCall(sql=pair.wrong), question=pair.asked)
    for code, sql in _WRONG_FORMS:
        replace(constructs.CHECKER, rules=tuple(_spies(code, spoke))).check(SqlCall(sql=sql))
    assert spoke == set(RULES)


def _spies(code: Code, spoke: set[Rule]) -> Iterator[Rule]:
    def spying(rule: Rule) -> Rule:
        def find(context: Context) -> Iterable[Problem]:
            problems = list(rule(context))
            if any(problem.code is code for problem in problems):
                spoke.add(rule)
            return problems

        return find

    return map(spying, RULES)


@pytest.mark.parametrize(
    ("checked", "unchecked", "caught"),
    [
        (Outcome.CORRECT, Outcome.WRONG, True),
        (Outcome.CORRECT, Outcome.REFUSED, True),
        (Outcome.REFUSED, Outcome.WRONG, True),
        (Outcome.CORRECT, Outcome.CORRECT, False),
        (Outcome.REFUSED, Outcome.CORRECT, False),
        (Outcome.WRONG, Outcome.WRONG, False),
    ],
)
def test_a_rule_that_changes_nothing_for_the_better_catches_nothing(
    checked: Outcome, unchecked: Outcome, caught: bool
) -> None:
    found = Detection(
        rule=Code.FAN_OUT, case="", with_rule=checked, without_rule=unchecked, texts=("", "")
    )
    assert found.caught is caught
