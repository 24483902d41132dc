"""Files that a caller brings along: read for one question, and kept nowhere."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial

from veridical.answering.feature import Feature
from veridical.answering.file_feature import open_file_feature
from veridical.answering.session import Emit
from veridical.contracts.answer import Answer
from veridical.contracts.caller import WHOLE, Caller, Scope
from veridical.contracts.language import Language
from veridical.contracts.question import Question
from veridical.engines.data_file import DataFile, DataFileError, parse_data_file
from veridical.server.answerer import Answerer, ignore_event, recent_turns
from veridical.server.identity import Identity
from veridical.server.limited_work import LimitedWork
from veridical.server.problem import ProblemCode, ProblemError


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
