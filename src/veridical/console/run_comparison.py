"""Two runs side by side: what differs between them, step by step."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest

from veridical.console.review_run import Change, changes
from veridical.console.step_view import StepView
from veridical.evals.report.number_format import amount, dollars


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two runs."""

    trace_id: str
    question: str
    outcome: str
    answer: str
    model: str
    seconds: float
    tokens: int
    cost: float | None
    steps: tuple[StepView, ...]
    total: int


@dataclass(frozen=True, slots=True)
class FactRow:
    """One property of both runs."""

    label: str
    """Key of its name in the message catalogue."""
    left: str
    right: str

    @property
    def differs(self) -> bool:
        """True if it is not the same in both."""
        return self.left != self.right


@dataclass(frozen=True, slots=True)
class StepRow:
    """A step of each run; on one side none where the other has a further one."""

    left: StepView | None
    right: StepView | None
    changes: tuple[Change, ...] = ()
    """The words that differ, where both have the same kind of step."""

    @property
    def differs(self) -> bool:
        """True if the steps are not the same."""
        return self.left is None or self.right is None or _key(self.left) != _key(self.right)


def fact_rows(left: Side, right: Side) -> tuple[FactRow, ...]:
    """What can be compared at a glance."""
    return (
        FactRow("quality.question", left.question, right.question),
        FactRow("outcome", left.outcome, right.outcome),
        FactRow("model", left.model, right.model),
        FactRow("duration", f"{left.seconds:.1f} s", f"{right.seconds:.1f} s"),
        FactRow("token_count", amount(left.tokens), amount(right.tokens)),
        FactRow("cost", *(dollars(each.cost if each.tokens else None) for each in (left, right))),
        FactRow("steps", str(left.total), str(right.total)),
    )


def step_rows(left: Sequence[StepView], right: Sequence[StepView]) -> tuple[StepRow, ...]:
    """Equal steps beside each other, and between them those that differ."""
    matched = SequenceMatcher(None, [*map(_key, left)], [*map(_key, right)], autojunk=False)
    rows: list[StepRow] = []
    for _, start, end, first, last in matched.get_opcodes():
        rows += [_row(*pair) for pair in zip_longest(left[start:end], right[first:last])]
    return tuple(rows)


def _row(left: StepView | None, right: StepView | None) -> StepRow:
    if left is None or right is None or left.title != right.title or left.text == right.text:
        return StepRow(left, right)
    return StepRow(left, right, tuple(changes(left.text, right.text)))


def _key(step: StepView) -> tuple[str, str, str]:
    """What makes two steps the same: not when they were, nor how long they took."""
    return step.title, step.text, step.code
