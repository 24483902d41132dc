"""Chat messages, and their translation into a question with its thread."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import Field

from veridical.contracts.question import MOST_TURNS, Question, Turn, is_blank
from veridical.server.body_types import LONGEST_TEXT, Document
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
    """What the person said since the last answer, with the turns before it.

    Raises ``NoQuestionError`` and ``LongQuestionError``.
    """
    said: list[str] = []
    turns: list[Turn] = []
    for message in messages:
        match message:
            case UserMessage():
                said.append(_text(message.content))
            case AssistantMessage():
                if said and (text := _text(message.content)):
                    turns.append(Turn(question="\n\n".join(said), answer=text))
                    said = []
            case SystemMessage():
                pass
    question = "\n\n".join(said).strip()
    if is_blank(question):
        raise NoQuestionError
    if len(question) > LONGEST_TEXT:
        raise LongQuestionError
    return Question(text=question, feature=feature, thread=tuple(turns[-MOST_TURNS:]))


def _text(content: Document | Parts | None) -> str:
    if content is None or isinstance(content, str):
        return content or ""
    return "\n".join(part.text for part in content)
