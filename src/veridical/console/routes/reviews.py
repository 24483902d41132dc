"""``/console/quality/reviews``: reports of wrong blocks, each decided once; those that are right
become gold questions."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response
from starlette.responses import RedirectResponse

from veridical.console.form import field, form_of
from veridical.console.maintenance import is_maintainer
from veridical.console.page import page
from veridical.contracts.caller import scope_of
from veridical.evals.gold.from_run import NoCaseError, begin_and_end, held_back_gold
from veridical.ontology.yaml_text import yaml_text
from veridical.server.auth import AdminAccess
from veridical.server.identity import Identity
from veridical.server.problem import ProblemCode, ProblemError
from veridical.server.services import Services, ServicesDep
from veridical.server.trace_writer import TraceWriter
from veridical.store.audit import AuditAction, note
from veridical.store.false_block_reviews import (
    Reviewed,
    Ruling,
    add_review,
    gold_of,
    reviewed,
    undecided_count,
)
from veridical.store.false_blocks import FalseBlockReport, report_of

router = APIRouter(prefix="/console/quality/reviews")

_LISTED = 30
_LONGEST_REASON = 2_000
_LAST = 2**63 - 1
Number = Annotated[int, Path(ge=1, le=_LAST)]
Before = Annotated[int, Query(ge=1, le=_LAST)]


@router.get("")
async def show(
    request: Request,
    identity: AdminAccess,
    services: ServicesDep,
    every: bool = False,
    before: Before = _LAST,
) -> Response:
    """The reports that wait for a decision, or all; reading them is an entry of the audit."""

    def read() -> tuple[tuple[Reviewed, ...], int]:
        with services.store.tenant(identity.tenant) as connection:
            action = AuditAction.FALSE_BLOCKS_READ
            note(connection, identity.tenant, identity.name, action, identity.tenant)
            found = reviewed(connection, undecided=not every, limit=_LISTED, before=before)
            return found, undecided_count(connection)

    found, waiting = await asyncio.to_thread(read)
    return page(
        request,
        "reviews.html",
        reports=found,
        waiting=waiting,
        every=every,
        further=found[-1].report.id if len(found) == _LISTED else 0,
        maintains=is_maintainer(services, identity),
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


@router.get("/{report}/case")
async def case(
    request: Request, identity: AdminAccess, services: ServicesDep, report: Number
) -> Response:
    """The gold question that a report became, as the file that ``veridical eval`` takes."""

    def read() -> object:
        with services.store.tenant(identity.tenant) as connection:
            return gold_of(connection, report)

    gold = await asyncio.to_thread(read)
    if not isinstance(gold, dict):
        raise ProblemError(ProblemCode.NOT_FOUND)
    headers = {"content-disposition": f'attachment; filename="{_name(report)}.yaml"'}
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
    trace = services.traces.load(report.trace_id, identity.tenant) if report.trace_id else None
    runtime = services.runtime
    try:
        if trace is None:
            raise NoCaseError("no_run")
        feature = begin_and_end(trace)[0].question.feature
        if feature not in runtime.features or feature not in identity.scope:
            raise NoCaseError("no_run")
        pack = runtime.packs.get(feature)
        columns = next(iter(pack.tenant_columns.values()), ()) if pack else ()
        shared = runtime.shared_tables.get(feature, frozenset())
        scope = scope_of(identity.scope[feature], shared)
        schema = runtime.feature(feature).schema
        gold = held_back_gold(trace, _name(report.id), schema, scope, columns)
    except NoCaseError as error:
        return Ruling(True, reason, no_case=error.reason)
    fields = gold.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    return Ruling(True, reason, gold=fields)


def _name(report: int) -> str:
    return f"held-back-{report}"
