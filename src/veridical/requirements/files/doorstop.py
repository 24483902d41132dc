"""Doorstop: a folder with ``.doorstop.yml`` and one YAML or Markdown file a requirement."""

import re
from collections.abc import Iterator
from pathlib import Path

import yaml

from veridical.requirements.files.requirement import FileEntry, UnreadableFileError, joined, text_of

SETTINGS = ".doorstop.yml"
ENDINGS = (".yml", ".yaml", ".md")
_FRONT = re.compile(r"---[ \t]*\n(.*?\n)---[ \t]*(?:\n|$)", re.S)
_HEADING = re.compile(r"\s*#+\s[^\n]*(?:\n|$)")
_NO = frozenset({"false", "no", "off"})
_Field = tuple[int, str]


def read_doorstop(folder: Path) -> Iterator[FileEntry]:
    """The active items of a folder and of those below it. Raises ``UnreadableFileError``."""
    documents = sorted(folder.rglob(SETTINGS))
    if not documents:
        raise UnreadableFileError("no_doorstop")
    for document in documents:
        prefix = _prefix(document)
        for path in sorted(document.parent.iterdir()):
            if _is_named(path, prefix) and path.is_file():
                yield from _item(path, prefix)


def is_item(path: Path) -> bool:
    """True if a file is an item: it has the name of one, beside the settings of a document."""
    settings = path.parent / SETTINGS
    return settings.is_file() and _is_named(path, _prefix(settings))


def read_item(path: Path) -> Iterator[FileEntry]:
    """The one item of a file. Raises ``UnreadableFileError``."""
    return _item(path, _prefix(path.parent / SETTINGS))


def _is_named(path: Path, prefix: str) -> bool:
    return path.suffix in ENDINGS and path.name != SETTINGS and path.stem.startswith(prefix)


def _item(path: Path, prefix: str) -> Iterator[FileEntry]:
    """The item of a file; none where it is inactive, or where it only explains."""
    try:
        text = text_of(path)
        fields, field = _markdown(text) if path.suffix == ".md" else _plain(text)
    except UnreadableFileError as error:
        error.source = error.source or str(path)
        raise
    if any(fields.get(name, (0, ""))[1].lower() in _NO for name in ("active", "normative")):
        return
    if field[1].strip():
        yield FileEntry(field[0], path.stem, joined(field[1]), prefix, source=str(path))


def _plain(text: str) -> tuple[dict[str, _Field], _Field]:
    fields = _fields(text)
    return fields, fields.get("text", (1, ""))


def _markdown(text: str) -> tuple[dict[str, _Field], _Field]:
    """The fields stand before the text, which may begin with a heading of its own."""
    front = _FRONT.match(text)
    if not front:
        raise UnreadableFileError("not_item")
    body = text[front.end() :]
    heading = _HEADING.match(body)
    begun = front.end() + (heading.end() if heading else 0)
    content = text[begun:]
    begun += len(content) - len(content.lstrip())
    return _fields(front[1]), (text.count("\n", 0, begun) + 1, content)


def _prefix(settings: Path) -> str:
    try:
        node = yaml.compose(text_of(settings), Loader=yaml.SafeLoader)
    except (yaml.YAMLError, RecursionError) as error:
        failed = UnreadableFileError("not_item")
        failed.source = str(settings)
        raise failed from error
    found = dict(_scalars(node))
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if key.value == "settings":
                found |= dict(_scalars(value))
    return found.get("prefix", (0, ""))[1]


def _fields(text: str) -> dict[str, _Field]:
    """The top-level values with their lines. Nothing is built from them, so that references
    which multiply, or tags that name a class, do nothing."""
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except (yaml.YAMLError, RecursionError) as error:
        raise UnreadableFileError("not_item") from error
    if not isinstance(node, yaml.MappingNode):
        raise UnreadableFileError("not_item")
    return dict(_scalars(node))


def _scalars(node: yaml.Node | None) -> Iterator[tuple[str, _Field]]:
    if not isinstance(node, yaml.MappingNode):
        return
    for key, value in node.value:
        if isinstance(key, yaml.ScalarNode) and isinstance(value, yaml.ScalarNode):
            # a block scalar begins below the mark that announces it
            below = 1 if value.style in ("|", ">") else 0
            yield key.value, (value.start_mark.line + 1 + below, value.value)
