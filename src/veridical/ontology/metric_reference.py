"""References to metrics and group-by items in queries and filters: names, or calls in templates.

``policy__status``, ``Dimension('policy__status')``, ``TimeDimension('metric_time', 'month')``,
``Dimension('metric_time').grain('month')``, ``Metric('claims').descending(True)`` are all read
into one form. The calls are parsed as Python and never evaluated.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

_TEMPLATE = re.compile(r"\{\{(.*?)\}\}", re.DOTALL)
_NAME = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*\Z")


class ReferenceKind(StrEnum):
    """The kind of a reference; ``ITEM`` is a plain name."""

    ITEM = "item"
    DIMENSION = "Dimension"
    TIME_DIMENSION = "TimeDimension"
    ENTITY = "Entity"
    METRIC = "Metric"


class ReferenceSyntaxError(ValueError):
    """The text is neither a name nor a call that names something."""


@dataclass(frozen=True, slots=True)
class Reference:
    """One reference of a query, spelled with double underscores."""

    name: str
    kind: ReferenceKind = ReferenceKind.ITEM
    grain: str | None = None
    alias: str | None = None
    descending: bool = False

    @property
    def item(self) -> str:
        """The full name with the time grain at its end."""
        return f"{self.name}__{self.grain}" if self.grain else self.name

    @property
    def sort_key(self) -> str:
        """The full name as a call sorts by it: a minus before it for the largest first."""
        return f"-{self.item}" if self.descending else self.item


def parse_reference(text: str) -> Reference:
    """The reference that this text makes. Raises ``ReferenceSyntaxError``."""
    text = text.strip()
    if text.startswith("-"):
        return replace(parse_reference(text[1:]), descending=True)
    if _NAME.match(text):
        return Reference(text.replace(".", "__"))
    try:
        node = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError) as error:
        raise ReferenceSyntaxError(text) from error
    return reference_from(node)


def reference_from(node: ast.expr) -> Reference:
    """The reference that a parsed Python expression makes. Raises ``ReferenceSyntaxError``."""
    match node:
        case ast.Constant(value=str(text)):
            return parse_reference(text)
        case ast.Call(func=ast.Name(id=name)) if name in set(ReferenceKind):
            return _named(ReferenceKind(name), node)
        case ast.Call(func=ast.Attribute(value=inner, attr=method), args=args, keywords=[]):
            return _chained(reference_from(inner), method, args, node)
        case _:
            raise ReferenceSyntaxError(ast.unparse(node))


def templates(text: str) -> Iterator[tuple[tuple[int, int], Reference]]:
    """The position and the reference of each ``{{ ... }}`` of a filter."""
    for found in _TEMPLATE.finditer(text):
        yield found.span(), parse_reference(found.group(1))


def _named(kind: ReferenceKind, call: ast.Call) -> Reference:
    names = [_text(argument, call) for argument in call.args]
    options = {keyword.arg: keyword.value for keyword in call.keywords}
    if not 1 <= len(names) <= 2 or (len(names) == 2 and kind is not ReferenceKind.TIME_DIMENSION):
        raise ReferenceSyntaxError(ast.unparse(call))
    grain = names[1] if len(names) == 2 else None
    if "time_granularity_name" in options:
        grain = _text(options["time_granularity_name"], call)
    path = options.get("entity_path")
    steps = [_text(step, call) for step in path.elts] if isinstance(path, ast.List) else []
    return Reference(
        "__".join((*steps, names[0].strip().replace(".", "__"))), kind, grain and grain.lower()
    )


def _chained(inner: Reference, method: str, args: list[ast.expr], call: ast.Call) -> Reference:
    match method, args:
        case "grain", [ast.Constant(value=str(grain))]:
            return replace(inner, grain=grain.lower())
        case "date_part", [ast.Constant(value=str(part))]:
            return replace(inner, grain=f"extract_{part.lower()}")
        case "descending", [ast.Constant(value=bool(descending))]:
            return replace(inner, descending=descending)
        case "alias", [ast.Constant(value=str(alias))]:
            return replace(inner, alias=alias)
        case _:
            raise ReferenceSyntaxError(ast.unparse(call))


def _text(node: ast.expr, call: ast.Call) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    raise ReferenceSyntaxError(ast.unparse(call))
