"""The trust layer between language models and business data.

The names below are the public ones; each is loaded when first used, so that a host which only
checks queries needs no database driver. A pack may also import ``veridical.ontology.model`` and
``veridical.contracts``, whose descriptors are many; everything else is internal.
"""

from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from veridical import gate
    from veridical.check.checker import Checker
    from veridical.contracts.call import SqlCall, parse_call
    from veridical.contracts.caller import Caller, Permissions, Scope
    from veridical.contracts.language import Language
    from veridical.contracts.violation import Refusal
    from veridical.engines import Engine
    from veridical.engines.schema_source import load_schema
    from veridical.ontology.compile import compile_catalog
    from veridical.ontology.load import load_ontology
    from veridical.ontology.model import OntologyDescriptor
    from veridical.ontology.pack import Pack
    from veridical.ontology.prompt import compile_prompt
    from veridical.tools.toolbox import Toolbox

__all__ = [
    "Caller",
    "Checker",
    "Engine",
    "Language",
    "OntologyDescriptor",
    "Pack",
    "Permissions",
    "Refusal",
    "Scope",
    "SqlCall",
    "Toolbox",
    "compile_catalog",
    "compile_prompt",
    "gate",
    "load_ontology",
    "load_schema",
    "parse_call",
]

_HOMES = {
    "Caller": "contracts.caller",
    "Checker": "check.checker",
    "Engine": "engines",
    "Language": "contracts.language",
    "OntologyDescriptor": "ontology.model",
    "Pack": "ontology.pack",
    "Permissions": "contracts.caller",
    "Refusal": "contracts.violation",
    "Scope": "contracts.caller",
    "SqlCall": "contracts.call",
    "Toolbox": "tools.toolbox",
    "compile_catalog": "ontology.compile",
    "compile_prompt": "ontology.prompt",
    "load_ontology": "ontology.load",
    "load_schema": "engines.schema_source",
    "parse_call": "contracts.call",
}

__version__: str
"""The version of the installed package."""

if not TYPE_CHECKING:  # a type checker is to report a name that there is not

    def __getattr__(name: str) -> Any:
        if name == "__version__":
            return version(__name__)
        if name == "gate":
            return import_module(f"{__name__}.gate")
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from veridical.contracts.extras import named_when_missing

        with named_when_missing():
            return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, "__version__"})
