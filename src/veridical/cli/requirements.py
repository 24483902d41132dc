"""``veridical requirements``: what the rules find in files of requirements."""

import datetime as dt
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from veridical.cli.error_reporting import REFUSED, UsageError, err, out
from veridical.cli.options import AsJson, In
from veridical.cli.own_database import user_name
from veridical.contracts.extras import require
from veridical.contracts.language import Language
from veridical.contracts.requirements_review import MOST_QUESTIONS
from veridical.contracts.violation import Mode
from veridical.messages import message

if TYPE_CHECKING:
    from veridical.requirements.policy.issue import Issue
    from veridical.requirements.policy.judgement import Judgement

app = typer.Typer(no_args_is_help=True, help="Review requirements.")

Files = Annotated[
    list[Path],
    typer.Argument(
        help="Markdown, CSV, XLSX, ReqIF, StrictDoc, sphinx-needs (needs.json, .rst), "
        "JSON lines or text files, and doorstop folders."
    ),
]
TextColumn = Annotated[
    str, typer.Option(help="The column or attribute that holds the requirement's text.")
]
IdColumn = Annotated[str, typer.Option(help="The column or attribute that holds its id.")]
_BASELINE = Path("requirements-baseline.json")


@app.callback()
def main() -> None:
    """Review requirements."""


@app.command("review")
def review_command(
    files: Files,
    criterion: Annotated[
        list[str] | None, typer.Option(help="Score by this criterion only; may be repeated.")
    ] = None,
    fail_under: Annotated[
        float | None,
        typer.Option(min=0.0, max=1.0, help="End with 1 where the mean score is lower."),
    ] = None,
    mode: Annotated[
        Mode | None, typer.Option(help="Of rules that veridical.toml says nothing about.")
    ] = None,
    baseline: Annotated[
        Path | None, typer.Option(help="Findings in this file are known, and do not block.")
    ] = None,
    sarif: Annotated[Path | None, typer.Option(help="Write SARIF 2.1.0 to this file.")] = None,
    html: Annotated[Path | None, typer.Option(help="Write a report to this file.")] = None,
    text_column: TextColumn = "",
    id_column: IdColumn = "",
    as_json: AsJson = False,
    language: In = Language.EN,
) -> None:
    """Check requirements by rules: findings, scores, duplicates and conflicts. No model is asked.

    German and English requirements may be mixed; ``--language`` is that of the report. Modes by
    rule and type, a baseline and dismissals are read from ``[requirements]`` in
    ``veridical.toml``. Exit code 1: a new finding blocks, or the mean score is too low; 2: invalid
    command.
    """
    require("requirements")
    from veridical.cli.requirements_review import Request, judged, project_policy, scorecard
    from veridical.requirements.files.table import Columns
    from veridical.requirements.report.page import as_page
    from veridical.requirements.report.sarif import as_sarif

    policy = project_policy(language)
    columns = Columns(text_column, id_column)
    request = Request(files, criterion or (), columns, mode, baseline)
    found = judged(request, policy, language)
    if found.review.score is None:
        raise UsageError(message("requirements.no_requirements", language))
    if sarif:
        log = json.dumps(as_sarif(found, language), ensure_ascii=False)
        _write(sarif, f"{log}\n", language)
    if html:
        _write(html, as_page(found, language), language)
    if as_json:
        out.print_json(data=found.as_json(language))
    else:
        for part in scorecard(found, language):
            out.print(part, soft_wrap=True)
    mark = fail_under if fail_under is not None else policy.fail_under
    _end(found, mark, language)


@app.command("suggest")
def suggest_command(files: Files, as_json: AsJson = False, language: In = Language.EN) -> None:
    """Suggest single improvements, the most urgent first, with answers that other requirements and
    the glossary of ``veridical.toml`` already have."""
    require("requirements")
    from veridical.cli.requirements_team import read_files, suggested, suggestion_lines

    items = suggested(read_files(files, language), language)
    if as_json:
        out.print_json(data=items)
        return
    for line in suggestion_lines(items):
        out.print(line, soft_wrap=True)


@app.command("rewrite")
def rewrite_command(files: Files, as_json: AsJson = False, language: In = Language.EN) -> None:
    """Rewrite requirements as user story and scenario from their own words. What they don't say is
    a placeholder and a question."""
    require("requirements")
    from veridical.cli.requirements_team import read_files, rewrite_lines, rewritten

    items = rewritten(read_files(files, language), language)
    if as_json:
        out.print_json(data=items)
        return
    for line in rewrite_lines(items, language):
        out.print(line, soft_wrap=True)


@app.command("team")
def team_command(
    files: Files,
    most_questions: Annotated[
        int, typer.Option(min=0, max=MOST_QUESTIONS, help="Questions to ask at most.")
    ] = 20,
    as_json: AsJson = False,
    language: Annotated[
        Language | None, typer.Option(help="Of questions and results; else the requirements'.")
    ] = None,
) -> None:
    """Review with the team: evaluate, improve, ask what only a person knows, and approve.

    Questions come one at a time on standard error, answers are lines of standard input; an empty
    line leaves a question open. Exit code 1: not every requirement is approved.
    """
    require("requirements")
    from veridical.cli.requirements_team import outcome_lines, read_files, reviewed_by_team

    requirements = read_files(files, language or Language.EN)
    outcome = reviewed_by_team(requirements, most_questions, language)
    if as_json:
        out.print_json(data=outcome.model_dump(mode="json", by_alias=True))
    else:
        from veridical.requirements.batch import texts_language

        chosen = language or texts_language([each.text for each in requirements])
        for line in outcome_lines(requirements, outcome, chosen):
            out.print(line, soft_wrap=True)
    if not all(each.approved for each in outcome.requirements):
        raise typer.Exit(REFUSED)


