"""Settings of the agent: model, timeouts, budget; ``veridical.toml``, then ``VERIDICAL_*``."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    SecretStr,
    ValidationError,
    model_validator,
)
from pydantic_settings import BaseSettings, SettingsConfigDict

from veridical.agent.budget import Budget, Price
from veridical.contracts.settings_file import AGENT, SETTINGS_FILE, contents
from veridical.contracts.settings_table import with_environment
from veridical.ontology.errors import LoadError
from veridical.ontology.prompt import DEFAULT_BUDGET

DEFAULT_TIMEOUT = 120.0
FALLBACK_TIMEOUT = 60.0
"""Where a configuration says 0: a request without an end is no choice."""


class AnswerForm(StrEnum):
    """How a model writes its answer."""

    FACTS = "facts"
    TEXT = "text"


Seconds = Annotated[
    float,
    Field(ge=0),
    BeforeValidator(lambda given: given or 0),
    AfterValidator(lambda seconds: seconds or FALLBACK_TIMEOUT),
]


class AgentSettings(BaseSettings):
    """The settings of the agent. The environment overrides the file."""

    model_config = SettingsConfigDict(
        env_prefix="VERIDICAL_",
        env_nested_delimiter="__",
        env_ignore_empty=True,
        extra="ignore",
        frozen=True,
        hide_input_in_errors=True,
    )

    model: str = ""
    """``openai:NAME``, ``anthropic:NAME``, ``ollama:NAME`` or ``openai-compatible:NAME``."""
    base_url: str = Field(default="", repr=False)
    """Where the model is served, when not at the provider's own address."""
    api_key: SecretStr | None = None
    """Without one, the provider's own variable is read, such as ``OPENAI_API_KEY``."""
    timeout_seconds: Seconds = DEFAULT_TIMEOUT
    """How long a provider may keep silent."""
    max_retries: int = Field(default=2, ge=0)
    """New attempts after a refused connection, a rate limit or a server error, within the
    timeout."""
    tool_choice_required: bool = False
    """For servers that can't let the model choose between text and tools: the final answer is a
    tool call too."""
    evidence_first: bool = True
    """With ``tool_choice_required``: no final answer is offered before a tool has succeeded, which
    keeps a small model from making one up."""
    stream: bool = False
    """Show the answer while it is written."""
    answer_form: AnswerForm = AnswerForm.FACTS
    """How a model writes its answer: ``facts`` that the host computes, with prose around them, or
    ``text``, of which each claim is ticked."""
    temperature: float | None = Field(default=None, ge=0)
    """Left to the provider when not set: some models refuse any."""
    prompt_tokens: int = Field(default=DEFAULT_BUDGET, ge=200)
    """How much of the ontology a model is told: the part that the question needs comes first. Every
    request reads it again, so a small or slow model is better off with less."""
    tools: tuple[str, ...] = ()
    """The tools that are offered, by name; all where none is named. A small model does better with
    few."""
    known_questions: bool = False
    """Offer the canonical questions as a tool: a small model chooses one and need not build the
    call."""
    stable_prompt: bool = False
    """Tell the same of the ontology whatever the question, so that a server reads it once."""
    max_output_tokens: int = Field(default=8192, ge=1)
    """For one answer; a model that doesn't stop is stopped, and what it said is not shown."""
    budget: Budget = Budget()
    prices: dict[str, Price] = Field(default_factory=dict[str, Price])
    """By model, as ``provider:name`` or as the name alone."""

    @property
    def ends_with_tool(self) -> bool:
        """Whether the final answer is a call of a tool."""
        return self.tool_choice_required or self.answer_form is AnswerForm.FACTS

    @property
    def price(self) -> Price | None:
        """The price of the model's tokens, where configured."""
        return self.prices.get(self.model) or self.prices.get(self.model.partition(":")[2])

    @model_validator(mode="after")
    def _a_cost_limit_has_a_price(self) -> Self:
        if self.budget.cost is not None and self.price is None:
            raise ValueError(f"budget.cost needs prices.{self.model!r}: no limit without a price")
        return self


def for_reviewer(settings: AgentSettings, model: str) -> AgentSettings:
    """The settings under which this model reviews: it writes text, at the address and with the
    key of the agent unless that has another provider."""
    told: dict[str, Any] = {
        "model": model, "tool_choice_required": False, "answer_form": AnswerForm.TEXT
    }  # fmt: skip
    if settings.model and model.partition(":")[0] != settings.model.partition(":")[0]:
        told |= {"base_url": "", "api_key": None}
    return settings.model_copy(update=told)


def read_settings(path: Path = SETTINGS_FILE) -> AgentSettings:
    """The settings of this file, where it exists, and of the environment.

    Raises ``LoadError``, and ``UnknownSettingError`` for a name that no part of the settings has.
    """
    said = {name: value for name, value in contents(path).items() if name in AGENT}
    try:
        return AgentSettings(**with_environment(AgentSettings, said))
    except ValidationError as error:
        first = error.errors(include_input=False)[0]
        place = ".".join(map(str, first["loc"])) or "-"
        raise LoadError(f"a setting is not right: {place}: {first['msg']}") from error
