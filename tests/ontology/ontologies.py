"""Ontologies of every shape, for properties that must hold for all of them."""

from typing import Any

from hypothesis import strategies as st
from pydantic import BaseModel

from veridical.contracts.language import Language
from veridical.contracts.schema import ValueType
from veridical.ontology.model import (
    Asks,
    CanonicalQueryPattern,
    Cardinality,
    Constraint,
    ConstraintRule,
    Conversion,
    Encoding,
    Entity,
    Field,
    Link,
    LinkKind,
    Metric,
    MetricKind,
    OntologyDescriptor,
    PeriodKind,
    Purpose,
    Relation,
    Role,
    SemanticType,
    Slot,
    SlotKind,
)

TRAPS = ("no", "yes", "on", "null", "~", "1e3", "0x1f", "1_000", "12:30", "2026-01-31", "007", "=")
"""Texts that some reader of YAML takes for something else."""
TEXTS = st.one_of(st.text(max_size=20), st.sampled_from((*TRAPS, "a: b", "- x", "# c", "a\nb\n")))
NUMBERS = st.one_of(st.integers(-(2**70), 2**70), st.floats(allow_nan=False, allow_infinity=False))
NAMES = st.one_of(st.from_regex(r"[A-Za-z_]\w{0,8}", fullmatch=True), st.sampled_from(TRAPS))
WORDS = st.dictionaries(NAMES, st.lists(TEXTS, max_size=3).map(tuple), max_size=2)
TEXT = st.one_of(TEXTS, st.dictionaries(st.sampled_from(Language), TEXTS, min_size=1, max_size=3))
PLAIN = st.recursive(
    st.one_of(TEXTS, NUMBERS, st.booleans(), st.none()),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(TEXTS, inner, max_size=3)),
    max_leaves=6,
)


def _some(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(strategy, max_size=2).map(tuple)


def _maybe(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(st.none(), strategy)


def _made(model: type[BaseModel], **parts: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Values of the model; what is not said is left at its default now and then."""
    fixed = {name for name in parts if model.model_fields[name].is_required()} | {"entities"}
    needed = {name: parts[name] for name in parts if name in fixed}
    others = {name: parts[name] for name in parts if name not in needed}
    return st.fixed_dictionaries(needed, optional=others).map(lambda given: model(**given))


fields = _made(
    Field,
    name=NAMES,
    type=st.sampled_from(ValueType),
    role=st.sampled_from(Role),
    description=TEXT,
    column=_maybe(TEXTS),
    expr=_maybe(TEXTS),
    encoding=_maybe(st.sampled_from(Encoding)),
    unit=_maybe(TEXTS),
    sample_values=_some(st.one_of(TEXTS, NUMBERS)),
    synonyms=_some(TEXTS),
    grain=_maybe(TEXTS),
)
links = _made(Link, name=NAMES, kind=st.sampled_from(LinkKind), expr=_maybe(TEXTS))
slots = _made(
    Slot,
    name=NAMES,
    kind=_maybe(st.sampled_from(SlotKind)),
    examples=_some(st.one_of(TEXTS, st.integers(-9, 9))),
    format=TEXTS,
    cues=WORDS,
    values=_some(TEXTS),
    words=WORDS,
)
patterns = _made(
    CanonicalQueryPattern,
    intent=NAMES,
    pattern=st.dictionaries(TEXTS, PLAIN, max_size=3),
    description=TEXT,
    slots=_some(slots),
    questions=WORDS,
    asks=st.sampled_from(Asks),
    period=_maybe(st.sampled_from(PeriodKind)),
    words=_some(WORDS),
    title=TEXT,
    labels=st.dictionaries(TEXTS, TEXT, max_size=2),
)
metrics = _made(
    Metric,
    name=NAMES,
    kind=st.sampled_from(MetricKind),
    expr=_maybe(TEXTS),
    inputs=_some(NAMES),
    description=TEXT,
    additive=st.booleans(),
)
_PARAMETERS: dict[str, st.SearchStrategy[Any]] = {
    "applies_to": TEXTS,
    "rule": st.sampled_from(ConstraintRule),
    "message": TEXT,
    "fields": st.lists(NAMES, min_size=1, max_size=2),
    "values": st.lists(st.one_of(TEXTS, NUMBERS, st.booleans()), min_size=1, max_size=3),
    "purposes": st.lists(NAMES, min_size=1, max_size=2),
    "settled_by": st.lists(NAMES, max_size=2),
    "levels": st.dictionaries(
        NAMES, st.lists(st.one_of(TEXTS, st.integers()), max_size=2), min_size=1, max_size=2
    ),
    "encoding": st.sampled_from(Encoding),
    "opening": _maybe(NAMES),
    "condition": NAMES,
    "conversion": _maybe(
        _made(Conversion, rate=NAMES, unit=NAMES, period=NAMES, base=_some(NAMES))
    ),
    "last_per": _some(NAMES),
    "instead_of": st.lists(NAMES, min_size=1, max_size=2),
    "zone": NAMES,
    "local_zone": NAMES,
}
"""All of them always, so that every rule finds what it reads."""
constraints = st.fixed_dictionaries(_PARAMETERS).map(lambda given: Constraint(**given))
purposes = _made(Purpose, name=NAMES, description=TEXT, keywords=WORDS)


@st.composite
def ontologies(draw: st.DrawFn) -> OntologyDescriptor:
    """Any ontology that the model accepts."""
    names = draw(st.lists(NAMES, min_size=1, max_size=3, unique=True))
    entities = tuple(
        draw(
            _made(
                Entity,
                name=st.just(name),
                semantic_type=st.sampled_from(SemanticType),
                description=TEXT,
                table=_maybe(TEXTS),
                parent_entity=_maybe(st.sampled_from(names)),
                invariants=_some(TEXT),
                condition=_maybe(TEXTS),
                fields=_some(fields),
                keys=_some(_some(NAMES)),
                links=_some(links),
                synonyms=_some(TEXTS),
            )
        )
        for name in names
    )
    relations = _made(
        Relation,
        from_entity=st.sampled_from(names),
        to_entity=st.sampled_from(names),
        cardinality=st.sampled_from(Cardinality),
        via=_some(TEXTS),
        name=_maybe(TEXTS),
    )
    return draw(
        _made(
            OntologyDescriptor,
            feature_code=NAMES,
            description=TEXT,
            entities=st.just(entities),
            relations=_some(relations),
            constraints=_some(constraints),
            canonical_patterns=_some(patterns),
            metrics=_some(metrics),
            purposes=_some(purposes),
            time_grains=_some(TEXTS),
            domain_hints=TEXT,
        )
    )
