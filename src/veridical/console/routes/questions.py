"""``/console/quality/questions``: known questions that people asked for, certified by a person."""

import asyncio
from contextlib import AbstractContextManager

from fastapi import APIRouter, Request, Response
from sqlalchemy import Connection
from starlette.responses import RedirectResponse

from veridical.answering.feature import Feature
from veridical.answering.question_check import Difference
from veridical.console.form import Form, field, form_of
from veridical.console.page import language_of, page
from veridical.console.tenant_questions import (
    TenantQuestions,
    certified,
    certified_again,
    default_name,
    dismissed,
    dismissed_proposal,
    fits_pattern,
    is_stale,
    tenant_questions,
)
from veridical.onboarding.confirmed.proposal import QuestionProposal
from veridical.runs.question_verifier import verified
from veridical.server.answerer import Answerer, AnswererDep
from veridical.server.auth import AdminAccess
from veridical.server.identity import Identity
from veridical.server.problem import ProblemCode, ProblemError
from veridical.server.services import Services, ServicesDep
from veridical.store.known_questions import (
    DecidedQuestion,
    QuestionState,
    decide_question,
    keep_verification,
    rename_question,
    reopen_question,
)

QUESTIONS = "/console/quality/questions"
router = APIRouter(prefix=QUESTIONS)

_LONGEST_NAME = 200
_NAME = "name"
_DIFFERENCES = frozenset({*Difference, _NAME})


@router.get("")
async def show(
    request: Request,
    identity: AdminAccess,
    services: ServicesDep,
    here: AnswererDep,
    problem: str = "",
) -> Response:
    """The proposals, then what was certified and how it stands, then what was dismissed."""
    await here.refresh(identity)
    features = _features(request, identity, services, here)
    found = await asyncio.to_thread(tenant_questions, services, identity, features)
    return page(
        request,
        "questions.html",
        proposals=found.proposals,
        certified=[each for each in found.decided if each.state is not QuestionState.DISMISSED],
        dismissed=[each for each in found.decided if each.state is QuestionState.DISMISSED],
        stands={
            (each.feature, each.key): _standing(each, features[each.feature])
            for each in found.decided
        },
        default_name=default_name,
        problem=problem if problem in _DIFFERENCES else "",
    )


@router.post("/{feature}/{key}")
async def decide(
    request: Request,
    identity: AdminAccess,
    services: ServicesDep,
    here: AnswererDep,
    feature: str,
    key: str,
) -> Response:
    """Certifies, renames, dismisses or verifies one."""
    fields = await form_of(request)
    await here.refresh(identity)
    features = _features(request, identity, services, here)
    if feature not in features:
        raise ProblemError(ProblemCode.NOT_FOUND)
    chosen = {feature: features[feature]}
    found = await asyncio.to_thread(tenant_questions, services, identity, chosen)
    made = _Decision(request, services, here, identity, features[feature], fields)
    problem = await asyncio.to_thread(made.on, found, key)
    if (certified_here := services.runtime.certified) is not None:
        await asyncio.to_thread(certified_here.look, identity.tenant)
    query = f"?problem={problem}" if problem else ""
    return RedirectResponse(f"{QUESTIONS}{query}#q-{key}", 303)


class _Decision:
    """What somebody decides about one question."""

    def __init__(
        self,
        request: Request,
        services: Services,
        here: Answerer,
        identity: Identity,
        feature: Feature,
        fields: Form,
    ) -> None:
        self._services = services
        self._identity = identity
        self._feature = feature
        self._caller = here.caller(identity, feature.name, language_of(request))
        self._name = field(fields, "name", _LONGEST_NAME)
        self._does = field(fields, "do")

    def on(self, found: TenantQuestions, key: str) -> str:
        """Keeps the decision; why it can't be kept, as the name of a message."""
        proposal = found.proposal(self._feature.name, key)
        decided = found.decision(self._feature.name, key)
        if proposal is not None:
            return self._on_proposal(proposal)
        if decided is not None:
            return self._on_decided(decided)
        raise ProblemError(ProblemCode.NOT_FOUND)

    def _on_proposal(self, proposal: QuestionProposal) -> str:
        by = self._identity.name
        match self._does:
            case "certify":
                name = self._name or default_name(proposal)
                pattern = proposal.pattern.model_dump(mode="json", by_alias=True)
                if not fits_pattern(name, pattern):
                    return _NAME
                made = certified(proposal, self._feature, self._caller, by, name)
                return self._keep(made)
            case "dismiss":
                return self._keep(dismissed_proposal(proposal, self._feature.name, by))
            case _:
                raise ProblemError(ProblemCode.UNFITTING_CHOICE)

    def _on_decided(self, question: DecidedQuestion) -> str:
        by, tenant = self._identity.name, self._identity.tenant
        match self._does:
            case "reopen" if question.state is QuestionState.DISMISSED:
                with self._opened() as connection:
                    reopen_question(connection, tenant, by, question)
                return ""
            case "certify" if question.state is not QuestionState.DISMISSED:
                return self._keep(certified_again(question, self._feature, self._caller, by))
            case "dismiss":
                return self._keep(dismissed(question, by))
            case "rename":
                if not fits_pattern(self._name, question.pattern):
                    return _NAME
                with self._opened() as connection:
                    rename_question(connection, tenant, by, question, self._name)
                return ""
            case "verify" if question.state is QuestionState.CERTIFIED:
                return self._verify(question)
            case _:
                raise ProblemError(ProblemCode.UNFITTING_CHOICE)

    def _verify(self, question: DecidedQuestion) -> str:
        reason = verified(question, self._feature, self._caller)
        if reason is Difference.UNAVAILABLE:
            return reason.value
        hashes = (self._feature.ontology_hash, self._feature.schema_hash)
        with self._opened() as connection:
            keep_verification(connection, self._identity.tenant, question, hashes, reason or "")
        return ""

    def _keep(self, made: DecidedQuestion | Difference) -> str:
        if isinstance(made, Difference):
            return made.value
        with self._opened() as connection:
            decide_question(connection, self._identity.tenant, made)
        return ""

    def _opened(self) -> AbstractContextManager[Connection]:
        return self._services.store.tenant(self._identity.tenant)


def _features(
    request: Request, identity: Identity, services: Services, here: Answerer
) -> dict[str, Feature]:
    """The features that this identity may use, with what its tenant has certified."""
    language = language_of(request)
    return {
        name: services.runtime.feature_of(name, here.caller(identity, name, language))
        for name in here.features(identity)
    }


def _standing(question: DecidedQuestion, feature: Feature) -> str:
    """How a question stands, as the name of a message."""
    if question.state is QuestionState.CERTIFIED and is_stale(question, feature):
        return "stale"
    return question.state.value
