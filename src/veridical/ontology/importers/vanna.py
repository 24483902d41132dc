"""Vanna's training data: DDL, documentation, questions with SQL, and the memories of version 2."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from sqlglot.errors import SqlglotError

from veridical.ontology.context import ontology_of
from veridical.ontology.ddl import schema_from_ddl
from veridical.ontology.importers.files import LIST
from veridical.ontology.importers.imported import Draft, QuestionSql
from veridical.ontology.importers.lenient import children
from veridical.ontology.model import Entity, Field

_TYPE: Final = "training_data_type"
_COLUMNS: Final = frozenset({_TYPE, "content"})
_RUN: Final = "run_sql"
_WORD: Final = re.compile(r"\w+")
_SHOWN: Final = 60


class TrainingKind(StrEnum):
    """The kind of one training item."""

    DDL = "ddl"
    DOCUMENTATION = "documentation"
    SQL = "sql"


@dataclass(frozen=True, slots=True)
class Item:
    """One training item of Vanna."""

    kind: TrainingKind
    content: str
    question: str = ""


def recognises(document: Mapping[str, Any]) -> bool:
    """True for rows of ``get_training_data``, a list of questions with SQL, or memories."""
    return any(_item(row) for row in _rows(document))


def read(document: Mapping[str, Any]) -> list[Item]:
    """The items; rows that are something else are left out."""
    return [item for row in _rows(document) if (item := _item(row))]


def build(files: Iterable[list[Item]], draft: Draft) -> None:
    """Tables from the DDL, descriptions from the documentation, drafts of gold questions."""
    draft.bare = True
    items = [item for file in files for item in file]
    schema = schema_from_ddl(";\n".join(_readable(items, draft)))
    known = ontology_of(schema)
    draft.entities.extend(known.entities)
    draft.relations.extend(known.relations)
    for item in items:
        if item.kind is TrainingKind.DOCUMENTATION:
            _add_documentation(item.content.strip(), draft)
        elif item.kind is TrainingKind.SQL:
            draft.pairs.append(QuestionSql(item.question.strip(), item.content.strip()))
            draft.kept(f"sql.{_shown(item.question)}", "gold_draft")


def _rows(document: Mapping[str, Any]) -> list[dict[str, Any]]:
    """One mapping for each item; a frame written column by column is transposed."""
    columns = {name: document.get(name) for name in (*_COLUMNS, "question")}
    if not all(isinstance(columns[name], dict) for name in _COLUMNS):
        return children(document, LIST)
    filled = {name: each for name, each in columns.items() if isinstance(each, dict)}
    return [{name: each.get(row) for name, each in filled.items()} for row in filled["content"]]


def _item(row: Mapping[str, Any]) -> Item | None:
    question, content = str(row.get("question") or ""), str(row.get("content") or "")
    if row.get(_TYPE) in set(TrainingKind) and content:
        return Item(TrainingKind(row[_TYPE]), content, question)
    if question and row.get("tool_name") == _RUN and row.get("success", True):
        arguments = row.get("args")
        sql = arguments.get("sql") if isinstance(arguments, Mapping) else None
        return Item(TrainingKind.SQL, str(sql), question) if sql else None
    if question and row.get("sql"):
        return Item(TrainingKind.SQL, str(row["sql"]), question)
    if content and {"memory_id", "timestamp"} & set(row):
        return Item(TrainingKind.DOCUMENTATION, content)
    return None


def _readable(items: Iterable[Item], draft: Draft) -> Iterable[str]:
    for item in items:
        if item.kind is TrainingKind.DDL:
            try:
                found = schema_from_ddl(item.content).tables
            except SqlglotError as error:
                reason = str(error).splitlines()[0]
                draft.dropped(f"ddl.{_shown(item.content)}", "file_unreadable", reason=reason)
                continue
            if found:
                yield item.content.strip().rstrip(";")
            else:
                draft.dropped(f"ddl.{_shown(item.content)}", "no_table")


def _add_documentation(text: str, draft: Draft) -> None:
    """Adds it to the one table, or its one column, that the text names; else to the hints."""
    path = f"documentation.{_shown(text)}"
    words = {word.casefold() for word in _WORD.findall(text)}
    named = [at for at, each in enumerate(draft.entities) if each.name.casefold() in words]
    if len(named) != 1:
        draft.domain_hints.append(text)
        draft.approximated(path, "documentation_general")
        return
    entity = draft.entities[named[0]]
    fields = [each for each in entity.fields if each.name.casefold() in words - {entity.name}]
    if len(fields) == 1:
        described: Entity = _with_field(entity, fields[0], text)
    else:
        described = entity.model_copy(update={"description": _both(entity.description, text)})
    draft.entities[named[0]] = described
    draft.kept(path, "documentation", place=entity.name)


def _with_field(entity: Entity, field: Field, text: str) -> Entity:
    described = field.model_copy(update={"description": _both(field.description, text)})
    fields = tuple(described if each is field else each for each in entity.fields)
    return entity.model_copy(update={"fields": fields})


def _both(before: Any, text: str) -> str:
    return f"{before} {text}" if isinstance(before, str) and before else text


def _shown(text: str) -> str:
    return " ".join(text.split())[:_SHOWN]
