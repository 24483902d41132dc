"""Markdown: sections by its headings; the fields of its front matter."""

import re
from collections.abc import Iterator

import yaml

from veridical.search.documents.parsed import ParsedDocument, Section, read_date

_FRONT = re.compile(r"\A---\r?\n(.*?)\r?\n---\s*(?:\n|\Z)", re.S)
_HEADING = re.compile(r"(#{1,6})\s+(.*?)\s*#*\s*$")
_FENCE = re.compile(r"\s*(```|~~~)")
_ADDRESS = r"(?:[^()\s]|\([^()\s]*\))*+"
_LINK = re.compile(rf'!?\[([^\[\]]*)\]\({_ADDRESS}(?:\s+"[^"]*")?\)')
_BETWEEN = " › "
_LONGEST_FRONT = 10_000
"""Characters: longer front matter has more than a title, a date and an address."""


def parse_markdown(content: bytes) -> ParsedDocument:
    """The sections of a Markdown file."""
    text = content.decode("utf-8", "replace").removeprefix("\ufeff")
    fields: dict[str, str] = {}
    front = _FRONT.match(text)
    if front:
        fields = _fields(front[1])
        text = text[front.end() :]
    sections = tuple(_sections(text))
    first = next((each.heading.split(_BETWEEN)[0] for each in sections if each.heading), "")
    date = fields.get("date") or fields.get("lastUpdated") or fields.get("updated")
    return ParsedDocument(
        sections,
        fields.get("title") or first,
        read_date(date),
        fields.get("url") or "",
    )


def _fields(front: str) -> dict[str, str]:
    """The plain values at the top. Nothing is built from the others: references multiply."""
    if len(front) > _LONGEST_FRONT:
        return {}
    try:
        node = yaml.compose(front, Loader=yaml.SafeLoader)
    except (yaml.YAMLError, RecursionError):
        return {}
    if not isinstance(node, yaml.MappingNode):
        return {}
    return {
        str(key.value): value.value
        for key, value in node.value
        if isinstance(key, yaml.ScalarNode) and isinstance(value, yaml.ScalarNode)
    }


def _sections(text: str) -> Iterator[Section]:
    headings: list[tuple[int, str]] = []
    lines: list[str] = []
    fenced = False
    for line in text.splitlines():
        fenced ^= bool(_FENCE.match(line))
        heading = None if fenced else _HEADING.fullmatch(line)
        if heading is None:
            lines.append(line)
            continue
        yield from _section(lines, headings)
        lines = []
        depth = len(heading[1])
        headings = [each for each in headings if each[0] < depth]
        headings.append((depth, _plain(heading[2])))
    yield from _section(lines, headings)


def _section(lines: list[str], headings: list[tuple[int, str]]) -> Iterator[Section]:
    text = _plain("\n".join(lines)).strip()
    if text:
        yield Section(text, _BETWEEN.join(title for _, title in headings))


def _plain(text: str) -> str:
    return _LINK.sub(r"\1", text)
