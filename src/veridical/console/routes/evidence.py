"""``/console/evidence``: a search of documents, and how its ranking was calculated."""

from fastapi import APIRouter, Request, Response

from veridical.console.evidence_view import BAR, RADIUS, EvidenceView, evidence_view
from veridical.console.page import language_of, page
from veridical.console.tour import tick
from veridical.contracts.search_candidate import ScoreRequest, ScoreResultsData
from veridical.contracts.search_context import FreshnessMode, ScoringContext, as_meta
from veridical.server.answerer import Answerer, AnswererDep
from veridical.server.auth import AskAccess
from veridical.server.identity import Identity
from veridical.server.services import Services, ServicesDep

router = APIRouter(prefix="/console/evidence")

_LONGEST_QUESTION = 2_000


@router.get("")
async def show(
    request: Request,
    identity: AskAccess,
    services: ServicesDep,
    here: AnswererDep,
    feature: str = "",
    q: str = "",
    freshness: str = FreshnessMode.STANDARD.value,
) -> Response:
    """The passages of a feature's collections for a question; the search is in the address."""
    features = here.features(identity)
    chosen = here.chosen_feature(identity, feature)
    mode = FreshnessMode(freshness) if freshness in set(FreshnessMode) else FreshnessMode.STANDARD
    question = q.replace("\x00", "").strip()[:_LONGEST_QUESTION]
    view = None
    collections: tuple[str, ...] = ()
    if chosen:
        shelf = services.runtime.feature(chosen).evidence
        collections = shelf.collections if shelf is not None else ()
        if question and collections:
            view = await _found(request, services, here, identity, chosen, question, mode)
    shown = page(
        request,
        "evidence.html",
        features=features,
        chosen=chosen,
        collections=collections,
        question=question,
        mode=mode,
        modes=tuple(FreshnessMode),
        view=view,
        bar=BAR,
        radius=RADIUS,
    )
    if view is not None:
        tick(request, shown, "evidence")
    return shown


async def _found(
    request: Request,
    services: Services,
    here: Answerer,
    identity: Identity,
    feature: str,
    question: str,
    mode: FreshnessMode,
) -> EvidenceView | None:
    language = language_of(request)
    caller = here.caller(identity, feature, language)
    runtime = services.runtime
    shelf = runtime.feature(feature).evidence
    if runtime.documents is None or shelf is None:
        return None
    context = ScoringContext(question=question, freshness_mode=mode)
    score_request = ScoreRequest(data=ScoreResultsData(query=question), meta=as_meta(context))
    with here.place(identity):
        scored = await runtime.documents.scored(
            score_request, caller.member_of, shelf.collections, language, model=runtime.scoring
        )
    return evidence_view(scored)
