"""The text of a referenced answer as its parts: definitions, prose, references, claims, lists."""

import re
from dataclasses import dataclass

from veridical.late_pattern import late_pattern
from veridical.reading.punctuation import marks

_RULE = late_pattern(r"^\s*-{3,}\s*$", re.MULTILINE)
_DEFINITION = late_pattern(r"\s*([^\W\d]\w*)\s*=(?!=)\s*(.+?)\s*")
_EACH = late_pattern(r"\s*([^\W\d]\w*)\s+in\s+")
_ALIAS = late_pattern(r"(.+?)\s+as\s+(.+)", re.DOTALL)
_FORMAT = late_pattern(r"(.+?)\s*:\s*([^:\[\]()\"']*)", re.DOTALL)
_QUOTED = late_pattern(r"\s*q\s*:\s*(.+?)\s*", re.DOTALL)
_FENCE = late_pattern(r"^```\w*\n(.*?)\n?```\s*$", re.DOTALL)
MOST_DEFINITIONS = 60


@dataclass(frozen=True, slots=True)
class Prose:
    """Text that is shown as it stands."""

    text: str


@dataclass(frozen=True, slots=True)
class Reference:
    """``{expression : format}`` or ``{expression as alias}``."""

    source: str
    form: str = ""
    alias: str = ""


@dataclass(frozen=True, slots=True)
class Quote:
    """``{q: text}``: copied from the question."""

    text: str


@dataclass(frozen=True, slots=True)
class Assertion:
    """``[[condition | words]]``."""

    source: str
    words: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class Each:
    """``<<name in rows: text>>``."""

    name: str
    source: str
    body: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class Broken:
    """Something that was opened and is none of these."""

    text: str


Node = Prose | Reference | Quote | Assertion | Each | Broken


@dataclass(frozen=True, slots=True)
class Template:
    """A referenced answer before anything is evaluated."""

    definitions: tuple[tuple[str, str], ...]
    body: tuple[Node, ...]
    broken: tuple[str, ...] = ()
    """Lines above the rule that define nothing."""


def read_template(text: str) -> Template:
    """The parts of a text; never raises."""
    stripped = text.strip()
    if fenced := _FENCE.match(stripped):
        stripped = fenced[1]
    lines, body = _parted(stripped)
    definitions: list[tuple[str, str]] = []
    broken: list[str] = []
    for line in lines:
        found = _DEFINITION.fullmatch(line)
        if found and len(definitions) < MOST_DEFINITIONS:
            definitions.append((found[1], found[2]))
        elif line.strip():
            broken.append(line.strip())
    return Template(tuple(definitions), read_nodes(body), tuple(broken))


def _parted(text: str) -> tuple[list[str], str]:
    """The definitions and what follows the rule; a rule within the answer is Markdown."""
    rule = _RULE.search(text)
    if rule is None:
        return [], text
    above = text[: rule.start()].splitlines()
    written = [line for line in above if line.strip()]
    if written and not any(_DEFINITION.fullmatch(line) for line in written):
        return [], text
    return above, text[rule.end() :].strip("\n")


def read_nodes(text: str, *, nested: bool = False) -> tuple[Node, ...]:
    """The parts of a text without definitions; lists do not stand within other parts."""
    found: list[Node] = []
    at = start = 0
    while at < len(text):
        opened = next((sign for sign in _CLOSING if text.startswith(sign, at)), None)
        if opened is None or (nested and opened == "<<"):
            at += 1
            continue
        end = _closed(text, at, opened)
        if start < at:
            found.append(Prose(text[start:at]))
        if end is None:
            found.append(Broken(text[at : at + 40]))
            at += len(opened)
        else:
            inner = text[at + len(opened) : end]
            found.append(_READERS[opened](inner))
            at = end + len(_CLOSING[opened])
        start = at
    if start < len(text):
        found.append(Prose(text[start:]))
    return tuple(found)


_CLOSING = {"[[": "]]", "<<": ">>", "{": "}"}


def _closed(text: str, at: int, opened: str) -> int | None:
    """Where the part that opens here is closed; brackets of selections within are passed."""
    closing = _CLOSING[opened]
    if opened != "[[":
        end = text.find(closing, at)
        return end if end >= 0 else None
    depth, place = 0, at + len(opened)
    while place < len(text):
        if depth == 0 and text.startswith(closing, place):
            return place
        depth += (text[place] == "[") - (text[place] == "]")
        place += 1
    return None


def _reference(inner: str) -> Node:
    if quoted := _QUOTED.fullmatch(inner):
        return Quote(quoted[1])
    if named := _ALIAS.fullmatch(inner):
        return Reference(named[1].strip(), alias=named[2].strip())
    if formed := _FORMAT.fullmatch(inner):
        return Reference(formed[1].strip(), formed[2].strip())
    return Reference(inner.strip()) if inner.strip() else Broken("{}")


def _assertion(inner: str) -> Node:
    condition, bar, words = inner.partition("|")
    if not bar or not condition.strip() or not words.strip():
        return Broken(f"[[{inner[:40]}]]")
    return Assertion(condition.strip(), read_nodes(words.strip(), nested=True))


def _each(inner: str) -> Node:
    head = _EACH.match(inner)
    if head is None:
        return Broken(f"<<{inner[:40]}>>")
    colon = _colon(inner, head.end())
    if colon is None:
        return Broken(f"<<{inner[:40]}>>")
    rows, body = inner[head.end() : colon], inner[colon + 1 :]
    return Each(head[1], rows.strip(), read_nodes(body.strip("\n "), nested=True))


def _colon(text: str, start: int) -> int | None:
    """The first colon outside of brackets."""
    depth = 0
    for place in range(start, len(text)):
        sign = text[place]
        depth += (sign in "[(") - (sign in "])")
        if sign in _COLONS and depth == 0:
            return place
    return None


_COLONS = marks(":")
_READERS = {"{": _reference, "[[": _assertion, "<<": _each}
