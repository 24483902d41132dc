"""A gold case: the question, what a good run looks like, and the oracle of its truth."""

from enum import StrEnum
from typing import Self

from pydantic import Field, model_validator

from veridical.contracts.language import Language
from veridical.contracts.question import Turn
from veridical.contracts.wire import Wire
from veridical.evals.gold.condition import Condition, read_condition


class Difficulty(StrEnum):
    """How hard a question is; it decides how long an answer may take."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


class Expected(StrEnum):
    """The kind of answer that is right."""

    ANSWER = "answer"
    """figures or names from the data"""
    EMPTY = "empty"
    """that there is nothing of this kind"""
    REFUSE = "refuse"
    """that the data can't say, that it is not allowed, or that the premise is false"""
    ASK_BACK = "askBack"
    """one question back, because something that matters was not said"""


class ToolPattern(Wire):
    """The call that a good run makes."""

    tool: str
    """One name, or several with a bar between them that stand for one another."""
    table_name: str = ""
    required_filters: tuple[str, ...] = ()
    """As ``field op value``, such as ``periodYear=2025`` or ``accountNumber like 102%``; with a bar
    between values that are all asked for, in one call or in several."""
    alternatives: tuple["ToolPattern", ...] = ()
    """Other calls that do as well, such as SQL over the bookings that a balance sums up."""

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """The required filters, read."""
        return tuple(map(read_condition, self.required_filters))

    @model_validator(mode="after")
    def _filters_can_be_read(self) -> Self:
        _ = self.conditions
        return self


class Oracle(Wire):
    """Plain SQL over the books, run by their owner: never by the tools that are judged.

    The set's ``tenant_names`` in braces stand for the asker's tenant, as quoted literals.
    """

    sql: str


class Case(Wire):
    """One gold question."""

    id: str
    question: str
    language: Language
    paraphrases: tuple[str, ...] = ()
    """The same question in other words: a repeat asks the next of them."""
    intent: str = ""
    difficulty: Difficulty = Difficulty.MEDIUM
    traps: tuple[str, ...] = ()
    """What the question tempts to, such as ``turnoverOrBalance`` or ``foreignTenant``."""
    expected: Expected = Expected.ANSWER
    thread: tuple[Turn, ...] = ()
    tenant: tuple[str, ...] = ()
    """Who asks, where it is not the set's usual tenant."""
    expected_tool_pattern: ToolPattern | None = None
    forbidden_tools: tuple[str, ...] = ()
    expected_answer_contains: tuple[str, ...] = ()
    """Texts that a right answer has; a bar stands between spellings that do equally well."""
    expected_answer_numeric: tuple[str, ...] = ()
    """Columns of the truth whose values a right answer has, all rows of them."""
    expected_answer_names: tuple[str, ...] = ()
    """Columns of the truth whose texts a right answer has, all rows of them."""
    any_sign: bool = False
    """Whether the figure may be told without its sign: income is booked as negative."""
    decimals: int | None = None
    """How many decimals of a figure must be right; to half a percent where not set."""
    truth: Oracle | None = None
    wrong_if: Oracle | None = None
    """Figures that show that the trap was stepped into; none of them may be in the answer."""

    @model_validator(mode="after")
    def _an_answer_has_a_truth(self) -> Self:
        asks_for_values = self.expected_answer_numeric or self.expected_answer_names
        if asks_for_values and self.truth is None:
            raise ValueError("expected values need a truth")
        told = asks_for_values or self.expected_answer_contains
        if self.expected is Expected.ANSWER and not told:
            raise ValueError("an expected answer needs values or texts")
        return self

    def phrasing(self, repeat: int) -> str:
        """The words of this repeat, counted from 0; they begin again after the last."""
        worded = (self.question, *self.paraphrases)
        return worded[repeat % len(worded)]


class GoldSet(Wire):
    """Gold questions about one feature."""

    name: str
    feature: str
    today: str
    """The day on which the questions are asked: "last year" must mean the same in every run."""
    tenant: tuple[str, ...] = ()
    """Who asks: a value for each tenant column, in the pack's order."""
    tenant_names: tuple[str, ...] = ("mandate", "instance")
    """What these values are called in the truths' SQL, in the same order: ``{mandate}``."""
    cases: tuple[Case, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _ids_are_unique(self) -> Self:
        ids = [case.id for case in self.cases]
        twice = sorted({each for each in ids if ids.count(each) > 1})
        if twice:
            raise ValueError(f"ids that occur twice: {', '.join(twice)}")
        return self
