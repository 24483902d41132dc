"""Runs each planted defect twice, with its rule and without, and compares the outcomes."""

import asyncio
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from benchmarks.laboratory.planted.planted_defect import PlantedDefect, PlantedDefects
from benchmarks.laboratory.planted.scripted_model import planted_model
from veridical.agent.answer_form import AnswerForm
from veridical.agent.settings import AgentSettings
from veridical.answering.feature import Feature
from veridical.answering.session import Emit, Session
from veridical.check.checker import ALWAYS_BLOCKING, Checker
from veridical.check.context import Context
from veridical.check.facts import Problem
from veridical.check.rules import Rule
from veridical.contracts.proof import GateCode
from veridical.contracts.violation import Code, Mode
from veridical.contracts.wire import Wire
from veridical.engines import Engine
from veridical.engines.receipt import Freshness
from veridical.evals.execution.attempt import attempt
from veridical.evals.execution.plan import Planned
from veridical.evals.execution.recording import Recording
from veridical.evals.gold.case import Timeouts
from veridical.evals.gold.oracle import truth_of
from veridical.evals.modes.environment import EvalEnvironment
from veridical.evals.modes.mode import MODES, ModeName
from veridical.evals.scoring.record import Outcome, RunKey, RunRecord
from veridical.gate.policy import ProofPolicy
from veridical.gate.proof_marks import SIGN
from veridical.ontology.compile import compile_catalog, with_values

_BEST_FIRST = (Outcome.CORRECT, Outcome.REFUSED, Outcome.WRONG)
_SETTINGS = AgentSettings.model_construct(answer_form=AnswerForm.TEXT)
_FRESH_FOR = timedelta(days=1)
_LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)


class Detection(Wire):
    """The outcomes of a planted defect with its rule and without it."""

    rule: Code | GateCode
    case: str
    with_rule: Outcome
    without_rule: Outcome
    texts: tuple[str, str]
    """The shown texts, with the rule and without."""

    @property
    def caught(self) -> bool:
        """True if the rule keeps the run from a worse end, and nothing false is shown with it
        without a mark."""
        better = _BEST_FIRST.index(self.with_rule) < _BEST_FIRST.index(self.without_rule)
        marked, unmarked = (SIGN in text for text in self.texts)
        return (better and self.with_rule is not Outcome.WRONG) or (marked and not unmarked)


def detect(plant: PlantedDefect, plants: PlantedDefects, stage: EvalEnvironment) -> Detection:
    """The same run with the rule and without it."""
    checked = asyncio.run(_made(plant, plants, stage, silenced=False))
    unchecked = asyncio.run(_made(plant, plants, stage, silenced=True))
    return Detection(
        rule=plant.rule,
        case=plant.case.id,
        with_rule=checked.score.outcome,
        without_rule=unchecked.score.outcome,
        texts=(checked.text, unchecked.text),
    )


async def _made(
    plant: PlantedDefect, plants: PlantedDefects, stage: EvalEnvironment, *, silenced: bool
) -> RunRecord:
    case = plant.case
    planned = Planned(RunKey(case=case.id, mode=ModeName.FULL), case, plants, case.question)

    def open_session(emit: Emit) -> Session:
        model = planted_model(plant)
        usual = stage.session(MODES[ModeName.FULL], case, plants, model, _SETTINGS, emit)
        session = _planted(plant, stage, usual)
        return without(session, plant.rule) if silenced else session

    limit = Timeouts().limit(case.difficulty)
    truth = truth_of(case, plants, stage.truth)
    step = Recording(plants.today, limit)
    judged = await attempt(planned, truth, open_session, step, case.id, limit)
    return judged.record


def _planted(plant: PlantedDefect, stage: EvalEnvironment, session: Session) -> Session:
    """The session as the plant needs it."""
    session = replace(session, feature=prepared(plant, stage, session.feature))
    if not plant.required_tools:
        return session
    called = (call.tool for call in plant.calls)
    needed = {**session.policy.required_tools, "planted": (*called, *plant.required_tools)}
    policy = session.policy.model_copy(update={"required_tools": needed})
    return replace(session, policy=policy)


def prepared(plant: PlantedDefect, stage: EvalEnvironment, feature: Feature) -> Feature:
    """The feature as the plant needs it: on data that is old, with values that the check knows, or
    with its schema alone."""
    if plant.bare:
        bare = compile_catalog(feature.schema, None)
        checker = replace(feature.checker, catalog=bare, strict_names=True)
        feature = replace(feature, checker=checker)
    if plant.knowing:
        catalog = with_values(feature.checker.catalog, _values(plant.knowing, stage))
        feature = replace(feature, checker=replace(feature.checker, catalog=catalog))
    return _outdated(feature) if plant.stale else feature


def _values(columns: Iterable[str], stage: EvalEnvironment) -> dict[str, dict[str, list[str]]]:
    """The values of these columns."""
    known: dict[str, dict[str, list[str]]] = {}
    for path in columns:
        table, _, column = path.partition(".")
        # The names are those of a plant, which is part of this package.
        truth = stage.truth(f'SELECT DISTINCT "{column}" FROM "{table}"')
        known.setdefault(table, {})[column] = [str(value) for value in truth.values(column)]
    return known


def _outdated(feature: Feature) -> Feature:
    """The same data, last changed long ago."""
    engine = Engine(
        feature.engine.database,
        feature.checker.catalog,
        limits=feature.engine.limits,
        freshness=Freshness(_FRESH_FOR, lambda table: _LONG_AGO),
    )
    return replace(feature, engine=engine)


def without(session: Session, rule: Code | GateCode) -> Session:
    """The session without this rule; all others work as before. What the gate marks is of one
    reading, so that all of it is switched off with any of its rules."""
    if isinstance(rule, GateCode):
        modes = {**session.policy.modes, rule: Mode.OFF}
        off = {"modes": modes, "policy": ProofPolicy.OFF}
        return replace(session, policy=session.policy.model_copy(update=off))
    if rule is Code.UNTRACED_VALUE:
        policy = session.policy.model_copy(update={"untraced_arguments": Mode.OFF})
        return replace(session, policy=policy)
    checker = _silenced(session.feature.checker, rule)
    return replace(session, feature=replace(session.feature, checker=checker))


def _silenced(checker: Checker, code: Code) -> Checker:
    """No mode switches off what must always block, so its findings are left out instead."""
    if code not in ALWAYS_BLOCKING:
        return replace(checker, modes={**checker.modes, code: Mode.OFF})
    return replace(checker, rules=tuple(_leaving_out(rule, code) for rule in checker.rules))


def _leaving_out(rule: Rule, code: Code) -> Rule:
    def find(context: Context) -> Iterable[Problem]:
        return [problem for problem in rule(context) if problem.code is not code]

    return find
