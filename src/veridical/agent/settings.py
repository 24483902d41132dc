"""Settings of the agent: model, timeouts, budget; ``veridical.toml``, then ``VERIDICAL_*``."""

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

from veridical.agent.answer_form import AnswerForm
from veridical.agent.budget import DEFAULT_TIMEOUT, Budget, Price
from veridical.contracts.settings_file import AGENT, SETTINGS_FILE, contents
from veridical.contracts.settings_table import with_environment
from veridical.ontology.errors import LoadError
from veridical.ontology.prompt import DEFAULT_BUDGET

CONNECT_SECONDS = 5.0
FALLBACK_TIMEOUT = 60.0
"""The value for 0 in a configuration: a request without an end is no choice."""


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
    """The address of the model, if not the provider's own."""
    api_key: SecretStr | None = None
    """Without one, the provider's own variable is read, such as ``OPENAI_API_KEY``."""
    timeout_seconds: Seconds = DEFAULT_TIMEOUT
    """The seconds that a provider may keep silent."""
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
    """The form in which a model writes its answer: ``facts`` that the host computes, with prose
    around them; ``text``, of which each claim is ticked; or ``rows``, for a small model: its first
    successful query ends the run, and the host writes the answer."""
    temperature: float | None = Field(default=None, ge=0)
    """Left to the provider when not set: some models refuse any."""
    prompt_tokens: int = Field(default=DEFAULT_BUDGET, ge=200)
    """The budget of the ontology in the prompt: the part for the question comes first. Every
    request reads it again, so a small or slow model is better off with less."""
    tools: tuple[str, ...] = ()
    """The names of the offered tools; all if empty. A small model does better with few."""
    known_questions: bool = False
    """Offer the canonical questions as a tool: a small model chooses one and need not build the
    call."""
    stable_prompt: bool = False
    """Use the same part of the ontology for every question, so that a server reads it once."""
    max_output_tokens: int = Field(default=8192, ge=1)
    """For one answer; a longer one is stopped and not shown."""
    budget: Budget = Budget()
    prices: dict[str, Price] = Field(default_factory=dict[str, Price])
    """The prices by model, as ``provider:name`` or as the name alone."""

    @property
    def ends_with_tool(self) -> bool:
        """True if a run ends with the call of a tool."""
        return self.tool_choice_required or self.answer_form is not AnswerForm.TEXT

    @property
    def price(self) -> Price | None:
        """The price of the model's tokens, if configured."""
        return self.prices.get(self.model) or self.prices.get(self.model.partition(":")[2])

    @model_validator(mode="after")
    def _a_cost_limit_has_a_price(self) -> Self:
        if self.budget.cost is not None and self.price is None:
            raise ValueError(f"budget.cost needs prices.{self.model!r}: no limit without a price")
        return self


def for_reviewer(settings: AgentSettings, model: str) -> AgentSettings:
    """The settings of this model as a reviewer: it writes text, at the address and with the key of
    the agent unless that has another provider."""
    changes: dict[str, Any] = {
        "model": model, "tool_choice_required": False, "answer_form": AnswerForm.TEXT
    }  # fmt: skip
    if settings.model and model.partition(":")[0] != settings.model.partition(":")[0]:
        changes |= {"base_url": "", "api_key": None}
    return settings.model_copy(update=changes)


def read_settings(path: Path = SETTINGS_FILE) -> AgentSettings:
    """The settings of this file, if it exists, and of the environment.

    Raises ``LoadError``, and ``UnknownSettingError`` for a name that no part of the settings has.
    """
    said = {name: value for name, value in contents(path).items() if name in AGENT}
    try:
        return AgentSettings(**with_environment(AgentSettings, said))
    except ValidationError as error:
        first = error.errors(include_input=False)[0]
        place = ".".join(map(str, first["loc"])) or "-"
        raise LoadError(f"a setting is not right: {place}: {first['msg']}") from error
