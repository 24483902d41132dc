"""Outcome of each tool call in its run: refused, a repair of an earlier refusal, abandoned.

``veridical.trace.counters`` defines the words.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from veridical.contracts.trace import AgentTrace, ToolCalled
from veridical.contracts.violation import Code

Target = tuple[str, str, str]
"""The tool, the file and the table of a call."""


@dataclass(frozen=True, slots=True)
class CallOutcome:
    """One call with its outcome."""

    call: ToolCalled
    is_repair: bool = False
    """Whether it repeats a call that was refused in an earlier round."""
    is_deflected: bool = False
    """Whether it was refused, and the model turned to something else."""

    @property
    def is_failure(self) -> bool:
        """Whether it was refused before it ran."""
        return self.call.validation_failure_code is not None

    @property
    def is_success_after_repair(self) -> bool:
        """Whether it repairs a refused call, and succeeded."""
        return self.is_repair and self.call.success


def call_outcomes(trace: AgentTrace) -> tuple[CallOutcome, ...]:
    """Every tool call of a run, in order, with its outcome."""
    calls = [event for event in trace.events if isinstance(event, ToolCalled)]
    repairs: set[int] = set()
    deflected: set[int] = set()
    refused: dict[Target, list[int]] = {}
    unanswered: dict[Target, int] = {}
    for numbers in _rounds(calls):
        by_target = _by_target(calls, numbers)
        if by_target.keys() - unanswered.keys():
            turned_from = unanswered.keys() - by_target.keys()
            deflected.update(unanswered.pop(target) for target in turned_from)
        for target, siblings in by_target.items():
            repairs.update(_repairs(calls, siblings, len(refused.get(target, ()))))
            refused[target] = [
                number for number in siblings if calls[number].validation_failure_code is not None
            ]
            unanswered.pop(target, None)
            if refused[target]:
                unanswered[target] = refused[target][-1]
    return tuple(
        CallOutcome(call, is_repair=number in repairs, is_deflected=number in deflected)
        for number, call in enumerate(calls)
    )


def _rounds(calls: Sequence[ToolCalled]) -> Iterable[list[int]]:
    """The calls by number, those of one round together."""
    order = sorted(range(len(calls)), key=lambda number: calls[number].round)
    for _, numbers in groupby(order, key=lambda number: calls[number].round):
        yield list(numbers)


def _by_target(calls: Sequence[ToolCalled], numbers: Iterable[int]) -> dict[Target, list[int]]:
    found: defaultdict[Target, list[int]] = defaultdict(list)
    for number in numbers:
        found[_target(calls[number])].append(number)
    return dict(found)


def _target(call: ToolCalled) -> Target:
    table = call.arguments.get("tableName")
    if call.validation_failure_code == Code.TABLE_NOT_FOUND:
        table = (call.error_details or {}).get("suggestion") or table
    return (call.tool, _name(call.arguments.get("fileName")), _name(table))


def _name(given: object) -> str:
    return given.casefold() if isinstance(given, str) else ""


def _repairs(calls: Sequence[ToolCalled], siblings: Iterable[int], refused: int) -> list[int]:
    """One sibling for each refused call, those that worked first: the others ask something new."""
    return sorted(siblings, key=lambda number: not calls[number].success)[:refused]
