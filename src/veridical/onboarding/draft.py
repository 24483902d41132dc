"""Proposals as an ontology: proven and accepted ones block, open ones warn."""

from collections.abc import Iterable, Mapping

from veridical.contracts.language import Text
from veridical.contracts.schema import ValueType
from veridical.onboarding.column_labels import drafted_labels
from veridical.onboarding.counting import conversion_of, counting_constraints
from veridical.onboarding.entity_nouns import drafted_nouns
from veridical.onboarding.findings import Findings
from veridical.onboarding.hints import hints_at
from veridical.onboarding.judged import drafted_judgements
from veridical.onboarding.kinds.personal import is_about_people
from veridical.onboarding.kinds.soft_deletes import is_flag
from veridical.onboarding.profile import ColumnProfile, TableProfile, Value
from veridical.onboarding.proposal import Proposal, ProposalKind, State
from veridical.ontology.model import (
    Cardinality,
    Constraint,
    ConstraintRule,
    Encoding,
    Entity,
    Field,
    OntologyDescriptor,
    Percent,
    Relation,
    Role,
    SemanticType,
)

_GUARDED = frozenset({Encoding.UNIX_SECONDS, Encoding.UNIX_MILLISECONDS, Encoding.YYYYMMDD})
_SHARED = (ProposalKind.CLOSED_LIST, ProposalKind.TOTAL_ROWS)
_TOTAL, _PARTS = "total", "parts"
_FEW_ROWS = 200
_ENOUGH_TEXTS = 10
_SECOND, _DAY_LENGTH = "second", len("2025-01-31")
Plain = str | int | float | bool


def draft_ontology(
    name: str, tables: Mapping[str, TableProfile], proposals: Iterable[Proposal]
) -> OntologyDescriptor:
    """The ontology of these proposals, without the rejected ones."""
    known = Findings.of_record(tables, proposals)
    return OntologyDescriptor(
        feature_code=name,
        entities=tuple(_entity(known, table) for table in tables.values()),
        relations=tuple(
            relation
            for table in tables.values()
            for link in known.links(table.name)
            if (relation := _relation(link, tables)) is not None
        ),
        constraints=tuple(
            constraint for each in known.proposals for constraint in constraints_of(known, each)
        ),
    )


def _entity(known: Findings, table: TableProfile) -> Entity:
    key = known.key(table.name)
    keys = [tuple(each) for each in table.keys]
    if key and key not in keys:
        keys.insert(0, key)
    return Entity(
        name=table.name,
        table=table.name,
        semantic_type=_semantic_type(known, table),
        keys=tuple(keys),
        fields=_fields(known, table),
        noun=drafted_nouns(table.name),
        judgements=drafted_judgements(known, table.name),
    )


def _semantic_type(known: Findings, table: TableProfile) -> SemanticType:
    if known.of(ProposalKind.SNAPSHOT, table.name):
        return SemanticType.BALANCE_SNAPSHOT
    if known.measures(table.name) and known.of(ProposalKind.TIME_COLUMN, table.name):
        return SemanticType.TRANSACTION
    if is_about_people(table):
        return SemanticType.PARTY
    plain = not known.measures(table.name) and not known.links(table.name)
    return SemanticType.CLASSIFICATION if plain and table.rows <= _FEW_ROWS else SemanticType.OBJECT


def _fields(known: Findings, table: TableProfile) -> tuple[Field, ...]:
    labels = drafted_labels([each.name for each in table.columns])
    return tuple(_field(known, table, each, labels[each.name]) for each in table.columns)


