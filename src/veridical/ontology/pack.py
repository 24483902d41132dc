"""A pack: an ontology with its tables, found by name among the installed packages."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.metadata import entry_points
from pathlib import Path

from veridical.contracts.caller import WHOLE
from veridical.contracts.language import Text
from veridical.contracts.schema import Schema
from veridical.contracts.tool import OutsideTool
from veridical.ontology.model import OntologyDescriptor

GROUP = "veridical.packs"


@dataclass(frozen=True, slots=True)
class Pack:
    """The knowledge of one trade. Immutable, and cheap to load: no data, no driver."""

    name: str
    ontology: OntologyDescriptor
    schema: Schema
    domain_hints: Text = ""
    """The same knowledge as free text, for comparison runs without the ontology."""
    tenant_columns: Mapping[str, tuple[str, ...]] = field(
        default_factory=dict[str, tuple[str, ...]]
    )
    """The tenant columns of each table with tenants."""
    shared_tables: frozenset[str] = frozenset()
    """Reference tables without a tenant."""
    sample_data: str = ""
    """``module:function`` that loads sample data of a size into the PostgreSQL behind a URL."""
    skills: Path | None = None
    """A folder with one folder per skill, each with its ``SKILL.md``."""
    gold: Path | None = None
    """A folder with gold questions, one YAML file per set."""
    documents: Path | None = None
    """A folder with documents that its gold questions quote: a collection of the pack's name."""
    tools: tuple[OutsideTool, ...] = ()
    """Tools of its own, offered wherever the built-in ones are."""

    @property
    def has_tenants(self) -> bool:
        """True if its rows belong to tenants. A pack without tenant columns has none."""
        return bool(self.tenant_columns or self.shared_tables)

    @property
    def open_tables(self) -> frozenset[str]:
        """The tables that need no tenant: all of them if there are no tenants."""
        return frozenset(self.shared_tables) if self.has_tenants else WHOLE


class PackNotFoundError(LookupError):
    """No installed package offers a pack of this name."""


def pack_names() -> tuple[str, ...]:
    """The names of all installed packs."""
    return tuple(sorted({point.name for point in entry_points(group=GROUP)}))


def load_pack(name: str) -> Pack:
    """The installed pack of this name. Raises ``PackNotFoundError``, naming those that exist."""
    for point in entry_points(group=GROUP, name=name):
        pack = point.load()
        if not isinstance(pack, Pack):
            raise TypeError(f"{point.value} is not a Pack")
        return pack
    raise PackNotFoundError(f"no pack {name!r}; installed: {', '.join(pack_names()) or 'none'}")


def reload_pack(name: str) -> Pack:
    """The pack as its files are now. If they can't be loaded, the earlier one stays."""
    modules = {
        each: module
        for point in entry_points(group=GROUP, name=name)
        for each, module in sys.modules.items()
        if each == point.module or each.startswith(f"{point.module}.")
    }
    for each in modules:
        del sys.modules[each]
    try:
        return load_pack(name)
    except BaseException:
        sys.modules.update(modules)
        raise
