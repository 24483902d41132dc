"""The conversation that a browser is in: kept by the server for its owner, at a short address, and
remembered in a cookie.

Every page, link and form that leads to the conversation goes through this, so that none of them
starts another one by accident.
"""

import asyncio
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TypeVar
from urllib.parse import urlencode

from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import Response

from veridical.console.form import Form, field
from veridical.contracts.question import MOST_TURNS
from veridical.server.identity import Identity
from veridical.server.services import Services
from veridical.store.conversations import (
    Owner,
    SavedConversation,
    begin_conversation,
    extend_conversation,
    find_conversation,
)

CONVERSATION_COOKIE = "veridical_conversation"
"""Written by the page as well, after a turn that it followed: what it says is in its address."""
ASK = "/console/ask"
SHORT = "/console/c/"
_LONGEST = 100
_ID = re.compile(r"[\w-]{1,40}", re.ASCII)
Read = TypeVar("Read")


@dataclass(frozen=True, slots=True)
class Conversation:
    """The runs of its turns, and the data that it is about."""

    feature: str = ""
    thread: tuple[str, ...] = ()
    id: str = ""
    """Of the kept conversation; empty before the first turn."""

    @property
    def query(self) -> str:
        """The query of an address that begins a conversation with these turns."""
        if not self.thread:
            return ""
        named = [("feature", self.feature)] if self.feature else []
        return urlencode([*named, *(("t", each) for each in self.thread)])

    @property
    def address(self) -> str:
        """The page that shows it, from its last turn on."""
        if not self.thread:
            return f"{SHORT}{self.id}" if self.id else ASK
        where = f"{SHORT}{self.id}" if self.id else f"{ASK}?{self.query}"
        return f"{where}#t-{self.thread[-1]}"

    def with_turn(self, trace_id: str) -> "Conversation":
        """The conversation after one more turn."""
        more = conversation(self.feature, (*self.thread, trace_id))
        return replace(more, id=self.id)


def conversation(feature: str, thread: Iterable[str]) -> Conversation:
    """The last turns of one that is not kept yet, each once: a form may name those it was rendered
    with and those that have come since."""
    known = dict.fromkeys(each for each in thread if 0 < len(each) <= _LONGEST)
    return Conversation(feature[:_LONGEST], tuple(known)[-MOST_TURNS:])


def kept_conversation(saved: SavedConversation) -> Conversation:
    """A conversation that the server keeps."""
    return Conversation(saved.feature, saved.thread, saved.id)


async def conversation_in(services: Services, identity: Identity, fields: Form) -> Conversation:
    """The conversation that a form goes on with: the kept one that it names, else a new one with
    the turns that it names."""
    saved = await find_saved(services, identity, field(fields, "c", _LONGEST))
    chosen = field(fields, "feature")
    if saved is None:
        return conversation(chosen, fields.get("t", ()))
    now = kept_conversation(saved)
    return replace(now, feature=chosen[:_LONGEST]) if chosen else now


async def keep_turn(
    services: Services, identity: Identity, before: Conversation, question: str, trace_id: str
) -> Conversation:
    """The conversation after one more turn, kept."""
    owner = owner_of(identity)

    def keep(connection: Connection) -> Conversation:
        now = before.with_turn(trace_id)
        if before.id and extend_conversation(connection, owner, before.id, trace_id):
            return now
        made = begin_conversation(connection, owner, now.feature, question, now.thread)
        return replace(now, id=made)

    return await with_tenant(services, identity, keep)


async def remembered(
    request: Request, services: Services, identity: Identity
) -> SavedConversation | None:
    """The conversation that this browser was in last, if it is this person's."""
    return await find_saved(services, identity, request.cookies.get(CONVERSATION_COOKIE, ""))


async def find_saved(
    services: Services, identity: Identity, conversation_id: str
) -> SavedConversation | None:
    """A kept conversation of this person."""
    if not _ID.fullmatch(conversation_id):
        return None
    owner = owner_of(identity)

    def find(connection: Connection) -> SavedConversation | None:
        return find_conversation(connection, owner, conversation_id)

    return await with_tenant(services, identity, find)


async def with_tenant(
    services: Services, identity: Identity, work: Callable[[Connection], Read]
) -> Read:
    """What this reads or writes as the tenant of this person, in a thread."""

    def done() -> Read:
        with services.store.tenant(identity.tenant) as connection:
            return work(connection)

    return await asyncio.to_thread(done)


def owner_of(identity: Identity) -> Owner:
    """This person as the owner of conversations: the same with each of their credentials."""
    return Owner(identity.tenant, identity.person)


def remember(response: Response, now: Conversation) -> None:
    """The next page without a conversation in its address goes on with this one."""
    if now.id:
        response.set_cookie(CONVERSATION_COOKIE, now.id, path="/console", samesite="strict")
    else:
        forget(response)


def forget(response: Response) -> None:
    """The next page starts a new conversation."""
    response.delete_cookie(CONVERSATION_COOKIE, path="/console", samesite="strict")


def last_conversation(request: Request) -> Conversation:
    """What a form on another page goes on with; who it belongs to is seen when it is sent."""
    last = request.cookies.get(CONVERSATION_COOKIE, "")
    return Conversation(id=last if _ID.fullmatch(last) else "")
