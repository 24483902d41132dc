"""Implementation of ``veridical gold add``: reads the trace, asks for confirmation, writes."""

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from veridical.cli.error_reporting import UsageError
from veridical.contracts.language import Language
from veridical.evals.gold.case import Case, GoldSet
from veridical.evals.gold.from_run import (
    AnsweredQuestion,
    NoCaseError,
    answered_question,
    case_of,
    pattern_of,
)
from veridical.evals.gold.load import read_gold
from veridical.messages import message
from veridical.ontology.model import CanonicalQueryPattern
from veridical.ontology.ontology_file import file_text, ontology_from, read_ontology
from veridical.ontology.yaml_change import with_item
from veridical.ontology.yaml_text import yaml_text
from veridical.trace.address import open_traces, traces_address

_LONGEST_NAME = 50
_NAMELESS = "KNOWN_QUESTION"
_PATTERNS = "canonicalPatterns"

Confirm = Callable[[str, str], None]


def add_gold_question(
    trace_id: str,
    gold: Path,
    name: str,
    ontology: Path | None,
    confirm: Confirm,
    language: Language,
) -> list[tuple[Path, str]]:
    """Add the question to the gold file and, if one is named, to the ontology; what was added
    where. Nothing is written before all of it is known to work. Raises ``UsageError``."""
    question = _load_question(trace_id, language)
    confirm(question.text, question.answer.text)
    known = read_gold(gold) if gold.exists() else None
    called = name or _new_name(question.text, {case.id for case in known.cases} if known else set())
    try:
        case = case_of(question, called)
        texts = {gold: _gold_text(gold, question, case, known)}
        added = [(gold, called)]
        if ontology is not None:
            intent = re.sub(r"[\W\d_]+", "_", called).strip("_").upper() or _NAMELESS
            made = pattern_of(question, intent, read_ontology(ontology))
            texts[ontology] = _ontology_text(ontology, made)
            added.append((ontology, intent))
    except NoCaseError as error:
        raise _refused(error, language, ontology) from error
    for path, text in texts.items():
        path.write_text(text, "utf-8")
    return added


def _load_question(trace_id: str, language: Language) -> AnsweredQuestion:
    store = open_traces(traces_address(os.environ))
    try:
        trace = store.load(trace_id)
    finally:
        store.close()
    if trace is None:
        raise UsageError(message("gold.no_trace", language, trace=trace_id[:60]))
    try:
        return answered_question(trace)
    except NoCaseError as error:
        raise _refused(error, language) from error


def _refused(error: NoCaseError, language: Language, ontology: Path | None = None) -> UsageError:
    """Why nothing was added, and what a person can do: with a draft, where there is one."""
    text = message(f"gold.{error.reason}", language, path=ontology, intent=error.intent)
    if error.draft is None:
        return UsageError(text)
    return UsageError(f"{text}\n\n{yaml_text({_PATTERNS: [_item(error.draft)]})}")


def _gold_text(path: Path, question: AnsweredQuestion, case: Case, known: GoldSet | None) -> str:
    item = case.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    if known is None:
        head = {"name": path.stem, "feature": question.feature, "today": question.day.isoformat()}
        return yaml_text({**head, "cases": [item]})
    return with_item(file_text(path), "cases", item, str(path))


def _ontology_text(path: Path, made: CanonicalQueryPattern) -> str:
    text = with_item(file_text(path), _PATTERNS, _item(made), str(path))
    ontology_from(text, str(path))
    return text


def _item(made: CanonicalQueryPattern) -> dict[str, Any]:
    return made.model_dump(mode="json", by_alias=True, exclude_defaults=True)


def _new_name(question: str, taken: set[str]) -> str:
    words = re.sub(r"[\W_]+", "-", question.casefold()).strip("-")[:_LONGEST_NAME].strip("-")
    name, count = words or "case", 1
    while name in taken:
        count += 1
        name = f"{words or 'case'}-{count}"
    return name
