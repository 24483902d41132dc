"""Problems to violations: the hint in the request's language, at most 80 characters."""

from veridical.check.facts import Problem
from veridical.contracts.language import Language, in_language
from veridical.contracts.violation import Mode, Violation
from veridical.messages import say

HINT_LENGTH = 80


def worded(problem: Problem, mode: Mode, language: Language) -> Violation:
    """The violation that a person or a model reads."""
    return Violation(
        code=problem.code,
        field=problem.field,
        suggestion=problem.suggestion,
        hint=_cut(_hint(problem, language)),
        mode=mode,
    )


def _hint(problem: Problem, language: Language) -> str:
    own = in_language(problem.text, language) if problem.text else ""
    if own:
        return own
    variant = f"_{problem.message}" if problem.message else ""
    suggestion = problem.suggestion
    asked = say("check.did_you_mean", language, suggestion=suggestion) if suggestion else ""
    return say(
        f"check.{problem.code}{variant}",
        language,
        name=problem.field,
        suggestion=suggestion or "",
        did_you_mean=asked,
        **dict(problem.values),
    )


def _cut(text: str) -> str:
    if len(text) <= HINT_LENGTH:
        return text
    kept = text[: HINT_LENGTH - 1]
    return (kept.rsplit(" ", 1)[0] if " " in kept[40:] else kept) + "…"