def _field(known: Findings, table: TableProfile, column: ColumnProfile, label: Text) -> Field:
    times = {each.columns[0]: each for each in known.of(ProposalKind.TIME_COLUMN, table.name)}
    units = {each.columns[0]: each for each in known.of(ProposalKind.UNIT, table.name)}
    unit = units.get(column.name)
    time = times.get(column.name)
    return Field(
        name=column.name,
        label=label,
        type=column.type if column.type is not ValueType.UNKNOWN else _observed(column),
        role=_role(known, table, column),
        encoding=time.encoding if time else None,
        grain=_SECOND if time and _says_time_of_day(column) else None,
        unit=str(unit.values[0]) if unit and len(unit.values) == 1 else None,
        percent=_percent(column),
        numeric=_has_numbers(column) and column.name in _unexplained(known, table),
        optional=column.filled < table.seen
        and column.name in known.columns(ProposalKind.FOREIGN_KEY, table.name),
    )


def _percent(column: ColumnProfile) -> Percent | None:
    """The scale of percents by name: points, unless no value is above one."""
    high = column.high
    if not hints_at(column.name, "percent") or not isinstance(high, int | float):
        return None
    return Percent.POINTS if high > 1 else Percent.FRACTION


def _has_numbers(column: ColumnProfile) -> bool:
    """True if its texts are numbers of different lengths, and not called codes."""
    shaped = sum(column.shapes.get(shape, 0) for shape in ("digits", "decimal"))
    every = column.is_text and shaped == column.looked_at >= _ENOUGH_TEXTS
    named = any(hints_at(column.name, kind) for kind in ("code", "key", "calendar", "time"))
    lengths = {len(str(end)) for end in (column.low, column.high) if end is not None}
    return every and not named and len(lengths | {column.longest}) > 1


def _unexplained(known: Findings, table: TableProfile) -> set[str]:
    """The columns that are neither pointers, nor keys, nor times, nor people."""
    kinds = (
        ProposalKind.FOREIGN_KEY,
        ProposalKind.TIME_COLUMN,
        ProposalKind.CODE,
        ProposalKind.PERSONAL,
        ProposalKind.TENANT,
    )
    used = {name for kind in kinds for name in known.columns(kind, table.name)}
    return {each.name for each in table.columns} - used - set(known.key(table.name))


def _says_time_of_day(column: ColumnProfile) -> bool:
    """True if its lowest and highest texts are longer than a written day."""
    ends = (column.low, column.high)
    return column.is_text and all(isinstance(end, str) and len(end) > _DAY_LENGTH for end in ends)


def _observed(column: ColumnProfile) -> ValueType:
    if column.is_numeric:
        return ValueType.INTEGER if column.is_whole else ValueType.NUMBER
    return ValueType.TEXT if column.is_text else ValueType.UNKNOWN


def _role(known: Findings, table: TableProfile, column: ColumnProfile) -> Role:
    tenant = [
        each for each in known.of(ProposalKind.TENANT, table.name) if column.name in each.columns
    ]
    if any(each.state is State.ACCEPTED for each in tenant):
        return Role.TENANT
    if column.name in known.key(table.name):
        return Role.KEY
    if column.name in known.columns(ProposalKind.TIME_COLUMN, table.name):
        return Role.TIME
    if column.name in known.measures(table.name):
        return Role.MEASURE
    named = hints_at(column.name, "currency") or hints_at(column.name, "unit")
    return Role.UNIT if column.is_text and named else Role.DIMENSION


def _relation(link: Proposal, tables: Mapping[str, TableProfile]) -> Relation | None:
    if link.target is None or link.target not in tables:
        return None
    pairs = zip(link.columns, link.target_columns, strict=True)
    return Relation(
        from_entity=link.table,
        to_entity=link.target,
        cardinality=link.cardinality or Cardinality.MANY_TO_ONE,
        via=tuple(own if own == far else f"{own}={far}" for own, far in pairs),
    )


