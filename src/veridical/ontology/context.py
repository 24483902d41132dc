"""The description of the data for a model: ontology, else domain hints, else the bare schema.

Comparison runs switch the ontology off with ``VERIDICAL_DISABLE_ONTOLOGY=1``. The entry point reads
the switch once, and passes its value on to both the prompt and the check.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

from veridical.contracts.caller import Permissions
from veridical.contracts.language import Language, in_language
from veridical.contracts.schema import Schema
from veridical.ontology.model import (
    Cardinality,
    Entity,
    Field,
    OntologyDescriptor,
    Relation,
    Role,
    SemanticType,
)
from veridical.ontology.prompt import DEFAULT_BUDGET, PromptBlock, compile_prompt
from veridical.ontology.slice import OntologyIndex, index_ontology
from veridical.ontology.tokens import estimate_tokens

SWITCH = "VERIDICAL_DISABLE_ONTOLOGY"


class ContextKind(StrEnum):
    """The origin of a context."""

    ONTOLOGY = "ontology"
    HINTS = "hints"
    SCHEMA = "schema"


@dataclass(frozen=True, slots=True)
class SchemaContext:
    """The text for the model; the hash is empty without an ontology."""

    kind: ContextKind
    text: str
    hash: str = ""
    left_out: tuple[str, ...] = ()

    @property
    def tokens(self) -> int:
        """The maximum number of tokens."""
        return estimate_tokens(self.text)


def ontology_disabled(environment: Mapping[str, str]) -> bool:
    """True if this environment switches the ontology off."""
    return environment.get(SWITCH, "").strip().lower() in {"1", "true", "yes", "on"}


def active_ontology(
    ontology: OntologyDescriptor | None, *, disabled: bool
) -> OntologyDescriptor | None:
    """The ontology for check and prompt: None in a comparison run, and None if it is empty, as in
    a pack that has only hints."""
    return None if disabled or ontology is None or ontology.says_nothing else ontology


def schema_context(
    ontology: OntologyDescriptor | None,
    schema: Schema | None,
    language: Language,
    *,
    disabled: bool = False,
    question: str = "",
    budget_tokens: int = DEFAULT_BUDGET,
    permissions: Permissions | None = None,
    index: OntologyIndex | None = None,
    known_calls: bool = True,
    describe: str = "",
    dialect: str = "",
) -> SchemaContext:
    """The best available context. Hints come with the bare schema, for which they were written;
    callers with restricted permissions get no hints, since free text can't be narrowed.

    ``describe`` and ``dialect`` are as in ``compile_prompt``.
    """
    limited = permissions is not None and permissions != Permissions()
    active = active_ontology(ontology, disabled=disabled)
    compiled = partial(compile_prompt, describe=describe, dialect=dialect)
    if active is not None:
        if index is None and limited:
            index = index_ontology(active, permissions)
        block = compiled(active, language, budget_tokens, question, index, known_calls=known_calls)
        return _context(ContextKind.ONTOLOGY, block, active.hash)
    bare = ontology_of(schema or Schema())
    bare_index = index_ontology(bare, permissions) if limited else None
    hints = "" if ontology is None or limited else in_language(ontology.domain_hints, language)
    if not hints:
        block = compiled(bare, language, budget_tokens, question, bare_index)
        return _context(ContextKind.SCHEMA, block)
    if not bare.entities:
        return SchemaContext(ContextKind.HINTS, hints)
    room = max(0, budget_tokens - estimate_tokens(hints) - 1)
    block = compiled(bare, language, room, question)
    text = f"{hints}\n{block.text}" if block.text else hints
    return SchemaContext(ContextKind.HINTS, text, left_out=block.left_out)


def ontology_of(schema: Schema) -> OntologyDescriptor:
    """A schema as an ontology without constraints: names, types, keys and foreign keys."""
    relations = [
        Relation(
            from_entity=table.name,
            to_entity=key.target,
            cardinality=Cardinality.MANY_TO_ONE,
            via=tuple(
                f"{near}={far}" for near, far in zip(key.columns, key.target_columns, strict=True)
            ),
        )
        for table in schema.tables.values()
        for key in table.foreign_keys
        if key.target in schema.tables
    ]
    entities = [
        Entity(
            name=table.name,
            table=table.name,
            semantic_type=SemanticType.OBJECT,
            keys=table.keys,
            fields=tuple(
                Field(
                    name=column.name,
                    type=column.type,
                    role=Role.KEY
                    if any(column.name in key for key in table.keys)
                    else Role.DIMENSION,
                )
                for column in table.columns
            ),
        )
        for table in schema.tables.values()
    ]
    return OntologyDescriptor(
        feature_code="schema", entities=tuple(entities), relations=tuple(relations)
    )


def _context(kind: ContextKind, block: PromptBlock, ontology_hash: str = "") -> SchemaContext:
    return SchemaContext(kind, block.text, ontology_hash, block.left_out)
