"""Chat completions and chunks in OpenAI's format; our own data is in the field ``veridical``."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field, SerializerFunctionWrapHandler, model_serializer

from veridical.contracts.answer import Answer
from veridical.contracts.answer import Usage as Taken
from veridical.contracts.language import Language
from veridical.contracts.step import Progress
from veridical.messages import message
from veridical.server.openai.wire_models import ResponseModel
from veridical.server.pending_answer import Outcome


class Usage(ResponseModel):
    """Tokens used by models; zero where none was called."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    total_tokens: int = 0


class AnswerMessage(ResponseModel):
    """The answer's text, present only once it has passed the gate."""

    role: Literal["assistant"] = "assistant"
    content: str
    refusal: None = None


class Choice(ResponseModel):
    """The one choice."""

    index: Literal[0] = 0
    message: AnswerMessage
    finish_reason: Literal["stop"] = "stop"
    logprobs: None = None


class ChatCompletion(ResponseModel):
    """A complete answer."""

    id: str
    object: Literal["chat.completion"] = "chat.completion"
    created: int
    model: str
    choices: tuple[Choice]
    usage: Usage
    veridical: Annotated[
        Outcome, Field(description="Kind, proof, sources and trace id of the answer.")
    ]


class Delta(ResponseModel):
    """The new content of a chunk."""

    role: Literal["assistant"] | None = None
    content: str | None = None

    @model_serializer(mode="wrap")
    def _only_what_is_new(self, dump: SerializerFunctionWrapHandler) -> dict[str, Any]:
        return {name: value for name, value in dump(self).items() if value is not None}


class ChunkChoice(ResponseModel):
    """The one choice, in part."""

    index: Literal[0] = 0
    delta: Delta = Delta()
    finish_reason: Literal["stop"] | None = None
    logprobs: None = None


class ChatChunk(ResponseModel):
    """One event of a stream."""

    id: str
    object: Literal["chat.completion.chunk"] = "chat.completion.chunk"
    created: int
    model: str
    choices: tuple[ChunkChoice, ...]
    usage: Usage | None = None
    veridical: Outcome | Progress | None = None


@dataclass(frozen=True, slots=True)
class CompletionHeader:
    """The fields that all chunks of one completion share."""

    id: str
    created: int
    model: str
    language: Language
    """The language of messages that are no answer."""

    def text(self, outcome: Outcome) -> str:
        """The text that a person reads."""
        if isinstance(outcome, Answer):
            return outcome.text
        return message("openai.run_started", self.language, run_id=outcome.run_id)

    def completion(self, outcome: Outcome) -> ChatCompletion:
        """The whole completion."""
        choice = Choice(message=AnswerMessage(content=self.text(outcome)))
        return ChatCompletion(
            id=self.id,
            created=self.created,
            model=self.model,
            choices=(choice,),
            usage=usage_of(outcome),
            veridical=outcome,
        )

    def chunk(self, choice: ChunkChoice, veridical: Outcome | Progress | None = None) -> ChatChunk:
        """A chunk: part of the answer, or a sign of progress."""
        return ChatChunk(
            id=self.id,
            created=self.created,
            model=self.model,
            choices=(choice,),
            veridical=veridical,
        )

    def usage_chunk(self, outcome: Outcome) -> ChatChunk:
        """The chunk with the token usage."""
        return ChatChunk(
            id=self.id,
            created=self.created,
            model=self.model,
            choices=(),
            usage=usage_of(outcome),
        )


def usage_of(outcome: Outcome) -> Usage:
    """The tokens of all model calls."""
    taken = outcome.usage if isinstance(outcome, Answer) else Taken()
    return Usage(
        prompt_tokens=taken.input_tokens,
        completion_tokens=taken.output_tokens,
        total_tokens=taken.input_tokens + taken.output_tokens,
    )
