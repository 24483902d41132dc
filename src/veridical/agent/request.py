"""Input and output of one run of the loop."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from veridical.agent.answer_form import AnswerForm
from veridical.agent.budget import DEFAULT_TIMEOUT, Budget, Price
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
    """The date as the user would write it; stands beside the question, after the stable part."""
    hint: str = ""
    """A hint for this question alone; stands after it."""
    budget: Budget = Budget()  # noqa: RUF009 (immutable)
    price: Price | None = None
    timeout_seconds: float = DEFAULT_TIMEOUT
    tool_choice_required: bool = False
    evidence_first: bool = False
    """If the final answer is a tool: it is offered only once another tool has succeeded."""
    first_tools: tuple[str, ...] = ()
    """With ``tool_choice_required``: the tools that are offered until one has been called."""
    results_in_words: bool = False
    """True if a tool may put its result into words that can be shown unchanged."""
    answer_form: AnswerForm = AnswerForm.TEXT
    """The form of the answer; to refer to results, the model gets their names."""
    answer_schema: AnswerSchema | None = None
    """The schema of the final answer's arguments, if it is a tool and not just a text."""
    stream: bool = False
    at: float = 0.0
    """The start of the run, for events before the first step."""
    label: str = "agent"
    """The prefix of each step's name; two loops of one run need two."""
    resumes: "LoopOutcome | None" = None
    """An answer that was not accepted: the conversation continues where it ended."""
    feedback: str = ""
    """The error in that answer."""
    anew: bool = False
    """True if its results don't answer the question: only a new result can, and the same calls
    are not made again."""


@dataclass(frozen=True, slots=True)
class LoopOutcome:
    """The end of the loop: an answer, an honest "I can't say", or a failure with its remedy."""

    kind: AnswerKind
    text: str
    sources: tuple[Source, ...] = ()
    usage: Usage = Usage()  # noqa: RUF009 (immutable)
    reason: str = ""
    """The reason why there is no answer: the limit, the code of the refusals or of the failure."""
    suggested_answers: tuple[str, ...] = ()
    """The choices of the user for a clarifying question."""
    form: AnswerForm = AnswerForm.TEXT
    """The form of the text."""
    composed: bool = False
    """True if the host writes the answer from the results alone."""
    shown: Source | None = None
    """The one result that the answer is composed from; None for all of them."""
    runs: tuple[ToolRun, ...] = ()
    """Every call, successful or not."""
    messages: "tuple[ModelMessage, ...]" = field(default=(), repr=False, compare=False)
    """The conversation with the model, up to its last message."""
