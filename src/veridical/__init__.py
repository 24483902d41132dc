"""The trust layer between language models and business data.

``veridical.open`` is the front door. The names below are public, and so are those of the modules
``veridical.engines``, ``veridical.gate``, ``veridical.ontology.model``, ``veridical.skills`` and
``veridical.testing``; everything else is internal. Each name is loaded when it is first used, so
that a host which only checks queries needs no database driver.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from veridical.contracts.lazy_names import lazy_names

if TYPE_CHECKING:
    from veridical import gate
    from veridical.agent.settings import AgentSettings
    from veridical.check.checker import Checker
    from veridical.client.async_client import AsyncClient, AsyncConversation
    from veridical.client.blocking_client import Client, Conversation
    from veridical.client.opened import ClientContext, open
    from veridical.contracts.answer import Answer, AnswerKind, Source
    from veridical.contracts.call import SqlCall, parse_call
    from veridical.contracts.caller import Caller, Permissions, Scope
    from veridical.contracts.checked import CheckedQuery
    from veridical.contracts.extras import MissingExtraError
    from veridical.contracts.language import Language
    from veridical.contracts.progress import Progress
    from veridical.contracts.proof import Proof, Verdict
    from veridical.contracts.question import Turn
    from veridical.contracts.result import ToolResult, ToolRun, refused
    from veridical.contracts.schema import Column, Schema, Table, ValueType
    from veridical.contracts.stated import StatedAnswer
    from veridical.contracts.tool import Tool, ToolContext, found_rows, refused_argument
    from veridical.contracts.trace import Gated, ModelCalled, ToolCalled
    from veridical.contracts.violation import Refusal, Violation
    from veridical.engines import Engine
    from veridical.engines.schema_source import load_schema
    from veridical.host.settings import FeatureSettings, RuntimeSettings
    from veridical.ontology.compile import compile_catalog
    from veridical.ontology.errors import LoadError
    from veridical.ontology.importers import import_ontology
    from veridical.ontology.load import load_ontology
    from veridical.ontology.model import OntologyDescriptor
    from veridical.ontology.pack import Pack, load_pack
    from veridical.ontology.prompt import compile_prompt
    from veridical.tools.define import ToolArguments, define_tool
    from veridical.tools.file_shelf import FileShelf
    from veridical.tools.repeat import RepeatGuard
    from veridical.tools.toolbox import Toolbox

_HOMES = {
    "AgentSettings": "agent.settings",
    "Answer": "contracts.answer",
    "AnswerKind": "contracts.answer",
    "AsyncClient": "client.async_client",
    "AsyncConversation": "client.async_client",
    "Caller": "contracts.caller",
    "CheckedQuery": "contracts.checked",
    "Checker": "check.checker",
    "Client": "client.blocking_client",
    "ClientContext": "client.opened",
    "Column": "contracts.schema",
    "Conversation": "client.blocking_client",
    "Engine": "engines",
    "FeatureSettings": "host.settings",
    "FileShelf": "tools.file_shelf",
    "Gated": "contracts.trace",
    "Language": "contracts.language",
    "LoadError": "ontology.errors",
    "MissingExtraError": "contracts.extras",
    "ModelCalled": "contracts.trace",
    "OntologyDescriptor": "ontology.model",
    "Pack": "ontology.pack",
    "Permissions": "contracts.caller",
    "Progress": "contracts.progress",
    "Proof": "contracts.proof",
    "Refusal": "contracts.violation",
    "RepeatGuard": "tools.repeat",
    "RuntimeSettings": "host.settings",
    "Schema": "contracts.schema",
    "Scope": "contracts.caller",
    "Source": "contracts.answer",
    "SqlCall": "contracts.call",
    "StatedAnswer": "contracts.stated",
    "Table": "contracts.schema",
    "Tool": "contracts.tool",
    "ToolArguments": "tools.define",
    "ToolCalled": "contracts.trace",
    "ToolContext": "contracts.tool",
    "ToolResult": "contracts.result",
    "ToolRun": "contracts.result",
    "Toolbox": "tools.toolbox",
    "Turn": "contracts.question",
    "ValueType": "contracts.schema",
    "Verdict": "contracts.proof",
    "Violation": "contracts.violation",
    "compile_catalog": "ontology.compile",
    "compile_prompt": "ontology.prompt",
    "define_tool": "tools.define",
    "found_rows": "contracts.tool",
    "import_ontology": "ontology.importers",
    "load_ontology": "ontology.load",
    "load_pack": "ontology.pack",
    "load_schema": "engines.schema_source",
    "open": "client.opened",
    "parse_call": "contracts.call",
    "refused": "contracts.result",
    "refused_argument": "contracts.tool",
}
_EXTRAS = dict.fromkeys(
    ("AsyncClient", "AsyncConversation", "Client", "ClientContext", "Conversation", "open"),
    ("agent", "engine"),
) | dict.fromkeys(("FileShelf", "Toolbox"), ("engine",))

__all__ = [
    "AgentSettings",
    "Answer",
    "AnswerKind",
    "AsyncClient",
    "AsyncConversation",
    "Caller",
    "CheckedQuery",
    "Checker",
    "Client",
    "ClientContext",
    "Column",
    "Conversation",
    "Engine",
    "FeatureSettings",
    "FileShelf",
    "Gated",
    "Language",
    "LoadError",
    "MissingExtraError",
    "ModelCalled",
    "OntologyDescriptor",
    "Pack",
    "Permissions",
    "Progress",
    "Proof",
    "Refusal",
    "RepeatGuard",
    "RuntimeSettings",
    "Schema",
    "Scope",
    "Source",
    "SqlCall",
    "StatedAnswer",
    "Table",
    "Tool",
    "ToolArguments",
    "ToolCalled",
    "ToolContext",
    "ToolResult",
    "ToolRun",
    "Toolbox",
    "Turn",
    "ValueType",
    "Verdict",
    "Violation",
    "compile_catalog",
    "compile_prompt",
    "define_tool",
    "found_rows",
    "gate",
    "import_ontology",
    "load_ontology",
    "load_pack",
    "load_schema",
    "open",
    "parse_call",
    "refused",
    "refused_argument",
]

__version__: str
"""The version of the installed package."""

if not TYPE_CHECKING:  # a type checker is to report a name that there is not
    _loaded = lazy_names(__name__, _HOMES, _EXTRAS)

    def __getattr__(name: str) -> Any:
        if name == "__version__":
            from importlib.metadata import version  # takes longer to load than all the rest

            return version(__name__)
        if name == "gate":
            return import_module(f"{__name__}.gate")
        return _loaded(name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, "__version__"})
