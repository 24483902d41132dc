"""Reads one file into documents, cut into chunks, in a process of its own: what is wrong with a
file ends that process and no other.

A chunk ends where a paragraph ends, else where a sentence ends, else between words; it never
reaches over a heading. Nothing is left out and nothing is in two chunks, so a quotation has one
place.
"""

import json
import logging
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import partial
from hashlib import sha256
from pathlib import Path
from stat import S_ISREG
from typing import Any

from veridical.contracts.language import Language
from veridical.limited_process.child import ensure_memory
from veridical.limited_process.job import run_limited
from veridical.limited_process.limits import LARGEST_FILE, BrokenWorkError, LimitError, limits_for
from veridical.messages import message
from veridical.reading.language import language_of
from veridical.reading.punctuation import wide_marks
from veridical.search.chunk import Chunk, ChunkedDocument, Origin
from veridical.search.documents.parsed import ParsedDocument, Section, UnreadableError
from veridical.search.documents.registry import parsed_by, parser_of
from veridical.search.origins import origin_of

_WORK = "veridical.search.document_reading:read_request"

_log = logging.getLogger("veridical.search")


@dataclass(frozen=True, slots=True)
class IngestOptions:
    """Options for all files of one ingest."""

    language: Language = Language.EN
    """For text that gives no hint."""
    version: str = ""
    policy_tags: tuple[str, ...] = ()
    trust_addresses: bool = False
    """Whether the addresses in the files are trusted: the person who ingests vouches for them."""


def read_documents(path: Path, options: IngestOptions) -> list[ChunkedDocument]:
    """The documents of a file, cut into chunks. Raises ``UnreadableError`` and ``OSError``."""
    parser = parser_of(path)
    work = f"{_WORK} {parser.partition(':')[0]}"
    content = _content(path)
    header = json.dumps((parser, str(path), asdict(options)))
    request = b"\n".join((header.encode(), content))
    try:
        answer: Any = json.loads(run_limited(work, request, limits_for(len(content))))
    except LimitError as error:
        if isinstance(error, BrokenWorkError):
            _log.warning("the parser of %s broke: %s", path, error.details)
        raise UnreadableError(say=error.message) from error
    if isinstance(answer, str):
        raise UnreadableError(answer)
    return [_document(about, digest, rows, options) for about, digest, rows in answer]


def _content(path: Path) -> bytes:
    """The content of a file. Refuses devices, which never end, and files that fill the memory."""
    status = path.stat()
    if not S_ISREG(status.st_mode):
        raise UnreadableError(say=partial(message, "ingest.no_regular_file"))
    if status.st_size > LARGEST_FILE:
        most = LARGEST_FILE // 1_000_000
        raise UnreadableError(say=partial(message, "ingest.too_large", most=most))
    return path.read_bytes()


def read_request(request: bytes) -> bytes:
    """The entry point of the process: the documents of a file, or why it has none, as JSON."""
    header, _, content = request.partition(b"\n")
    parser, path, given = json.loads(header)
    options = IngestOptions(**given)
    try:
        read = [_row(Path(path), each, options) for each in parsed_by(parser, content)]
        found = [each for each in read if each[-1]]
        if not found:
            raise UnreadableError("no text")
    except UnreadableError as error:
        ensure_memory(error)
        return json.dumps(str(error) or type(error).__name__).encode()
    return json.dumps(found).encode()


def _row(path: Path, parsed: ParsedDocument, options: IngestOptions) -> tuple[Any, ...]:
    chunks = chunked(parsed, options.language)
    origin = origin_of(path, parsed, is_believed=options.trust_addresses)
    dated = origin.detected_date.isoformat() if origin.detected_date else ""
    about = (origin.title, dated, options.version, *options.policy_tags)
    fields = (origin.source, origin.title, origin.host, origin.domain_type, dated)
    rows = [(chunk.text, chunk.language, chunk.section) for chunk in chunks]
    return fields, content_hash(chunks, *about), rows


def _document(
    about: Sequence[str],
    digest: str,
    rows: Sequence[tuple[str, str, str]],
    options: IngestOptions,
) -> ChunkedDocument:
    source, title, host, domain_type, dated = about
    date = datetime.fromisoformat(dated) if dated else None
    chunks = tuple(Chunk(text, Language(language), section) for text, language, section in rows)
    origin = Origin(source, title, host, domain_type, date, options.version, options.policy_tags)
    return ChunkedDocument(origin, digest, chunks)


LONGEST = 1_200
"""Characters: about 200 words of English or German, which embedding models take whole."""
_SHORTEST = 200
_MARKS = r"(?<![^\w\s])(?=[^\w\s]*?[.!?])[^\w\s]++"
"""A run of marks with an end of a sentence among them, looked at once however long it is."""
_SENTENCE = rf"{_MARKS}\s+|[{wide_marks('.!?;')}]"
_ENDS = tuple(re.compile(pattern) for pattern in (r"\n\s*\n", r"\n", _SENTENCE, r"\s+"))
"""Where a text may be cut, best first."""
_WORD = re.compile(r"\S")


def chunked(parsed: ParsedDocument, fallback: Language = Language.EN) -> tuple[Chunk, ...]:
    """The chunks of a document, each with the language of its section."""
    return tuple(
        Chunk(text, language_of(text, fallback), section.heading)
        for section in parsed.sections
        for text in _texts(section)
    )


def content_hash(chunks: tuple[Chunk, ...], *about: str) -> str:
    """The same for the same chunks with the same facts about their document."""
    digest = sha256()
    for part in (*about, *(f"{chunk.section}\n{chunk.text}" for chunk in chunks)):
        digest.update(f"{len(part)}:{part}".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def _texts(section: Section) -> Iterator[str]:
    text = section.text.replace("\0", "").strip()
    at = 0
    while len(text) - at > LONGEST:
        cut = _cut(text, at)
        yield text[at:cut].strip()
        following = _WORD.search(text, cut)
        at = following.start() if following else len(text)
    if at < len(text):
        yield text[at:]


def _cut(text: str, at: int) -> int:
    """The place after the last good end within the longest chunk; what is left is not tiny."""
    first = at + _SHORTEST
    limit = min(at + LONGEST, max(len(text) - _SHORTEST, first))
    for end in _ENDS:
        places = [match.end() for match in end.finditer(text, first, limit)]
        if places:
            return places[-1]
    return limit
