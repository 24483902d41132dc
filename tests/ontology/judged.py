"""A small ontology with labels, nouns and judgements."""

from veridical.contracts.language import Language
from veridical.contracts.schema import ValueType
from veridical.ontology.model import (
    Comparator,
    Entity,
    Favourable,
    Field,
    Gender,
    Judgement,
    Noun,
    OntologyDescriptor,
    Percent,
    Role,
    SemanticType,
)

LATE = Judgement(
    name="late",
    field="delay",
    comparator=Comparator.ABOVE,
    limit=30,
    label={Language.DE: "verspätet", Language.EN: "late", Language.ZH: "晚点"},
)
OVERDUE = Judgement(
    name="overdue",
    field="dueOn",
    comparator=Comparator.BELOW,
    limit="today",
    unless="paidOn",
    label={Language.DE: "überfällig", Language.EN: "overdue", Language.ZH: "逾期"},
)
FLIGHT = Entity(
    name="Flight",
    table="flight",
    semantic_type=SemanticType.EVENT,
    noun={
        Language.EN: Noun(one="flight", many="flights"),
        Language.DE: Noun(one="Flug", many="Flüge", gender=Gender.MASCULINE),
        Language.ZH: Noun(one="航班", counter="个"),
    },
    fields=(
        Field(name="number", type=ValueType.TEXT, role=Role.KEY),
        Field(
            name="delay",
            column="dly_min",
            type=ValueType.NUMBER,
            role=Role.MEASURE,
            unit="min",
            favourable=Favourable.DOWN,
            label={Language.DE: "Verspätung", Language.EN: "delay", Language.ZH: "延误"},
        ),
        Field(
            name="load",
            type=ValueType.NUMBER,
            role=Role.MEASURE,
            percent=Percent.POINTS,
            decimals=0,
            label={Language.DE: "Auslastung", Language.EN: "load factor"},
        ),
        Field(name="freight", type=ValueType.NUMBER, role=Role.MEASURE, unit="kg", scale=1000),
        Field(name="carrier", type=ValueType.TEXT, label="airline"),
    ),
    judgements=(LATE,),
)
INVOICE = Entity(
    name="Invoice",
    table="invoice",
    semantic_type=SemanticType.DOCUMENT,
    noun={
        Language.EN: Noun(one="invoice", many="invoices"),
        Language.DE: Noun(one="Rechnung", many="Rechnungen", gender=Gender.FEMININE),
        Language.ZH: Noun(one="发票", counter="张"),
    },
    fields=(
        Field(name="number", type=ValueType.TEXT, role=Role.KEY),
        Field(name="dueOn", column="due_on", type=ValueType.DATE, role=Role.TIME),
        Field(name="paidOn", column="paid_on", type=ValueType.DATE, role=Role.TIME),
        Field(name="amount", type=ValueType.NUMBER, role=Role.MEASURE, unit="EUR"),
    ),
    judgements=(OVERDUE,),
)
ONTOLOGY = OntologyDescriptor(feature_code="travel", entities=(FLIGHT, INVOICE))


def with_flight(**changes: object) -> OntologyDescriptor:
    """The ontology with another flight."""
    flight = FLIGHT.model_copy(update=changes)
    return ONTOLOGY.model_copy(update={"entities": (flight, INVOICE)})


def with_field(name: str, **changes: object) -> OntologyDescriptor:
    """The ontology with one field of the flight changed."""
    fields = tuple(
        each.model_copy(update=changes) if each.name == name else each for each in FLIGHT.fields
    )
    return with_flight(fields=fields)
