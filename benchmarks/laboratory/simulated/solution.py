"""The solution of a case: the first of its suggested calls that leads to the right answer."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from sqlglot import exp

from benchmarks.laboratory.simulated.balances import in_home_currency, over_balances
from benchmarks.laboratory.simulated.conversation import read_table
from benchmarks.laboratory.simulated.phrases import honest
from benchmarks.laboratory.simulated.query import as_call
from veridical.contracts.answer import Answer, AnswerKind
from veridical.contracts.trace import AgentTrace
from veridical.evals.gold.case import Case, Condition, Expected, GoldSet, ToolPattern
from veridical.evals.gold.oracle import CaseTruth
from veridical.evals.gold.query import own_books, tree_of
from veridical.evals.modes.environment import EvalEnvironment
from veridical.evals.scoring.record import Outcome
from veridical.evals.scoring.score import score
from veridical.route.patterns import PatternMatch, match_pattern

_PLAIN_TOOL = "queryTable"

Call = tuple[str, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Solution:
    """A call that leads to the right answer, and its syntax tree."""

    tool: str
    arguments: dict[str, Any]
    tree: exp.Query | None


@dataclass(frozen=True, eq=False)
class SolutionFinder:
    """Finds the solution of each case once for all its runs in one environment."""

    stage: EvalEnvironment
    _known: dict[tuple[str, str], Solution | None] = field(
        default_factory=dict[tuple[str, str], Solution | None]
    )

    def solution(self, case: Case, gold: GoldSet, truth: CaseTruth) -> Solution | None:
        """The right way; none where no suggested call leads to the right answer."""
        key = (gold.name, case.id)
        if key not in self._known:
            self._known[key] = self._found(case, gold, truth)
        return self._known[key]

    def _found(self, case: Case, gold: GoldSet, truth: CaseTruth) -> Solution | None:
        if case.expected in (Expected.REFUSE, Expected.ASK_BACK):
            return None
        for tool, arguments in self._suggested(case, gold):
            if self._leads(tool, arguments, case, gold, truth):
                return Solution(tool, arguments, tree_of(tool, arguments))
        return None

    def _suggested(self, case: Case, gold: GoldSet) -> Iterator[Call]:
        """The canonical question's call, the expected one, the truth's own query."""
        patterns = self.stage.known.patterns
        if patterns is not None and not case.thread:
            today = date.fromisoformat(gold.today)
            match = match_pattern(case.question, patterns, case.language, today)
            if isinstance(match, PatternMatch):
                yield match.tool, match.arguments
        if case.expected_tool_pattern is not None:
            yield from _expected_call(case.expected_tool_pattern)
        tree = own_books(case.truth) if case.truth else None
        if tree is not None:
            yield as_call(tree)
            yield as_call(in_home_currency(tree))
            yield from map(as_call, over_balances(tree))

    def _leads(
        self, tool: str, arguments: dict[str, Any], case: Case, gold: GoldSet, truth: CaseTruth
    ) -> bool:
        toolbox = self.stage.known.toolbox(self.stage.caller(case, gold))
        result = toolbox.call(tool, arguments, case.question)
        if not result.success:
            return False
        text = honest(read_table(result.data), case)
        answer = Answer(kind=AnswerKind.AGENT, text=text, language=case.language, trace_id="")
        verdict = score(case, case.question, truth, answer, AgentTrace(trace_id=""))
        return verdict.outcome is Outcome.CORRECT


_finders: dict[int, SolutionFinder] = {}


def finder_of(stage: EvalEnvironment) -> SolutionFinder:
    """The finder of this stage, with all that it knows already."""
    known = _finders.get(id(stage))
    if known is None or known.stage is not stage:
        _finders.clear()
        known = _finders[id(stage)] = SolutionFinder(stage)
    return known


def trap_of(case: Case) -> exp.Query | None:
    """The query that the case tempts to."""
    return own_books(case.wrong_if) if case.wrong_if else None


def _expected_call(pattern: ToolPattern) -> Iterator[Call]:
    """The expected call on a table, where it is one that needs no SQL."""
    tools = pattern.tool.split("|")
    if _PLAIN_TOOL not in tools or not pattern.table_name:
        return
    filters = list(map(_filter, pattern.conditions))
    yield _PLAIN_TOOL, {"tableName": pattern.table_name, "filters": filters}


def _filter(condition: Condition) -> dict[str, Any]:
    # Years, months and days are numbers; an account's number is a text.
    number = condition.field.startswith("period") or condition.field.endswith("Date")
    values = [int(each) if number and each.isdecimal() else each for each in condition.values]
    op = "in" if condition.op == "=" and len(values) > 1 else condition.op
    one = values[0] if len(values) == 1 else values or None
    return {"field": condition.field, "op": op, "value": one}
