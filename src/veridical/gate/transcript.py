"""The calls and results in transcripts of agents: OpenAI, Anthropic, MCP, Gemini.

Results of tools are evidence. Messages of a person or the model are not: they have to be proven.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeGuard

_SPEAKERS = frozenset(
    {
        "system", "developer", "user", "assistant", "tool", "function", "human", "ai", "model",
        "critic", "ipython",
    }
)  # fmt: skip
_TOOLS = frozenset({"tool", "function", "ipython"})
_CALLS = frozenset({"function_call", "tool_use", "server_tool_use", "mcp_tool_use", "tool_call"})
_RESULTS = frozenset(
    {
        "function_call_output", "tool_result", "mcp_call", "web_search_tool_result",
        "mcp_tool_result", "custom_tool_call_output", "local_shell_call_output",
        "code_execution_tool_result", "file_search_call", "code_interpreter_call", "tool-return",
        "tool_call_output",
    }
)  # fmt: skip
_WRAPPERS = ("messages", "input", "output", "items", "history", "parts", "contents", "content")
_ARGUMENTS = ("arguments", "input", "args", "parameters")
_PAYLOAD = (
    "output", "content", "structuredContent", "structured_content", "result", "response", "results",
    "outputs", "data",
)  # fmt: skip
_IDS = ("call_id", "tool_call_id", "tool_use_id", "id")
_BLOCKS = frozenset({"text", "output_text", "input_text", "json", "resource", "image", "document"})
_BINARY = frozenset({"image", "audio", "input_image", "image_url"})


@dataclass(frozen=True, slots=True)
class Returned:
    """The result of one call."""

    tool: str = ""
    payload: Any = None
    arguments: Mapping[str, Any] | None = None
    failed: bool = False
    error: str = ""


def is_transcript(value: Any) -> bool:
    """True for messages or items of a conversation, or for one object that holds them."""
    if isinstance(value, Mapping):
        return any(_is_conversation(value.get(name)) for name in _WRAPPERS) or _is_item(value)
    return _is_conversation(value)


def is_mcp_result(result: Mapping[Any, Any]) -> bool:
    """True for a tool's result over MCP: blocks of content, structured or not."""
    content = result.get("content")
    blocks = _is_list(content) and all(is_block(each) for each in content)
    return (blocks and bool(content)) or (
        "structuredContent" in result and (blocks or content is None or content == [])
    )


def is_block(value: Any) -> bool:
    """True for one block of content."""
    return isinstance(value, Mapping) and value.get("type") in _BLOCKS | _BINARY


def returned_in(transcript: Any) -> Iterator[Returned]:
    """The results of tools, in order, each with its call."""
    calls: dict[str, tuple[str, Mapping[str, Any] | None]] = {}
    for item in _items(transcript):
        for name, identity, arguments in _called(item):
            calls[identity] = (name, arguments)
        found = _returned(item, calls)
        if found is not None:
            yield found


def content_of(payload: Any) -> Any:
    """The value in blocks of content: their JSON, their rows, or their texts together."""
    if not _is_list(payload) or not payload or not all(map(is_block, payload)):
        return payload
    texts = [_block_text(block) for block in payload if block.get("type") not in _BINARY]
    values = [text for text in texts if text not in (None, "")]
    if len(values) == 1:
        return values[0]
    if values and all(isinstance(value, str) for value in values):
        return _together(values)
    return values


def _together(texts: list[str]) -> Any:
    """Texts of JSON are several results; other texts are one page."""
    if all(text.lstrip()[:1] in ("{", "[") for text in texts):
        return texts
    return "\n".join(texts)


def _block_text(block: Mapping[str, Any]) -> Any:
    kind = block.get("type")
    if kind == "json":
        return block.get("json", block.get("data"))
    if kind == "resource":
        source = block.get("resource")
        return source.get("text") if isinstance(source, Mapping) else None
    if kind == "document":
        source = block.get("source")
        return source.get("data") if isinstance(source, Mapping) else block.get("text")
    return block.get("text")


