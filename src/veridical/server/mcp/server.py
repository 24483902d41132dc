"""The MCP server, independent of the transport."""

import logging
from collections.abc import Callable
from importlib.metadata import version

from mcp.server import Server
from mcp.server.context import CallNext, HandlerResult
from mcp.shared.exceptions import MCPError
from mcp.types import (
    INTERNAL_ERROR,
    CallToolRequestParams,
    CallToolResult,
    GetPromptRequestParams,
    GetPromptResult,
    ListPromptsResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
)
from pydantic import ValidationError

from veridical.contracts.language import Language
from veridical.host.runtime import Runtime
from veridical.messages import message
from veridical.server.mcp.calls import call_tool
from veridical.server.mcp.client import Context, IdentifyClient
from veridical.server.mcp.prompts import get_prompt, prompts_of
from veridical.server.mcp.resources import read_resource, resources_of, templates_of
from veridical.server.mcp.tool_listing import tools_of
from veridical.server.problem import ProblemError, problem_of

_log = logging.getLogger("veridical.mcp")

Listed = PaginatedRequestParams | None


def mcp_server(
    runtime_now: Callable[[], Runtime], visitor_of: IdentifyClient, language: Language
) -> Server:
    """A server for the clients that ``visitor_of`` identifies; its texts are in this language."""

    async def tools(context: Context, _: Listed) -> ListToolsResult:
        return ListToolsResult(tools=tools_of(runtime_now(), visitor_of(context)))

    async def call(context: Context, params: CallToolRequestParams) -> CallToolResult:
        return await call_tool(runtime_now(), visitor_of(context), params, context)

    async def resources(context: Context, _: Listed) -> ListResourcesResult:
        return ListResourcesResult(resources=resources_of(visitor_of(context)))

    async def templates(context: Context, _: Listed) -> ListResourceTemplatesResult:
        return ListResourceTemplatesResult(resource_templates=templates_of(visitor_of(context)))

    async def read(context: Context, params: ReadResourceRequestParams) -> ReadResourceResult:
        return read_resource(runtime_now(), visitor_of(context), params.uri)

    async def prompts(context: Context, _: Listed) -> ListPromptsResult:
        return ListPromptsResult(prompts=prompts_of(runtime_now(), visitor_of(context)))

    async def prompt(context: Context, params: GetPromptRequestParams) -> GetPromptResult:
        return get_prompt(runtime_now(), visitor_of(context), params.name, params.arguments or {})

    async def reported_errors(ctx: Context, call_next: CallNext) -> HandlerResult:
        """Report errors in our own words: the library would send an exception's text."""
        try:
            return await call_next(ctx)
        except (MCPError, ValidationError):
            raise
        except ProblemError as error:
            problem = problem_of(error, language, str(ctx.request_id))
            code = {"code": problem.code, "status": problem.status}
            raise MCPError(INTERNAL_ERROR, problem.detail, code) from error
        except Exception as error:
            _log.exception("%s broke", ctx.method)
            raise MCPError(INTERNAL_ERROR, message("mcp.broke", language)) from error

    server: Server = Server(
        "veridical",
        version=version("veridical"),
        instructions=message("mcp.instructions", language),
        # No argument is mirrored in headers; without this, each call would list the tools first.
        get_tool_input_schema=lambda name: None,
        on_list_tools=tools,
        on_call_tool=call,
        on_list_resources=resources,
        on_list_resource_templates=templates,
        on_read_resource=read,
        on_list_prompts=prompts,
        on_get_prompt=prompt,
    )
    server.middleware.append(reported_errors)
    return server
