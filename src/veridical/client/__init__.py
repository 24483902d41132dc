"""The Python client behind ``veridical.open``: ask, check, run and gate from a program.

The names below are public: conversations, what an answer and a run consist of, and the settings of
a program that has no file. Each is loaded when it is first used.
"""

from typing import TYPE_CHECKING

from veridical.contracts.extras import lazy_names

if TYPE_CHECKING:
    from veridical.agent.settings import AgentSettings
    from veridical.client.async_client import AsyncConversation
    from veridical.client.blocking_client import Conversation
    from veridical.client.opened import ClientContext
    from veridical.contracts.answer import AnswerKind, Source
    from veridical.contracts.extras import MissingExtraError
    from veridical.contracts.question import Turn
    from veridical.contracts.step import Progress
    from veridical.contracts.trace import Gated, ModelCalled, ToolCalled
    from veridical.host.settings import FeatureSettings, RuntimeSettings

__all__ = [
    "AgentSettings",
    "AnswerKind",
    "AsyncConversation",
    "ClientContext",
    "Conversation",
    "FeatureSettings",
    "Gated",
    "MissingExtraError",
    "ModelCalled",
    "Progress",
    "RuntimeSettings",
    "Source",
    "ToolCalled",
    "Turn",
]

_HOMES = {
    "veridical.agent.settings": "AgentSettings",
    "async_client": "AsyncConversation",
    "blocking_client": "Conversation",
    "opened": "ClientContext",
    "veridical.contracts.answer": "AnswerKind Source",
    "veridical.contracts.extras": "MissingExtraError",
    "veridical.contracts.step": "Progress",
    "veridical.contracts.question": "Turn",
    "veridical.contracts.trace": "Gated ModelCalled ToolCalled",
    "veridical.host.settings": "FeatureSettings RuntimeSettings",
}
_EXTRAS = dict.fromkeys(("AsyncConversation", "ClientContext", "Conversation"), ("agent", "engine"))

if not TYPE_CHECKING:  # a type checker is to report a name that there is not
    __getattr__ = lazy_names(__name__, _HOMES, _EXTRAS)
