"""A simulated model: knows the right call, errs at known rates, and follows hints."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models import Model
from pydantic_ai.models.function import AgentInfo, FunctionModel

from benchmarks.laboratory.simulated.call_mistakes import with_mistake
from benchmarks.laboratory.simulated.conversation import (
    ResultTable,
    answers_in,
    read_table,
    results_in,
)
from benchmarks.laboratory.simulated.phrases import cant_say, honest, made_up, question_back
from benchmarks.laboratory.simulated.profile import (
    CALL_MISTAKES,
    SENTENCE_MISTAKES,
    Mistake,
    Profile,
    load_profile,
)
from benchmarks.laboratory.simulated.query import as_call
from benchmarks.laboratory.simulated.sentence_mistakes import misworded
from benchmarks.laboratory.simulated.solution import Call, Solution, finder_of, trap_of
from veridical.agent.refusals import REPEATED_CALL
from veridical.evals.execution.inputs import ModelFor
from veridical.evals.execution.plan import Planned
from veridical.evals.gold.case import Case, Expected
from veridical.evals.gold.oracle import CaseTruth
from veridical.evals.modes.environment import EvalEnvironment
from veridical.evals.modes.mode import ModeName
from veridical.ontology.catalog import Catalog

_BYTES = 7
_MOST = 256**_BYTES


@dataclass(frozen=True, slots=True)
class Draw:
    """The draws of one run."""

    seed: int
    case: str
    mode: ModeName
    repeat: int

    def number(self, *occasion: str | int) -> float:
        """A number from 0 up to, not including, 1."""
        text = "|".join(map(str, (self.seed, self.case, self.mode, self.repeat, *occasion)))
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:_BYTES]) / _MOST

    def happens(self, rate: float, *occasion: str | int) -> bool:
        """True in this share of all runs."""
        return self.number(*occasion) < rate


_MOST_REPAIRS = 3


@dataclass(frozen=True)
class SimulatedBehaviour:
    """The behaviour of a simulated model in one run; it follows from the conversation alone."""

    profile: Profile
    case: Case
    mode: ModeName
    repeat: int
    solution: Solution | None
    catalog: Catalog

    @property
    def model(self) -> FunctionModel:
        """The model, under a name that says what it is."""

        async def speak(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
            return self.reply(messages)

        return FunctionModel(speak, model_name=f"simulated:{self.profile.name}")

    def reply(self, messages: Sequence[ModelMessage]) -> ModelResponse:
        """The next message of the conversation."""
        results = results_in(messages)
        if answers_in(messages) > len(self.case.thread):
            return _text(self._rewritten(results))
        if not results:
            return self._first()
        last = results[-1]
        if last["success"] or _is_repeat(last):
            return self._after_success(results)
        return self._after_error(results)

    @cached_property
    def _draw(self) -> Draw:
        return Draw(self.profile.seed, self.case.id, self.mode, self.repeat)

    def _errs(self, mistake: Mistake) -> bool:
        return self._draw.happens(self.profile.rate(mistake, self.mode), mistake)

    def _first(self) -> ModelResponse:
        if self._errs(Mistake.GIVES_UP):
            return _text(cant_say(self.case.language))
        if self._errs(Mistake.ANSWERS_WITHOUT_CALL):
            return _text(self._made_up)
        call = self._mistaken_call or self._right_call
        return _call(call, 0) if call else _text(self._without_data)

    def _after_success(self, results: Sequence[dict[str, Any]]) -> ModelResponse:
        if len(results) == 1 and self._errs(Mistake.REPEATS_CALL):
            call = self._mistaken_call or self._right_call
            if call:
                return _call(call, len(results))
        return _text(self._answer_about(_last_table(results)))

    def _after_error(self, results: Sequence[dict[str, Any]]) -> ModelResponse:
        rate = self.profile.repairs.get(self.mode, 1.0)
        tried = len(results)
        if tried <= _MOST_REPAIRS and self._draw.happens(rate, "repairs", tried):
            right = self._right_call
            return _call(right, tried) if right else _text(self._without_data)
        if self._errs(Mistake.ANSWERS_AFTER_ERROR):
            return _text(self._made_up)
        return _text(cant_say(self.case.language))

    def _rewritten(self, results: Sequence[dict[str, Any]]) -> str:
        """The answer after a block by the gate: from the results, or the same again."""
        rate = self.profile.rewrites.get(self.mode, 1.0)
        got = [each for each in results if each["success"]]
        if not self._draw.happens(rate, "rewrites"):
            return self._answer_about(_last_table(results)) if got else self._made_up
        return honest(_last_table(results), self.case) if got else cant_say(self.case.language)

    def _answer_about(self, table: ResultTable) -> str:
        for kind in self._drawn(SENTENCE_MISTAKES):
            text = misworded(kind, table, self.case, self._draw.number("figure"))
            if text is not None:
                return text
        return honest(table, self.case)

    @cached_property
    def _mistaken_call(self) -> Call | None:
        """The call with the first mistake that is drawn and can be made."""
        for kind in self._drawn(CALL_MISTAKES):
            if kind is Mistake.TRAPPED:
                wrong = trap_of(self.case)
            else:
                tree = self.solution.tree if self.solution else None
                wrong = with_mistake(kind, tree, self.catalog) if tree else None
            if wrong is not None:
                return as_call(wrong)
        return None

    def _drawn(self, kinds: Sequence[Mistake]) -> Iterator[Mistake]:
        """The mistakes that this run makes if it can, in an order of its own."""
        for kind in sorted(kinds, key=lambda each: self._draw.number("order", each)):
            if self._errs(kind):
                yield kind

    @property
    def _right_call(self) -> Call | None:
        return (self.solution.tool, self.solution.arguments) if self.solution else None

    @property
    def _without_data(self) -> str:
        if self.case.expected is Expected.ASK_BACK:
            return question_back(self.case.language)
        return cant_say(self.case.language)

    @property
    def _made_up(self) -> str:
        return made_up(self.case.language, self._draw.number("figure"))


def _is_repeat(result: dict[str, Any]) -> bool:
    return (result.get("errorDetails") or {}).get("code") == REPEATED_CALL


def _last_table(results: Sequence[dict[str, Any]]) -> ResultTable:
    found = (each.get("data") for each in reversed(results) if each["success"])
    return read_table(next(found, None))


def _call(call: Call, number: int) -> ModelResponse:
    tool, arguments = call
    return ModelResponse([ToolCallPart(tool, arguments, f"call-{number}")])


def _text(text: str) -> ModelResponse:
    return ModelResponse([TextPart(text)])


def simulated_models(name: str, stage: EvalEnvironment) -> ModelFor:
    """The simulated model for each run. Raises ``LoadError`` for a profile that is not there."""
    profile = load_profile(name)
    catalog = stage.known.checker.catalog
    finder = finder_of(stage)

    def model_for(planned: Planned, truth: CaseTruth) -> Model:
        key, solution = planned.key, finder.solution(planned.case, planned.gold, truth)
        return SimulatedBehaviour(
            profile, planned.case, key.mode, key.repeat, solution, catalog
        ).model

    return model_for
