"""All files of a LookML project as one: views and explores with what refines and extends them."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from veridical.ontology.importers.lookml_text import Block

_CONSTANT = re.compile(r"@\{\s*(\w+)\s*\}")


@dataclass(frozen=True, slots=True)
class LookmlProject:
    """Each view and explore by name, as the blocks that describe it, the last one winning."""

    views: Mapping[str, tuple[Block, ...]]
    explores: Mapping[str, tuple[Block, ...]]
    constants: Mapping[str, str]

    def written_out(self, text: str) -> str:
        """The text with the values of constants that have one."""
        return _CONSTANT.sub(lambda found: self.constants.get(found[1]) or found[0], text)


def project_of(files: Iterable[Block]) -> LookmlProject:
    """The project that these files make up."""
    whole = list(files)
    constants = {
        block.name: block.text("value") for file in whole for block in file.blocks("constant")
    }
    return LookmlProject(_whole(whole, "view"), _whole(whole, "explore"), constants)


def _whole(files: Iterable[Block], kind: str) -> dict[str, tuple[Block, ...]]:
    own: dict[str, list[Block]] = {}
    refining: dict[str, list[Block]] = {}
    for block in (block for file in files for block in file.blocks(kind)):
        into = refining if block.name.startswith("+") else own
        into.setdefault(block.name.removeprefix("+"), []).append(block)
    joined = {name: [*blocks, *refining.get(name, ())] for name, blocks in own.items()}
    return {name: tuple(_extended(name, joined, frozenset())) for name in joined}


def _extended(name: str, joined: Mapping[str, list[Block]], seen: frozenset[str]) -> list[Block]:
    """The blocks of all that a view extends, before its own."""
    own = joined.get(name, []) if name not in seen else []
    parents = [
        str(item)
        for block in own
        for key in ("extends", "extends__all")
        for item in block.items(key)
    ]
    above = [block for each in parents for block in _extended(each, joined, seen | {name})]
    return [*above, *own]
