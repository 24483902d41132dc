"""Problems to violations: the hint in the request's language, at most 80 characters."""

from veridical.check.facts import Problem
from veridical.contracts.language import Language, in_language
from veridical.contracts.violation import Code, Mode, Violation
from veridical.messages import message
from veridical.messages.hints import fitted, leading_sentences

_SHOWN_BY = {
    Code.FIELD_NOT_FOUND: "see_fields",
    Code.TABLE_NOT_FOUND: "see_tables",
    Code.VALUE_UNKNOWN: "see_values",
}


def worded(problem: Problem, mode: Mode, language: Language) -> Violation:
    """The violation that a person or a model reads."""
    return Violation(
        code=problem.code,
        field=problem.field,
        suggestion=problem.suggestion,
        hint=_hint(problem, language),
        mode=mode,
    )


def _hint(problem: Problem, language: Language) -> str:
    own = leading_sentences(in_language(problem.text, language)) if problem.text else ""
    if own:
        return own
    variant = f"_{problem.message}" if problem.message else ""
    key = f"check.{problem.code}{variant}"
    values = {"name": problem.field, "suggestion": problem.suggestion or "", **dict(problem.values)}

    def write(texts: dict[str, str]) -> str:
        suggestion = texts["suggestion"]
        asked = (
            message("check.did_you_mean", language, suggestion=suggestion)
            if suggestion
            else _next_step(problem, language)
        )
        return message(key, language, did_you_mean=asked, **texts)

    return fitted(write, values)


def _next_step(problem: Problem, language: Language) -> str:
    """Where to look for what there is, when nothing like it is known."""
    step = _SHOWN_BY.get(problem.code)
    return message(f"check.{step}", language) if step else ""
