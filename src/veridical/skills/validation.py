"""Validators: functions of the host, named by import path, that check a skill's answer.

What can't be imported, fails, or gives back something else than words never counts as content.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from inspect import iscoroutine
from typing import Any

from veridical.contracts.answer import Source
from veridical.contracts.language import Language
from veridical.messages import message

_LONGEST_DETAIL = 200


@dataclass(frozen=True, slots=True)
class Submission:
    """The input of a validator. It returns None, one objection, or a list of them."""

    question: str
    answer: str
    sources: tuple[Source, ...] = ()
    language: Language = Language.EN


class ValidatorMissingError(LookupError):
    """There is no function at the import path; the text says why."""


Validate = Callable[[Submission], object]


def import_validator(path: str, language: Language = Language.EN) -> Validate:
    """The function at ``package.module:function``. Raises ``ValidatorMissingError``."""
    module, _, name = path.partition(":")
    try:
        found: Any = getattr(import_module(module), name)
    except (Exception, SystemExit) as error:
        raise ValidatorMissingError(_failure("skills.not_importable", error, language)) from error
    if not callable(found):
        raise ValidatorMissingError(message("skills.not_callable", language))
    return found


def objections(path: str, submission: Submission) -> tuple[str, ...]:
    """The validator's objections to the answer, or why it failed. Never raises."""
    language = submission.language
    try:
        validate = import_validator(path, language)
    except ValidatorMissingError as error:
        return (str(error),)
    try:
        given = validate(submission)
    except (Exception, SystemExit) as error:
        return (_failure("skills.raised", error, language),)
    return _as_words(given, language)


def _as_words(given: object, language: Language) -> tuple[str, ...]:
    if given is None:
        return ()
    if isinstance(given, str):
        return (given,) if given.strip() else ()
    if isinstance(given, list | tuple) and all(isinstance(each, str) for each in given):
        return tuple(str(each) for each in given if str(each).strip())
    if iscoroutine(given):
        given.close()
    return (message("skills.gave_back", language, kind=type(given).__name__),)


def _failure(key: str, error: BaseException, language: Language) -> str:
    detail = f"{type(error).__name__}: {error}"[:_LONGEST_DETAIL]
    return message(key, language, kind=detail)
