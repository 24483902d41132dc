"""TMDL as text: objects nested by indentation, their properties, and expressions behind ``=``."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_QUOTED = r"'(?:[^']|'')*'"
_PROPERTY = re.compile(r"(\w+)\s*:\s*(.*)\Z", re.S)
_OBJECT = re.compile(
    rf"(?:ref\s+)?(\w+)(?:\s+({_QUOTED}|\"[^\"]*\"|[^\s=:]+))?\s*(?:=\s*(.*))?\Z", re.S
)
_AFTER = re.compile(
    r"\w+:(?:\s|\Z)|isHidden\b|isKey\b|annotation |changedProperty |extendedProperty |kpi\b"
    r"|formatStringDefinition |detailRowsDefinition |calculationItem |partition |measure |column "
    r"|hierarchy |tablePermission "
)
"""What ends an expression that is no deeper than the properties behind it."""
_FENCE = "```"
_TAB = 4


class TmdlError(ValueError):
    """The text is no TMDL from this line on."""

    def __init__(self, line: int, text: str) -> None:
        super().__init__(text)
        self.line = line
        self.text = text


@dataclass(slots=True)
class Node:
    """``measure Margin = …``: its kind, its name, its expression, its properties and its parts."""

    kind: str
    name: str = ""
    expression: str = ""
    description: str = ""
    properties: dict[str, str] = field(default_factory=dict[str, str])
    parts: list["Node"] = field(default_factory=list["Node"])

    def all(self, kind: str) -> Iterator["Node"]:
        """Its parts of one kind."""
        return (each for each in self.parts if each.kind == kind)

    def is_on(self, key: str) -> bool:
        """True if the property is set, alone or as ``true``."""
        alone = any(each.kind == key and not each.name for each in self.parts)
        return alone or self.properties.get(key, "").lower() == "true"


@dataclass(slots=True)
class _Lines:
    all: list[str]
    at: int = 0

    @property
    def line(self) -> str:
        return self.all[self.at]

    def is_over(self) -> bool:
        return self.at >= len(self.all)


def parse_tmdl(text: str) -> Node:
    """The file as one node. Raises ``TmdlError``."""
    lines = _Lines(text.removeprefix("\ufeff").splitlines())
    root = Node("file")
    _fill(root, lines, 0)
    return root


def unquoted(name: str) -> str:
    """The name without the quotation marks that it needs in the text."""
    if len(name) > 1 and name[0] == name[-1] == "'":
        return name[1:-1].replace("''", "'")
    return name


def _depth(line: str) -> int:
    expanded = line.expandtabs(_TAB)
    return (len(expanded) - len(expanded.lstrip())) // _TAB


def _fill(parent: Node, lines: _Lines, depth: int) -> None:
    """Reads all lines of this depth, and what is deeper with the node above it."""
    about: list[str] = []
    while not lines.is_over():
        line = lines.line.strip()
        if not line:
            lines.at += 1
            continue
        here = _depth(lines.line)
        if here < depth:
            return
        if here > depth:
            raise TmdlError(lines.at + 1, line)
        if line.startswith("///"):
            about.append(line.removeprefix("///").strip())
            lines.at += 1
            continue
        _read(parent, lines, depth, " ".join(filter(None, about)))
        about = []


def _read(parent: Node, lines: _Lines, depth: int, about: str) -> None:
    line, number = lines.line.strip(), lines.at + 1
    if found := _PROPERTY.match(line):
        lines.at += 1
        parent.properties[found[1]] = (found[2] or _deeper(lines, depth)).strip()
        return
    found = _OBJECT.match(line)
    if found is None:
        raise TmdlError(number, line)
    node = Node(found[1], unquoted(found[2] or ""), description=about)
    if found[3] is not None:
        node.expression = _expression(lines, depth, found[3])
    else:
        lines.at += 1
    parent.parts.append(node)
    _fill(node, lines, depth + 1)


def _expression(lines: _Lines, depth: int, first: str) -> str:
    """What stands behind ``=``: on the line, on deeper lines, or between fences."""
    number = lines.at + 1
    lines.at += 1
    if not first.strip().startswith(_FENCE):
        more = _deeper(lines, depth, begun=bool(first.strip()))
        return "\n".join(filter(None, (first.strip(), more))).strip()
    inner: list[str] = []
    while not lines.is_over():
        line = lines.line
        lines.at += 1
        if line.strip() == _FENCE:
            return "\n".join(inner).strip()
        inner.append(line.strip())
    raise TmdlError(number, first)


def _deeper(lines: _Lines, depth: int, *, begun: bool = False) -> str:
    """The lines that are further in and are text: no properties and no objects."""
    inner: list[str] = []
    least = depth + 2 if begun or _has_property_next(lines) else depth + 1
    while not lines.is_over():
        line = lines.line
        if line.strip() and (
            _depth(line) < least or (_depth(line) == depth + 1 and _AFTER.match(line.strip()))
        ):
            break
        inner.append(line.strip())
        lines.at += 1
    return "\n".join(inner).strip()


def _has_property_next(lines: _Lines) -> bool:
    rest = (line.strip() for line in lines.all[lines.at :])
    return bool(_AFTER.match(next(filter(None, rest), "")))
