"""Input and output of one run of the loop."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from veridical.agent.budget import Budget, Price
from veridical.agent.settings import DEFAULT_TIMEOUT, AnswerForm
from veridical.contracts.answer import AnswerKind, Source, Usage
from veridical.contracts.language import Language
from veridical.contracts.question import Turn
from veridical.contracts.result import ToolRun

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage

AnswerSchema = Callable[[Sequence[Source]], dict[str, Any]]
"""The JSON schema of a final answer about these results."""


@dataclass(frozen=True, slots=True)
class LoopRequest:
    """One question to a model with tools."""

    question: str
    instructions: str
    """The stable part of the prompt: the same bytes for every question, so that they are cached."""
    language: Language = Language.EN
    thread: tuple[Turn, ...] = ()
    today: str = ""
    """The date as the user would write it; stands beside the question, after all that is stable."""
    hint: str = ""
    """What may help with this question alone; stands after it."""
    budget: Budget = Budget()  # noqa: RUF009 (immutable)
    price: Price | None = None
    timeout_seconds: float = DEFAULT_TIMEOUT
    tool_choice_required: bool = False
    evidence_first: bool = False
    """Where the final answer is a tool: it is offered only once another tool has succeeded."""
    first_tools: tuple[str, ...] = ()
    """With ``tool_choice_required``: the tools that are offered until one has been called."""
    results_in_words: bool = False
    """Whether a tool may put its result into words that can be shown as they are."""
    answer_form: AnswerForm = AnswerForm.TEXT
    """How the answer is written; to refer to results, the model is told their names."""
    answer_schema: AnswerSchema | None = None
    """Where the final answer is a tool: what its arguments look like, if not just a text."""
    stream: bool = False
    at: float = 0.0
    """When the run began, for what happens before the first step."""
    label: str = "agent"
    """Begins each step's name; two loops of one run need two."""
    resumes: "LoopOutcome | None" = None
    """An answer that was not accepted: the conversation goes on where it ended."""
    feedback: str = ""
    """What was wrong with that answer."""
    anew: bool = False
    """Whether its results don't speak of what was asked: only a new one can be answered from, and
    the calls that were made are not made again."""


@dataclass(frozen=True, slots=True)
class LoopOutcome:
    """How the loop ended: an answer, an honest "I can't say", or a failure with what to do."""

    kind: AnswerKind
    text: str
    sources: tuple[Source, ...] = ()
    usage: Usage = Usage()  # noqa: RUF009 (immutable)
    reason: str = ""
    """Why there is no answer: the limit, the code of the refusals, or that of the failure."""
    suggested_answers: tuple[str, ...] = ()
    """What the user may choose from when asked back."""
    form: AnswerForm = AnswerForm.TEXT
    """How the text is written."""
    composed: bool = False
    """Whether the host writes the answer from the results alone."""
    shown: Source | None = None
    """The one result that the text tells in its tool's words; none for a model's own words."""
    runs: tuple[ToolRun, ...] = ()
    """Every call that was made, whether it went well or not."""
    messages: "tuple[ModelMessage, ...]" = field(default=(), repr=False, compare=False)
    """The conversation with the model, up to its last word."""
