"""The scorecard of one requirement as HTML: verdict, bars, the marked text, reasons and fixes."""

from collections.abc import Iterator, Sequence

from veridical.contracts.language import Language
from veridical.gate.proof_html import escape
from veridical.messages import message
from veridical.requirements.policy.issue import Issue, IssueState
from veridical.requirements.report.marked_text import marked_text
from veridical.requirements.review import Reviewed


def card(place: int, each: Reviewed, issues: Sequence[Issue], language: Language) -> Iterator[str]:
    """The requirement at a place of the review, with the findings that count."""
    evaluation, requirement = each.evaluation, each.requirement
    verdict = evaluation.verdict
    named = message(f"requirements.verdict_{verdict}", language)
    where = f"{requirement.source}:{requirement.line}" + (
        f" {requirement.place}" if requirement.place else ""
    )
    explained = [(f"r{place}-{number}", issue) for number, issue in enumerate(issues)]
    yield f'<article class="{verdict}" id="r{place}"><h3>{escape(requirement.id)} '
    yield f'<span class="badge">{escape(named)}</span> '
    yield f"{bar(named, evaluation.score, verdict, language)} {two(evaluation.score)}</h3>"
    yield f'<p class="where">{escape(where)}</p><p class="text">'
    yield from marked_text(requirement.text, explained, language)
    yield "</p>"
    if explained:
        yield "<ul>"
        for anchor, issue in explained:
            yield from _issue(anchor, issue, language)
        yield "</ul>"
    if remark := evaluation.remark(language):
        yield f"<p>{escape(remark)}</p>"
    yield "</article>"


def _issue(anchor: str, issue: Issue, language: Language) -> Iterator[str]:
    weight = message(f"review.weight_{issue.weight}", language)
    advice = f"{issue.reason(language)} {issue.fix(language)}"
    yield f'<li id="{anchor}"><strong>{escape(issue.rule)}</strong> ({escape(weight)}) '
    yield escape(advice)
    name = "known" if issue.state is IssueState.KNOWN else "blocks" if issue.blocks else ""
    if name:
        label = message(f"review.html_{name}", language)
        yield f' <span class="badge">{escape(label)}</span>'
    yield "</li>"


def bar(name: str, score: float | None, kind: str, language: Language) -> str:
    """A bar with its name and figure for those who can't see it."""
    label = escape(message("review.html_score", language, name=name, score=two(score)))
    return (
        f'<svg role="img" aria-label="{label}" viewBox="0 0 100 10" preserveAspectRatio="none">'
        f'<rect class="track" width="100" height="10"/>'
        f'<rect class="{kind}" width="{round((score or 0.0) * 100)}" height="10"/></svg>'
    )


def two(score: float | None) -> str:
    """A score with two digits; a dash where there is none."""
    return "–" if score is None else f"{score:.2f}"
