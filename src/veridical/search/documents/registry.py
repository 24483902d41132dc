"""Which parser reads which file, by the end of its name."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import PurePath
from types import MappingProxyType

from veridical.search.documents.docx import parse_docx
from veridical.search.documents.feed import parse_feed
from veridical.search.documents.html import parse_html
from veridical.search.documents.json_text import parse_json
from veridical.search.documents.markdown import parse_markdown
from veridical.search.documents.parsed import ParsedDocument, UnreadableError
from veridical.search.documents.pdf import parse_pdf
from veridical.search.documents.plain import parse_plain

Parser = Callable[[bytes], ParsedDocument | Iterable[ParsedDocument]]
PARSERS: Mapping[str, Parser] = MappingProxyType(
    {
        ".md": parse_markdown,
        ".markdown": parse_markdown,
        ".html": parse_html,
        ".htm": parse_html,
        ".pdf": parse_pdf,
        ".docx": parse_docx,
        ".txt": parse_plain,
        ".text": parse_plain,
        ".rst": parse_plain,
        ".rss": parse_feed,
        ".atom": parse_feed,
        ".xml": parse_feed,
        ".json": parse_json,
        ".jsonl": parse_json,
    }
)


def is_readable(path: PurePath) -> bool:
    """Whether there is a parser for this file."""
    return path.suffix.lower() in PARSERS


def parse(path: PurePath, content: bytes) -> Iterator[ParsedDocument]:
    """The documents of a file. Raises ``UnreadableError``, also for files that have no parser."""
    parser = PARSERS.get(path.suffix.lower())
    if parser is None:
        raise UnreadableError(path.suffix)
    parsed = parser(content)
    if isinstance(parsed, ParsedDocument):
        yield parsed
    else:
        yield from parsed
