"""The context of one run as one value: question, session, steps and start."""

import time
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from typing import Self
from uuid import uuid4

from veridical.agent.approval import Permit, always_permitted, permission
from veridical.agent.tool_call import CallTool
from veridical.answering.session import Session
from veridical.contracts.language import Language
from veridical.contracts.question import Question
from veridical.contracts.step import Step
from veridical.contracts.wire import Wire
from veridical.tools.toolbox import names_of_call


class Opening(Wire):
    """The start of a run: its id and its clock, recorded once, so that a replay reads the same."""

    trace_id: str
    at: float
    """In seconds since 1970."""
    today: date


async def open_run(trace_id: str) -> Opening:
    """The start of a run that begins now; without an id it gets a new one."""
    now = time.time()
    today = datetime.fromtimestamp(now, UTC).date()
    return Opening(trace_id=trace_id or str(uuid4()), at=now, today=today)


@dataclass(frozen=True, slots=True)
class RunContext:
    """One question on its way to an answer."""

    question: Question
    session: Session
    step: Step
    """Runs an action, or replays what it gave before."""
    opening: Opening

    @property
    def today(self) -> date:
        """The day of the question."""
        return self.opening.today

    @property
    def language(self) -> Language:
        """The language that is answered in."""
        return self.session.caller.language

    def asking(self, question: Question) -> Self:
        """The same run with the question as it is understood now."""
        return replace(self, question=question)

    def within(self, session: Session) -> Self:
        """The same run in a session that changed on the way."""
        return replace(self, session=session)


def tools_of(run: RunContext, *, settles: bool = True) -> CallTool:
    """The session's tools, called on behalf of the question; ``settles``: whether equal rows settle
    a refusal."""
    toolbox, question = replace(run.session.toolbox, settles=settles), run.question.text
    return lambda name, arguments: toolbox.call(name, arguments, question)


def permit_of(run: RunContext, *, settles: bool = True) -> Permit:
    """Asks for the calls that are not made without a person."""
    session, question = run.session, run.question.text
    if not session.approvals.calls:
        return always_permitted
    toolbox = replace(session.toolbox, settles=settles)
    return permission(
        session.ask,
        session.approvals.calls,
        lambda tool, arguments: names_of_call(toolbox, tool, arguments, question),
        question,
        run.language,
    )
