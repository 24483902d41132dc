"""The chat completion request. Fields that would change the answer's form are rejected, not
ignored."""

from typing import Annotated, Any, Literal

from pydantic import Field

from veridical.server.body_types import Name
from veridical.server.openai.conversation import Message
from veridical.server.openai.wire_models import RequestModel

MOST_MESSAGES = 1_000


class StreamOptions(RequestModel):
    """Options of a stream."""

    include_usage: bool | None = None
    """Tell in one more chunk at the end what the answer took."""


class ResponseFormat(RequestModel):
    """The response format: text only, since any other would have to be made up."""

    type: Literal["text"]


Nothing = Annotated[tuple[Any, ...], Field(max_length=0)]


class ChatRequest(RequestModel):
    """A chat. Sampling fields (``temperature``, ``max_tokens``, ``stop`` and the like) are set
    by the server and ignored here."""

    model: Name
    """``veridical:`` and the feature that is asked about."""
    messages: Annotated[tuple[Message, ...], Field(min_length=1, max_length=MOST_MESSAGES)]
    stream: bool | None = None
    stream_options: StreamOptions | None = None
    n: Literal[1] | None = None
    tools: Nothing | None = None
    tool_choice: Literal["none", "auto"] | None = None
    functions: Nothing | None = None
    function_call: Literal["none", "auto"] | None = None
    response_format: ResponseFormat | None = None
    logprobs: Literal[False] | None = None
    top_logprobs: Literal[0] | None = None
    modalities: tuple[Literal["text"], ...] | None = None
    audio: None = None
    web_search_options: None = None

    @property
    def wants_usage(self) -> bool:
        """Whether a stream is to tell what the answer took."""
        return self.stream_options is not None and bool(self.stream_options.include_usage)


REFUSED = frozenset(ChatRequest.model_fields) - {"model", "messages", "stream", "stream_options"}
"""Fields that are known and not supported, unless they ask for what is done anyway."""
