"""The ontology of a database as a person confirmed it: a file, or hand-made labels.

A label becomes the proposal that the miner makes where it finds the same, accepted; what follows
from it is what follows in ``veridical review``.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from veridical.onboarding.draft import draft_ontology
from veridical.onboarding.kinds.measures import FLOW, STOCK
from veridical.onboarding.profile import TableProfile, Value
from veridical.onboarding.proposal import Proposal, ProposalKind, State
from veridical.ontology.load import load_ontology
from veridical.ontology.model import Cardinality, Encoding, OntologyDescriptor

_ENDINGS = (".yaml", ".yml", ".json")
_LABELS, _KEYS = "gold_semantics.json", "gold_keys.json"
_STAKE = 1.0
"""Whoever declares that rows are versions or deleted wants that heeded, whatever it changes."""
Tables = Mapping[str, TableProfile]
Labels = Mapping[str, Any]


def confirmed_ontology(
    database: Path, folder: Path | None, tables: Tables
) -> OntologyDescriptor | None:
    """The ontology ``NAME.yaml`` or ``NAME.json`` of the folder; else what the labels beside the
    database say; None where nobody said anything."""
    if folder is not None:
        for ending in _ENDINGS:
            path = folder / f"{database.stem}{ending}"
            if path.is_file():
                return load_ontology(str(path))
    labels, keys = _said(database, _LABELS), _said(database, _KEYS)
    if labels is None:
        return None
    return draft_ontology(database.stem, tables, proposals_of(keys or {}, labels, tables))


def _said(database: Path, name: str) -> Labels | None:
    for place in (database.parent, database.parent.parent):
        path = place / name
        if path.is_file():
            return json.loads(path.read_text("utf-8")).get(database.stem)
    return None


def proposals_of(keys: Labels, labels: Labels, tables: Tables) -> list[Proposal]:
    """What the labels say about the tables that there are."""
    found = [*_structure(keys, tables), *_times(labels), *_measures(labels), *_rows(labels, tables)]
    found += _columns(labels, tables)
    accepted = {"state": State.ACCEPTED}
    return [
        each.model_copy(update=accepted)
        for each in found
        if each.table in tables and set(each.columns) <= tables[each.table].by_name.keys()
    ]


def _structure(keys: Labels, tables: Tables) -> Iterator[Proposal]:
    """Keys as they are labelled; where nobody did, as the database declares them."""
    labelled = keys.get("tables", {})
    for table in tables.values():
        key = labelled[table.name]["pk"] if table.name in labelled else (*table.keys, ())[0]
        if key:
            yield Proposal(kind=ProposalKind.PRIMARY_KEY, table=table.name, columns=tuple(key))
    links: list[dict[str, Any]] = keys.get("fks") or [
        {"child": table.name, "child_cols": own, "parent": target, "parent_cols": far}
        for table in tables.values()
        for own, target, far in table.links
    ]
    for each in links:
        yield Proposal(
            kind=ProposalKind.FOREIGN_KEY,
            table=each["child"],
            columns=tuple(each["child_cols"]),
            target=each["parent"],
            target_columns=tuple(each["parent_cols"]),
            cardinality=Cardinality(each.get("cardinality", Cardinality.MANY_TO_ONE).upper()),
        )


def _times(labels: Labels) -> Iterator[Proposal]:
    encodings = labels.get("encodings", {})
    for place in {**dict.fromkeys(labels.get("dates", ())), **encodings}:
        table, column = place.rsplit(".", 1)
        known = encodings.get(place)
        encoding = Encoding(known) if known in Encoding.__members__ else None
        yield Proposal(
            kind=ProposalKind.TIME_COLUMN, table=table, columns=(column,), encoding=encoding
        )


def _measures(labels: Labels) -> Iterator[Proposal]:
    """What adds up, what does not, and over which dates it does not."""
    snapshots = labels.get("snapshots", {})
    for place, text in labels.get("measures", {}).items():
        table, column = place.rsplit(".", 1)
        said = str(text)
        held = said.startswith("semi_additive")
        reason = STOCK if held else FLOW
        yield Proposal(kind=ProposalKind.MEASURE, table=table, columns=(column,), reason=reason)
        if said.startswith("non_additive"):
            yield Proposal(kind=ProposalKind.NOT_ADDITIVE, table=table, columns=(column,))
        elif held and table in snapshots:
            over = tuple(snapshots[table])
            yield Proposal(
                kind=ProposalKind.SNAPSHOT, table=table, columns=(column,), target_columns=over
            )


def _rows(labels: Labels, tables: Tables) -> Iterator[Proposal]:
    """Which rows don't count, or count elsewhere: totals, versions, what was deleted."""
    for place, total in labels.get("levels", {}).items():
        table, column = place.rsplit(".", 1)
        parts = [each for each in _held(tables, table, column) if str(each) != str(total)]
        yield Proposal(
            kind=ProposalKind.TOTAL_ROWS, table=table, columns=(column,), values=(total, *parts)
        )
    for table, ends in {**labels.get("history_tables", {}), **labels.get("validity", {})}.items():
        columns = tuple(filter(None, ends))
        yield Proposal(kind=ProposalKind.VALIDITY, table=table, columns=columns, stake=_STAKE)
    for kind, name in (
        (ProposalKind.SOFT_DELETE, "soft_deletes"),
        (ProposalKind.TENANT, "tenants"),
    ):
        for table, column in _places(labels.get(name, ())):
            marks = _held(tables, table, column) if kind is ProposalKind.SOFT_DELETE else ()
            yield Proposal(kind=kind, table=table, columns=(column,), values=marks, stake=_STAKE)


def _columns(labels: Labels, tables: Tables) -> Iterator[Proposal]:
    """What a column holds: codes, lists, units, people."""
    for place, unit in labels.get("units", {}).items():
        table, column = place.rsplit(".", 1)
        owner, _, name = unit.rpartition(".")
        yield Proposal(
            kind=ProposalKind.UNIT,
            table=table,
            columns=(column,),
            target=owner or None,
            target_columns=(name,) if owner else (),
            values=_held(tables, owner, name) if owner else (name,),
        )
    for place, listed in labels.get("codes", {}).items():
        table, column = place.rsplit(".", 1)
        if not isinstance(listed, str):
            yield Proposal(
                kind=ProposalKind.CLOSED_LIST, table=table, columns=(column,), values=tuple(listed)
            )
    for table, column in _places(labels.get("number_codes", ())):
        yield Proposal(kind=ProposalKind.CODE, table=table, columns=(column,))
    for table, column in _places(labels.get("pii", ())):
        yield Proposal(kind=ProposalKind.PERSONAL, table=table, columns=(column,))


def _places(names: Iterable[str]) -> Iterator[tuple[str, str]]:
    for name in names:
        table, column = name.rsplit(".", 1)
        yield table, column


def _held(tables: Tables, table: str, column: str) -> tuple[Value, ...]:
    """The values that were seen in a column."""
    found = tables[table].by_name.get(column) if table in tables else None
    return found.known_values if found else ()
