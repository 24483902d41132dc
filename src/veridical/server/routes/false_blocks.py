"""``/v1/gate/false-blocks``: user reports of answers that the gate blocked wrongly."""

import asyncio
from typing import Annotated, Any, Self

from fastapi import APIRouter, Body, Request, Response
from pydantic import AfterValidator, StringConstraints, TypeAdapter, model_validator

from veridical.contracts.language import Language
from veridical.contracts.proof import GateCode, Proof
from veridical.contracts.violation import Mode
from veridical.contracts.wire import Wire
from veridical.gate.log import proof_id
from veridical.reading.language import language_of
from veridical.server.auth import AdminAccess, AskAccess
from veridical.server.body_types import NO_NUL, PlainJson, written
from veridical.server.identity import Identity
from veridical.server.limits import RateLimiter
from veridical.server.metrics import Interceptions, Metrics
from veridical.server.openapi import examples, problems
from veridical.server.parameters import LAST_NUMBER, BeforeNumber, Limit
from veridical.server.problem import ProblemCode, ProblemError
from veridical.server.services import Services, ServicesDep
from veridical.server.trace_writer import TraceWriter
from veridical.store.audit import AuditAction, note
from veridical.store.false_blocks import FalseBlockReport, add_report, reports
from veridical.trace.held_back import held_back_answer

router = APIRouter(prefix="/v1/gate/false-blocks", tags=["gate"])

REPORTS_PER_MINUTE = 30
"""Reports of one tenant: people write them, and they are kept for long."""
_LONGEST_NOTE = 2_000
_LONGEST_CLAIM = 300
_LONGEST_TRACE = 100
_MOST_CLAIMS = 20
_PLAIN: TypeAdapter[Any] = TypeAdapter(PlainJson)


def _speaks(proof: Proof) -> Proof:
    if not proof.findings:
        raise ValueError("holds nothing back")
    return proof


def _plain_proof(proof: Proof) -> Proof:
    """Neither NUL nor lone surrogates: what can't be kept is refused at the door."""
    _PLAIN.validate_python(proof.model_dump(mode="json"))
    return proof


class FalseBlockRequest(Wire):
    """A run by its trace id, or a proof as the gate gave it, and why it should have let the answer
    pass."""

    proof: Annotated[Proof, AfterValidator(_speaks), AfterValidator(_plain_proof)] | None = None
    """Without one, that of the run."""
    note: Annotated[str, StringConstraints(pattern=NO_NUL, max_length=_LONGEST_NOTE)] = ""
    language: Language | None = None
    """The answer's; without one, that of the hints."""
    trace_id: Annotated[str, StringConstraints(pattern=NO_NUL, max_length=_LONGEST_TRACE)] = ""
    """The run that the answer came from: with it, a report can become a gold question."""

    @model_validator(mode="after")
    def _names_an_answer(self) -> Self:
        if self.proof is None and not self.trace_id:
            raise ValueError("needs a traceId or a proof")
        return self


Reported = Annotated[FalseBlockRequest, Body(openapi_examples=examples("false_blocks"))]


class FalseBlockPage(Wire):
    """Some reports, the newest first."""

    reports: tuple[FalseBlockReport, ...]
    next_before: int | None = None
    """Cursor of the next page; None on the last one."""


@router.post(
    "",
    summary="Report an answer that was held back wrongly",
    status_code=201,
    response_model=FalseBlockReport,
    response_description="The report as it is kept.",
    responses={
        200: {"model": FalseBlockReport, "description": "You reported this proof before."},
        **problems(404, body=True),
    },
)
async def report(
    request: Request, body: Reported, identity: AskAccess, services: ServicesDep
) -> Response:
    """Kept for the tenant's administrators. Codes, language and the note are kept; parts of
    the answer only where the installation keeps texts."""
    whole = body if body.proof else await _with_proof(request, services, identity, body)
    kept, is_new = await keep_report(request, services, identity, whole)
    return Response(written(kept), 201 if is_new else 200, media_type="application/json")


