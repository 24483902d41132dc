"""Parser for the subset of Turtle in which the ACME questions are written."""

import json
import re
from collections.abc import Iterator, Mapping

from veridical.ontology.errors import LoadError

_TOKEN = re.compile(
    r"""
    (?P<text>"(?:[^"\\]|\\.)*")(?:@[\w-]+|\^\^\S+)?
    | (?P<name><[^>\s]*> | [^\s;,."<>]+(?:\.[^\s;,."<>]+)*)
    | (?P<mark>[;,.])
    """,
    re.VERBOSE,
)

Statement = Mapping[str, tuple[str, ...]]
"""The objects of each predicate: names as they are written, texts without their quotes."""


def read_turtle(source: str) -> dict[str, Statement]:
    """The statement about each subject. Raises ``LoadError`` where a sentence breaks off."""
    statements: dict[str, Statement] = {}
    words: list[str] = []
    for mark, word in _tokens(source):
        if mark != ".":
            words.append(mark or word)
            continue
        if words[:1] != ["@prefix"]:
            subject, statement = _sentence(words)
            statements[subject] = statement
        words = []
    if words:
        raise LoadError(f"the last sentence has no end: {' '.join(words)[:60]}")
    return statements


def _tokens(source: str) -> Iterator[tuple[str, str]]:
    """Each mark, or each word in a form that no mark has."""
    for found in _TOKEN.finditer(source):
        if text := found["text"]:
            yield "", f" {json.loads(text, strict=False)}"
        else:
            yield found["mark"] or "", found["name"] or ""


def _sentence(words: list[str]) -> tuple[str, Statement]:
    if not words:
        raise LoadError("a sentence has no subject")
    subject, *rest = words
    statement: dict[str, tuple[str, ...]] = {}
    predicate: str | None = None
    for word in rest:
        if word == ";":
            predicate = None
        elif predicate is None:
            predicate = word
            statement.setdefault(predicate, ())
        elif word != ",":
            statement[predicate] = (*statement[predicate], word.removeprefix(" "))
    return subject, statement
