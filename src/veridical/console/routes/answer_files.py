"""``/console/runs/ID/…``: an answer to take away, as files; and the key that verifies them."""

import asyncio
import logging
from typing import Annotated
from urllib.parse import quote

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from fastapi import APIRouter, Query, Request, Response

from veridical.console.answer_tables import answer_table, as_csv, as_workbook, result_table
from veridical.console.answer_view import AnswerView
from veridical.console.signed_answer import signed_answer
from veridical.console.turns import TurnView, answered_turn
from veridical.console.withheld import Withheld, withheld
from veridical.server.auth import ReadAccess
from veridical.server.identity import Identity
from veridical.server.problem import ProblemCode, ProblemError
from veridical.server.services import Services, ServicesDep
from veridical.signed_file.key import KeyFileError, as_pem, signing_key

router = APIRouter(prefix="/console")

_log = logging.getLogger("veridical.console")
PUBLIC_KEY = "/console/signing-key.pem"
_WORKBOOK = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
_LONGEST_NAME = 60


@router.get("/runs/{trace_id}/table.csv")
async def table(
    request: Request,
    identity: ReadAccess,
    services: ServicesDep,
    trace_id: str,
    result: Annotated[int, Query(ge=0, le=10_000)] = 0,
) -> Response:
    """The answer's table, or one of its results by number."""
    turn, view = await answered_turn(request, services, identity, trace_id)
    found = result_table(view, result) if result else answer_table(view)
    if found is None:
        raise ProblemError(ProblemCode.NOT_FOUND)
    content = await asyncio.to_thread(as_csv, found)
    return _file(content, "text/csv; charset=utf-8", turn, "csv")


@router.get("/runs/{trace_id}/tables.xlsx")
async def workbook(
    request: Request, identity: ReadAccess, services: ServicesDep, trace_id: str
) -> Response:
    """All tables of the answer, with their queries and receipts."""
    turn, view = await answered_turn(request, services, identity, trace_id)
    left_out = _left_out(turn, view, identity)
    content = await asyncio.to_thread(as_workbook, view, turn.question, left_out)
    return _file(content, _WORKBOOK, turn, "xlsx")


@router.get("/runs/{trace_id}/signed.html")
async def signed(
    request: Request, identity: ReadAccess, services: ServicesDep, trace_id: str
) -> Response:
    """The answer with its proof as one file, signed by this server."""
    turn, view = await answered_turn(request, services, identity, trace_id)
    key = await asyncio.to_thread(_key, services)
    content = await asyncio.to_thread(
        signed_answer, turn, view, key, identity.tenant, _left_out(turn, view, identity)
    )
    return _file(content.encode(), "text/html; charset=utf-8", turn, "html")


@router.get(PUBLIC_KEY.removeprefix("/console"))
async def published_key(services: ServicesDep) -> Response:
    """The public key of this server, for whoever verifies a file."""
    key = await asyncio.to_thread(_key, services)
    headers = {"content-disposition": 'attachment; filename="veridical-signing-key.pem"'}
    return Response(as_pem(key.public_key()), media_type="application/x-pem-file", headers=headers)


def _left_out(turn: TurnView, view: AnswerView, identity: Identity) -> Withheld:
    """What leaves the house without the ids of this tenant."""
    scope = identity.scope.get(turn.feature, {})
    return withheld(view, turn.question, identity.tenant, scope)


def _key(services: Services) -> Ed25519PrivateKey:
    """The key that signs. Raises ``ProblemError`` where it can't be read or made."""
    path = services.settings.signing_key
    try:
        return signing_key(path)
    except (OSError, KeyFileError) as error:
        _log.error("answers can't be signed with the key in %s: %s", path, error)
        raise ProblemError(ProblemCode.UNAVAILABLE) from error


def _file(content: bytes, media_type: str, turn: TurnView, suffix: str) -> Response:
    """A download that is named after the question."""
    words = "".join(sign if sign.isalnum() else " " for sign in turn.question).split()
    name = "-".join(words)[:_LONGEST_NAME].strip("-") or "veridical"
    headers = {"content-disposition": f"attachment; filename*=UTF-8''{quote(name)}.{suffix}"}
    return Response(content, media_type=media_type, headers=headers)
