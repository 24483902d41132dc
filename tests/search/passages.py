"""Documents of one chunk each."""

from collections.abc import Mapping
from datetime import datetime

from veridical.contracts.language import Language
from veridical.search.chunk import Chunk, ChunkedDocument, Origin
from veridical.search.document_reading import content_hash


def passage(
    source: str,
    text: str,
    language: Language = Language.EN,
    *,
    host: str = "",
    date: datetime | None = None,
    tags: tuple[str, ...] = (),
) -> ChunkedDocument:
    chunks = (Chunk(text, language),)
    origin = Origin(source, source, host, "", date, "", tags)
    return ChunkedDocument(origin, content_hash(chunks), chunks)


def passages(texts: Mapping[str, str], language: Language = Language.EN) -> list[ChunkedDocument]:
    return [passage(source, text, language) for source, text in texts.items()]
