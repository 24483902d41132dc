"""dbt's legacy YAML, with ``semantic_models:`` of their own, and the manifest compiled from it."""

from collections.abc import Mapping
from typing import Any

from veridical.ontology.importers.dbt_spec import DbtProject
from veridical.ontology.importers.lenient import children

_ALONE = {"semantic_model": "semantic_models", "metric": "metrics", "saved_query": "saved_queries"}
"""The keys of a document that holds one thing, as MetricFlow wrote them before dbt."""


def _listed(document: Mapping[str, Any]) -> dict[str, Any]:
    """The document with its one thing in a list."""
    alone = {
        plural: [document[one]]
        for one, plural in _ALONE.items()
        if isinstance(document.get(one), dict)
    }
    return {**document, **alone}


def recognises(document: Mapping[str, Any]) -> bool:
    """True when the document has legacy models, legacy metrics or saved queries."""
    document = _listed(document)
    legacy = any("type_params" in metric for metric in children(document, "metrics"))
    return legacy or any(children(document, key) for key in ("semantic_models", "saved_queries"))


def read(document: Mapping[str, Any]) -> DbtProject:
    """The project's part in this document. Raises ``pydantic.ValidationError``."""
    document = _listed(document)
    metrics = [metric for metric in children(document, "metrics") if "type_params" in metric]
    return DbtProject.model_validate({**document, "metrics": metrics})


def recognises_manifest(document: Mapping[str, Any]) -> bool:
    """True for a compiled ``semantic_manifest.json``."""
    compiled = any("node_relation" in model for model in children(document, "semantic_models"))
    return compiled or ("semantic_models" in document and "project_configuration" in document)


def read_manifest(document: Mapping[str, Any]) -> DbtProject:
    """The whole project from its manifest. Raises ``pydantic.ValidationError``."""
    settings = document.get("project_configuration") or {}
    grains = [
        grain["name"]
        for spine in children(settings, "time_spines")
        for grain in children(spine, "custom_granularities")
    ]
    return DbtProject.model_validate({**document, "time_grains": grains})
