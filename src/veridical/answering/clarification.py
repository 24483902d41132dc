"""Asking back for what a question leaves out, and reading the reply."""

from veridical.agent.request import LoopOutcome
from veridical.answering.context import RunContext
from veridical.answering.routing import Route, choose_route
from veridical.contracts.answer import AnswerKind
from veridical.contracts.person import TEXT, ItemKind, PersonNeeded
from veridical.contracts.question import Turn
from veridical.route.patterns import FutureMatch, MissingSlot, NoMatch, PatternMatch
from veridical.route.render import render_question

MOST_CLARIFICATIONS = 3
"""Questions back to a person in one run; then the last one is the answer."""


async def clarified(run: RunContext) -> tuple[RunContext, Route]:
    """The run with its route, once people have filled in what the question leaves out; without a
    reply, the clarifying question stays the answer."""
    route = choose_route(run.question, run.session, run.today)
    for number in range(1, MOST_CLARIFICATIONS + 1):
        if not run.session.approvals.clarify or not isinstance(route, MissingSlot):
            break
        question_back = ask_back(route, run)
        decision = await run.session.ask(_needed(question_back, run, number))
        reply = str(decision.choice.get(TEXT, "")).strip() if decision.approved else ""
        if not reply:
            break
        run, route = _with_reply(run, question_back.text, reply)
    return run, route


def ask_back(missing: MissingSlot, run: RunContext) -> LoopOutcome:
    """The question for what is missing, with the replies that would do."""
    text, choices = render_question(missing, run.language, run.today)
    return LoopOutcome(AnswerKind.ASK_BACK, text, suggested_answers=choices)


def _needed(question_back: LoopOutcome, run: RunContext, number: int) -> PersonNeeded:
    return PersonNeeded(
        name=f"clarify.{number}",
        kind=ItemKind.CLARIFICATION,
        subject={
            "question": run.question.text,
            "asked": question_back.text,
            "suggestedAnswers": list(question_back.suggested_answers),
        },
        reversible=False,
        at=run.opening.at,
    )


def _with_reply(run: RunContext, question_back: str, reply: str) -> tuple[RunContext, Route]:
    """The run with the reply as part of its question where a pattern knows it so, else as the
    next turn."""
    question = run.question
    whole = run.asking(question.model_copy(update={"text": f"{question.text} {reply}"}))
    route = choose_route(whole.question, whole.session, whole.today)
    if isinstance(route, PatternMatch | FutureMatch | MissingSlot):
        return whole, route
    turn = Turn(question=question.text, answer=question_back)
    thread = (*question.thread, turn)
    next_turn = run.asking(question.model_copy(update={"text": reply, "thread": thread}))
    route = choose_route(next_turn.question, next_turn.session, next_turn.today)
    is_known = isinstance(route, PatternMatch | FutureMatch)
    return next_turn, route if is_known else NoMatch()
