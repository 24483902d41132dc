"""The measures of TMDL as metrics."""

from collections.abc import Iterable, Mapping

from veridical.contracts.schema import ValueType
from veridical.ontology.importers.by_name import warn_by_name
from veridical.ontology.importers.dax import Formula, adding_up, running
from veridical.ontology.importers.entity_fields import EntityFields, guard_sum
from veridical.ontology.importers.imported import Draft
from veridical.ontology.importers.tmdl_text import Node
from veridical.ontology.model import Metric, MetricKind


def add_measures(
    tables: Iterable[Node],
    formulas: Mapping[str, Formula],
    fields: Mapping[str, EntityFields],
    draft: Draft,
) -> None:
    """Put all measures into the draft, each with whether its values add up."""
    add_up, run_on = adding_up(formulas), running(formulas)
    whole = list(tables)
    homes = {measure.name: each.name for each in whole for measure in each.all("measure")}
    owners = _owners(homes, formulas, fields)
    for table in whole:
        for measure in table.all("measure"):
            path = f"{table.name}.measures.{measure.name}"
            formula = formulas[measure.name]
            owner = owners[measure.name]
            column = formula.column[1] if formula.column and formula.column[0] == owner else None
            field = column if owner and column in fields[owner].fields else None
            if field and formula.function in ("sum", "average"):
                _guard(f"{owner}.{field}", field, path, fields[owner], draft)
            if formula.function == "sum":
                warn_by_name(owner, field, (measure.name,), path, draft)
            if measure.name in run_on:
                draft.approximated(path, "cumulative", window="DAX")
            elif measure.name not in add_up:
                draft.approximated(path, "not_additive", aggregate=formula.function or "DAX")
            draft.metrics.append(
                Metric(
                    name=measure.name,
                    kind=_kind(measure.name in run_on, formula),
                    entity=owner,
                    aggregate=formula.function,
                    field=field,
                    expr=None if field and formula.text.count("(") == 1 else formula.text,
                    inputs=tuple(each for each in formula.measures if each in formulas),
                    description=measure.description,
                    additive=measure.name in add_up,
                )
            )


def _kind(runs_on: bool, formula: Formula) -> MetricKind:
    if runs_on:
        return MetricKind.CUMULATIVE
    return MetricKind.SIMPLE if formula.function else MetricKind.DERIVED


def _guard(target: str, field: str, path: str, fields: EntityFields, draft: Draft) -> None:
    if fields.fields[field].type is not ValueType.TEXT:
        fields.measure(field)
    guard_sum(target, path, draft)


def _owners(
    homes: Mapping[str, str], formulas: Mapping[str, Formula], fields: Mapping[str, EntityFields]
) -> dict[str, str]:
    """The table whose rows each measure aggregates: the one that it names, or that the first
    measure in it names; else the table where it stands."""

    def owner(name: str, seen: frozenset[str]) -> str | None:
        formula = formulas[name]
        named = {table for table, _ in formula.columns if table in fields}
        if formula.column and formula.column[0] in fields:
            return formula.column[0]
        if len(named) == 1 and not formula.measures:
            return named.pop()
        inner = (each for each in formula.measures if each in formulas and each not in seen)
        return next(filter(None, (owner(each, seen | {each}) for each in inner)), None)

    return {name: owner(name, frozenset({name})) or home for name, home in homes.items()}
