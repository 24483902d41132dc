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
    """What is said of each subject. Raises ``LoadError`` where a sentence breaks off."""
    told: dict[str, Statement] = {}
    words: list[str] = []
    for mark, word in _tokens(source):
        if mark != ".":
            words.append(mark or word)
            continue
        if words[:1] != ["@prefix"]:
            subject, statement = _sentence(words)
            told[subject] = statement
        words = []
    if words:
        raise LoadError(f"the last sentence has no end: {' '.join(words)[:60]}")
    return told


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
    said: dict[str, tuple[str, ...]] = {}
    predicate: str | None = None
    for word in rest:
        if word == ";":
            predicate = None
        elif predicate is None:
            predicate = word
            said.setdefault(predicate, ())
        elif word != ",":
            said[predicate] = (*said[predicate], word.removeprefix(" "))
    return subject, said
