"""Safe parser for Markdown front matter, with the line of each key.

Only what a skill can need is read: mappings, lists and text. Every scalar is text, so that ``no``
is a word and ``2025`` is one too; tags, aliases and repeated keys are refused.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

FENCE = "---"
_PLAIN = ("null", "bool", "int", "float", "timestamp", "str", "seq", "map", "merge", "value")
_PLAIN_TAGS = frozenset(f"tag:yaml.org,2002:{name}" for name in _PLAIN)
_NULL = "tag:yaml.org,2002:null"
_SCANNING_ALIASES = frozenset({"while scanning an alias", "while scanning an anchor"})

KeyPath = tuple[str | int, ...]
"""A key within the front matter: names, and positions in lists."""


class FrontMatterError(Exception):
    """The front matter can't be read. ``reason`` is a message key, the rest are its values."""

    def __init__(self, reason: str, line: int, **values: object) -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line
        self.values = values


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The parsed content, the line of each key, and the text below."""

    content: Any
    lines: Mapping[KeyPath, int]
    body: str


def read_front_matter(text: str) -> FrontMatter:
    """The parts of a Markdown file. Raises ``FrontMatterError``."""
    lines = text.removeprefix("\ufeff").splitlines()
    if not lines or lines[0].rstrip() != FENCE:
        raise FrontMatterError("no_front_matter", 1)
    end = next((at for at, line in enumerate(lines[1:], 1) if line.rstrip() == FENCE), None)
    if end is None:
        raise FrontMatterError("unclosed", len(lines))
    places: dict[KeyPath, int] = {}
    content = _read(_composed("\n".join(lines[1:end])), (), places)
    return FrontMatter(content, places, "\n".join(lines[end + 1 :]).strip())


class _Loader(yaml.SafeLoader):
    """Composes nodes; an alias could make a value that contains itself."""

    def compose_node(self, parent: Node | None, index: Any) -> Node | None:
        if self.check_event(yaml.AliasEvent):
            raise FrontMatterError("alias", _line(self.peek_event().start_mark))
        return super().compose_node(parent, index)


def _composed(source: str) -> Node | None:
    try:
        return yaml.compose(source, Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = _line(mark) if mark else 1
        if error.context in _SCANNING_ALIASES:
            raise FrontMatterError("alias", line) from error
        raise FrontMatterError("yaml", line, problem=error.problem or error.context) from error
    except (yaml.YAMLError, RecursionError, ValueError, OverflowError) as error:
        problem = next(iter(str(error).splitlines()), type(error).__name__)
        raise FrontMatterError("yaml", 1, problem=problem) from error


def _line(mark: yaml.Mark) -> int:
    """The line in the file: marks count from 0 and begin below the fence."""
    return mark.line + 2


def _read(node: Node | None, place: KeyPath, places: dict[KeyPath, int]) -> Any:
    if node is None:
        return None
    line = _line(node.start_mark)
    places.setdefault(place, line)
    if node.tag not in _PLAIN_TAGS:
        raise FrontMatterError("tag", line, tag=node.tag)
    match node:
        case MappingNode():
            return _mapping(node, place, places)
        case SequenceNode():
            return [_read(each, (*place, at), places) for at, each in enumerate(node.value)]
        case ScalarNode():
            return None if node.tag == _NULL else node.value
        case _:
            raise FrontMatterError("tag", line, tag=node.tag)


def _mapping(node: MappingNode, place: KeyPath, places: dict[KeyPath, int]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in node.value:
        line = _line(key.start_mark)
        if not isinstance(key, ScalarNode):
            raise FrontMatterError("key", line)
        if key.value in found:
            raise FrontMatterError("repeated_key", line, name=key.value)
        places[(*place, key.value)] = line
        found[key.value] = _read(value, (*place, key.value), places)
    return found
