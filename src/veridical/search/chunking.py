"""Chunks: passages of a document that are long enough to say something and short enough to show.

A chunk ends where a paragraph ends, else where a sentence ends, else between words; it never
reaches over a heading. Nothing is left out and nothing is in two chunks, so a quotation has one
place.
"""

import re
from collections.abc import Iterator
from hashlib import sha256

from veridical.contracts.language import Language
from veridical.reading.language import language_of
from veridical.reading.punctuation import wide_marks
from veridical.search.chunk import Chunk
from veridical.search.documents.parsed import ParsedDocument, Section

LONGEST = 1_200
"""Characters: about 200 words of English or German, which embedding models take whole."""
_SHORTEST = 200
_SENTENCE = rf"[.!?][^\w\s]*\s+|[{wide_marks('.!?;')}]"
_ENDS = tuple(re.compile(pattern) for pattern in (r"\n\s*\n", r"\n", _SENTENCE, r"\s+"))
"""Where a text may be cut, best first."""


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
    rest = section.text.replace("\0", "").strip()
    while len(rest) > LONGEST:
        cut = _cut(rest)
        yield rest[:cut].strip()
        rest = rest[cut:].strip()
    if rest:
        yield rest


def _cut(text: str) -> int:
    """The place after the last good end within the longest chunk; what is left is not tiny."""
    limit = min(LONGEST, max(len(text) - _SHORTEST, _SHORTEST))
    for end in _ENDS:
        places = [match.end() for match in end.finditer(text, _SHORTEST, limit)]
        if places:
            return places[-1]
    return limit
