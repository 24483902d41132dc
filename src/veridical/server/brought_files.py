"""Files that a caller brings along: read for one question, and kept nowhere."""

import asyncio
from base64 import b64decode
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from veridical.answering.feature import Feature
from veridical.answering.file_feature import FILES, open_file_feature
from veridical.answering.session import Emit
from veridical.contracts.answer import Answer
from veridical.contracts.caller import WHOLE, Caller, Scope
from veridical.contracts.language import Language
from veridical.contracts.question import MOST_TURNS, Question, Turn
from veridical.contracts.wire import Wire
from veridical.engines.data_file import DataFile, DataFileError, parse_data_file
from veridical.server.answerer import Answerer, ignore_event, recent_turns
from veridical.server.body_types import EarlierTurn, Text
from veridical.server.identity import Identity
from veridical.server.limited_work import LimitedWork
from veridical.server.problem import ProblemCode, ProblemError

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


@dataclass(frozen=True, slots=True)
class BroughtFiles:
    """Answers questions about such files; each is parsed in a process of its own."""

    here: Answerer
    limited: LimitedWork

    async def answer(
        self,
        identity: Identity,
        files: Sequence[tuple[str, bytes]],
        question: Question,
        language: Language,
        listen: Emit = ignore_event,
    ) -> Answer:
        """The answer about these names and contents. Raises ``ProblemError``."""
        parsed = [await self._parsed(identity, name, content, language) for name, content in files]
        caller = Caller(
            scope=Scope(shared=WHOLE),
            language=language,
            name=identity.name,
            member_of=identity.tenant,
        )
        async with _opened(parsed) as feature:
            return await self.here.answer(
                identity, recent_turns(question), caller, listen, about=feature
            )

    async def _parsed(
        self, identity: Identity, name: str, content: bytes, language: Language
    ) -> DataFile:
        try:
            return await self.limited.run(identity, partial(parse_data_file, name, content))
        except DataFileError as error:
            raise ProblemError(ProblemCode.INVALID, detail=error.message(language)) from error


@asynccontextmanager
async def _opened(files: Sequence[DataFile]) -> AsyncGenerator[Feature]:
    feature = await asyncio.to_thread(open_file_feature, files)
    try:
        yield feature
    finally:
        await asyncio.to_thread(feature.engine.database.close)
