"""The trust layer between language models and business data.

Ten names stand in front: ``open``, the ``Client`` or ``AsyncClient`` that it gives, and their
``Answer``; the ``Caller`` who asks, with a ``Scope`` of rows and a ``Language``;
``Checker`` and ``gate`` for a loop of one's own; ``LoadError`` for a setting or a file that is
wrong. The other public names are in ``veridical.check``, ``veridical.client``,
``veridical.engines``, ``veridical.gate``, ``veridical.ontology``, ``veridical.ontology.model``,
``veridical.requirements``, ``veridical.search``, ``veridical.skills``, ``veridical.testing`` and
``veridical.tools``; everything else is internal. What 0.2 had here besides is still found here.
Each name is loaded when it is first used, so that a host which only checks queries needs no
database driver.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from veridical.contracts.extras import lazy_names

if TYPE_CHECKING:
    from veridical import gate
    from veridical.check.checker import Checker
    from veridical.client.async_client import AsyncClient
    from veridical.client.blocking_client import Client
    from veridical.client.opened import open
    from veridical.contracts.answer import Answer
    from veridical.contracts.caller import Caller, Scope
    from veridical.contracts.language import Language
    from veridical.ontology.errors import LoadError

__all__ = [
    "Answer",
    "AsyncClient",
    "Caller",
    "Checker",
    "Client",
    "Language",
    "LoadError",
    "Scope",
    "gate",
    "open",
]

if TYPE_CHECKING:  # names of 0.2
    from veridical.check import CheckedQuery as CheckedQuery
    from veridical.check import Column as Column
    from veridical.check import Permissions as Permissions
    from veridical.check import Refusal as Refusal
    from veridical.check import Schema as Schema
    from veridical.check import SqlCall as SqlCall
    from veridical.check import Table as Table
    from veridical.check import ValueType as ValueType
    from veridical.check import Violation as Violation
    from veridical.check import compile_catalog as compile_catalog
    from veridical.check import parse_call as parse_call
    from veridical.client import AgentSettings as AgentSettings
    from veridical.client import AnswerKind as AnswerKind
    from veridical.client import AsyncConversation as AsyncConversation
    from veridical.client import ClientContext as ClientContext
    from veridical.client import Conversation as Conversation
    from veridical.client import FeatureSettings as FeatureSettings
    from veridical.client import Gated as Gated
    from veridical.client import MissingExtraError as MissingExtraError
    from veridical.client import ModelCalled as ModelCalled
    from veridical.client import Progress as Progress
    from veridical.client import RuntimeSettings as RuntimeSettings
    from veridical.client import Source as Source
    from veridical.client import ToolCalled as ToolCalled
    from veridical.client import Turn as Turn
    from veridical.engines import Engine as Engine
    from veridical.engines import load_schema as load_schema
    from veridical.gate import Proof as Proof
    from veridical.gate import StatedAnswer as StatedAnswer
    from veridical.gate import Verdict as Verdict
    from veridical.ontology import OntologyDescriptor as OntologyDescriptor
    from veridical.ontology import Pack as Pack
    from veridical.ontology import compile_prompt as compile_prompt
    from veridical.ontology import import_ontology as import_ontology
    from veridical.ontology import load_ontology as load_ontology
    from veridical.ontology import load_pack as load_pack
    from veridical.tools import FileShelf as FileShelf
    from veridical.tools import RepeatGuard as RepeatGuard
    from veridical.tools import Tool as Tool
    from veridical.tools import ToolArguments as ToolArguments
    from veridical.tools import Toolbox as Toolbox
    from veridical.tools import ToolContext as ToolContext
    from veridical.tools import ToolResult as ToolResult
    from veridical.tools import ToolRun as ToolRun
    from veridical.tools import define_tool as define_tool
    from veridical.tools import found_rows as found_rows
    from veridical.tools import refused as refused
    from veridical.tools import refused_argument as refused_argument

_HOMES = {
    "check.checker": "Checker",
    "client.async_client": "AsyncClient",
    "client.blocking_client": "Client",
    "client.opened": "open",
    "contracts.answer": "Answer",
    "contracts.caller": "Caller Scope",
    "contracts.language": "Language",
    "ontology.errors": "LoadError",
    # names of 0.2, for programs that are written for it
    "check": (
        "CheckedQuery Column Permissions Refusal Schema SqlCall Table ValueType Violation "
        "compile_catalog parse_call"
    ),
    "client": (
        "AgentSettings AnswerKind AsyncConversation ClientContext Conversation "
        "FeatureSettings Gated MissingExtraError ModelCalled Progress RuntimeSettings "
        "Source ToolCalled Turn"
    ),
    "engines": "Engine load_schema",
    "gate": "Proof StatedAnswer Verdict",
    "ontology": "OntologyDescriptor Pack compile_prompt import_ontology load_ontology load_pack",
    "tools": (
        "FileShelf RepeatGuard Tool ToolArguments ToolContext ToolResult ToolRun Toolbox "
        "define_tool found_rows refused refused_argument"
    ),
}
_EXTRAS = dict.fromkeys(("AsyncClient", "Client", "open"), ("agent", "engine"))

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
