"""Sampling repeats: the same request under different seeds."""

from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.settings import ModelSettings, merge_model_settings

from veridical.agent.settings import AgentSettings


class SeededModel(WrapperModel):
    """A model that is asked to sample with this seed."""

    def __init__(self, wrapped: Model, seed: int) -> None:
        super().__init__(wrapped)
        self._seeded = ModelSettings(seed=seed)

    @property
    def settings(self) -> ModelSettings | None:
        """Those of the model, with the seed."""
        return merge_model_settings(self.wrapped.settings, self._seeded)

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """The reply under the seed."""
        asked = merge_model_settings(self._seeded, model_settings)
        return await self.wrapped.request(messages, asked, model_request_parameters)


def is_drawn(settings: AgentSettings) -> bool:
    """Whether the same words may get another reply: at temperature 0 they don't.

    What a provider does when no temperature is set is not known, so it counts as drawn.
    """
    return settings.temperature is None or settings.temperature > 0
