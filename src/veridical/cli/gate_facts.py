"""``veridical gate facts``: answers in facts from a file, computed and said."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import BaseModel, ValidationError

from veridical.cli.error_reporting import REFUSED, UsageError, printable, reported_errors
from veridical.contracts.language import Language
from veridical.contracts.stated import StatedAnswer
from veridical.evidence.read import read_tables
from veridical.facts.instruction import instruction
from veridical.facts.listing import list_results
from veridical.facts.report import report_answer
from veridical.messages import message
from veridical.reading.language import language_of


class _Line(BaseModel):
    """One answer with what it was written from; what else a line says is not read."""

    id: str = ""
    language: Language | None = None
    question: str = ""
    evidence: Any
    answer: Any = None


def facts_command(
    file: Annotated[
        str, typer.Argument(help="Lines {id, language, question, evidence, answer}; - for input.")
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, a line for each.")] = False,
    prompt: Annotated[
        bool, typer.Option("--prompt", help="Print what a model is shown, and no answer.")
    ] = False,
) -> None:
    """State facts: the text and its exact sentences. Exit code 1: an answer was refused."""
    with reported_errors(Language.EN):
        refused = False
        for number, line in _lines(file):
            if prompt:
                typer.echo(printable(_prompt(line)))
                continue
            name = line.id or str(number)
            stated = _stated(line)
            refused = refused or not stated.accepted
            typer.echo(_as_json(name, stated) if as_json else printable(_as_text(name, stated)))
        if refused:
            raise typer.Exit(REFUSED)


def _lines(file: str) -> Iterator[tuple[int, _Line]]:
    try:
        text = sys.stdin.read() if file == "-" else Path(file).read_text("utf-8")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise UsageError(_unreadable(file, reason)) from error
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            yield number, _Line.model_validate_json(line)
        except ValidationError as error:
            reason = error.errors(include_input=False)[0]["msg"]
            raise UsageError(_unreadable(f"{file}:{number}", reason)) from error


def _unreadable(source: str, reason: str | None) -> str:
    return message("gate.unreadable", Language.EN, source=source, reason=reason)


def _prompt(line: _Line) -> str:
    return "\n\n".join((instruction(), list_results(read_tables(line.evidence)), line.question))


def _stated(line: _Line) -> StatedAnswer:
    language = line.language or language_of(line.question, Language.EN)
    return report_answer(line.answer, read_tables(line.evidence), line.question, language)


def _as_json(name: str, stated: StatedAnswer) -> str:
    told = {"id": name, **stated.model_dump(mode="json", by_alias=True)}
    return json.dumps(told, ensure_ascii=False)


def _as_text(name: str, stated: StatedAnswer) -> str:
    lines = [f"# {name}"]
    if stated.text:
        lines += [stated.text, ""]
    lines += [f"  {{{fact}}} {told.sentence}" for fact, told in stated.facts.items()]
    lines += [f"  ? {mark.why}" for each in stated.sentences for mark in each.marks]
    lines += [f"  ✗ {each.hint}" for each in stated.refused]
    return "\n".join((*lines, ""))
