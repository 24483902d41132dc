"""Pydantic bases of OpenAI's protocol: snake_case JSON, unknown request fields ignored."""

from pydantic import ConfigDict

from veridical.contracts.wire import Wire


class RequestModel(Wire):
    """A request model; unknown fields are ignored, as other servers do."""

    model_config = ConfigDict(alias_generator=None, extra="ignore")


class ResponseModel(Wire):
    """A response model."""

    model_config = ConfigDict(alias_generator=None)
