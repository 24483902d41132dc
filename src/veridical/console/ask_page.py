"""The page on which people ask: a conversation with its turns, the rail of all others, and what can
be asked."""

from collections.abc import Sequence
from dataclasses import replace

from fastapi import Request, Response
from sqlalchemy import Connection

from veridical.console.conversation import (
    Conversation,
    conversation,
    kept_conversation,
    owner_of,
    remember,
    with_tenant,
)
from veridical.console.known_questions import grouped, known_questions
from veridical.console.maintenance import is_maintainer, may_connect
from veridical.console.page import page
from veridical.console.rail import RAIL, Groups, groups_of
from veridical.console.seal import handed_over
from veridical.console.turns import TurnView, turns_of
from veridical.server.answerer import Answerer
from veridical.server.identity import Action, Identity
from veridical.server.services import Services
from veridical.store.conversations import SavedConversation, list_conversations
from veridical.store.feedback import own_feedback

LONGEST_QUESTION = 4_000
"""Characters of one question."""
MOST_SHOWN = 50
"""Turns of a conversation on one page."""


async def kept_page(
    request: Request, identity: Identity, here: Answerer, saved: SavedConversation, question: str
) -> Response:
    """The page of a kept conversation; what is gone of it is left out."""
    services: Services = request.app.state.services
    thread = saved.thread[-MOST_SHOWN:]
    turns = await turns_of(request, services, identity, thread, kept=True)
    now = replace(kept_conversation(saved), thread=tuple(turn.trace_id for turn in turns))
    return await ask_page(request, identity, here, now, turns, question, saved.title)


async def ask_page(
    request: Request,
    identity: Identity,
    here: Answerer,
    now: Conversation,
    turns: tuple[TurnView, ...] = (),
    question: str = "",
    title: str = "",
) -> Response:
    """The page of a conversation, or of none yet."""
    services: Services = request.app.state.services
    features = here.features(identity)
    wanted = (now.feature, *(turn.feature for turn in turns[-1:]), *features)
    chosen = next((each for each in wanted if each in features), "")
    now = replace(conversation(chosen, now.thread), id=now.id)
    may_ask = Action.ASK in identity.actions
    follows = may_ask and bool(features)
    await here.refresh(identity)
    groups, opinions = await _kept(services, identity, turns)
    shown = page(
        request,
        "ask.html",
        features=features,
        chosen=chosen,
        question=question[:LONGEST_QUESTION] or handed_over(request).get("question", ""),
        turns=turns,
        title=title,
        conversation=now,
        groups=groups,
        feedback=opinions,
        search="",
        address=now.address,
        follows=follows,
        typed_in="ask" if follows else "",
        may_ask=may_ask,
        may_connect=may_connect(services, identity),
        known=grouped(known_questions(request, identity, here, chosen)),
        agent_is_off=services.runtime.model is None and is_maintainer(services, identity),
    )
    remember(shown, now)
    return shown


async def _kept(
    services: Services, identity: Identity, turns: Sequence[TurnView]
) -> tuple[Groups, dict[str, bool]]:
    """The conversations of this person, and what they said about these answers."""
    traces = [turn.trace_id for turn in turns]

    def read(connection: Connection) -> tuple[Groups, dict[str, bool]]:
        groups = groups_of(list_conversations(connection, owner_of(identity), RAIL))
        return groups, own_feedback(connection, identity.tenant, identity.person, traces)

    return await with_tenant(services, identity, read)