def constraints_of(known: Findings, each: Proposal) -> Iterable[Constraint]:
    """The constraints of a proposal on queries."""
    place = f"{each.table}.{each.columns[0]}"
    warns = not each.holds
    rule = ConstraintRule
    match each.kind:
        case ProposalKind.CODE:
            yield Constraint(applies_to=place, rule=rule.NEVER_AGGREGATE, warns=warns)
        case ProposalKind.NOT_ADDITIVE:
            made_of = (each.evidence.get("numerator"), each.evidence.get("denominator"))
            parts = tuple(str(name) for name in made_of if name)
            yield Constraint(applies_to=place, rule=rule.NEVER_SUM, fields=parts, warns=warns)
        case ProposalKind.PERIOD:
            yield from _period(known, each, place, warns=warns)
        case ProposalKind.SNAPSHOT:
            opening = each.evidence.get("opening")
            yield Constraint(
                applies_to=place,
                rule=rule.SEMI_ADDITIVE_OVER,
                fields=each.target_columns,
                opening=str(opening) if opening else None,
                last_per=tuple(filter(None, str(each.evidence.get("reports") or "").split(", "))),
                warns=warns,
            )
            yield from _chosen_period(known, each)
        case ProposalKind.TIME_COLUMN if each.encoding in _GUARDED:
            yield Constraint(
                applies_to=place,
                rule=rule.TYPE_MISMATCH_GUARD,
                encoding=each.encoding,
                warns=warns,
            )
            yield Constraint(applies_to=place, rule=rule.NEVER_AGGREGATE, warns=warns)
        case ProposalKind.UNIT if len(each.values) > 1:
            unit = _unit_place(each, each.target_columns[0])
            kind_column = each.evidence.get("settled_by")
            yield Constraint(
                applies_to=place,
                rule=rule.SAME_UNIT,
                fields=(unit,),
                settled_by=(_unit_place(each, str(kind_column)),) if kind_column else (),
                conversion=conversion_of(known, each),
                warns=warns,
            )
        case ProposalKind.CLOSED_LIST:
            values = _plain(each.values)
            yield Constraint(applies_to=place, rule=rule.ALLOWED_VALUES, values=values, warns=warns)
        case ProposalKind.TOTAL_ROWS:
            yield from _levels(known, each, warns=warns)
        case ProposalKind.SOFT_DELETE | ProposalKind.VALIDITY if each.stake:
            yield _lasting(known, each, warns=warns)
            yield from _marks(known, each, warns=warns)
        case ProposalKind.TENANT if each.state is State.ACCEPTED and (
            names := _named_within(known, each)
        ):
            yield Constraint(
                applies_to=each.table,
                rule=rule.REQUIRES_FILTER_ON,
                fields=each.columns,
                where_read=names,
            )
        case _:
            yield from counting_constraints(each, place, warns=warns)


def _unit_place(each: Proposal, column: str) -> str:
    """The path of a unit column, seen from the measure's own table."""
    return column if each.target == each.table else f"{each.target}.{column}"


def _period(known: Findings, each: Proposal, place: str, *, warns: bool) -> Iterable[Constraint]:
    """No sum of years; no mean either, if they name the row and are not an age."""
    pointing = known.columns(ProposalKind.FOREIGN_KEY, each.table)
    beside = known.columns(ProposalKind.PERIOD, each.table) - {each.columns[0]}
    tells_rows = each.columns[0] in {*known.key(each.table), *pointing} or bool(beside)
    rule = ConstraintRule.NEVER_AGGREGATE if tells_rows else ConstraintRule.NEVER_SUM
    yield Constraint(applies_to=place, rule=rule, warns=warns)
    if each.values:
        yield Constraint(
            applies_to=place,
            rule=ConstraintRule.ALLOWED_VALUES,
            values=_plain(each.values),
            warns=warns,
        )


def _chosen_period(known: Findings, each: Proposal) -> Iterable[Constraint]:
    """The filter on a date, where nothing in a table adds up over its dates, or totals stand among
    them. Only an accepted proposal requires it, because data can't prove it."""
    states = [
        other
        for other in known.of(ProposalKind.SNAPSHOT, each.table)
        if other.state is not State.REJECTED and other.target_columns == each.target_columns
    ]
    only = set(known.measures(each.table)) <= {other.columns[0] for other in states}
    totals = known.columns(ProposalKind.TOTAL_ROWS, each.table) & set(each.target_columns)
    if (only or totals) and each.id == states[0].id:
        yield Constraint(
            applies_to=each.table,
            rule=ConstraintRule.REQUIRES_FILTER_ON,
            fields=each.target_columns,
            warns=each.state is not State.ACCEPTED,
        )


