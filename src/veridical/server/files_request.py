"""A question about files that come with it, as a client sends it."""

from base64 import b64decode
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from veridical.answering.file_feature import FILES
from veridical.contracts.language import Language
from veridical.contracts.question import MOST_TURNS, Question, Turn
from veridical.contracts.wire import Wire
from veridical.server.body_types import EarlierTurn, Text

MOST_FILES = 5
_FILE_NAME = r"^[^\x00-\x1f\x7f/\\]+$"


class BroughtFile(Wire):
    """A file: a text as it is, any other in base64. The ending of its name tells the format."""

    name: Annotated[str, Field(pattern=_FILE_NAME, max_length=120)]
    content: Annotated[str, Field(min_length=1)]
    encoding: Literal["text", "base64"] = "text"

    @model_validator(mode="after")
    def _is_readable(self) -> Self:
        _ = self.data
        return self

    @property
    def data(self) -> bytes:
        """The bytes of the file."""
        if self.encoding == "text":
            return self.content.encode()
        return b64decode(self.content, validate=True)


class FilesRequest(Wire):
    """A question about files that come with it. Several may be joined."""

    files: Annotated[tuple[BroughtFile, ...], Field(min_length=1, max_length=MOST_FILES)]
    question: Text
    language: Language | None = None
    """The answer's language; without one, the question's."""
    thread: Annotated[tuple[EarlierTurn, ...], Field(max_length=MOST_TURNS)] = ()
    """The conversation so far, the oldest first."""

    @model_validator(mode="after")
    def _names_differ(self) -> Self:
        names = {each.name.casefold() for each in self.files}
        if len(names) < len(self.files):
            raise ValueError("two files have the same name")
        return self

    def as_question(self) -> Question:
        """The question as the flow takes it."""
        turns = (Turn(question=each.question, answer=each.answer) for each in self.thread)
        return Question(
            text=self.question, feature=FILES, language=self.language, thread=tuple(turns)
        )
