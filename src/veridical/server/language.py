"""The response language of a request: ``Accept-Language``, or the language of the question."""

from fastapi import Request

from veridical.answering.routing import answer_language
from veridical.contracts.language import Language
from veridical.contracts.question import Question

_ANY = "*"
_LANGUAGES = {language.value: language for language in Language}


def preferred_language(header: str | None, otherwise: Language) -> Language:
    """The best known language of an ``Accept-Language`` header."""
    wanted: list[tuple[float, Language]] = []
    for part in (header or "").split(","):
        tag, _, parameter = part.strip().partition(";")
        language = _known(tag, otherwise)
        quality = _quality(parameter)
        if language is not None and quality > 0:
            wanted.append((quality, language))
    # ``max`` keeps the first of equals, which is the one named first
    return max(wanted, key=lambda each: each[0], default=(1.0, otherwise))[1]


def _known(tag: str, otherwise: Language) -> Language | None:
    if tag == _ANY:
        return otherwise
    return _LANGUAGES.get(tag.partition("-")[0].lower())


def _quality(parameter: str) -> float:
    name, _, value = parameter.strip().partition("=")
    if name != "q":
        return 1.0
    try:
        return float(value)
    except ValueError:
        return 0.0


def adopt_question_language(request: Request, question: Question) -> Language:
    """Respond in the question's language where the request names none."""
    if "accept-language" not in request.headers:
        request.state.language = answer_language(question, request.state.language)
    return request.state.language
