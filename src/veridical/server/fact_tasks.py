"""Answers in facts, stated over evidence that is sent or over results of our own engine."""

from collections.abc import Mapping
from typing import Any

from veridical.answering.fact_tables import alone, fact_tables
from veridical.contracts.answer import Source
from veridical.contracts.facts_answer import StatedAnswer
from veridical.contracts.language import Language
from veridical.contracts.wire import Wire
from veridical.evidence.read import read_tables
from veridical.facts.record import report_answer
from veridical.gate.evidence.source import Meaning
from veridical.reading.language import language_of
from veridical.server.body_types import PlainJson, Remark

_SAMPLE_CHARACTERS = 2_000
"""Characters of a text from which its language is detected."""


class FactsRequest(Wire):
    """An answer in facts, and the results that it was written from."""

    answer: PlainJson
    """``{"facts": {...}, "answer": "Markdown with {a.part} slots"}``, as JSON or as its text."""
    evidence: PlainJson
    """Rows as objects, ``{"columns", "rows"}``, a tool's result, any JSON, a text, or several;
    its tables are ``r1``, ``r2`` … in their order."""
    question: Remark = ""
    language: Language | None = None


class NamedSource(Wire):
    """A result of our own engine, under the name by which facts call it."""

    name: str
    feature: str
    source: Source


class SourcedFacts(Wire):
    """An answer in facts over results of our own engine."""

    answer: Any
    sources: tuple[NamedSource, ...]
    question: str = ""
    language: Language


def state_evidence(request: FactsRequest, language: Language) -> StatedAnswer:
    """The answer over the evidence that came with it."""
    answer_language = request.language or facts_language(request.question, request.answer, language)
    return report_answer(
        request.answer, read_tables(request.evidence), request.question, answer_language
    )


def state_sources(request: SourcedFacts, meanings: Mapping[str, Meaning]) -> StatedAnswer:
    """The answer over results whose columns an ontology knows. Raises ``KeyError``."""
    named = ((each.name, each.source, meanings[each.feature]) for each in request.sources)
    tables = fact_tables(alone(named, request.question))
    return report_answer(request.answer, tables, request.question, request.language)


def facts_language(question: str, answer: Any, fallback: Language) -> Language:
    """The language of the question; without one, that of the prose."""
    prose = answer.get("answer") if isinstance(answer, dict) else answer
    text = question or (prose if isinstance(prose, str) else "")
    return language_of(text[:_SAMPLE_CHARACTERS], fallback)
