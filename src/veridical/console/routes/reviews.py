"""``/console/quality/reviews``: reports of false alarms, each decided once; those that are right
become gold questions."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response
from starlette.responses import RedirectResponse

from veridical.console.form import field, form_of
from veridical.console.gold_case import gold_case
from veridical.console.page import page
from veridical.evals.gold.from_run import NoCaseError
from veridical.ontology.yaml_text import yaml_text
from veridical.server.auth import AdminAccess
from veridical.server.identity import Identity
from veridical.server.problem import ProblemCode, ProblemError
from veridical.server.services import Services, ServicesDep
from veridical.server.trace_writer import TraceWriter
from veridical.store.audit import AuditAction, note
from veridical.store.false_blocks import (
    FalseBlockReport,
    Reviewed,
    Ruling,
    add_review,
    gold_of,
    report_of,
    reviewed,
    undecided_count,
)
from veridical.store.feedback import (
    Feedback,
    decide_feedback,
    find_feedback,
    list_feedback,
    wrong_answers,
)

router = APIRouter(prefix="/console/quality/reviews")

_LISTED = 30
_LONGEST_REASON = 2_000
_LONGEST_SQL = 20_000
_MISSING = frozenset({"needs_truth", "no_truth", "other_columns"})
"""What the reviewer of a wrong answer can mend at once, by message of the gold questions."""
_LAST = 2**63 - 1
Number = Annotated[int, Path(ge=1, le=_LAST)]
Before = Annotated[int, Query(ge=1, le=_LAST)]


@router.get("")
async def show(
    request: Request,
    identity: AdminAccess,
    services: ServicesDep,
    every: bool = False,
    missing: str = "",
    before: Before = _LAST,
) -> Response:
    """The reports that wait for a decision, or all; reading them is an entry of the audit."""

    def read() -> tuple[tuple[Reviewed, ...], tuple[Feedback, ...], int]:
        with services.store.tenant(identity.tenant) as connection:
            action = AuditAction.FALSE_BLOCKS_READ
            note(connection, identity.tenant, identity.name, action, identity.tenant)
            found = reviewed(connection, undecided=not every, limit=_LISTED, before=before)
            answers = list_feedback(connection, undecided=not every, limit=_LISTED)
            return found, answers, undecided_count(connection) + wrong_answers(connection)

    found, answers, waiting = await asyncio.to_thread(read)
    return page(
        request,
        "reviews.html",
        reports=found,
        answers=answers,
        waiting=waiting,
        every=every,
        missing=missing if missing in _MISSING else "",
        further=found[-1].report.id if len(found) == _LISTED else 0,
    )


@router.post("/{report}")
async def decide(
    request: Request, identity: AdminAccess, services: ServicesDep, report: Number
) -> Response:
    """Agrees, and makes a gold question of it; or closes it, with the reason."""
    fields = await form_of(request)
    agreed = field(fields, "decision") == "agree"
    reason = field(fields, "reason", _LONGEST_REASON)
    if not agreed and not reason:
        raise ProblemError(ProblemCode.UNFITTING_CHOICE)
    found = await asyncio.to_thread(_found, services, identity, report)
    writer: TraceWriter = request.app.state.trace_writer
    await writer.settled(found.trace_id)
    await asyncio.to_thread(_decide, services, identity, found, agreed, reason)
    return RedirectResponse(f"/console/quality/reviews?every=true#r{report}", 303)


@router.post("/feedback/{number}")
async def decide_on_feedback(
    request: Request, identity: AdminAccess, services: ServicesDep, number: Number
) -> Response:
    """Makes a gold question of an answer that somebody called right or wrong; or closes it."""
    fields = await form_of(request)
    found = await asyncio.to_thread(_feedback, services, identity, number)
    if found is None:
        raise ProblemError(ProblemCode.NOT_FOUND)
    writer: TraceWriter = request.app.state.trace_writer
    await writer.settled(found.trace_id)

    def decide() -> str:
        """What is missing; empty where the decision is kept."""
        gold, no_case = None, ""
        if field(fields, "decision") == "gold":
            corrected = "" if found.is_right else field(fields, "sql", _LONGEST_SQL)
            try:
                if not found.is_right and not corrected:
                    raise NoCaseError("needs_truth")
                name = f"answer-{number}"
                gold = gold_case(services, identity, found.trace_id, name, corrected)
            except NoCaseError as error:
                if error.reason in _MISSING and not found.is_right:
                    return error.reason
                no_case = error.reason
        with services.store.tenant(identity.tenant) as connection:
            who = identity.name
            if not decide_feedback(connection, identity.tenant, who, number, gold, no_case):
                raise ProblemError(ProblemCode.ALREADY_DECIDED)
        return ""

    missing = await asyncio.to_thread(decide)
    query = f"missing={missing}" if missing else "every=true"
    return RedirectResponse(f"/console/quality/reviews?{query}#a{number}", 303)


def _feedback(services: Services, identity: Identity, number: int) -> Feedback | None:
    with services.store.tenant(identity.tenant) as connection:
        return find_feedback(connection, number)


@router.get("/feedback/{number}/case")
async def feedback_case(
    request: Request, identity: AdminAccess, services: ServicesDep, number: Number
) -> Response:
    """The gold question that an answer became."""
    found = await asyncio.to_thread(_feedback, services, identity, number)
    return _gold_file(found.gold if found else None, f"answer-{number}")


@router.get("/{report}/case")
async def case(
    request: Request, identity: AdminAccess, services: ServicesDep, report: Number
) -> Response:
    """The gold question that a report became, as the file that ``veridical eval`` takes."""

    def read() -> object:
        with services.store.tenant(identity.tenant) as connection:
            return gold_of(connection, report)

    gold = await asyncio.to_thread(read)
    return _gold_file(gold, _name(report))


def _gold_file(gold: object, name: str) -> Response:
    if not isinstance(gold, dict):
        raise ProblemError(ProblemCode.NOT_FOUND)
    headers = {"content-disposition": f'attachment; filename="{name}.yaml"'}
    return Response(yaml_text(gold), media_type="application/yaml", headers=headers)


def _found(services: Services, identity: Identity, number: int) -> FalseBlockReport:
    with services.store.tenant(identity.tenant) as connection:
        found = report_of(connection, number)
    if found is None:
        raise ProblemError(ProblemCode.NOT_FOUND)
    return found


def _decide(
    services: Services, identity: Identity, found: FalseBlockReport, agreed: bool, reason: str
) -> None:
    ruling = Ruling(agreed, reason)
    if agreed:
        ruling = _with_case(services, identity, found, reason)
    with services.store.tenant(identity.tenant) as connection:
        if not add_review(connection, identity.tenant, identity.name, found.id, ruling):
            raise ProblemError(ProblemCode.ALREADY_DECIDED)


def _with_case(
    services: Services, identity: Identity, report: FalseBlockReport, reason: str
) -> Ruling:
    """The agreement with the gold question, or with the reason why there is none."""
    try:
        gold = gold_case(services, identity, report.trace_id, _name(report.id))
    except NoCaseError as error:
        return Ruling(True, reason, no_case=error.reason)
    return Ruling(True, reason, gold=gold)


def _name(report: int) -> str:
    return f"held-back-{report}"
