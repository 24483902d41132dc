"""``/console/ontology/upkeep``: proposals to decide on, drift, and what a constraint changes."""

import asyncio
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from starlette.responses import RedirectResponse

from veridical.console.constraint_effect import Effect, effect_of
from veridical.console.form import field, form_of
from veridical.console.maintenance import MaintainerAccess
from veridical.console.page import language_of, page
from veridical.evals.gold.load import load_gold
from veridical.onboarding.decisions import decisions
from veridical.onboarding.proposal import Proposal, State
from veridical.onboarding.record import read_proposals
from veridical.onboarding.review import apply_decisions, counted, decide
from veridical.onboarding.wording import evidence_of, proposal_text, stake_of, state_of
from veridical.ontology.errors import LoadError
from veridical.ontology.lint import Drift, lint
from veridical.server.answerer import AnswererDep
from veridical.server.identity import Identity
from veridical.server.problem import ProblemCode, ProblemError
from veridical.server.services import Services, ServicesDep
from veridical.store.audit import AuditAction, note

router = APIRouter(prefix="/console/ontology/upkeep")

_LISTED = 100
_STATES = {"accept": State.ACCEPTED, "decline": State.REJECTED, "reopen": State.OPEN}


@router.get("")
async def show(
    request: Request,
    identity: MaintainerAccess,
    services: ServicesDep,
    here: AnswererDep,
    feature: str = "",
    constraint: Annotated[int, Query(ge=-1, le=100_000)] = -1,
) -> Response:
    """Proposals, drift against the database as it is now, and the effect of one constraint."""
    features = here.features(identity)
    chosen = feature if feature in features else (features[0] if features else "")
    if not chosen:
        raise ProblemError(ProblemCode.FEATURE_NOT_FOUND, known="-")
    language = language_of(request)
    opened = services.runtime.feature(chosen)
    found, drift = await asyncio.to_thread(_look, services, chosen)
    effect = None
    if 0 <= constraint < len(opened.ontology.constraints):
        effect = await asyncio.to_thread(_effect, services, chosen, constraint)
    listed = decisions(found)
    return page(
        request,
        "upkeep.html",
        features=features,
        chosen=chosen,
        proposals=listed[:_LISTED],
        counts=counted(listed),
        words={
            "claim": proposal_text,
            "evidence": evidence_of,
            "stake": stake_of,
            "state": state_of,
        },
        drift=[(each, each.text(language)) for each in drift],
        constraints=opened.ontology.constraints,
        constraint=constraint,
        effect=effect,
        has_project=_project(services, chosen) is not None,
    )


@router.post("/{feature}")
async def decided(
    request: Request,
    identity: MaintainerAccess,
    services: ServicesDep,
    here: AnswererDep,
    feature: str,
) -> Response:
    """Decides on one proposal, as ``veridical review`` does: in the project's own file."""
    fields = await form_of(request)
    project = _project(services, feature) if feature in here.features(identity) else None
    state = _STATES.get(field(fields, "decision"))
    if project is None:
        raise ProblemError(ProblemCode.NOT_FOUND)
    if state is None:
        raise ProblemError(ProblemCode.UNFITTING_CHOICE)
    wanted = field(fields, "id", 500)
    async with _one_at_a_time:
        await asyncio.to_thread(_decide, services, identity, project, wanted, state)
    return RedirectResponse(f"/console/ontology/upkeep?feature={feature}#proposals", 303)


_one_at_a_time = asyncio.Lock()
"""A decision reads the file and writes it."""


def _decide(
    services: Services, identity: Identity, project: Path, wanted: str, state: State
) -> None:
    found = read_proposals(project)
    if all(each.id != wanted for each in found):
        raise ProblemError(ProblemCode.NOT_FOUND)
    with services.store.tenant(identity.tenant) as connection:
        action, detail = AuditAction.PROPOSAL_DECIDED, {"state": state.value}
        note(connection, identity.tenant, identity.name, action, wanted, detail)
        apply_decisions(project, decide(found, [wanted], state, identity.name))


def _project(services: Services, feature: str) -> Path | None:
    """The folder that ``veridical init`` wrote for this feature."""
    ontology = services.runtime.ontologies.get(feature)
    return ontology.parent if ontology and read_proposals(ontology.parent) else None


def _look(services: Services, feature: str) -> tuple[list[Proposal], tuple[Drift, ...]]:
    opened = services.runtime.feature(feature)
    project = _project(services, feature)
    database = opened.engine.database
    drift = lint(opened.ontology, database.reflect(), database.dialect)
    return read_proposals(project) if project else [], drift


def _effect(services: Services, feature: str, number: int) -> Effect:
    pack = services.runtime.packs.get(feature)
    opened = services.runtime.feature(feature)
    try:
        golds = load_gold(str(pack.gold)) if pack and pack.gold else ()
    except LoadError:
        golds = ()
    return effect_of(opened.ontology, opened.schema, number, golds)
