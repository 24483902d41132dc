"""Changes an ontology's file, or that of gold questions, only where its meaning changes: all other
characters and comments of a YAML file stay."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

import yaml

from veridical.ontology.file_errors import FileMistake, FileMistakesError, FileProblem
from veridical.ontology.model import OntologyDescriptor
from veridical.ontology.ontology_file import document_from, ontology_from, ontology_text
from veridical.ontology.yaml_text import yaml_text

_JSON = ".json"
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_CAPITAL = re.compile(r"(?<=[a-z0-9])([A-Z])")
Edit = tuple[int, int, str]
"""A replacement of one range of the text."""


def changed_text(
    text: str, before: OntologyDescriptor, after: OntologyDescriptor, path: Path
) -> str:
    """The file with the changed ontology. Comments stay; JSON, which has none, is written anew.

    Raises ``FileMistakesError`` for a file that can't be changed so.
    """
    ending = path.suffix.lower()
    if ending == _JSON or text == ontology_text(before, ending):
        return ontology_text(after, ending)
    written = with_change(text, plain_values(before), plain_values(after), str(path))
    if ontology_from(written, str(path)) != after:
        raise not_changeable(str(path))
    return written


def plain_values(ontology: OntologyDescriptor) -> dict[str, Any]:
    """The ontology as its file has it, without defaults."""
    return ontology.model_dump(mode="json", by_alias=True, exclude_defaults=True)


def with_change(text: str, before: Mapping[str, Any], after: Mapping[str, Any], source: str) -> str:
    """The text with the value ``after`` in place of ``before``, which are plain values.

    Removed lines take their own comments along. Raises ``FileMistakesError`` for a text that is not
    made of the parts that ``before`` has.
    """
    try:
        return _with_edits(text, before, after)
    except _NotMetError as error:
        raise not_changeable(source) from error


def with_item(text: str, key: str, item: dict[str, Any], source: str) -> str:
    """The text with one more item in the list under this key, which is started if it is missing.

    Raises ``FileMistakesError`` if nothing can be added without changing the rest.
    """
    before = document_from(text, source).value
    try:
        if not isinstance(before, dict):
            raise _NotMetError
        name = _spelled(before, key) or key
        items = before.get(name, [])
        if not isinstance(items, list):
            raise _NotMetError
        after = {**before, name: [*items, item]}
        written = _with_edits(text, before, after)
        if document_from(written, source).value != after:
            raise _NotMetError
    except (_NotMetError, FileMistakesError) as error:
        mistake = FileMistake(FileProblem.NOT_EDITABLE, 1, {"entry": key})
        raise FileMistakesError(source, (mistake,)) from error
    return written


def _with_edits(text: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    root = yaml.compose(text, Loader=_LOADER)
    edits = list(_Change(text).mapping(root, before, after))
    # From the end, so that positions stay right; new parts stand in the order they were made.
    order = sorted(
        enumerate(edits), key=lambda each: (each[1][0], each[1][1] > each[1][0], each[0])
    )
    for _, (start, end, new) in reversed(order):
        text = text[:start] + new + text[end:]
    return text


def not_changeable(source: str) -> FileMistakesError:
    """The reason why a file stays unchanged."""
    return FileMistakesError(source, (FileMistake(FileProblem.NOT_CHANGEABLE, 1, {}),))


class _NotMetError(ValueError):
    """The text has another shape than its value."""


class _Change:
    """The edits of one text."""

    def __init__(self, text: str) -> None:
        self._text = text

    def mapping(self, node: Any, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Edit]:
        """The edits that make a mapping the new one."""
        if not isinstance(node, yaml.MappingNode) or not node.value:
            raise _NotMetError
        pairs = {str(key.value): (key, value) for key, value in node.value}
        gone = sorted(_place(pairs, name) for name in old if name not in new)
        if gone:
            yield from self._without(node, gone)
        for name, value in new.items():
            key = _spelled(pairs, name)
            if key is None:
                yield self._with(node, name, value)
            elif name not in old or old[name] != value:
                yield from self._value(pairs[key][1], old.get(name), value)

    def _value(self, node: Any, old: Any, new: Any) -> Iterator[Edit]:
        if isinstance(old, Mapping) and isinstance(new, Mapping):
            yield from self.mapping(node, old, new)
        elif isinstance(old, list) and isinstance(new, list) and _is_block_list(node):
            yield from self._items(node, old, new)
        elif (
            isinstance(node, yaml.ScalarNode)
            or node.flow_style
            or (isinstance(node, yaml.MappingNode) and not isinstance(new, list))
        ):
            yield node.start_mark.index, self._end(node), _inline(new)
        else:
            raise _NotMetError

    def _items(self, node: yaml.SequenceNode, old: list[Any], new: list[Any]) -> Iterator[Edit]:
        if len(node.value) != len(old) or not new:
            raise _NotMetError
        matched = SequenceMatcher(None, *map(_labels, (old, new)), autojunk=False)
        for what, start, end, first, last in matched.get_opcodes():
            if what == "equal":
                continue
            place, gone = start, set(range(start, end))
            for item in new[first:last]:
                twin = next((at for at in range(place, end) if _is_like(old[at], item)), None)
                if twin is None:
                    yield self._added(node, place, item)
                    continue
                yield from self._value(node.value[twin], old[twin], item)
                gone.discard(twin)
                place = twin + 1
            for position in gone:
                item = node.value[position]
                yield self._line_start(item), self._line_end(self._end(item)), ""

    def _added(self, node: yaml.SequenceNode, place: int, item: Any) -> Edit:
        """A new item before the one at this place, or at the end."""
        beside = node.value[max(place - 1, 0)]
        start = self._line_start(beside)
        indent = self._text.index("-", start) - start
        at = self._line_end(self._end(beside)) if place else start
        return at, at, self._fresh_line(at) + _block([item], indent)

    def _without(self, node: yaml.MappingNode, gone: list[int]) -> Iterator[Edit]:
        """Without the pairs at these places; those that begin it go up to the first that stays."""
        first = next((at for at in range(len(node.value)) if at not in gone), None)
        if first is None:
            raise _NotMetError
        if first:
            yield node.start_mark.index + node.flow_style, self._begin(node, first), ""
        for place in gone[first:]:
            key, value = node.value[place]
            if node.flow_style:
                yield self._end(node.value[place - 1][1]), self._end(value), ""
            else:
                yield self._line_start(key), self._line_end(self._end(value)), ""

    def _with(self, node: yaml.MappingNode, name: str, value: Any) -> Edit:
        end = self._end(node.value[-1][1])
        if node.flow_style:
            return end, end, f", {_inline({name: value})[1:-1]}"
        at = self._line_end(end)
        indent = node.value[0][0].start_mark.column
        return at, at, self._fresh_line(at) + _block({name: value}, indent)

    def _begin(self, node: yaml.MappingNode, place: int) -> int:
        return node.value[place][0].start_mark.index

    def _end(self, node: Any) -> int:
        """The position of the last character of a value; a comment may follow."""
        if not isinstance(node, yaml.ScalarNode) and not node.flow_style and node.value:
            last = node.value[-1]
            return self._end(last[1] if isinstance(last, tuple) else last)
        return len(self._text[: node.end_mark.index].rstrip())

    def _line_start(self, node: yaml.Node) -> int:
        return self._text.rfind("\n", 0, node.start_mark.index) + 1

    def _line_end(self, index: int) -> int:
        found = self._text.find("\n", index)
        return len(self._text) if found < 0 else found + 1

    def _fresh_line(self, at: int) -> str:
        return "\n" if at and self._text[at - 1] != "\n" else ""


def _is_block_list(node: Any) -> bool:
    return isinstance(node, yaml.SequenceNode) and not node.flow_style


def _place(pairs: Mapping[str, Any], name: str) -> int:
    key = _spelled(pairs, name)
    if key is None:
        raise _NotMetError
    return list(pairs).index(key)


def _spelled(pairs: Mapping[str, Any], name: str) -> str | None:
    """The key as the file has it: ``appliesTo`` or ``applies_to``."""
    plain = _CAPITAL.sub(lambda found: f"_{found[1].lower()}", name)
    return next((each for each in (name, plain) if each in pairs), None)


def _labels(items: Sequence[Any]) -> list[str]:
    return [json.dumps(each, sort_keys=True) for each in items]


def _is_like(old: Any, new: Any) -> bool:
    """True if an item is a changed form of the other one: most of it is the same."""
    if not isinstance(old, Mapping) or not isinstance(new, Mapping):
        return False
    same = sum(name in new and new[name] == value for name, value in old.items())
    return 2 * same >= max(len(old), len(new))


def _inline(value: Any) -> str:
    """A value as it can stand within brackets, where more characters need quotes than outside."""
    written: str = yaml.safe_dump(
        [value], default_flow_style=True, allow_unicode=True, sort_keys=False, width=10**9
    )
    return written.strip()[1:-1]


def _block(value: Any, indent: int) -> str:
    lines = yaml_text(value).splitlines(keepends=True)
    return "".join(" " * indent + line for line in lines)
