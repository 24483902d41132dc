"""Implementation of ``veridical requirements suggest``, ``rewrite`` and ``team``: improvements,
rewrites with their open questions, and a review that asks the person at the terminal."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import typer
from rich.text import Text

from veridical.cli.error_reporting import UsageError, printable
from veridical.cli.requirements_review import embedding, project_policy
from veridical.contracts.language import Language
from veridical.contracts.person import TEXT, Decision, PersonNeeded, unanswered
from veridical.contracts.requirements_review import (
    MOST_REQUIREMENTS,
    ReviewedRequirement,
    ReviewOutcome,
    ReviewTask,
)
from veridical.messages import message
from veridical.requirements.batch import rewritten_items, suggested_items, texts_language
from veridical.requirements.files.reading import read_requirements
from veridical.requirements.files.requirement import Requirement, UnreadableFileError
from veridical.requirements.files.table import Columns
from veridical.requirements.team.operator import Operator
from veridical.requirements.team.team import TeamReview
from veridical.requirements.vocabulary import Glossary

_STYLES = {"high": "red", "medium": "yellow", "low": "dim"}
Asks = Callable[[str], str]


def read_files(files: Sequence[Path], language: Language) -> list[Requirement]:
    """The requirements of these files. Raises ``UsageError``."""
    policy = project_policy(language)
    columns = Columns(policy.text_column, policy.id_column)
    try:
        found = [each for path in files for each in read_requirements(path, columns)]
    except UnreadableFileError as error:
        raise UsageError(error.message(language)) from error
    if not found:
        raise UsageError(message("requirements.no_requirements", language))
    if len(found) > MOST_REQUIREMENTS:
        text = message("requirements.too_many", language, most=MOST_REQUIREMENTS, count=len(found))
        raise UsageError(text)
    return found


def glossary(language: Language) -> Glossary:
    """The words that the project has agreed on. Raises ``UsageError``."""
    found = project_policy(language).glossary
    return Glossary(roles=found.roles, figures=found.figures)


def suggested(requirements: Sequence[Requirement], language: Language) -> list[dict[str, Any]]:
    """The improvements of each requirement."""
    found = suggested_items([each.text for each in requirements], language, glossary(language))
    return [
        {"id": each.id, "text": each.text, "suggestions": suggestions}
        for each, suggestions in zip(requirements, found, strict=True)
    ]


def suggestion_lines(items: Sequence[dict[str, Any]]) -> Iterator[Text]:
    """The improvements as they are printed."""
    for item in items:
        yield _heading(item["id"], item["text"])
        for each in item["suggestions"] or ():
            kind = (f"  {each['type']} ", _STYLES[each["priority"]])
            yield Text.assemble(kind, printable(each["suggestion"]))


def rewritten(requirements: Sequence[Requirement], language: Language) -> list[dict[str, Any]]:
    """The rewrite of each requirement, with its open questions."""
    texts = [each.text for each in requirements]
    found = rewritten_items(texts, language, glossary=glossary(language))
    return [{**item, "id": each.id} for each, item in zip(requirements, found, strict=True)]


def rewrite_lines(items: Sequence[dict[str, Any]], language: Language) -> Iterator[Text]:
    """The rewrites as they are printed."""
    for item in items:
        yield _heading(item["id"], item["originalText"])
        for line in item["correctedText"].splitlines():
            yield Text(f"  → {printable(line)}", style="green")
        for each in item["questions"]:
            yield Text(f"  ? {_with_choices(each['question'], each['suggestedAnswers'], language)}")


def _heading(name: str, text: str) -> Text:
    return Text.assemble((f"{printable(name)} ", "bold"), printable(text))


def _with_choices(question: str, suggested: Sequence[str], language: Language) -> str:
    if suggested:
        listed = ", ".join(f"«{each}»" for each in suggested)
        question += " " + message("requirements.known_answers", language, answers=listed)
    return printable(question)


def reviewed_by_team(
    requirements: Sequence[Requirement], most_questions: int, language: Language | None
) -> ReviewOutcome:
    """The outcome of a review that asks at the terminal. An empty answer leaves a question open,
    and so does the end of the input."""
    texts = tuple(each.text for each in requirements)
    chosen = language or texts_language(texts)
    task = ReviewTask(requirements=texts, most_questions=most_questions)
    operator = Operator(chosen, embed=embedding(chosen))
    review = TeamReview(task, operator, _Terminal(chosen).ask, glossary=glossary(chosen))
    return asyncio.run(review.outcome())


class _Terminal:
    """The person at the terminal."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self._is_closed = False

    async def ask(self, needed: PersonNeeded) -> Decision:
        """An answer, read from the standard input."""
        subject = needed.subject
        question = _with_choices(subject["asked"], subject["suggestedAnswers"], self._language)
        typer.echo(f"{printable(subject['question'])}\n? {question}", err=True)
        reply = "" if self._is_closed else self._line()
        if not reply:
            return unanswered(needed)
        return Decision(
            approved=True,
            choice={TEXT: reply},
            decided_by="terminal",
            evidence_hash=needed.evidence_hash,
            at=needed.at,
        )

    def _line(self) -> str:
        try:
            return input().strip()
        except EOFError:
            self._is_closed = True
            return ""


def outcome_lines(
    requirements: Sequence[Requirement], outcome: ReviewOutcome, language: Language
) -> Iterator[Text]:
    """The team's results as they are printed."""
    for given, each in zip(requirements, outcome.requirements, strict=True):
        yield Text.assemble(_verdict(each, language), f" {printable(given.id)}")
        for line in each.corrected_text.splitlines():
            yield Text(f"  {printable(line)}")
    names = [each.id for each in requirements]
    for pair in outcome.duplicates or ():
        kind = message(f"requirements.kind_{pair['kind']}", language)
        first, second = names[pair["req1_idx"]], names[pair["req2_idx"]]
        yield Text(printable(f"{kind} {first} ↔ {second}: {pair['reason']}"))


def _verdict(each: ReviewedRequirement, language: Language) -> str:
    before, after = (
        "–" if score is None else f"{score:.2f}" for score in (each.original_score, each.score)
    )
    if each.approved:
        return message("team.approve", language, before=before, after=after)
    issues = [message(f"team.issue_{issue}", language, mark="0.70") for issue in each.issues]
    return message("team.not_approved", language, issues=", ".join(issues))