@app.command("baseline")
def baseline_command(
    files: Files,
    into: Annotated[Path, typer.Option(help="The file to write.")] = _BASELINE,
    text_column: TextColumn = "",
    id_column: IdColumn = "",
    language: In = Language.EN,
) -> None:
    """Write all present findings to a file, so that only new ones block."""
    require("requirements")
    from veridical.cli.requirements_review import Request, judged, project_policy
    from veridical.requirements.files.table import Columns
    from veridical.requirements.policy.baseline import write_baseline

    request = Request(files, columns=Columns(text_column, id_column), is_compared=False)
    found = judged(request, project_policy(language), language)
    try:
        count = write_baseline(into, found.review, found.issues)
    except OSError as error:
        raise _unwritten(into, error, language) from error
    out.print(message("review.baseline_written", language, count=count, path=into), soft_wrap=True)


@app.command("dismiss")
def dismiss_command(
    file: Annotated[Path, typer.Argument(help="The file of the requirement.")],
    requirement: Annotated[str, typer.Argument(help="The id that the review prints.")],
    rule: Annotated[str, typer.Argument(help="The rule whose findings to dismiss, as VAG.")],
    why: Annotated[str, typer.Option(help="Why the finding is none.")],
    by: Annotated[str, typer.Option(help="Who decided; else this machine's user.")] = "",
    excerpt: Annotated[
        str,
        typer.Option("--said", help="Only the finding on these words; of a pair, the other's id."),
    ] = "",
    text_column: TextColumn = "",
    id_column: IdColumn = "",
    language: In = Language.EN,
) -> None:
    """Dismiss findings of a rule in a requirement, and remember who decided it and why.

    Holds until the requirement's text changes. The file of dismissals is meant to be committed.
    """
    require("requirements")
    from veridical.cli.requirements_review import Request, judged, project_policy
    from veridical.requirements.files.table import Columns
    from veridical.requirements.policy.dismissal import add_dismissals
    from veridical.requirements.policy.judgement import dismissal_of

    who, reason = (by or user_name()).strip(), why.strip()
    if not who or not reason:
        raise UsageError(message("review.needs_why", language))
    policy = project_policy(language)
    request = Request([file], columns=Columns(text_column, id_column))
    found = judged(request, policy, language)
    chosen = _chosen(found, requirement, rule.upper(), excerpt, language)
    path, today = Path(policy.dismissed), dt.date.today().isoformat()
    records = [dismissal_of(found.review, each, who, reason, today) for each in chosen]
    try:
        add_dismissals(path, records)
    except (OSError, UnicodeDecodeError) as error:
        raise _unwritten(path, error, language) from error
    for each in records:
        text = message(
            "review.dismissed", language, id=each.id, rule=each.rule, path=path, said=each.said
        )
        out.print(text, soft_wrap=True)


def _chosen(
    found: "Judgement", requirement: str, rule: str, excerpt: str, language: Language
) -> "list[Issue]":
    """The findings to dismiss. Raises ``UsageError``, which lists what there is instead."""
    ids = [each.requirement.id for each in found.review.reviewed]
    if requirement not in ids:
        some = ", ".join(list(dict.fromkeys(ids))[:20])
        raise UsageError(
            message("review.no_such_requirement", language, id=requirement, found=some)
        )
    here = [
        each
        for each in found.issues
        if not each.dismissal
        and requirement in (ids[each.place], ids[each.other] if each.other is not None else None)
    ]
    chosen = [each for each in here if each.rule == rule and excerpt in ("", each.excerpt)]
    if not chosen:
        some = ", ".join(f"{each.rule} “{each.excerpt}”" for each in here) or "–"
        raise UsageError(
            message("review.nothing_to_dismiss", language, rule=rule, id=requirement, found=some)
        )
    return chosen


def _end(found: "Judgement", mark: float | None, language: Language) -> None:
    """Ends with 1 where something blocks or the score is too low, and says why."""
    reasons: list[str] = []
    if blocking := found.blocking:
        rules = ", ".join(sorted({each.rule for each in blocking}))
        reasons.append(message("review.blocked", language, count=len(blocking), rules=rules))
    score = found.review.score
    if mark is not None and score is not None and score < mark:
        reasons.append(message("review.under", language, score=f"{score:.2f}", mark=f"{mark:.2f}"))
    for reason in reasons:
        err.print(f"✗ {reason}", soft_wrap=True)
    if reasons:
        raise typer.Exit(REFUSED)


def _write(path: Path, text: str, language: Language) -> None:
    try:
        path.write_text(text, "utf-8", errors="replace")
    except OSError as error:
        raise _unwritten(path, error, language) from error


def _unwritten(path: Path, error: Exception, language: Language) -> UsageError:
    reason = getattr(error, "strerror", None) or type(error).__name__
    return UsageError(message("review.cannot_write", language, path=path, reason=reason))
