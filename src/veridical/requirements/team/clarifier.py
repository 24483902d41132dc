"""The clarifier: asks people one question at a time and passes on what they say, word for word."""

from collections.abc import Sequence

from veridical.contracts.language import Language
from veridical.contracts.person import TEXT, AskPerson, ItemKind, PersonNeeded
from veridical.messages import message
from veridical.requirements.criterion import Criterion
from veridical.requirements.evaluation import ALL
from veridical.requirements.token import tokenise

_ATTEMPTS = 2
"""How often somebody is asked for criteria who names none that there are."""
_SUGGESTED = (Criterion.CLARITY.value, Criterion.TESTABILITY.value, ALL)


async def ask_user(
    ask: AskPerson,
    name: str,
    about: str,
    question: str,
    suggested_answers: Sequence[str] = (),
    at: float = 0.0,
) -> str:
    """What the user answers; nothing where nobody does. ``about`` is what the question is about,
    as the user wrote it."""
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
    """The criteria that the user names; none where they name none that there are."""
    known = ", ".join((*Criterion, ALL))
    question = message("team.ask_criteria", language, known=known)
    for attempt in range(1, _ATTEMPTS + 1):
        said = await ask_user(ask, f"criteria.{attempt}", about, question, _SUGGESTED, at)
        if not said:
            return None
        if named := criteria_in(said):
            return named
    return None


def criteria_in(said: str) -> tuple[str, ...]:
    """The criteria in an answer, by their keys or by their names in any language; nothing where it
    names something else."""
    names = {ALL: ALL} | {
        name.lower(): criterion.value
        for criterion in Criterion
        for name in (criterion, *_names(criterion))
    }
    words = [token.low for token in tokenise(said) if token.is_word]
    found = [names[word] for word in words if word in names]
    return tuple(dict.fromkeys(found))


def _names(criterion: Criterion) -> tuple[str, ...]:
    return tuple(message(f"requirements.criterion_{criterion}", each) for each in Language)
