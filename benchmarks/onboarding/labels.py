"""Hand-written labels and mined proposals in the same words: sets of facts by kind."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from veridical.onboarding.kinds.measures import STOCK
from veridical.onboarding.proposal import Proposal, ProposalKind

Facts = dict[str, set[tuple[Any, ...]]]
"""By kind: the facts that are true of a database."""

_ADDITIVITY = re.compile(r"non_additive|semi_additive|additive")
_AGAINST = {
    "additivity": ("additivity", "code", "time"),
    "closed_list": ("additivity", "code", "time"),
    "personal": ("code", "unit"),
}
"""Kinds that are labelled in part, with those whose labels speak against a finding."""
_LISTS = {
    "dates": "time",
    "pii": "personal",
    "number_codes": "code",
    "soft_deletes": "soft_delete",
    "tenants": "tenant",
}


def labelled(keys: Mapping[str, Any], semantics: Mapping[str, Any]) -> Facts:
    """What a person declared. A kind that the labels don't speak of is not there."""
    facts: Facts = {
        "primary_key": {
            (table, *sorted(about["pk"])) for table, about in keys["tables"].items() if about["pk"]
        },
        "foreign_key": {_link(each) for each in keys["fks"]},
        "cardinality": {(*_link(each), each["cardinality"]) for each in keys["fks"]},
    }
    for name, kind in _LISTS.items():
        if name in semantics:
            facts[kind] = {tuple(each.rsplit(".", 1)) for each in semantics[name]}
    if "measures" in semantics:
        facts["additivity"] = set(_additivity(semantics["measures"]))
    if "codes" in semantics:
        facts["closed_list"] = {tuple(each.rsplit(".", 1)) for each in semantics["codes"]}
    if "encodings" in semantics:
        found = semantics["encodings"].items()
        facts["encoding"] = {(*place.rsplit(".", 1), encoding) for place, encoding in found}
    if "units" in semantics:
        found = semantics["units"].items()
        facts["unit"] = {(*place.rsplit(".", 1), *unit.rsplit(".", 1)) for place, unit in found}
    if "levels" in semantics:
        found = semantics["levels"].items()
        facts["total_rows"] = {(*place.rsplit(".", 1), str(value)) for place, value in found}
    if "snapshots" in semantics:
        facts["snapshot"] = {
            (table, *sorted(when)) for table, when in semantics["snapshots"].items()
        }
    if "validity" in semantics:
        facts["validity"] = {(table, *ends) for table, ends in semantics["validity"].items()}
    if "history_tables" in semantics:
        facts["history"] = {(table,) for table in semantics["history_tables"]}
    return facts


def _link(each: Mapping[str, Any]) -> tuple[Any, ...]:
    return (each["child"], *each["child_cols"], each["parent"], *each["parent_cols"])


def _additivity(measures: Mapping[str, str]) -> Iterable[tuple[Any, ...]]:
    for place, text in measures.items():
        found = _ADDITIVITY.match(text)
        if found:
            yield (*place.rsplit(".", 1), found[0])


def judged(kind: str, wrong: set[tuple[Any, ...]], truth: Facts) -> set[tuple[Any, ...]]:
    """Those of the findings beside the labels that the labels contradict.

    People label the measures, lists and personal data that come to their mind, not all there are:
    a finding about a column that no label speaks of is not judged. Keys are labelled in full.
    """
    if kind not in _AGAINST:
        return wrong
    spoken_of = {fact[:2] for other in _AGAINST[kind] for fact in truth.get(other, ())}
    return {fact for fact in wrong if fact[:2] in spoken_of}


def mined(proposals: Iterable[Proposal], tables: set[str]) -> Facts:
    """What the miner proposes about the tables that are labelled."""
    facts: Facts = {}
    known = [each for each in proposals if each.table in tables]
    for each in known:
        for kind, fact in _facts(each):
            facts.setdefault(kind, set()).add(fact)
    facts["additivity"] = set(_mined_additivity(known))
    return facts


def _facts(each: Proposal) -> Iterable[tuple[str, tuple[Any, ...]]]:
    place = (each.table, *each.columns)
    match each.kind:
        case ProposalKind.PRIMARY_KEY:
            yield "primary_key", (each.table, *sorted(each.columns))
        case ProposalKind.FOREIGN_KEY:
            link = (*place, each.target, *each.target_columns)
            yield "foreign_key", link
            yield "cardinality", (*link, str(each.cardinality).lower())
        case ProposalKind.TIME_COLUMN:
            yield ("time" if each.encoding else "time_declared"), place
            if each.encoding:
                yield "encoding", (*place, each.encoding.value)
        case ProposalKind.UNIT:
            yield "unit", (*place, each.target, *each.target_columns)
        case ProposalKind.TOTAL_ROWS:
            yield "total_rows", (*place, str(each.values[0]))
        case ProposalKind.VALIDITY:
            if len(each.columns) > 1:
                yield "validity", place
            yield "history", (each.table,)
        case ProposalKind.SNAPSHOT:
            yield "snapshot", (each.table, *sorted(each.target_columns))
        case ProposalKind.MEASURE | ProposalKind.NOT_ADDITIVE:
            return
        case ProposalKind.CLOSED_LIST if each.target:
            return  # a foreign key once more
        case _:
            yield each.kind.value, place


def _mined_additivity(proposals: list[Proposal]) -> Iterable[tuple[Any, ...]]:
    classes: dict[tuple[str, ...], str] = {}
    for each in proposals:
        place = (each.table, *each.columns)
        if each.kind is ProposalKind.MEASURE:
            classes[place] = "semi_additive" if each.reason == STOCK else "additive"
        elif each.kind is ProposalKind.NOT_ADDITIVE:
            classes[place] = "non_additive"
        elif each.kind is ProposalKind.SNAPSHOT:
            classes[place] = "semi_additive"
    return {(*place, kind) for place, kind in classes.items()}
