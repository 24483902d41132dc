"""``/console/c/ID``: a conversation, which only its owner sees; ``/console/conversations``: all of
theirs, with a search."""

from fastapi import APIRouter, Request, Response
from sqlalchemy import Connection
from starlette.responses import RedirectResponse

from veridical.console.ask_page import kept_page
from veridical.console.conversation import ASK, SHORT, find_saved, forget, owner_of, with_tenant
from veridical.console.form import Form, field, form_of
from veridical.console.page import page
from veridical.console.rail import MOST_LISTED, groups_of
from veridical.server.answerer import AnswererDep
from veridical.server.auth import ReadAccess
from veridical.server.problem import ProblemCode, ProblemError
from veridical.server.services import ServicesDep
from veridical.store.conversations import (
    Owner,
    SavedConversation,
    delete_conversation,
    list_conversations,
    pin_conversation,
    rename_conversation,
)

router = APIRouter()

_ALL = "/console/conversations"
_LONGEST_SEARCH = 200
_DELETE = "delete"


@router.get("/c/{conversation}")
async def short(conversation: str) -> Response:
    """The short address of a conversation."""
    return RedirectResponse(f"{SHORT}{conversation}", 303)


@router.get("/console/conversations")
async def listed(
    request: Request, identity: ReadAccess, services: ServicesDep, find: str = ""
) -> Response:
    """A person's conversations; those that say something, where it is searched for."""
    search = find.replace("\x00", "").strip()[:_LONGEST_SEARCH]
    owner = owner_of(identity)

    def read(connection: Connection) -> tuple[SavedConversation, ...]:
        return list_conversations(connection, owner, MOST_LISTED, search)

    groups = groups_of(await with_tenant(services, identity, read))
    return page(request, "conversations.html", groups=groups, search=search)


@router.get("/console/c/{conversation}")
async def show(
    request: Request,
    identity: ReadAccess,
    services: ServicesDep,
    here: AnswererDep,
    conversation: str,
    q: str = "",
) -> Response:
    """The conversation."""
    saved = await find_saved(services, identity, conversation)
    if saved is None:
        raise ProblemError(ProblemCode.NOT_FOUND)
    return await kept_page(request, identity, here, saved, q)


@router.post("/console/c/{conversation}")
async def change(
    request: Request, identity: ReadAccess, services: ServicesDep, conversation: str
) -> Response:
    """Renames, pins or deletes it."""
    fields = await form_of(request)
    owner = owner_of(identity)

    def work(connection: Connection) -> bool:
        return _change(connection, owner, conversation, fields)

    if not await with_tenant(services, identity, work):
        raise ProblemError(ProblemCode.NOT_FOUND)
    is_gone = field(fields, "do") == _DELETE
    is_shown = field(fields, "shown") == conversation
    if not is_gone:
        return RedirectResponse(f"{SHORT}{conversation}" if is_shown else _ALL, 303)
    response = RedirectResponse(f"{ASK}?new=true" if is_shown else _ALL, 303)
    if is_shown:
        forget(response)
    return response


def _change(connection: Connection, owner: Owner, conversation: str, fields: Form) -> bool:
    match field(fields, "do"):
        case "pin" | "unpin" as wanted:
            return pin_conversation(connection, owner, conversation, pinned=wanted == "pin")
        case "delete":
            return delete_conversation(connection, owner, conversation)
        case _:
            return rename_conversation(connection, owner, conversation, field(fields, "title"))
