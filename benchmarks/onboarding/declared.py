"""Tables and what is true of them, read from one text: every column stands beside its labels.

A line that begins at the margin is a table: its name, then ``snapshot=COLUMN[,COLUMN]``,
``valid=FROM,TO``, ``history=FROM`` (versions without an end) or ``COLUMNS->TABLE.COLUMNS`` (a link
over several columns). An indented line is a column: name, type, then any of ``key``,
``->TABLE.COLUMN`` (``~>`` where the database doesn't declare it, ``=>`` where it is one to one),
``additive``, ``semi_additive``, ``non_additive``, ``time`` or ``time=ENCODING``, ``list=A|B``,
``code``, ``unit=TABLE.COLUMN``, ``tenant``, ``person``, ``deleted``, ``total=VALUE``. A column
without labels has none that is true of it. A remark begins with ``#``.
"""

from dataclasses import dataclass, field
from typing import Any

_ADDITIVITY = {"additive", "semi_additive", "non_additive"}
_LISTS = {
    "time": "dates",
    "person": "pii",
    "code": "number_codes",
    "deleted": "soft_deletes",
    "tenant": "tenants",
}
_ARROWS = {"->": "many_to_one", "~>": "many_to_one", "=>": "one_to_one"}


@dataclass
class Declared:
    """A database: how it is created, and its labels in the form the benchmark reads."""

    ddl: str = ""
    keys: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    foreign: list[tuple[str, ...]] = field(default_factory=list[tuple[str, ...]])
    semantics: dict[str, Any] = field(default_factory=dict[str, Any])


def declared(text: str) -> Declared:
    """All tables of a text. Raises ``ValueError`` for a word that is no label."""
    found = Declared(semantics={"complete": True})
    for name in ("measures", "encodings", "codes", "units", "levels", "snapshots", "validity"):
        found.semantics[name] = {}
    found.semantics |= {name: [] for name in _LISTS.values()} | {"history_tables": {}}
    blocks: list[list[str]] = []
    for line in (each.split("#")[0].rstrip() for each in text.splitlines()):
        if line and not line.startswith(" "):
            blocks.append([line])
        elif line:
            blocks[-1].append(line)
    found.ddl = "\n".join(_table(found, block) for block in blocks)
    return found


def _table(found: Declared, block: list[str]) -> str:
    table, *words = block[0].split()
    found.keys[table] = []
    enforced: list[str] = []
    for word in words:
        name, _, value = word.partition("=")
        if name == "snapshot":
            found.semantics["snapshots"][table] = value.split(",")
        elif name == "valid":
            found.semantics["validity"][table] = value.split(",")
            found.semantics["history_tables"][table] = value.split(",")
        elif name == "history":
            found.semantics["history_tables"][table] = [value, None]
        elif "->" in word:
            enforced.append(_link(found, table, *word.split("->")))
        else:
            raise ValueError(f"{table}: {word}")
    columns: list[str] = []
    for line in block[1:]:
        column, kind, *labels = line.split()
        columns.append(f'"{column}" {kind}')
        for label in labels:
            arrow = label[:2]
            if arrow in _ARROWS:
                link = _link(found, table, column, label[2:], _ARROWS[arrow])
                enforced += [link] if arrow != "~>" else []
            else:
                _label(found, table, column, kind, label)
    key = f"PRIMARY KEY ({_names(found.keys[table])})"
    return f'CREATE TABLE "{table}" ({", ".join([*columns, key, *enforced])});'


def _label(found: Declared, table: str, column: str, kind: str, label: str) -> None:
    place = f"{table}.{column}"
    word, _, value = label.partition("=")
    semantics = found.semantics
    if word == "key":
        found.keys[table].append(column)
    elif word in _ADDITIVITY:
        semantics["measures"][place] = word
    elif word == "list":
        values = value.split("|")
        semantics["codes"][place] = list(map(int, values)) if kind == "INTEGER" else values
    elif word == "unit":
        semantics["units"][place] = value
    elif word == "total":
        semantics["levels"][place] = int(value) if kind == "INTEGER" else value
    elif word in _LISTS:
        semantics[_LISTS[word]].append(place)
        if value:
            semantics["encodings"][place] = value
    else:
        raise ValueError(f"{place}: {label}")


def _link(
    found: Declared, table: str, columns: str, target: str, cardinality: str = "many_to_one"
) -> str:
    parent, _, its = target.partition(".")
    found.foreign.append((table, columns, parent, its, cardinality))
    ours, theirs = _names(columns.split(",")), _names(its.split(","))
    return f'FOREIGN KEY ({ours}) REFERENCES "{parent}" ({theirs})'


def _names(columns: list[str]) -> str:
    return ", ".join(f'"{each}"' for each in columns)
