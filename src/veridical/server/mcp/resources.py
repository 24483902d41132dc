"""MCP resources: the ontology of each feature, whole or the part relevant to a question, the shape
of results, the form of facts, and the page of an answer."""

import json
from urllib.parse import parse_qs, urlsplit

from mcp.shared.exceptions import MCPError
from mcp.types import INVALID_PARAMS, ReadResourceResult, Resource, ResourceTemplate
from mcp.types import TextResourceContents as Text

from veridical.contracts.result import ToolResult
from veridical.facts.instruction import instruction
from veridical.host.runtime import Runtime
from veridical.messages import message
from veridical.server.body_types import LONGEST_TEXT
from veridical.server.mcp.answer_panel import PANEL, panel_page, panel_resource
from veridical.server.mcp.client import McpClient
from veridical.server.mcp.tool_listing import listed_as
from veridical.tools.describe import DESCRIBE
from veridical.tools.known_question import KNOWN_QUESTION

_PREFIX = "veridical://ontology/"
_RESULT = "veridical://schema/result"
_FACTS = "veridical://facts"
_MARKDOWN = "text/markdown"
_SCHEMA = "application/schema+json"
_QUESTION = "question"


def resources_of(client: McpClient) -> list[Resource]:
    """One for each feature, the shape of results and the form of facts: once, not with every
    tool."""
    shape = Resource(
        name="result-schema",
        uri=_RESULT,
        description=message("mcp.result_schema", client.language),
        mime_type=_SCHEMA,
    )
    facts = Resource(
        name="facts",
        uri=_FACTS,
        description=message("mcp.facts_form", client.language),
        mime_type=_MARKDOWN,
    )
    panels = [panel_resource(client.language)] if client.panels else []
    return [*_ontologies(client), shape, facts, *panels]


def _ontologies(client: McpClient) -> list[Resource]:
    return [
        Resource(
            name=f"ontology-{feature}",
            uri=f"{_PREFIX}{feature}",
            description=message("mcp.ontology", client.language, feature=feature),
            mime_type=_MARKDOWN,
        )
        for feature in client.features
    ]


def templates_of(client: McpClient) -> list[ResourceTemplate]:
    """The slice that a question needs."""
    return [
        ResourceTemplate(
            name="ontology-slice",
            uri_template=f"{_PREFIX}{{feature}}{{?{_QUESTION}}}",
            description=message("mcp.ontology_slice", client.language),
            mime_type=_MARKDOWN,
        )
    ]


def read_resource(runtime: Runtime, client: McpClient, uri: str) -> ReadResourceResult:
    """The text of a resource. Forbidden resources read as not found."""
    if uri == _RESULT:
        shape = ToolResult.model_json_schema(by_alias=True, mode="serialization")
        content = Text(uri=uri, mime_type=_SCHEMA, text=json.dumps(shape))
        return ReadResourceResult(contents=[content])
    if uri == _FACTS:
        content = Text(uri=uri, mime_type=_MARKDOWN, text=instruction())
        return ReadResourceResult(contents=[content])
    if uri == PANEL and client.panels:
        return panel_page(client.panels, client.language)
    place = urlsplit(uri)
    feature = place.path.strip("/")
    if not uri.startswith(_PREFIX) or feature not in client.callers:
        known = ", ".join(each.uri for each in resources_of(client))
        raise MCPError(INVALID_PARAMS, message("mcp.no_resource", client.language, known=known))
    question = parse_qs(place.query).get(_QUESTION, [""])[0][:LONGEST_TEXT]
    caller = client.callers[feature]
    text = runtime.feature_of(feature, caller).context(
        caller,
        question,
        runtime.settings.prompt_tokens,
        known_calls=not listed_as(runtime, client, feature, KNOWN_QUESTION),
        describe=listed_as(runtime, client, feature, DESCRIBE),
    )
    return ReadResourceResult(contents=[Text(uri=uri, mime_type=_MARKDOWN, text=text)])
