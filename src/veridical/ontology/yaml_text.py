"""An ontology as the text of a YAML file, with short values on one line."""

from typing import TYPE_CHECKING, Any, Final

import yaml

from veridical.ontology.model import OntologyDescriptor
from veridical.ontology.yaml_document import plain_value

if TYPE_CHECKING:
    from yaml import SafeDumper
else:
    SafeDumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)  # ten times as fast

_WIDTH: Final = 100
_ONE_LINE: Final = 84
"""The longest list or mapping that is not broken into lines, without its indentation."""


def ontology_yaml(ontology: OntologyDescriptor) -> str:
    """The text from which ``read_ontology`` makes the same ontology again."""
    data = ontology.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    return "\n".join(yaml_text({key: value}) for key, value in data.items())


def yaml_text(data: Any) -> str:
    """Plain values as YAML, the outermost spread over lines."""
    return yaml.dump(data, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=_WIDTH)


class _Dumper(SafeDumper):
    """Quotes everything that YAML 1.1 or 1.2 would read as something else than text."""

    def represent(self, data: Any) -> None:
        node: Any = self.represent_data(data)
        node.flow_style = False
        self.serialize(node)
        self.represented_objects = {}
        self.object_keeper = []
        self.alias_key = None

    def ignore_aliases(self, data: Any) -> bool:
        del data
        return True


def _scalar(dumper: Any, text: str) -> yaml.ScalarNode:
    style = None
    if not isinstance(plain_value(text), str):
        style = "'"
    elif "\n" in text:
        style = "|" if _is_block(text) else '"'
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


def _is_block(text: str) -> bool:
    """True if it can be a literal block: printable lines without blanks at their ends."""
    lines = text.removesuffix("\n").split("\n")
    return all(line.isprintable() and line == line.strip() and line for line in lines)


def _mapping(dumper: Any, data: dict[str, Any]) -> yaml.MappingNode:
    node: yaml.MappingNode = dumper.represent_mapping("tag:yaml.org,2002:map", data.items(), False)
    node.flow_style = _fits(part for pair in node.value for part in pair)
    return node


def _sequence(dumper: Any, data: list[Any]) -> yaml.SequenceNode:
    node: yaml.SequenceNode = dumper.represent_sequence("tag:yaml.org,2002:seq", data, False)
    node.flow_style = _fits(node.value)
    return node


def _fits(nodes: Any) -> bool:
    """True if these stand on one line: few scalars, none of several lines."""
    length = 0
    for node in nodes:
        if not isinstance(node, yaml.ScalarNode) or "\n" in node.value:
            return False
        length += len(node.value) + 2
    return length <= _ONE_LINE


_Dumper.add_representer(str, _scalar)
_Dumper.add_representer(dict, _mapping)
_Dumper.add_representer(list, _sequence)