async def _with_proof(
    request: Request, services: Services, identity: Identity, body: FalseBlockRequest
) -> FalseBlockRequest:
    """The report with the proof of its run. Raises ``ProblemError`` where the tenant has no such
    run, or where the run held nothing back."""
    writer: TraceWriter = request.app.state.trace_writer
    await writer.settled(body.trace_id)
    trace = await asyncio.to_thread(services.traces.load, body.trace_id, identity.tenant)
    found = held_back_answer(trace) if trace else None
    if found is None:
        raise ProblemError(ProblemCode.NOT_FOUND)
    answer, proof = found
    return body.model_copy(update={"proof": proof, "language": body.language or answer.language})


async def keep_report(
    request: Request, services: Services, identity: Identity, body: FalseBlockRequest
) -> tuple[FalseBlockReport, bool]:
    """The report as it is kept, and whether it is new. Raises ``ProblemError``."""
    limiter: RateLimiter = request.app.state.reports
    if (wait := limiter.take_all([((identity.tenant, ""), REPORTS_PER_MINUTE)])) > 0:
        raise ProblemError(ProblemCode.RATE_LIMITED, retry_after=wait)
    interceptions: Interceptions = request.app.state.interceptions
    kept, is_new = await asyncio.to_thread(
        _add, services, identity, body, with_texts=interceptions.with_texts
    )
    if is_new:
        metrics: Metrics = request.app.state.metrics
        for code in kept.codes:
            metrics.false_blocks.labels(code.value, kept.language.value).inc()
    return kept, is_new


@router.get("", summary="List reports of answers held back wrongly", responses=problems())
async def listed(
    identity: AdminAccess,
    services: ServicesDep,
    limit: Limit = 50,
    before: BeforeNumber = LAST_NUMBER,
) -> FalseBlockPage:
    """Reports of the own tenant. Reading them is recorded in the audit."""
    found = await asyncio.to_thread(_list, services, identity, limit, before)
    return FalseBlockPage(reports=found, next_before=found[-1].id if len(found) == limit else None)


def _add(
    services: Services, identity: Identity, body: FalseBlockRequest, *, with_texts: bool
) -> tuple[FalseBlockReport, bool]:
    proof, tenant = body.proof, identity.tenant
    if proof is None:
        raise ProblemError(ProblemCode.NOT_FOUND)
    named = proof_id(proof)
    language = body.language or _hint_language(proof)
    with services.store.tenant(tenant) as connection:
        kept, is_new = add_report(
            connection,
            tenant,
            identity.name,
            named,
            _codes(proof),
            language,
            body.note,
            _claims(proof) if with_texts else None,
            body.trace_id,
        )
        if is_new:
            detail = {"codes": [code.value for code in kept.codes], "language": language.value}
            action = AuditAction.FALSE_BLOCK_REPORTED
            note(connection, tenant, identity.name, action, named, detail)
        return kept, is_new


def _list(
    services: Services, identity: Identity, limit: int, before: int
) -> tuple[FalseBlockReport, ...]:
    tenant = identity.tenant
    with services.store.tenant(tenant) as connection:
        note(connection, tenant, identity.name, AuditAction.FALSE_BLOCKS_READ, tenant)
        return reports(connection, limit, before)


def _codes(proof: Proof) -> tuple[GateCode, ...]:
    """Why it was held back; where it only warned, what it warned of."""
    blocking = [each.code for each in proof.findings if each.mode is Mode.BLOCK]
    return tuple(dict.fromkeys(blocking or [each.code for each in proof.findings]))


def _claims(proof: Proof) -> list[dict[str, str]]:
    return [
        {"code": each.code.value, "claim": (each.claim or "")[:_LONGEST_CLAIM]}
        for each in proof.findings[:_MOST_CLAIMS]
    ]


def _hint_language(proof: Proof) -> Language:
    return language_of(" ".join(each.hint for each in proof.findings[:_MOST_CLAIMS]), Language.EN)
