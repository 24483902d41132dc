"""Extracts the answer's text from a model's stream, plain or as the argument of ``finalAnswer``."""

from collections.abc import Callable

from pydantic_ai.messages import (
    ModelResponseStreamEvent,
    PartDeltaEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
    ToolCallPart,
    ToolCallPartDelta,
)
from pydantic_core import from_json

from veridical.agent.ending_tools import ANSWER_TEXT, FINAL_ANSWER


class Deltas:
    """Passes on each new piece of text, once."""

    def __init__(self, hear: Callable[[str], None] | None) -> None:
        self.text = ""
        self._hear = hear
        self._finals: dict[int, str] = {}
        """The arguments of final answers so far, by the part's index."""

    def take(self, event: ModelResponseStreamEvent) -> None:
        """Reads one event of the stream."""
        match event:
            case PartStartEvent(part=TextPart(content=text)):
                self._say(text)
            case PartDeltaEvent(delta=TextPartDelta(content_delta=text)):
                self._say(text)
            case PartStartEvent(part=ToolCallPart(tool_name=name, args=args)) if (
                name == FINAL_ANSWER
            ):
                self._finals[event.index] = ""
                self._argue(event.index, args if isinstance(args, str) else "")
            case PartDeltaEvent(delta=ToolCallPartDelta(args_delta=str(more))) if (
                event.index in self._finals
            ):
                self._argue(event.index, more)
            case _:
                pass

    def _argue(self, index: int, more: str) -> None:
        before = _text_in(self._finals[index])
        self._finals[index] += more
        self._say(_text_in(self._finals[index])[len(before) :])

    def _say(self, text: str) -> None:
        if text and self._hear is not None:
            self._hear(text)
        self.text += text


def _text_in(arguments: str) -> str:
    """The answer's text in arguments that may still break off anywhere."""
    try:
        read = from_json(arguments, allow_partial="trailing-strings")
    except ValueError:
        return ""
    text = read.get(ANSWER_TEXT) if isinstance(read, dict) else None
    return text if isinstance(text, str) else ""
