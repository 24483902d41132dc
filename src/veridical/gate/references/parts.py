"""A referenced answer as JSON: a list of parts, for models that are held to a schema.

It comes to the same template as the form in text. Text within a part may use that form as well: a
model that has seen both mixes them.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Any

from pydantic import Field, ValidationError

from veridical.contracts.wire import Wire
from veridical.gate.references.template import (
    MOST_DEFINITIONS,
    Assertion,
    Each,
    Node,
    Prose,
    Quote,
    Reference,
    Template,
    read_nodes,
    read_template,
)

LISTED = "x"
"""What a list calls each of its rows, unless it says otherwise."""
_SHORT = 60
Written = Annotated[str, Field(min_length=1)]


class TextPart(Wire):
    """Prose."""

    text: str


class RowPart(Wire):
    """A row's name, or its cell in a column."""

    row: Written
    column: str = ""
    format: str = ""


class ValuePart(Wire):
    """Any expression."""

    value: Written
    format: str = ""
    alias: str = ""


class QuotePart(Wire):
    """Copied from the question."""

    quote: Written


Inline = TextPart | RowPart | ValuePart | QuotePart


class ClaimPart(Wire):
    """A condition, and the words that it licenses."""

    claim: Written
    words: Written | tuple[Inline, ...]


class ListPart(Wire):
    """Something about each of some rows."""

    list: Written
    each: tuple[Inline | ClaimPart, ...]
    name: str = LISTED


class Definition(Wire):
    """A name for an expression."""

    name: Written
    value: Written


class PartedAnswer(Wire):
    """The whole answer."""

    define: Annotated[tuple[Definition, ...], Field(max_length=MOST_DEFINITIONS)] = ()
    text: tuple[Inline | ClaimPart | ListPart, ...]


Part = Inline | ClaimPart | ListPart


def read_parts(text: str) -> Template:
    """The template of an answer in parts; of one in text where it is no JSON. Never raises."""
    try:
        told: Any = json.loads(text)
    except (ValueError, RecursionError):
        return read_template(text)
    if not isinstance(told, dict):
        return read_template(text)
    if isinstance(told.get("text"), str):
        told = {**told, "text": [{"text": told["text"]}]}
    try:
        answer = PartedAnswer.model_validate(told)
    except ValidationError as error:
        return Template((), (), tuple(dict.fromkeys(_misread(told, error))))
    definitions = tuple((each.name.strip(), each.value.strip()) for each in answer.define)
    return Template(definitions, _merged(_nodes(answer.text, nested=False)))


def write_parts(template: Template) -> dict[str, Any] | None:
    """The parts that a template comes from; none for what can't be said so: broken parts, and
    claims within claims."""
    if template.broken:
        return None
    try:
        answer = PartedAnswer(
            define=tuple(Definition(name=a, value=b) for a, b in template.definitions),
            text=tuple(map(_part, template.body)),
        )
    except (ValidationError, TypeError):
        return None
    return answer.model_dump(mode="json", by_alias=True, exclude_defaults=True)


def _nodes(parts: Iterable[Part], *, nested: bool) -> Iterator[Node]:
    for part in parts:
        match part:
            case TextPart(text=text):
                yield from read_nodes(text, nested=nested)
            case RowPart(row=row, column=column, format=form):
                source = f"{row.strip()}.{column.strip()}" if column.strip() else row.strip()
                yield Reference(source, form.strip())
            case ValuePart(value=value, format=form, alias=alias):
                yield Reference(value.strip(), form.strip(), alias.strip())
            case QuotePart(quote=quote):
                yield Quote(quote.strip())
            case ClaimPart(claim=claim, words=words):
                yield Assertion(claim.strip(), _words(words))
            case ListPart(list=rows, each=each, name=name):
                body = _merged(_nodes(each, nested=True))
                yield Each(name.strip(), rows.strip(), _stripped(body, "\n "))


def _words(words: str | Sequence[Inline]) -> tuple[Node, ...]:
    if isinstance(words, str):
        return read_nodes(words.strip(), nested=True)
    return _stripped(_merged(_nodes(words, nested=True)), None)


def _merged(nodes: Iterable[Node]) -> tuple[Node, ...]:
    """Texts that follow one another are one."""
    found: list[Node] = []
    for node in nodes:
        before = found[-1] if found else None
        if isinstance(node, Prose) and isinstance(before, Prose):
            found[-1] = Prose(before.text + node.text)
        else:
            found.append(node)
    return tuple(found)


def _stripped(nodes: tuple[Node, ...], signs: str | None) -> tuple[Node, ...]:
    """Without blanks at both ends, as in the form in text."""
    found = list(nodes)
    if found and isinstance(first := found[0], Prose):
        found[0] = Prose(first.text.lstrip(signs))
    if found and isinstance(last := found[-1], Prose):
        found[-1] = Prose(last.text.rstrip(signs))
    return tuple(node for node in found if not isinstance(node, Prose) or node.text)


def _misread(told: Any, error: ValidationError) -> Iterator[str]:
    """The parts that are none, each as it was written."""
    for each in error.errors(include_url=False, include_input=False):
        found = told
        for step in each["loc"][:2]:
            inner = found[step] if isinstance(found, list) and isinstance(step, int) else None
            found = found.get(step) if isinstance(found, dict) else inner
        yield json.dumps(found if found is not None else told, ensure_ascii=False)[:_SHORT]


def _part(node: Node) -> Part:
    match node:
        case Assertion(source, (Prose(text),)):
            return ClaimPart(claim=source, words=text)
        case Assertion(source, words):
            return ClaimPart(claim=source, words=tuple(map(_inline, words)))
        case Each(name, source, body):
            return ListPart(list=source, name=name, each=tuple(map(_within, body)))
        case _:
            return _inline(node)


def _within(node: Node) -> Inline | ClaimPart:
    found = _part(node)
    if isinstance(found, ListPart):
        raise TypeError("a list within a list")
    return found


def _inline(node: Node) -> Inline:
    match node:
        case Prose(text):
            return TextPart(text=text)
        case Reference(source, form, alias):
            return ValuePart(value=source, format=form, alias=alias)
        case Quote(text):
            return QuotePart(quote=text)
        case _:
            raise TypeError(f"no part: {node}")
