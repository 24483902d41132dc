"""``/console/ontology/upkeep``: proposals to decide on, doubtful constraints, drift, and what a
constraint changes."""

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from starlette.responses import RedirectResponse

from veridical.console.constraint_effect import (
    Effect,
    effect_of,
    gold_statements,
    without_constraint,
)
from veridical.console.form import field, form_of
from veridical.console.maintenance import MaintainerAccess
from veridical.console.ontology_changes import ONE_AT_A_TIME
from veridical.console.page import language_of, page
from veridical.console.quality import DAYS
from veridical.console.rule_costs import Doubt, doubtful_rules
from veridical.evals.gold.load import load_gold
from veridical.onboarding.decisions import decisions, open_decisions
from veridical.onboarding.proposal import Proposal, ProposalKind, State
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
    """Proposals, constraints that the data settled, drift against the database as it is now, and
    the effect of one constraint."""
    features = here.features(identity)
    chosen = here.chosen_feature(identity, feature)
    if not chosen:
        raise ProblemError(ProblemCode.FEATURE_NOT_FOUND, known="-")
    language = language_of(request)
    opened = services.runtime.feature(chosen)
    found, drift = await asyncio.to_thread(_look, services, chosen)
    doubts = await asyncio.to_thread(_doubts, services, identity, chosen)
    effect = None
    if 0 <= constraint < len(opened.ontology.constraints):
        effect = await asyncio.to_thread(_effect, services, chosen, constraint)
    listed = decisions(found)
    return page(
        request,
        "upkeep.html",
        features=features,
        chosen=chosen,
        groups=_groups(listed[:_LISTED]),
        counts=counted(listed) | {State.OPEN: len(open_decisions(found))},
        words={
            "claim": proposal_text,
            "evidence": evidence_of,
            "stake": stake_of,
            "state": state_of,
        },
        drift=[(each, each.text(language)) for each in drift],
        doubts=doubts,
        period=DAYS,
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
    """Decides on proposals, as ``veridical review`` does: in the project's own file. On the one
    whose button was pressed, on all open ones of a kind, or on those that are ticked."""
    fields = await form_of(request)
    project = _project(services, feature) if feature in here.features(identity) else None
    decision, _, about = field(fields, "decision", 600).partition(":")
    state = _STATES.get(decision)
    if project is None:
        raise ProblemError(ProblemCode.NOT_FOUND)
    if state is None:
        raise ProblemError(ProblemCode.UNFITTING_CHOICE)
    wanted = frozenset([about] if about else fields.get("id", ()))
    async with ONE_AT_A_TIME:
        await asyncio.to_thread(_decide, services, identity, project, wanted, state)
    return RedirectResponse(f"/console/ontology/upkeep?feature={feature}#proposals", 303)


def _decide(
    services: Services, identity: Identity, project: Path, wanted: frozenset[str], state: State
) -> None:
    found = read_proposals(project)
    ids = [each.id for each in found if each.id in wanted or _is_open_of_kind(each, wanted)]
    if not ids:
        raise ProblemError(ProblemCode.NOT_FOUND)
    with services.store.tenant(identity.tenant) as connection:
        action, detail = AuditAction.PROPOSAL_DECIDED, {"state": state.value}
        for each in ids:
            note(connection, identity.tenant, identity.name, action, each, detail)
        apply_decisions(project, decide(found, ids, state, identity.name))


def _is_open_of_kind(proposal: Proposal, wanted: frozenset[str]) -> bool:
    return proposal.kind.value in wanted and proposal.state is State.OPEN


def _groups(proposals: list[Proposal]) -> list[tuple[ProposalKind, list[Proposal], int]]:
    """Proposals by kind, in their order, and how many of each kind are open."""
    kinds = dict.fromkeys(each.kind for each in proposals)
    groups = [(kind, [each for each in proposals if each.kind is kind]) for kind in kinds]
    return [
        (kind, found, sum(each.state is State.OPEN for each in found)) for kind, found in groups
    ]


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


def _doubts(services: Services, identity: Identity, feature: str) -> tuple[Doubt, ...]:
    constraints = services.runtime.feature(feature).ontology.constraints
    since = datetime.now(UTC) - timedelta(days=DAYS)
    with services.store.tenant(identity.tenant) as connection:
        return doubtful_rules(connection, identity.tenant, feature, constraints, since)


def _effect(services: Services, feature: str, number: int) -> Effect:
    pack = services.runtime.packs.get(feature)
    opened = services.runtime.feature(feature)
    try:
        golds = load_gold(str(pack.gold)) if pack and pack.gold else ()
    except LoadError:
        golds = ()
    known = gold_statements(opened.ontology, opened.schema, golds)
    after = without_constraint(opened.ontology, number)
    return effect_of(opened.ontology, after, opened.schema, known)
