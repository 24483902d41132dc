"""Collects evidence for the command line: queues the run, and verifies what it stored."""

from collections.abc import Iterator
from pathlib import Path

import typer
from pydantic import ValidationError

from veridical.cli.error_reporting import UsageError, out, printable
from veridical.cli.own_database import operator_name
from veridical.cli.search_ingest import require_collection, search_settings
from veridical.contracts.caller import Caller
from veridical.contracts.language import Language
from veridical.contracts.search_candidate import ScoreRequest, ScoreResultsData
from veridical.contracts.search_collect import CollectOutcome, CollectTask
from veridical.contracts.search_context import FreshnessMode, ScoringContext, as_meta
from veridical.contracts.search_ingest import IngestTask
from veridical.messages import message
from veridical.runs.port import open_runs
from veridical.runs.request import collect_request
from veridical.runs.settings import RunsSettings
from veridical.runs.worker import document_store
from veridical.search.index import opened_index
from veridical.search.verification import verified_now


def read_context(
    path: Path | None,
    question: str,
    language: Language,
    freshness: FreshnessMode = FreshnessMode.STANDARD,
) -> ScoringContext:
    """The context in a file, about this question; else the question alone. Raises
    ``UsageError``."""
    if path is None:
        return ScoringContext(question=question, freshness_mode=freshness)
    try:
        read = ScoringContext.model_validate_json(path.read_bytes())
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from error
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"]))
        text = message("collect.bad_context", language, path=path, place=place, why=first["msg"])
        raise UsageError(text) from error
    return read.model_copy(update={"question": question})


def queue_collecting(
    settings: RunsSettings,
    tenant: str,
    files: IngestTask,
    context: ScoringContext,
    feature: str,
    as_json: bool,
    language: Language,
) -> None:
    """Start the run and print what comes next. Raises ``UsageError``."""
    require_collection(settings, tenant, files.collection, language)
    data = ScoreResultsData(query=context.question)
    task = CollectTask(
        request=ScoreRequest(data=data, meta=as_meta(context)),
        collection=files.collection,
        searched=(files.collection,),
        files=files,
        scored_by_model=bool(feature),
    )
    operator = operator_name()
    caller = Caller(language=language, name=operator, member_of=tenant)
    with open_runs(settings) as runs:
        state = runs.start(collect_request(task, caller, feature), tenant, operator)
    if as_json:
        out.print_json(state.model_dump_json(by_alias=True))
    else:
        out.print(message("collect.queued", language, run=state.run_id, tenant=tenant))


def verify_run(
    settings: RunsSettings, tenant: str, run_id: str, as_json: bool, language: Language
) -> None:
    """Print what the store has of a run's approved sources. Raises ``UsageError``."""
    with open_runs(settings) as runs:
        state = runs.state(run_id, tenant)
    if state is None:
        raise UsageError(message("collect.no_run", language, run=run_id))
    outcome = state.answer.collect if state.answer else None
    if outcome is None:
        status = state.status
        raise UsageError(message("collect.not_done", language, run=run_id, status=status))
    store = document_store(settings)
    try:
        index = opened_index(search_settings(language), store.tenant, tenant, outcome.collection)
        found = verified_now(outcome, index)
    finally:
        store.close()
    if as_json:
        out.print_json(found.model_dump_json(by_alias=True))
    else:
        for line in _lines(found, language):
            out.print(printable(line), markup=False)
    if found.summary.ingested_count < len(found.statuses):
        raise typer.Exit(1)


def _lines(found: CollectOutcome, language: Language) -> Iterator[str]:
    for name, status in found.statuses.items():
        why = f" ({found.failed[name]})" if name in found.failed else ""
        yield f"{status}: {name}{why}"
    summary = found.summary
    ratio = "–" if summary.success_ratio is None else f"{summary.success_ratio:.0%}"
    yield message(
        "collect.verified",
        language,
        ingested=summary.ingested_count,
        failed=summary.failed_count,
        pending=summary.pending_count,
        ratio=ratio,
    )
