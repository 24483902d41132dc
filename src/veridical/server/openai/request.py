"""The chat completion request, and the question that its messages make. Fields that would change
the answer's form are rejected, not ignored."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import Field

from veridical.contracts.question import MOST_TURNS, Question, Turn, is_blank
from veridical.server.body_types import LONGEST_TEXT, Document, Name
from veridical.server.openai.wire_models import RequestModel


class TextPart(RequestModel):
    """A text part of a message. Images, audio and files are not supported."""

    type: Literal["text"]
    text: Document


Parts = Annotated[tuple[TextPart, ...], Field(min_length=1, max_length=100)]


class SystemMessage(RequestModel):
    """Instructions of the client. They are ignored: clients do not configure the agent."""

    role: Literal["system", "developer"]
    content: Any = None


class UserMessage(RequestModel):
    """A message of the user."""

    role: Literal["user"]
    content: Document | Parts | Literal[""]


class AssistantMessage(RequestModel):
    """An earlier answer; ignored where it has no text."""

    role: Literal["assistant"]
    content: Document | Parts | Literal[""] | None = None


Message = Annotated[SystemMessage | UserMessage | AssistantMessage, Field(discriminator="role")]


class NoQuestionError(ValueError):
    """The last message is not a user's question."""


class LongQuestionError(ValueError):
    """The question exceeds the maximum length."""


def as_question(messages: Sequence[Message], feature: str) -> Question:
    """The user's messages since the last answer as a question, with the turns before it.

    Raises ``NoQuestionError`` and ``LongQuestionError``.
    """
    texts: list[str] = []
    turns: list[Turn] = []
    for message in messages:
        match message:
            case UserMessage():
                texts.append(_text(message.content))
            case AssistantMessage():
                if texts and (text := _text(message.content)):
                    turns.append(Turn(question="\n\n".join(texts), answer=text))
                    texts = []
            case SystemMessage():
                pass
    question = "\n\n".join(texts).strip()
    if is_blank(question):
        raise NoQuestionError
    if len(question) > LONGEST_TEXT:
        raise LongQuestionError
    return Question(text=question, feature=feature, thread=tuple(turns[-MOST_TURNS:]))


def _text(content: Document | Parts | None) -> str:
    if content is None or isinstance(content, str):
        return content or ""
    return "\n".join(part.text for part in content)


MOST_MESSAGES = 1_000


class StreamOptions(RequestModel):
    """Options of a stream."""

    include_usage: bool | None = None
    """Send one more chunk at the end with the token usage."""


class ResponseFormat(RequestModel):
    """The response format: text only, since any other would have to be made up."""

    type: Literal["text"]


Nothing = Annotated[tuple[Any, ...], Field(max_length=0)]


class ChatRequest(RequestModel):
    """A chat. Sampling fields (``temperature``, ``max_tokens``, ``stop`` and the like) are set
    by the server and ignored here."""

    model: Name
    """``veridical:`` and the name of the feature."""
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
        """True if a stream ends with the token usage."""
        return self.stream_options is not None and bool(self.stream_options.include_usage)


REFUSED = frozenset(ChatRequest.model_fields) - {"model", "messages", "stream", "stream_options"}
"""Fields that are known and not supported, unless they ask for what is done anyway."""
