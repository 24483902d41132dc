"""A gold case: question, expected call and answer, difficulty and its time limit."""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple, Self

from pydantic import Field, model_validator

from veridical.contracts.language import Language
from veridical.contracts.question import Turn
from veridical.contracts.wire import Wire

_WRITTEN = re.compile(
    r"\s*(?P<field>\w+)\s*"
    r"(?:(?P<null>is\s+(?:not\s+)?null)"
    r"|between\s+(?P<low>\S+)\s+and\s+(?P<high>\S+)"
    r"|(?P<op><=|>=|!=|<>|=|<|>|(?<=\s)like(?=\s)|(?<=\s)in(?=\s))\s*(?P<values>.+?))\s*",
    re.IGNORECASE,
)
_NUMERIC, _FIGURES = "expectedAnswerNumeric", "expectedFigures"
_SPELLED = {"<>": "!=", "in": "="}


class Condition(NamedTuple):
    """A field, an operator, and exactly the values it is compared with."""

    field: str
    op: str
    """One of ``= != < <= > >= like between``, or ``is null`` and ``is not null``."""
    values: tuple[str, ...] = ()


def read_condition(text: str) -> Condition:
    """The condition in ``field op value``, with a bar between several values.

    Raises ``ValueError``: no run could ever meet an unreadable pattern.
    """
    read = _WRITTEN.fullmatch(text)
    if read is None:
        raise ValueError(f"{text!r} is no condition: write it as periodYear=2025")
    field = read["field"]
    if read["null"]:
        return Condition(field, " ".join(read["null"].lower().split()))
    if read["low"]:
        return Condition(field, "between", (read["low"], read["high"]))
    op = read["op"].lower()
    values = tuple(each.strip() for each in read["values"].split("|"))
    if not all(values) or (len(values) > 1 and op not in ("=", "in")):
        raise ValueError(f"{text!r} is no condition: only = takes several values")
    return Condition(field, _SPELLED.get(op, op), values)


class Difficulty(StrEnum):
    """The difficulty of a question, which decides the time limit."""

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
    """one clarifying question, because something that matters is missing"""


class ToolPattern(Wire):
    """The call that a good run makes."""

    tool: str
    """One name, or several with a bar between them that stand for one another."""
    table_name: str = ""
    required_filters: tuple[str, ...] = ()
    """As ``field op value``, such as ``periodYear=2025`` or ``accountNumber like 102%``; with a bar
    between values that are all requested, in one call or in several."""
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
    """Mistakes that the question invites, such as ``turnoverOrBalance`` or ``foreignTenant``."""
    expected: Expected = Expected.ANSWER
    thread: tuple[Turn, ...] = ()
    tenant: tuple[str, ...] = ()
    """The asker, where it is not the set's usual tenant."""
    expected_tool_pattern: ToolPattern | None = None
    forbidden_tools: tuple[str, ...] = ()
    expected_answer_contains: tuple[str, ...] = ()
    """Texts that a right answer has; a bar stands between spellings that do equally well."""
    expected_answer_numeric: tuple[str, ...] = ()
    """Columns of the truth whose values a right answer has, all rows of them. In a file also
    figures by name, ``{"1020.closingBalance": 152400.00}``, which are ``expected_figures``."""
    expected_figures: dict[str, float] = Field(default_factory=dict[str, float])
    """Figures that a right answer has, by name, for a case without a truth to compute them."""
    expected_answer_names: tuple[str, ...] = ()
    """Columns of the truth whose texts a right answer has, all rows of them."""
    any_sign: bool = False
    """True if the figure may be stated without its sign: income is booked as negative."""
    decimals: int | None = None
    """The number of decimals that must be right; to half a percent where not set."""
    truth: Oracle | None = None
    wrong_if: Oracle | None = None
    """Figures that show that the trap was stepped into; none of them may be in the answer."""

    @model_validator(mode="before")
    @classmethod
    def _figures_by_name(cls, given: Any) -> Any:
        """Figures that stand where the columns of a truth would."""
        if not isinstance(given, dict) or not isinstance(given.get(_NUMERIC), dict):
            return given
        return {**{key: given[key] for key in given if key != _NUMERIC}, _FIGURES: given[_NUMERIC]}

    @model_validator(mode="after")
    def _an_answer_has_a_truth(self) -> Self:
        asks_for_values = self.expected_answer_numeric or self.expected_answer_names
        if asks_for_values and self.truth is None:
            raise ValueError("expected values need a truth")
        stated = self.expected_figures or self.expected_answer_contains
        is_checkable = asks_for_values or stated
        if self.expected is Expected.ANSWER and not is_checkable:
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
    """The day of the questions: "last year" must mean the same in every run."""
    tenant: tuple[str, ...] = ()
    """The asker: a value for each tenant column, in the pack's order."""
    tenant_names: tuple[str, ...] = ("mandate", "instance")
    """The names of these values in the truths' SQL, in the same order: ``{mandate}``."""
    cases: tuple[Case, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _ids_are_unique(self) -> Self:
        ids = [case.id for case in self.cases]
        twice = sorted({each for each in ids if ids.count(each) > 1})
        if twice:
            raise ValueError(f"ids that occur twice: {', '.join(twice)}")
        return self


@dataclass(frozen=True, slots=True)
class Limit:
    """The time limit of a run."""

    seconds: float
    difficulty: Difficulty

    @property
    def detail(self) -> str:
        """The text about a run that took longer."""
        return f"timeout after {self.seconds:g} s ({self.difficulty})"


class Timeouts(Wire):
    """Seconds by difficulty, with a factor for machines so slow that answers become refusals."""

    easy: float = Field(default=45, gt=0)
    medium: float = Field(default=60, gt=0)
    hard: float = Field(default=90, gt=0)
    factor: float = Field(default=1, gt=0)

    def limit(self, difficulty: Difficulty) -> Limit:
        """The limit of a question; one without a rating is of medium difficulty."""
        seconds = {
            Difficulty.EASY: self.easy,
            Difficulty.MEDIUM: self.medium,
            Difficulty.HARD: self.hard,
        }
        return Limit(seconds[difficulty] * self.factor, difficulty)
