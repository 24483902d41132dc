"""Answers a question here, or has a worker do it where a person must decide first."""

from veridical.contracts.approvals import NO_APPROVALS
from veridical.contracts.caller import Caller
from veridical.contracts.question import Question
from veridical.server.asking import Asking
from veridical.server.identity import Identity
from veridical.server.services import Services
from veridical.server.starting import start_run
from veridical.server.work import Answering, Outcome
from veridical.ways import Emit


def answering(
    services: Services, here: Asking, identity: Identity, question: Question, caller: Caller
) -> Answering:
    """Answers in this process, unless the feature's approvals need a person."""

    async def answer(listen: Emit) -> Outcome:
        if here.desk(question.feature, caller).approvals != NO_APPROVALS:
            return await start_run(services, identity, question, caller)
        return await here.answer(identity, question, caller, listen)

    return answer