def _is_list(value: Any) -> TypeGuard[Sequence[Any]]:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def _is_conversation(value: Any) -> bool:
    return _is_list(value) and bool(value) and any(map(_is_item, value)) and all(map(_fits, value))


def _fits(value: Any) -> bool:
    return isinstance(value, Mapping) and (_is_item(value) or "type" in value or "role" in value)


def _is_item(item: Any) -> bool:
    if not isinstance(item, Mapping):
        return False
    role, kind = item.get("role"), item.get("type")
    if isinstance(role, str) and role.casefold() in _SPEAKERS:
        return any(name in item for name in ("content", "tool_calls", "parts", "function_call"))
    if kind in _CALLS | _RESULTS:
        return True
    if kind == "tool" and "content" in item:
        return True  # LangChain
    return "functionResponse" in item or "functionCall" in item or "function_response" in item


def _items(value: Any) -> Iterator[Mapping[str, Any]]:
    """Every message, item and block of calls and results, in order."""
    if isinstance(value, Mapping):
        if _is_item(value):
            yield value
        if _is_tool_message(value):
            return
        for name in _WRAPPERS:
            inner = value.get(name)
            if _is_list(inner) and value.get("type") not in _RESULTS:
                for each in inner:
                    yield from _items(each)
    elif _is_list(value):
        for each in value:
            yield from _items(each)


def _is_tool_message(item: Mapping[str, Any]) -> bool:
    role = item.get("role")
    by_tool = isinstance(role, str) and role.casefold() in _TOOLS
    return (by_tool and not _holds_results(item)) or (item.get("type") == "tool" and not role)


def _holds_results(item: Mapping[str, Any]) -> bool:
    inner = item.get("content", item.get("parts"))
    return _is_list(inner) and any(map(_is_item, inner))


def _called(item: Mapping[str, Any]) -> Iterator[tuple[str, str, Mapping[str, Any] | None]]:
    for call in item.get("tool_calls") or ():
        function = call.get("function", call) if isinstance(call, Mapping) else {}
        if isinstance(function, Mapping):
            yield str(function.get("name", "")), _identity(call), arguments_of(function)
    if item.get("type") in _CALLS:
        yield str(item.get("name", "")), _identity(item), arguments_of(item)
    call = item.get("functionCall")
    if isinstance(call, Mapping):
        yield str(call.get("name", "")), str(call.get("name", "")), arguments_of(call)


def arguments_of(call: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """A call's arguments, be they an object or its JSON."""
    for name in _ARGUMENTS:
        arguments = call.get(name)
        if isinstance(arguments, str):
            try:
                arguments = json.loads(arguments)
            except (ValueError, RecursionError):
                continue
        if isinstance(arguments, Mapping):
            return arguments
    return None


def _identity(item: Mapping[str, Any]) -> str:
    return next((str(item[name]) for name in _IDS if item.get(name)), "")


def _returned(
    item: Mapping[str, Any], calls: Mapping[str, tuple[str, Mapping[str, Any] | None]]
) -> Returned | None:
    response = item.get("functionResponse") or item.get("function_response")
    if isinstance(response, Mapping):
        name = str(response.get("name", ""))
        known = calls.get(name, (name, None))
        return Returned(name, response.get("response"), known[1])
    if not _is_tool_message(item) and item.get("type") not in _RESULTS:
        return None
    name, arguments = calls.get(_identity(item), ("", None))
    name = str(item.get("name") or item.get("tool_name") or name)
    error = item.get("error")
    status = str(item.get("status", "")).casefold()
    flagged = item.get("is_error") is True or item.get("isError") is True
    failed = bool(error) or flagged or status in ("error", "failed", "incomplete")
    payload = next((item[key] for key in _PAYLOAD if item.get(key) is not None), None)
    reason = error if isinstance(error, str) else ""
    return Returned(name, content_of(payload), arguments_of(item) or arguments, failed, reason)
