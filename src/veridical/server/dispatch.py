"""Dispatches a question: answered in this process, or by a durable run where a person must
approve."""

from veridical.answering.session import Emit
from veridical.contracts.caller import Caller
from veridical.contracts.question import Question
from veridical.server.answerer import Answerer, ignore_event
from veridical.server.conversation_window import recent_turns
from veridical.server.identity import Identity
from veridical.server.pending_answer import Outcome
from veridical.server.run_start import start_run
from veridical.server.services import Services


async def dispatch_question(
    services: Services,
    here: Answerer,
    identity: Identity,
    question: Question,
    caller: Caller,
    listen: Emit = ignore_event,
) -> Outcome:
    """The answer, or the run that was started because the feature needs approvals.

    Raises ``ProblemError``.
    """
    question = recent_turns(question)
    if here.needs_person(question.feature):
        return await start_run(services, identity, question, caller)
    return await here.answer(identity, question, caller, listen)
