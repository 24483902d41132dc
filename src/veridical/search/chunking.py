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
