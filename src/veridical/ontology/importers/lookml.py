"""LookML: views, their measures, and the explores that join them."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from veridical.ontology.importers.imported import Draft
from veridical.ontology.importers.lookml_project import LookmlProject, project_of
from veridical.ontology.importers.lookml_text import Block
from veridical.ontology.importers.lookml_view import ViewFields, add_view
from veridical.ontology.importers.row_filter import add_row_filter
from veridical.ontology.model import Cardinality, Constraint, ConstraintRule, Relation

LOOKML = "lookml"
"""The key under which a parsed file stands."""
_REFERENCE = re.compile(r"\$\{\s*(?:(\w+)\.)?(\w+)\s*\}")
_EQUALS = re.compile(r"\s*\$\{\s*[\w.]+\s*\}\s*=\s*\$\{\s*[\w.]+\s*\}\s*\Z")
_AND = re.compile(r"(?i)\band\b")
_BY_USER = "_user_attributes"
_CARDINALITIES: Final = {
    "many_to_one": Cardinality.MANY_TO_ONE,
    "one_to_one": Cardinality.ONE_TO_ONE,
    "one_to_many": Cardinality.ONE_TO_MANY,
    "many_to_many": Cardinality.MANY_TO_MANY,
}
_KEEPS_ROWS: Final = frozenset({"", "left_outer"})
Views = Mapping[str, ViewFields]


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


def add_explore(name: str, project: LookmlProject, views: Views, draft: Draft) -> None:
    """Put the joins and filters of an explore into the draft."""
    parts = project.explores[name]
    base = next(
        (found for each in parts for key in ("from", "view_name") if (found := each.text(key))),
        name,
    )
    if base not in views:
        draft.dropped(f"explores.{name}", "relation_to_nowhere")
        return
    if any(each.is_on("hidden") for each in parts):
        draft.approximated(f"explores.{name}.hidden", "hidden_members", names=name)
    joins = [join for each in parts for join in each.blocks("join")]
    aliases = {name: base, **{join.name: join.text("from") or join.name for join in joins}}
    for join in joins:
        _add_join(name, join, aliases, views, draft)
    for each in parts:
        _add_filters(name, each, aliases, project, views, draft)


def _add_join(
    explore: str, join: Block, aliases: Mapping[str, str], views: Views, draft: Draft
) -> None:
    path = f"{explore}.joins.{join.name}"
    far = aliases[join.name]
    if far not in views:
        draft.dropped(path, "relation_to_nowhere")
        return
    condition = join.text("sql_on")
    ends = dict.fromkeys(view or explore for view, _ in _REFERENCE.findall(condition))
    near = [each for each in ends if each != join.name and aliases.get(each) in views]
    start = aliases[near[0] if len(near) == 1 else explore]
    via = tuple(_pairs(condition, explore, join.name, aliases, views))
    if not via and (key := join.text("foreign_key")) and views[far].keys():
        via = (f"{key.rpartition('.')[2]}={views[far].keys()[0]}",)
    if not via or not _is_whole(condition):
        text = condition or join.text("sql") or "-"
        draft.approximated(path, "join_unreadable", sql=" ".join(text.split()))
    if join.text("type") not in _KEEPS_ROWS:
        draft.approximated(path, "join_type", kind=join.text("type"))
    if needed := [str(each) for each in join.items("required_joins")]:
        draft.dropped(path, "required_joins", joins=", ".join(needed))
    kind = _CARDINALITIES.get(join.text("relationship"), Cardinality.MANY_TO_ONE)
    relation = Relation(
        from_entity=start,
        to_entity=far,
        cardinality=kind,
        via=via,
        name=join.name if join.name != far else None,
    )
    if relation not in draft.relations:
        draft.relations.append(relation)


def _is_whole(condition: str) -> bool:
    return all(_EQUALS.match(each) for each in _AND.split(condition))


def _pairs(
    condition: str, explore: str, join: str, aliases: Mapping[str, str], views: Views
) -> Iterator[str]:
    """The joined fields, the near one first, of each comparison of two fields."""
    for part in filter(_EQUALS.match, _AND.split(condition)):
        first, second = ((view or explore, name) for view, name in _REFERENCE.findall(part))
        near, far = (second, first) if first[0] == join else (first, second)
        if far[0] != join or not {aliases.get(near[0]), aliases.get(far[0])} <= views.keys():
            continue
        names = [views[aliases[view]].column(name) for view, name in (near, far)]
        yield "=".join(names)


def _add_filters(
    explore: str,
    block: Block,
    aliases: Mapping[str, str],
    project: LookmlProject,
    views: Views,
    draft: Draft,
) -> None:
    """What the explore demands of every query."""
    for always in block.blocks("always_filter"):
        required: dict[str, list[str]] = {}
        for pair in always.filters():
            alias, _, name = pair.name.rpartition(".")
            view = aliases.get(alias or explore, alias)
            if view in views:
                required.setdefault(view, []).append(views[view].column(name))
        path = f"explores.{explore}.always_filter"
        for view, names in required.items():
            if view == aliases[explore] != explore:
                values = {"condition": ", ".join(names), "explore": explore, "view": view}
                draft.unprotected(path, "one_explore_only", **values)
                continue
            draft.constraints.append(
                Constraint(
                    applies_to=view, rule=ConstraintRule.REQUIRES_FILTER_ON, fields=tuple(names)
                )
            )
            draft.kept(path, "filter_required", names=", ".join(names))
    for guard in block.blocks("access_filter"):
        condition = f"{guard.text('field')} = {guard.text('user_attribute')}"
        draft.unprotected(f"explores.{explore}.access_filter", "row_security", condition=condition)
    if where := " ".join(project.written_out(block.text("sql_always_where")).split()):
        _add_where(explore, where, aliases, draft)


def _add_where(explore: str, where: str, aliases: Mapping[str, str], draft: Draft) -> None:
    """The condition on all rows of an explore: a rule only where the explore is the view itself."""
    path, view = f"explores.{explore}.sql_always_where", aliases[explore]
    if _BY_USER in where:
        draft.unprotected(path, "row_security", condition=where)
        return
    condition = _REFERENCE.sub(lambda found: _in_view(found, explore, view, aliases), where)
    if view != explore:
        values = {"condition": condition, "explore": explore, "view": view}
        draft.unprotected(path, "one_explore_only", **values)
        return
    add_row_filter(view, condition, path, draft)


def _in_view(found: re.Match[str], explore: str, view: str, aliases: Mapping[str, str]) -> str:
    owner = aliases.get(found[1] or explore, found[1])
    return found[2] if owner == view else f"{owner}.{found[2]}"
