"""``/console/evidence/runs``: evidence is searched, scored, approved, stored and verified."""

import asyncio
from collections.abc import Iterator

from fastapi import APIRouter, Request, Response
from starlette.responses import RedirectResponse

from veridical.console.form import field, form_of
from veridical.console.found_evidence import (
    collected_coverage,
    collected_evidence,
    coverage_view,
    found_evidence,
)
from veridical.console.page import language_of, page
from veridical.console.run_events import event_page
from veridical.contracts.person import RESULTS
from veridical.contracts.search_candidate import (
    ScoreResultInput,
    ScoreResultsData,
)
from veridical.contracts.search_context import FreshnessMode, ScoringContext, as_meta
from veridical.runs.errors import InboxError
from veridical.runs.inbox_item import InboxItem
from veridical.server.answerer import Answerer, AnswererDep
from veridical.server.auth import AskAccess, ReadAccess
from veridical.server.body_types import LONGEST_TEXT
from veridical.server.evidence_request import CollectRequest
from veridical.server.identity import Identity
from veridical.server.problem import ProblemCode, ProblemError
from veridical.server.routes.inbox import item_for
from veridical.server.routes.search_runs import collected, start_collecting
from veridical.server.services import Services, ServicesDep

router = APIRouter(prefix="/console/evidence/runs")
ADDRESS = "/console/evidence/runs"
_LISTED = 50
_LONGEST_QUESTION = 2_000
_LONGEST_PASTED = 400_000
_MOST_PROPOSED = 50
_STAGES = ("searched", "approval", "stored")


@router.get("")
async def listed(
    request: Request, identity: AskAccess, services: ServicesDep, here: AnswererDep
) -> Response:
    """The runs that collected evidence, and the form for another one."""
    runs = await asyncio.to_thread(services.runs.recent, identity.tenant, _LISTED, collecting=True)
    places = _places(services, here, identity)
    return page(request, "collecting.html", runs=runs, places=places, modes=tuple(FreshnessMode))


@router.post("")
async def start(
    request: Request, identity: AskAccess, services: ServicesDep, here: AnswererDep
) -> Response:
    """Starts a run on the pasted texts and on what the collections have."""
    fields = await form_of(request)
    question = field(fields, "question", _LONGEST_QUESTION)
    feature, _, collection = field(fields, "place").partition("/")
    if not question:
        return RedirectResponse(ADDRESS, 303)
    if (feature, collection) not in _places(services, here, identity):
        raise ProblemError(ProblemCode.NOT_FOUND)
    chosen = field(fields, "freshness")
    mode = FreshnessMode(chosen) if chosen in set(FreshnessMode) else FreshnessMode.STANDARD
    pasted = field(fields, "texts", _LONGEST_PASTED).replace("\r\n", "\n")
    wanted = CollectRequest(
        feature=feature,
        collection=collection,
        data=ScoreResultsData(query=question, results=tuple(_proposed(pasted))),
        meta=as_meta(ScoringContext(question=question, freshness_mode=mode)),
    )
    caller = here.caller(identity, feature, language_of(request))
    state = await start_collecting(services, identity, wanted, caller)
    return RedirectResponse(f"{ADDRESS}/{state.run_id}", 303)


@router.get("/{run_id}")
async def show(
    request: Request, identity: ReadAccess, services: ServicesDep, run_id: str
) -> Response:
    """One run: where it stands, what was found, who decided, and what the store has now."""
    found = await collected(services, identity, run_id)
    state = await asyncio.to_thread(services.runs.state, run_id, identity.tenant)
    item = await _waiting(services, identity, found.waiting_for)
    question = await asyncio.to_thread(_question, services, identity, run_id)
    outcome = found.collect
    if outcome is not None:
        evidence, coverage = collected_evidence(outcome), collected_coverage(outcome)
    else:
        subject = item.subject if item else {}
        evidence = tuple(map(found_evidence, subject.get(RESULTS) or ()))
        coverage = coverage_view(subject)
    done = len(_STAGES) if outcome is not None else 1 if found.waiting_for else 0
    return page(
        request,
        "collected.html",
        state=state,
        found=found,
        question=question,
        evidence=evidence,
        coverage=coverage,
        dropped=outcome.result.flags.debug.pre_filter.dropped if outcome else (),
        stages=[(name, place < done) for place, name in enumerate(_STAGES)],
    )


def _question(services: Services, identity: Identity, run_id: str) -> str:
    """What is being searched for; nothing before a worker has begun."""
    with services.store.tenant(identity.tenant) as connection:
        begun = event_page(connection, run_id, identity.tenant, limit=1)
    return begun.started.question.text if begun and begun.started else ""


async def _waiting(services: Services, identity: Identity, item: str | None) -> InboxItem | None:
    """The question that the run waits for, where this identity may see it."""
    if item is None:
        return None
    try:
        return await item_for(services, identity, item)
    except InboxError:
        return None


def _places(services: Services, here: Answerer, identity: Identity) -> tuple[tuple[str, str], ...]:
    """The features that this identity may use, each with its collections."""
    shelves = {each: services.runtime.feature(each).evidence for each in here.features(identity)}
    return tuple(
        (feature, name)
        for feature, shelf in shelves.items()
        for name in (shelf.collections if shelf else ())
    )


def _proposed(pasted: str) -> Iterator[ScoreResultInput]:
    """A text for each paragraph: its first line is the title, a line that is an address its own."""
    paragraphs = [each.strip() for each in pasted.split("\n\n") if each.strip()]
    for number, paragraph in enumerate(paragraphs[:_MOST_PROPOSED], 1):
        title, *lines = paragraph.splitlines()
        url = lines.pop(0).strip() if lines and "://" in lines[0] else ""
        text = "\n".join(lines) or title
        yield ScoreResultInput(
            id=f"text-{number}", title=title[:200], snippet=text[:LONGEST_TEXT], url=url[:2_000]
        )
