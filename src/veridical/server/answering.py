"""Answers a question here, or has a worker do it where a person must decide first."""

from veridical.answering.session import Emit
from veridical.contracts.caller import Caller
from veridical.contracts.question import Question
from veridical.server.asking import Asking, unheard
from veridical.server.identity import Identity
from veridical.server.recent import recent
from veridical.server.services import Services
from veridical.server.starting import start_run
from veridical.server.work import Outcome


async def answered(
    services: Services,
    here: Asking,
    identity: Identity,
    question: Question,
    caller: Caller,
    listen: Emit = unheard,
) -> Outcome:
    """The answer of this process; the run that was started where the feature needs people.

    Raises ``ProblemError``.
    """
    question = recent(question)
    if here.needs_person(question.feature):
        return await start_run(services, identity, question, caller)
    return await here.answer(identity, question, caller, listen)
