"""Which parser reads which file, by the end of its name."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import PurePath
from types import MappingProxyType

from veridical.limited_process.child import loaded
from veridical.search.documents.parsed import ParsedDocument, UnreadableError

Parser = Callable[[bytes], ParsedDocument | Iterable[ParsedDocument]]
_PLACE = "veridical.search.documents"
_MARKDOWN = f"{_PLACE}.markdown:parse_markdown"
_HTML = f"{_PLACE}.html:parse_html"
_PLAIN = f"{_PLACE}.plain:parse_plain"
_FEED = f"{_PLACE}.feed:parse_feed"
_JSON = f"{_PLACE}.json_text:parse_json"
PARSERS: Mapping[str, str] = MappingProxyType(
    {
        ".md": _MARKDOWN,
        ".markdown": _MARKDOWN,
        ".html": _HTML,
        ".htm": _HTML,
        ".pdf": f"{_PLACE}.pdf:parse_pdf",
        ".docx": f"{_PLACE}.docx:parse_docx",
        ".txt": _PLAIN,
        ".text": _PLAIN,
        ".rst": _PLAIN,
        ".rss": _FEED,
        ".atom": _FEED,
        ".xml": _FEED,
        ".json": _JSON,
        ".jsonl": _JSON,
    }
)
"""The functions by name: only the process that parses loads them."""


def is_readable(path: PurePath) -> bool:
    """Whether there is a parser for this file."""
    return path.suffix.lower() in PARSERS


def parser_of(path: PurePath) -> str:
    """The parser of this file. Raises ``UnreadableError`` where there is none."""
    parser = PARSERS.get(path.suffix.lower())
    if parser is None:
        raise UnreadableError(path.suffix)
    return parser


def parse(path: PurePath, content: bytes) -> tuple[ParsedDocument, ...]:
    """The documents of a file. Raises ``UnreadableError``, also for files that have no parser.

    Without limits: what strangers sent goes through ``document_reading``.
    """
    return parsed_by(parser_of(path), content)


def parsed_by(parser: str, content: bytes) -> tuple[ParsedDocument, ...]:
    """The documents that a parser reads from a file. Raises ``UnreadableError``."""
    read: Parser = loaded(parser)
    parsed = read(content)
    return (parsed,) if isinstance(parsed, ParsedDocument) else tuple(parsed)
