"""Prompts: how to ask well, which skills there are, and each skill to be followed."""

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
from veridical.server.mcp.offer import toolbox_of
from veridical.server.mcp.visitor import Visitor
from veridical.skills.prompt import instructions
from veridical.skills.skill import Skill
from veridical.tools.known_question import worked_examples

ASK_WELL = "ask-well"
SKILLS = "skills"
_REQUEST = "request"
_MOST_EXAMPLES = 8


def prompts_of(runtime: Runtime, visitor: Visitor) -> list[Prompt]:
    """The prompts by which somebody may begin."""
    language = visitor.language
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
            for skill in _skills(runtime, visitor).values()
        ),
    ]


def get_prompt(
    runtime: Runtime, visitor: Visitor, name: str, arguments: dict[str, str]
) -> GetPromptResult:
    """The text of a prompt. Raises ``MCPError`` for one that there is not."""
    skills = _skills(runtime, visitor)
    if name == ASK_WELL:
        return _said(_ask_well(runtime, visitor))
    if name == SKILLS:
        return _said(_listed(skills, visitor))
    if (skill := skills.get(name)) is not None:
        text = instructions(skill, visitor.language)
        return _said("\n\n".join(part for part in (text, arguments.get(_REQUEST, "")) if part))
    known = ", ".join((ASK_WELL, SKILLS, *skills))
    raise MCPError(INVALID_PARAMS, message("mcp.no_prompt", visitor.language, known=known))


def _skills(runtime: Runtime, visitor: Visitor) -> dict[str, Skill]:
    """Those of all features, each once."""
    return {
        skill.name: skill
        for feature in visitor.features
        for skill in runtime.skills.get(feature, ())
    }


def _ask_well(runtime: Runtime, visitor: Visitor) -> str:
    parts = [message("mcp.ask_well", visitor.language)]
    for feature in visitor.features:
        examples = "\n".join(f"- {each}" for each in _examples(runtime, visitor, feature))
        parts.append(f"## {feature}\n{examples}" if examples else f"## {feature}")
    return "\n\n".join(parts)


def _examples(runtime: Runtime, visitor: Visitor, feature: str) -> Iterator[str]:
    known = toolbox_of(runtime, visitor, feature).known
    if known is None:
        return
    for question, _, _ in islice(worked_examples(known, visitor.language), _MOST_EXAMPLES):
        yield question


def _listed(skills: dict[str, Skill], visitor: Visitor) -> str:
    lines = (
        f"- /{skill.name}: {in_language(skill.description, visitor.language)}"
        for skill in skills.values()
    )
    return "\n".join((message("mcp.skills", visitor.language), *lines))


def _said(text: str) -> GetPromptResult:
    return GetPromptResult(messages=[PromptMessage(role="user", content=TextContent(text=text))])