def _lasting(known: Findings, each: Proposal, *, warns: bool) -> Constraint:
    """The filter on versions or deleted rows; a version can also be chosen by its first day, its
    number, or a mark of the current one."""
    *starts, field = each.columns
    settled_by: tuple[str, ...] = ()
    if each.kind is ProposalKind.VALIDITY:
        profile = known.tables.get(each.table)
        marks = [
            column.name
            for column in (profile.columns if profile is not None else ())
            if hints_at(column.name, "current") and is_flag(column)
        ]
        # Versions without an end differ in their first day, which is all they have.
        settled_by = tuple(dict.fromkeys((*(starts or [field]), *_numbers(known, each), *marks)))
    return Constraint(
        applies_to=each.table,
        rule=ConstraintRule.REQUIRES_FILTER_ON,
        fields=(field,),
        settled_by=settled_by,
        warns=warns or hints_at(field, "inactive"),
    )


def _numbers(known: Findings, each: Proposal) -> list[str]:
    """The columns of the key that number the versions of a thing."""
    return [name for name in known.key(each.table) if hints_at(name, "version")]


def _marks(known: Findings, each: Proposal, *, warns: bool) -> Iterable[Constraint]:
    """The existing marks: ``<> 'X'`` leaves out deleted rows, if that is one of two."""
    values = _plain(each.values)
    profile = known.tables.get(each.table)
    column = profile.by_name.get(each.columns[0]) if profile is not None else None
    marked = column is not None and column.type is not ValueType.BOOLEAN
    listed = known.columns(ProposalKind.CLOSED_LIST, each.table)
    if (
        each.kind is ProposalKind.SOFT_DELETE
        and values
        and marked
        and each.columns[0] not in listed
    ):
        yield Constraint(
            applies_to=f"{each.table}.{each.columns[0]}",
            rule=ConstraintRule.ALLOWED_VALUES,
            values=values,
            warns=warns,
        )


def _named_within(known: Findings, each: Proposal) -> tuple[str, ...]:
    """The columns that identify a row only within its tenant: account 1000 of which client? Without
    pointers and columns of few kinds, which are the same for all."""
    key = known.key(each.table)
    shared = {name for kind in _SHARED for name in known.columns(kind, each.table)}
    shared |= {link.columns[0] for link in known.links(each.table) if len(link.columns) == 1}
    periods = known.columns(ProposalKind.TIME_COLUMN, each.table) | known.columns(
        ProposalKind.PERIOD, each.table
    )
    periods |= {
        name
        for state in known.of(ProposalKind.SNAPSHOT, each.table)
        for name in state.target_columns
    }
    if not key or key[0] not in each.columns or not known.measures(each.table):
        return ()
    names = [name for name in key[1:] if name not in periods | shared]
    return tuple(name for name in names if not hints_at(name, "calendar"))


def _levels(known: Findings, each: Proposal, *, warns: bool) -> Iterable[Constraint]:
    whole, *parts = (value for value in each.values if isinstance(value, str | int))
    rates = known.columns(ProposalKind.NOT_ADDITIVE, each.table)
    for measure in known.measures(each.table):
        if measure not in rates:
            yield Constraint(
                applies_to=f"{each.table}.{measure}",
                rule=ConstraintRule.ONE_LEVEL,
                fields=each.columns,
                levels={_TOTAL: (whole,), _PARTS: tuple(parts)},
                warns=warns,
            )


def _plain(values: Iterable[Value]) -> tuple[Plain, ...]:
    return tuple(value for value in values if value is not None)
