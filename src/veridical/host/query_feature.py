"""The whole verified agent as one tool that another agent can call."""

from collections.abc import Iterable, Mapping
from typing import Any

from veridical.answering.flow import answer
from veridical.answering.session import Session
from veridical.contracts.answer import Answer, AnswerKind
from veridical.contracts.language import Language
from veridical.contracts.question import Question
from veridical.contracts.result import ToolResult
from veridical.contracts.step import Step, directly
from veridical.messages import message
from veridical.tools.registry import QUERY_FEATURE

_HONEST = frozenset({AnswerKind.CHAT, AnswerKind.PATTERN, AnswerKind.AGENT, AnswerKind.ASK_BACK})


def query_feature_schema(features: Iterable[str], language: Language) -> dict[str, Any]:
    """The tool as a function schema; the features are a closed list, and the only one need not be
    named."""
    known = sorted(features)
    return {
        "type": "function",
        "function": {
            "name": QUERY_FEATURE,
            "description": message("host.query_feature", language),
            "parameters": {
                "type": "object",
                "properties": {
                    "feature": {
                        "type": "string",
                        "enum": known,
                        "description": message("host.arg_feature", language),
                    },
                    "question": {
                        "type": "string",
                        "description": message("host.arg_question", language),
                    },
                },
                "required": ["question"] if len(known) == 1 else ["feature", "question"],
                "additionalProperties": False,
            },
        },
    }


async def query_feature_instance(
    feature: str, question: str, sessions: Mapping[str, Session], step: Step = directly
) -> ToolResult:
    """A verified answer with its grounds and the id of its trace. The only feature need not be
    named: empty means that one."""
    feature = feature or (next(iter(sessions)) if len(sessions) == 1 else "")
    session = sessions.get(feature)
    if session is None:
        language = next((each.caller.language for each in sessions.values()), Language.EN)
        return no_such_feature(sessions, language)
    return as_result(await answer(Question(text=question, feature=feature), session, step))


def no_such_feature(known: Iterable[str], language: Language) -> ToolResult:
    """The error for an unknown feature, with the known ones."""
    named = ", ".join(sorted(known))
    return ToolResult(success=False, error=message("host.no_feature", language, known=named))


def as_result(given: Answer) -> ToolResult:
    """The answer as a tool result. "I can't say" is no success: the caller must not take its
    text for data."""
    data = given.model_dump(mode="json", by_alias=True)
    if given.kind in _HONEST and not given.is_blocked:
        return ToolResult(success=True, data=data)
    return ToolResult(success=False, data=data, error=f"{given.kind.upper()}: {given.text}")
