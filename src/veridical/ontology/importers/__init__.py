"""Semantic models of other tools, read into an ontology with a note on each lost part."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from pydantic import ValidationError

from veridical.contracts.language import Language
from veridical.messages import message
from veridical.ontology.importers import (
    cube,
    dbt_latest,
    dbt_legacy,
    lookml,
    metric_view,
    ossie,
    snowflake,
    tmdl,
    vanna,
    wren,
)
from veridical.ontology.importers.dbt_build import build_dbt
from veridical.ontology.importers.files import Document, Paths, feature_code, read_documents
from veridical.ontology.importers.imported import (
    Draft,
    Fidelity,
    FidelityNote,
    Imported,
    ImportFailed,
    QuestionSql,
)

__all__ = [
    "FORMATS",
    "Fidelity",
    "FidelityNote",
    "ImportFailed",
    "Imported",
    "QuestionSql",
    "import_ontology",
]


@dataclass(frozen=True, slots=True)
class Format:
    """One file format: its detection and its reader."""

    name: str
    family: str
    looked_for: str
    recognises: Callable[[Mapping[str, Any]], bool]
    read: Callable[[Mapping[str, Any]], Any]
    alone: bool = False
    """True if it recognises nothing but its own files."""


FORMATS: Final = (
    Format(
        "dbt-manifest",
        "dbt",
        "semantic_models[].node_relation | project_configuration",
        dbt_legacy.recognises_manifest,
        dbt_legacy.read_manifest,
        alone=True,
    ),
    Format(
        "wren",
        "wren",
        "models[].tableReference | table_reference | relationships[].joinType",
        wren.recognises,
        wren.read,
        alone=True,
    ),
    Format(
        "dbt-legacy",
        "dbt",
        "semantic_models | metrics[].type_params | saved_queries",
        dbt_legacy.recognises,
        dbt_legacy.read,
    ),
    Format(
        "dbt-latest",
        "dbt",
        "models[].semantic_model | metrics[].type",
        dbt_latest.recognises,
        dbt_latest.read,
    ),
    Format("ossie", "ossie", "semantic_model[].datasets", ossie.recognises, ossie.read),
    Format("snowflake", "snowflake", "tables[].base_table", snowflake.recognises, snowflake.read),
    Format("cube", "cube", "cubes | views[].cubes", cube.recognises, cube.read),
    Format("lookml", "lookml", "*.lkml", lookml.recognises, lookml.read, alone=True),
    Format("tmdl", "tmdl", "*.tmdl", tmdl.recognises, tmdl.read, alone=True),
    Format(
        "databricks",
        "databricks",
        "source + measures[].expr",
        metric_view.recognises,
        metric_view.read,
    ),
    Format(
        "vanna",
        "vanna",
        "[].training_data_type | [].question + [].sql | [].tool_name",
        vanna.recognises,
        vanna.read,
    ),
)
_BUILDERS: Final[Mapping[str, Callable[[Iterable[Any], Draft], str | None]]] = {
    "dbt": build_dbt,
    "ossie": ossie.build,
    "snowflake": snowflake.build,
    "cube": cube.build,
    "lookml": lookml.build,
    "tmdl": tmdl.build,
    "databricks": metric_view.build,
    "wren": wren.build,
    "vanna": vanna.build,
}


def import_ontology(
    paths: Paths, format: str = "auto", language: Language = Language.EN
) -> Imported:
    """The ontology that these files describe; folders are merged. Raises ``ImportFailed``."""
    draft = Draft(language)
    documents = read_documents(paths, draft)
    formats = _formats(format, language)
    parts = [
        (found, document) for document in documents for found in _recognised(document, formats)
    ]
    families = sorted({found.family for found, _ in parts})
    if len(families) != 1:
        key = "several_formats" if families else "nothing_found"
        raise ImportFailed(
            message(
                f"import.{key}",
                language,
                formats=", ".join(families),
                looked_for="; ".join(f"{each.name}: {each.looked_for}" for each in formats),
                files=", ".join(sorted({document.file.name for document in documents})) or "-",
            )
        )
    specs = [_read(found, document) for found, document in parts]
    name = _BUILDERS[families[0]](specs, draft)
    return draft.finish(name or feature_code(paths))


def _formats(name: str, language: Language) -> tuple[Format, ...]:
    found = tuple(each for each in FORMATS if name in ("auto", each.name, each.family))
    if not found:
        known = ", ".join(each.name for each in FORMATS)
        raise ImportFailed(message("import.format_unknown", language, format=name, known=known))
    return found


def _recognised(document: Document, formats: tuple[Format, ...]) -> list[Format]:
    """The formats of this document."""
    found = [each for each in formats if each.recognises(document.content)]
    return found[:1] if found and found[0].alone else found


def _read(found: Format, document: Document) -> Any:
    try:
        return found.read(document.content)
    except (ValidationError, KeyError) as error:
        raise ImportFailed(f"{document.file.name} ({found.name}): {error}") from error
