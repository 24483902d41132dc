"""The messages of a chat, and the question with its thread that they come to."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import Field

from veridical.contracts.question import Question, Turn, is_blank
from veridical.server.openai.shape import Given
from veridical.server.plain import LONGEST_TEXT, Document

MOST_TURNS = 20
"""Earlier turns that are looked at; what was said before them is forgotten."""


class TextPart(Given):
    """A piece of a message. Images, sounds and files are not understood."""

    type: Literal["text"]
    text: Document


Parts = Annotated[tuple[TextPart, ...], Field(min_length=1, max_length=100)]


class SystemMessage(Given):
    """Instructions of the client. They are read by nobody: what the agent may do is not theirs."""

    role: Literal["system", "developer"]
    content: Any = None


class UserMessage(Given):
    """What a person said."""

    role: Literal["user"]
    content: Document | Parts | Literal[""]


class AssistantMessage(Given):
    """What was answered. Without a text, nothing was."""

    role: Literal["assistant"]
    content: Document | Parts | Literal[""] | None = None


Message = Annotated[SystemMessage | UserMessage | AssistantMessage, Field(discriminator="role")]


class NoQuestionError(ValueError):
    """The messages don't end with what a person asks."""


class LongQuestionError(ValueError):
    """The question is longer than any that is taken."""


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
