"""Evidence that another agent found: proposed, decided on by a person, stored and verified."""

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from veridical.agent.refusals import refuse
from veridical.contracts.language import Language
from veridical.contracts.result import ToolResult, refused
from veridical.contracts.search_context import META_KEY, context_in
from veridical.contracts.tool import JsonSchema
from veridical.contracts.violation import malformed
from veridical.messages import message
from veridical.messages.hints import hint
from veridical.runs.errors import RunNotFoundError
from veridical.server.evidence_request import CollectRequest
from veridical.server.mcp.client import McpClient
from veridical.server.mcp.direct_calls import unknown_arguments
from veridical.server.problem import ProblemCode, ProblemError
from veridical.tools.argument_schemas import list_of, one_object

COLLECT_EVIDENCE = "collectEvidence"
_ARGUMENTS = ("feature", "collection", "question", "results", "scoringContext", "runId")
_TEXT: JsonSchema = {"type": "string"}


def collect_evidence_schema(language: Language) -> dict[str, Any]:
    """The tool as a function."""
    result = one_object(
        dict.fromkeys(("id", "title", "snippet", "url", "detectedDate", "version"), _TEXT),
        "id",
        "snippet",
    )
    properties: dict[str, JsonSchema] = {
        "feature": _TEXT,
        "collection": _TEXT,
        "question": _TEXT,
        "results": list_of(result),
        "scoringContext": {"type": "object"},
        "runId": {**_TEXT, "description": message("mcp.arg_collect_run", language)},
    }
    return {
        "name": COLLECT_EVIDENCE,
        "description": message("mcp.collect_evidence", language),
        "parameters": one_object(properties),
    }


async def collect_evidence(
    client: McpClient, arguments: Mapping[str, Any], meta: Mapping[str, Any]
) -> ToolResult:
    """The run that was started, or how the named one stands. Raises ``ProblemError``."""
    unknown = unknown_arguments(arguments, _ARGUMENTS, client.language)
    if unknown is not None or client.collecting is None:
        return refused(unknown or malformed("name", "no runs here"))
    run_id = arguments.get("runId")
    if isinstance(run_id, str):
        try:
            state = await client.collecting.show(run_id)
        except RunNotFoundError:
            text = message("collect.no_run", client.language, run=run_id[:40])
            return refused(malformed("runId", text))
        return ToolResult(success=True, data=state.model_dump(mode="json", by_alias=True))
    feature = arguments.get("feature") or (client.features[0] if client.features else "")
    context = arguments.get("scoringContext") or context_in(meta)
    body = {
        "feature": feature,
        "collection": arguments.get("collection", ""),
        "data": {"query": arguments.get("question", ""), "results": arguments.get("results", ())},
        "meta": {META_KEY: context} if context else {},
    }
    try:
        request = CollectRequest.model_validate(body)
        started = await client.collecting.start(request)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        return refused(malformed(".".join(map(str, first["loc"]))[:60], first["msg"]))
    except ProblemError as error:
        if error.code is not ProblemCode.NOT_FOUND:
            raise
        name = str(arguments.get("collection", ""))[:40]
        text = hint("tools.no_such_collection", client.language, name=name)
        return refused(malformed("collection", text))
    text = message("mcp.collecting", client.language, run_id=started.run_id)
    refusal = refuse("PERSON_NEEDED", text)
    return refusal.model_copy(update={"data": started.model_dump(mode="json", by_alias=True)})
