"""The tools listed for one MCP client, by the names it calls them."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from mcp.types import Tool, ToolAnnotations

from veridical.contracts.language import Language
from veridical.host.query_feature import QUERY_FEATURE, query_feature_schema
from veridical.host.runtime import Runtime
from veridical.messages import message
from veridical.server.mcp.answer_check import CHECK_ANSWER, check_answer_schema
from veridical.server.mcp.answer_panel import PANEL_TOOL
from veridical.server.mcp.client import McpClient
from veridical.server.mcp.direct_calls import USER_QUESTION, OfferedTool
from veridical.server.mcp.evidence_collection import COLLECT_EVIDENCE, collect_evidence_schema
from veridical.server.mcp.fact_statement import STATE_FACTS, state_facts_schema
from veridical.server.mcp.file_question import ASK_ABOUT_FILES, file_question_schema
from veridical.tools.calculate import CALCULATE
from veridical.tools.describe import DESCRIBE
from veridical.tools.requirements import REQUIREMENT_TOOLS
from veridical.tools.toolbox import Toolbox

_WITHOUT_DATA = (CALCULATE, *REQUIREMENT_TOOLS)
"""Tools that read nothing of a feature."""
_MOST_ROWS = 1_000
"""Rows of one result: a model reads no more, and writing more would delay other clients."""
_READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
_MOST_TABLES = 60
"""A longer list of names in each tool costs more than it helps: ``describe`` returns them."""


def toolbox_of(runtime: Runtime, client: McpClient, feature: str) -> Toolbox:
    """The checked tools of a feature.

    Where people approve the evidence, its rows are not handed out past them: no tool on data.
    """
    caller = client.callers[feature]
    held_back = runtime.session(feature, caller).approvals.evidence
    only = (*_WITHOUT_DATA, DESCRIBE) if held_back else ()
    toolbox = runtime.feature_of(feature, caller).toolbox(caller, known_questions=True, only=only)
    engine = toolbox.engine.within(_MOST_ROWS) if toolbox.engine else None
    return replace(toolbox, engine=engine, prefix=_prefix(client, feature))


def offered_tools(runtime: Runtime, client: McpClient) -> dict[str, OfferedTool]:
    """The tools by name, with the feature before it where there are several."""
    if not client.may_ask:
        return {}
    found: dict[str, OfferedTool] = {}
    for feature in client.features:
        toolbox = toolbox_of(runtime, client, feature)
        for tool in toolbox.names:
            prefix = "" if tool in _WITHOUT_DATA else toolbox.prefix  # the same everywhere
            found.setdefault(f"{prefix}{tool}", OfferedTool(feature, tool, toolbox))
    return found


def _prefix(client: McpClient, feature: str) -> str:
    return f"{feature}_" if len(client.features) > 1 else ""


def listed_as(runtime: Runtime, client: McpClient, feature: str, tool: str) -> str:
    """The client's name of this tool of a feature; empty where it has none."""
    offered = offered_tools(runtime, client).items()
    found = (name for name, each in offered if (each.feature, each.tool) == (feature, tool))
    return next(found, "")


def tools_of(runtime: Runtime, client: McpClient) -> list[Tool]:
    """The tools as the protocol lists them: the whole agent first."""
    if not client.may_ask:
        return []
    if not client.features:
        return list(_files(client))
    whole = query_feature_schema(client.features, client.language)["function"]
    return [
        _with_panel(_tool(QUERY_FEATURE, whole), client),
        *_checked(runtime, client),
        *_collecting(runtime, client),
        *_files(client),
        _tool(STATE_FACTS, state_facts_schema(client.language)),
        _tool(CHECK_ANSWER, check_answer_schema(client.language)),
    ]


def may_collect(runtime: Runtime, client: McpClient) -> bool:
    """Whether this client may propose evidence for a collection."""
    if client.collecting is None or not client.may_ask:
        return False
    return any(runtime.feature(each).evidence is not None for each in client.features)


def _collecting(runtime: Runtime, client: McpClient) -> Iterator[Tool]:
    if may_collect(runtime, client):
        schema = collect_evidence_schema(client.language)
        writes = ToolAnnotations(
            read_only_hint=False, destructive_hint=False, open_world_hint=False
        )
        yield _tool(COLLECT_EVIDENCE, schema).model_copy(update={"annotations": writes})


def _files(client: McpClient) -> Iterator[Tool]:
    if client.files is not None:
        yield _with_panel(_tool(ASK_ABOUT_FILES, file_question_schema(client.language)), client)


def _with_panel(tool: Tool, client: McpClient) -> Tool:
    return tool.model_copy(update={"meta": PANEL_TOOL}) if client.panels else tool


def _checked(runtime: Runtime, client: McpClient) -> Iterator[Tool]:
    schemas: dict[tuple[str, str], dict[str, Any]] = {}
    several = len(client.features) > 1
    for name, each in offered_tools(runtime, client).items():
        if (each.feature, each.tool) not in schemas:
            for schema in each.toolbox.schemas(lean=True, flat=True, most_tables=_MOST_TABLES):
                schemas[each.feature, schema["function"]["name"]] = schema["function"]
        schema = schemas[each.feature, each.tool]
        if each.tool not in _WITHOUT_DATA:
            if each.tool != DESCRIBE:
                schema = _with_question(schema, client.language)
            if several:
                described = f"[{each.feature}] {schema['description']}"
                schema = {**schema, "description": described}
        yield _tool(name, schema)


def _with_question(schema: dict[str, Any], language: Language) -> dict[str, Any]:
    """The schema with an argument for the question behind the call."""
    parameters = schema["parameters"]
    argument = {"type": "string", "description": message("mcp.arg_user_question", language)}
    properties = {**parameters["properties"], USER_QUESTION: argument}
    return {**schema, "parameters": {**parameters, "properties": properties}}


def _tool(name: str, schema: dict[str, Any]) -> Tool:
    return Tool(
        name=name,
        description=schema["description"],
        input_schema=schema["parameters"],
        annotations=_READS,
    )
