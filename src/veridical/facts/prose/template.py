"""The answer as a model writes it: facts by name, and Markdown with slots."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from veridical.facts.kernel.value import FactError, Reason
from veridical.late_pattern import late_pattern

_SLOT = late_pattern(r"\{([^{}\n]{1,200})\}")
_FENCE = late_pattern(r"^\s*```[a-z]*\s*|\s*```\s*$")
_LONGEST = 20_000
"""Limit of signs of prose."""
_MOST_FACTS = 40
_MOST_SLOTS = 400


@dataclass(frozen=True, slots=True)
class Slot:
    """``{a.value:0}``: a part of a fact; ``{a}`` its sentence; ``{table:t}`` its table;
    ``{head:r1}`` the head of a result that answers a known question."""

    fact: str
    part: str = ""
    form: str = ""
    is_table: bool = False
    is_head: bool = False
    source: str = ""


Node = str | Slot


@dataclass(frozen=True, slots=True)
class Written:
    """The answer that a model wrote."""

    facts: Mapping[str, Any]
    nodes: tuple[Node, ...]
    labels: Mapping[str, str]


def read_answer(raw: Any) -> Written:
    """The facts, the prose and the labels. Raises ``FactError``."""
    if isinstance(raw, str):
        raw = _parsed(raw)
    if not isinstance(raw, Mapping) or not isinstance(raw.get("answer"), str):
        raise FactError(Reason.SYNTAX, "answer")
    text = str(raw["answer"])
    if len(text) > _LONGEST:
        raise FactError(Reason.BUDGET, "answer")
    facts = raw.get("facts") or {}
    if isinstance(facts, list):
        facts = {str(each.get("name", at)): each for at, each in enumerate(facts)
                 if isinstance(each, Mapping)}  # fmt: skip
    if not isinstance(facts, Mapping) or len(facts) > _MOST_FACTS:
        raise FactError(Reason.SYNTAX, "facts")
    nodes = read_slots(text)
    if sum(isinstance(node, Slot) for node in nodes) > _MOST_SLOTS:
        raise FactError(Reason.BUDGET, "slots")
    labels = raw.get("labels")
    texts = {str(key): str(value) for key, value in labels.items()} if isinstance(
        labels, Mapping) else {}  # fmt: skip
    return Written({str(key): value for key, value in facts.items()}, nodes, texts)


def _parsed(text: str) -> Any:
    if len(text) > 10 * _LONGEST:
        raise FactError(Reason.BUDGET, "answer")
    stripped = _FENCE.sub("", text.strip())
    start, end = stripped.find("{"), stripped.rfind("}")
    try:
        return json.loads(stripped[start : end + 1], strict=False)
    except (ValueError, RecursionError):
        raise FactError(Reason.SYNTAX, stripped[:60]) from None


def read_slots(text: str) -> tuple[Node, ...]:
    """Text and slots, in their order."""
    nodes: list[Node] = []
    at = 0
    for match in _SLOT.finditer(text):
        if match.start() > at:
            nodes.append(text[at : match.start()])
        nodes.append(_slot(match[1].strip()))
        at = match.end()
    if at < len(text):
        nodes.append(text[at:])
    return tuple(nodes)


def _slot(source: str) -> Slot:
    body, _, form = source.partition(":")
    if body in ("table", "head"):
        name = form.strip()
        return Slot(name, is_table=body == "table", is_head=body == "head", source=source)
    fact, _, part = body.strip().partition(".")
    if re.fullmatch(r"[^\W\d]\w*", fact) is None:
        return Slot(fact, part, form.strip(), source=source)
    return Slot(fact, part.strip(), form.strip(), source=source)
