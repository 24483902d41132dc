"""JSON and JSON lines: one document for each object, with the fields that most exports have."""

import json
from collections.abc import Iterator
from typing import Any

from veridical.search.documents.parsed import ParsedDocument, Section, UnreadableError, read_date

_TEXTS = ("text", "content", "body", "snippet", "description", "summary")
_TITLES = ("title", "name", "heading")
_ADDRESSES = ("url", "link", "source", "id", "_id")
_DATES = ("detectedDate", "detected_date", "updated", "modified", "date", "published")


def parse_json(content: bytes) -> Iterator[ParsedDocument]:
    """The objects of a file: one, a list, or one a line. Raises ``UnreadableError``."""
    text = content.decode("utf-8", "replace").removeprefix("\ufeff")
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        whole = [_line(line) for line in text.splitlines() if line.strip()]
    for place, each in enumerate(whole if isinstance(whole, list) else [whole]):
        yield _document(each, place)


def _line(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableError(str(error)) from error


def _document(value: Any, place: int) -> ParsedDocument:
    if not isinstance(value, dict):
        section = Section(json.dumps(value, ensure_ascii=False))
        return ParsedDocument((section,), part=f"#{place}")
    text = _first(value, _TEXTS) or json.dumps(value, ensure_ascii=False)
    address = _first(value, _ADDRESSES) or f"#{place}"
    date = read_date(_first(value, _DATES))
    return ParsedDocument((Section(text),), _first(value, _TITLES), date, address, address)


def _first(value: dict[Any, Any], names: tuple[str, ...]) -> str:
    return next((str(value[name]) for name in names if value.get(name)), "")
