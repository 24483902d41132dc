"""LookML: views, their measures, and the explores that join them."""

from collections.abc import Iterable, Mapping
from typing import Any

from veridical.ontology.importers.imported import Draft
from veridical.ontology.importers.lookml_explore import add_explore
from veridical.ontology.importers.lookml_project import LookmlProject, project_of
from veridical.ontology.importers.lookml_text import Block
from veridical.ontology.importers.lookml_view import ViewFields, add_view

LOOKML = "lookml"
"""The key under which a parsed file stands."""


def recognises(document: Mapping[str, Any]) -> bool:
    """True for a parsed LookML file."""
    return LOOKML in document


def read(document: Mapping[str, Any]) -> Block:
    """The parsed file."""
    return document[LOOKML]


def build(files: Iterable[Block], draft: Draft) -> None:
    """Put all views, then the joins and filters of all explores, into the draft."""
    whole = list(files)
    project: LookmlProject = project_of(whole)
    named = [block for file in whole for block in file.blocks("named_value_format")]
    if formats := [f"{each.name} ({each.text('value_format')})" for each in named]:
        draft.dropped("named_value_format", "formats", formats=", ".join(formats))
    views = {name: ViewFields(name, parts) for name, parts in project.views.items()}
    for view in views.values():
        add_view(view, draft)
    for name in project.explores:
        add_explore(name, project, views, draft)
