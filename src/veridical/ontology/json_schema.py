"""The JSON Schema of an ontology file, for completion and checks in editors."""

from typing import Any

from pydantic import BaseModel

from veridical.ontology.model import OntologyDescriptor
from veridical.word_file import word_file

_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def key_texts() -> dict[str, dict[str, str]]:
    """The description of each key of the file, by model."""
    return word_file("veridical.ontology", "key_texts.toml")


def ontology_schema() -> dict[str, Any]:
    """The schema of a file that ``read_ontology`` reads."""
    schema = OntologyDescriptor.model_json_schema(by_alias=True)
    models = {OntologyDescriptor.__name__: schema, **schema.get("$defs", {})}
    for name, keys in key_texts().items():
        for key, text in keys.items():
            models[name]["properties"][key]["description"] = text
    return {"$schema": _DIALECT, **schema}


def file_models() -> dict[str, type[BaseModel]]:
    """The models of the file by name, outermost first."""
    found: dict[str, type[BaseModel]] = {}
    waiting: list[Any] = [OntologyDescriptor]
    while waiting:
        part = waiting.pop(0)
        if isinstance(part, type) and issubclass(part, BaseModel):
            if part.__name__ not in found:
                found[part.__name__] = part
                waiting += [field.annotation for field in part.model_fields.values()]
        else:
            waiting += getattr(part, "__args__", ())
    return found
