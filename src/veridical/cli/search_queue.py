"""Queues an ingest as a durable run, for a worker to do."""

from veridical.cli.error_reporting import out
from veridical.cli.own_database import operator_name
from veridical.cli.search_ingest import require_collection
from veridical.contracts.caller import Caller
from veridical.contracts.language import Language
from veridical.contracts.search_ingest import IngestTask
from veridical.messages import message
from veridical.runs.port import open_runs
from veridical.runs.request import ingest_request
from veridical.runs.settings import RunsSettings


def queue_ingest(
    settings: RunsSettings, tenant: str, task: IngestTask, as_json: bool, language: Language
) -> None:
    """Start the run and print where to look for it. Raises ``UsageError``."""
    require_collection(settings, tenant, task.collection, language)
    operator = operator_name()
    caller = Caller(language=language, name=operator, member_of=tenant)
    with open_runs(settings) as runs:
        state = runs.start(ingest_request(task, caller), tenant, operator)
    if as_json:
        out.print_json(state.model_dump_json(by_alias=True))
    else:
        told = message("ingest.queued", language, run=state.run_id)
        out.print(told, highlight=False, markup=False)
