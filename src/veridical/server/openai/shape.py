"""The border convention of OpenAI's protocol: snake_case in JSON too, and more fields than ours."""

from pydantic import ConfigDict

from veridical.contracts.wire import Wire


class Given(Wire):
    """What a client sends: fields that mean nothing here are ignored, as other servers do."""

    model_config = ConfigDict(alias_generator=None, extra="ignore")


class Told(Wire):
    """What a client gets."""

    model_config = ConfigDict(alias_generator=None)
