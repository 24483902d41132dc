"""Schemas in the ``tables.json`` form that Spider and BIRD share."""

import json
from pathlib import Path
from typing import Any

from veridical.contracts.schema import Column, ForeignKey, Schema, Table, value_type_of


def load_schemas(path: Path) -> dict[str, Schema]:
    """All databases of the file, by name."""
    return {entry["db_id"]: _schema(entry) for entry in json.loads(path.read_text("utf-8"))}


def _schema(entry: dict[str, Any]) -> Schema:
    names: list[str] = entry["table_names_original"]
    columns: list[tuple[int, str]] = entry["column_names_original"]
    types: list[str] = entry["column_types"]
    keys: dict[int, list[tuple[str, ...]]] = {}
    for key in entry["primary_keys"]:
        members: list[int] = key if isinstance(key, list) else [key]
        owner = columns[members[0]][0]
        keys.setdefault(owner, []).append(tuple(columns[each][1] for each in members))
    foreign: dict[int, list[ForeignKey]] = {}
    for here, there in entry["foreign_keys"]:
        target = names[columns[there][0]]
        key = ForeignKey((columns[here][1],), target, (columns[there][1],))
        foreign.setdefault(columns[here][0], []).append(key)
    return Schema.of(
        Table(
            name,
            tuple(
                Column(column, value_type_of(types[position]))
                for position, (owner, column) in enumerate(columns)
                if owner == index
            ),
            tuple(keys.get(index, ())),
            tuple(foreign.get(index, ())),
        )
        for index, name in enumerate(names)
    )
