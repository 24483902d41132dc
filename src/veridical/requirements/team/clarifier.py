"""The clarifier: asks people one question at a time and passes on their answers, word for word."""

from collections.abc import Sequence

from veridical.contracts.language import Language
from veridical.contracts.person import TEXT, AskPerson, ItemKind, PersonNeeded
from veridical.messages import message
from veridical.requirements.evaluation import ALL
from veridical.requirements.finding import Criterion
from veridical.requirements.token import tokenise

_ATTEMPTS = 2
"""Attempts to get known criteria from the user."""
_SUGGESTED = (Criterion.CLARITY.value, Criterion.TESTABILITY.value, ALL)


async def ask_user(
    ask: AskPerson,
    name: str,
    about: str,
    question: str,
    suggested_answers: Sequence[str] = (),
    at: float = 0.0,
) -> str:
    """The user's answer; empty without one. ``about`` is the text that the question is about, as
    the user wrote it."""
    decision = await ask(
        PersonNeeded(
            name=name,
            kind=ItemKind.CLARIFICATION,
            subject={
                "question": about,
                "asked": question,
                "suggestedAnswers": list(suggested_answers),
            },
            reversible=False,
            at=at,
        )
    )
    return str(decision.choice.get(TEXT, "")).strip() if decision.approved else ""


async def ask_for_criteria(
    ask: AskPerson, about: str, language: Language, at: float = 0.0
) -> tuple[str, ...] | None:
    """The criteria that the user names; none where they name no known one."""
    known = ", ".join((*Criterion, ALL))
    question = message("team.ask_criteria", language, known=known)
    for attempt in range(1, _ATTEMPTS + 1):
        answer = await ask_user(ask, f"criteria.{attempt}", about, question, _SUGGESTED, at)
        if not answer:
            return None
        if named := criteria_in(answer):
            return named
    return None


def criteria_in(answer: str) -> tuple[str, ...]:
    """The criteria in an answer, by their keys or by their names in any language; nothing where it
    names something else."""
    names = {ALL: ALL} | {
        name.lower(): criterion.value
        for criterion in Criterion
        for name in (criterion, *_names(criterion))
    }
    words = [token.low for token in tokenise(answer) if token.is_word]
    found = [names[word] for word in words if word in names]
    return tuple(dict.fromkeys(found))


def _names(criterion: Criterion) -> tuple[str, ...]:
    return tuple(message(f"requirements.criterion_{criterion}", each) for each in Language)
