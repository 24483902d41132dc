"""MCP prompts: how to ask well, the list of skills, and each skill."""

from collections.abc import Iterator
from itertools import islice

from mcp.shared.exceptions import MCPError
from mcp.types import (
    INVALID_PARAMS,
    GetPromptResult,
    Prompt,
    PromptArgument,
    PromptMessage,
    TextContent,
)

from veridical.contracts.language import in_language
from veridical.host.runtime import Runtime
from veridical.messages import message
from veridical.server.mcp.client import McpClient
from veridical.server.mcp.tool_listing import toolbox_of
from veridical.skills.prompt import instructions
from veridical.skills.skill import Skill
from veridical.tools.known_question import worked_examples

ASK_WELL = "ask-well"
SKILLS = "skills"
_REQUEST = "request"
_MOST_EXAMPLES = 8


def prompts_of(runtime: Runtime, client: McpClient) -> list[Prompt]:
    """The prompts by which somebody may begin."""
    language = client.language
    request = PromptArgument(
        name=_REQUEST, description=message("mcp.arg_request", language), required=False
    )
    return [
        Prompt(name=ASK_WELL, description=message("mcp.ask_well_about", language)),
        Prompt(name=SKILLS, description=message("mcp.skills_about", language)),
        *(
            Prompt(
                name=skill.name,
                description=in_language(skill.description, language),
                arguments=[request],
            )
            for skill in _skills(runtime, client).values()
        ),
    ]


def get_prompt(
    runtime: Runtime, client: McpClient, name: str, arguments: dict[str, str]
) -> GetPromptResult:
    """The text of a prompt. Raises ``MCPError`` for one that there is not."""
    skills = _skills(runtime, client)
    if name == ASK_WELL:
        return _prompt_result(_ask_well(runtime, client))
    if name == SKILLS:
        return _prompt_result(_listed(skills, client))
    if (skill := skills.get(name)) is not None:
        text = instructions(skill, client.language)
        return _prompt_result(
            "\n\n".join(part for part in (text, arguments.get(_REQUEST, "")) if part)
        )
    known = ", ".join((ASK_WELL, SKILLS, *skills))
    raise MCPError(INVALID_PARAMS, message("mcp.no_prompt", client.language, known=known))


def _skills(runtime: Runtime, client: McpClient) -> dict[str, Skill]:
    """The skills of all features, by name."""
    return {
        skill.name: skill
        for feature in client.features
        for skill in runtime.skills.get(feature, ())
    }


def _ask_well(runtime: Runtime, client: McpClient) -> str:
    parts = [message("mcp.ask_well", client.language)]
    for feature in client.features:
        examples = "\n".join(f"- {each}" for each in _examples(runtime, client, feature))
        parts.append(f"## {feature}\n{examples}" if examples else f"## {feature}")
    return "\n\n".join(parts)


def _examples(runtime: Runtime, client: McpClient, feature: str) -> Iterator[str]:
    known = toolbox_of(runtime, client, feature).known
    if known is None:
        return
    for question, _, _ in islice(worked_examples(known, client.language), _MOST_EXAMPLES):
        yield question


def _listed(skills: dict[str, Skill], client: McpClient) -> str:
    lines = (
        f"- /{skill.name}: {in_language(skill.description, client.language)}"
        for skill in skills.values()
    )
    return "\n".join((message("mcp.skills", client.language), *lines))


def _prompt_result(text: str) -> GetPromptResult:
    return GetPromptResult(messages=[PromptMessage(role="user", content=TextContent(text=text))])
