"""Whether an import has a fact, reports it as lost, or says nothing about it."""

import re
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any

from veridical.ontology.importers import Fidelity, FidelityNote, Imported
from veridical.ontology.model import ConstraintRule, Metric, MetricKind, Relation, Role

_AGGREGATE = re.compile(r"(?:type|agg): ?`?'?(\w+)")
_WORDS = re.compile(r"[^\W_]\w*")
_FORM = re.compile(
    r"\b(?:type|agg|sql|sql_on|sql_distinct_key|filters?|field|value|expr|expression|summarizeBy|from|to)\s*:"
    r"|\bTABLE\b|\bformatString\w*\b|value_format(?:_name)?:|\blabel_from_parameter:"
    r"|\bformat\s*:|\bcomment:|\bon\b\"?:|\bcreate_metric: true|\brelationship: `\w+`"
)
_SAME = {
    "countDistinct": "count_distinct",
    "sum_distinct": "sum",
    "sum_boolean": "sum_boolean",
    "avg": "average",
}
_CARDINALITY = re.compile(r"\b(?:one|many)_to_(?:one|many)\b")
_REWRITTEN = {"if", "cube", "source"}
"""What SQL writes as CASE, and names of the table itself."""
_UNSUMMED = {ConstraintRule.NEVER_SUM, ConstraintRule.NEVER_AGGREGATE}
Fact = Mapping[str, Any]


class Outcome(StrEnum):
    """What became of a fact."""

    KEPT = "kept"
    REPORTED = "reported"
    SILENT = "silent"


def judge(fact: Fact, imported: Imported) -> Outcome:
    """The outcome of one fact."""
    if fact.get("model", "").startswith("metric_views/"):  # tables are known by their last name
        fact = {**fact, "table": fact["table"].rpartition(".")[2]}
    if _is_described(fact, imported):
        return Outcome.KEPT
    if _KEPT.get(fact["kind"], _nothing)(fact, imported):
        return Outcome.KEPT
    return Outcome.REPORTED if _is_reported(fact, imported) else Outcome.SILENT


def _nothing(fact: Fact, imported: Imported) -> bool:
    return False


def _is_described(fact: Fact, imported: Imported) -> bool:
    """True for a remark in words that is a description here."""
    if fact["kind"] not in ("format", "required_filter"):
        return False
    wanted = _words(fact["value"])
    return any(wanted <= _words(each) for each in _descriptions(fact, imported))


def _descriptions(fact: Fact, imported: Imported) -> list[str]:
    metric = _metric(fact, imported)
    fields = [
        str(field.description)
        for entity in imported.ontology.entities
        for field in entity.fields
        if (entity.name, field.name) == (fact["table"], fact["field"])
    ]
    return [str(metric.description), *fields] if metric else fields


def _words(text: str) -> set[str]:
    """The words of the source that have to come back."""
    plain = _FORM.sub(" ", text).replace("[", " ").replace("]", " ")
    return {word.casefold() for word in _WORDS.findall(plain)} - _REWRITTEN


def _metric(fact: Fact, imported: Imported) -> Metric | None:
    names = (fact["field"], f"{fact['table']}.{fact['field']}")
    found = [each for each in imported.ontology.metrics if each.name in names]
    return next((each for each in found if each.name == names[1]), found[0] if found else None)


def _measure(fact: Fact, imported: Imported) -> bool:
    metric = _metric(fact, imported)
    if metric is None:
        return "sum" in fact["value"].casefold() and _is_measured(fact, imported)
    if found := _AGGREGATE.search(fact["value"]):
        wanted = _SAME.get(found[1], found[1])
        if wanted not in ("number", metric.aggregate, metric.kind.lower()):
            return False
    return _words(_AGGREGATE.sub(" ", fact["value"])) <= _metric_words(metric, imported)


def _metric_words(metric: Metric, imported: Imported) -> set[str]:
    """All words by which the ontology knows the metric, and the field that it adds up."""
    fields = [
        f"{field.name} {field.column} {field.expr}"
        for entity in imported.ontology.entities
        if entity.name == metric.entity
        for field in entity.fields
        if field.name == metric.field
    ]
    parts = (
        metric.entity, metric.field, metric.expr, metric.filter, metric.aggregate,
        f"agg_time_dimension {metric.time_field or ''}", *metric.inputs, *fields,
    )  # fmt: skip
    truth = {"yes"} if "TRUE" in (metric.filter or "") else set[str]()
    truth |= {"no"} if "FALSE" in (metric.filter or "") else set()
    called = {"distinctcount"} if metric.aggregate == "count_distinct" else set[str]()
    return _words(" ".join(filter(None, parts))) | truth | called


def _is_measured(fact: Fact, imported: Imported) -> bool:
    """True for a column that is added up, by its own name or by that of the measure over it."""
    over = re.search(r'expr: "?(\w+)', fact["value"])
    names = {fact["field"], over[1] if over else fact["field"]}
    return any(
        entity.name == fact["table"]
        and field.role is Role.MEASURE
        and names & {field.name, field.column}
        for entity in imported.ontology.entities
        for field in entity.fields
    )


def _role(fact: Fact, imported: Imported) -> Role | None:
    return next(
        (
            field.role
            for entity in imported.ontology.entities
            if entity.name == fact["table"]
            for field in entity.fields
            if field.name == fact["field"]
        ),
        None,
    )


def _semi_additive(fact: Fact, imported: Imported) -> bool:
    metric, role = _metric(fact, imported), _role(fact, imported)
    rules = {
        each.rule
        for each in imported.ontology.constraints
        if each.applies_to == f"{fact['table']}.{fact['field']}"
        or (metric and each.applies_to == f"{metric.entity}.{metric.field}")
    }
    if fact["value"].startswith("semi_additive"):
        runs_on = metric is not None and metric.kind is MetricKind.CUMULATIVE
        return runs_on or ConstraintRule.SEMI_ADDITIVE_OVER in rules
    if fact["value"].startswith("sum_of_non_additive"):
        return bool(rules & (_UNSUMMED | {ConstraintRule.SEMI_ADDITIVE_OVER}))
    if metric is not None:
        return not metric.additive
    return bool(rules & _UNSUMMED) or role in (Role.KEY, Role.TIME)


def _relationship(fact: Fact, imported: Imported) -> bool:
    wanted = _CARDINALITY.search(fact["value"])
    return any(
        _joins(each, fact)
        and (wanted is None or each.cardinality.lower() == wanted[0])
        and not _unmet(each, fact)
        for each in imported.ontology.relations
    )


def _has_other_cardinality(fact: Fact, imported: Imported) -> bool:
    found = [each for each in imported.ontology.relations if _joins(each, fact)]
    wanted = _CARDINALITY.search(fact["value"])
    same = [each for each in found if wanted and each.cardinality.lower() == wanted[0]]
    return bool(found and wanted and not same)


def _joins(relation: Relation, fact: Fact) -> bool:
    """True for a relation of this name, to this entity, or by this column."""
    columns = {name for pair in relation.pairs for name in pair}
    ends = {relation.name, relation.to_entity, *columns}
    return fact["field"] in ends and fact["table"] in {
        relation.from_entity,
        relation.to_entity,
        _explore(fact),
    }


def _explore(fact: Fact) -> str:
    """The table itself where an explore joins others to each other."""
    return fact["table"] if "${" in fact["value"] else ""


def _unmet(relation: Relation, fact: Fact) -> set[str]:
    """The words of the condition that the relation does not have."""
    text = _CARDINALITY.sub(" ", fact["value"])
    text = re.sub(r"\b(?:active|foreign|type|source|on|to|from_columns|to_columns)\b", " ", text)
    known = " ".join(
        filter(None, (relation.from_entity, relation.to_entity, relation.name, *relation.via))
    )
    return _words(text) - _words(known) - {fact["field"].casefold(), fact["table"].casefold()}


def _required_filter(fact: Fact, imported: Imported) -> bool:
    wanted = {each.strip().casefold() for each in fact["field"].split(",")}
    found: set[str] = set()
    for each in imported.ontology.constraints:
        if each.applies_to.casefold() == fact["table"].casefold():
            found |= _words(f"{' '.join(each.fields)} {each.condition}")
    metric = _metric(fact, imported)
    return wanted <= found or bool(metric and metric.filter)


_KEPT = {
    "measure": _measure,
    "semi_additive": _semi_additive,
    "relationship": _relationship,
    "required_filter": _required_filter,
}


def _is_reported(fact: Fact, imported: Imported) -> bool:
    """True where notes on it have every word of the source that the ontology does not have."""
    lost = [each for each in imported.notes if each.status is not Fidelity.KEPT]
    about = [each for each in lost if _is_about(each, fact)]
    if not about:
        return False
    if any(each.status is Fidelity.DROPPED for each in about if each.path.endswith(fact["field"])):
        return True
    if fact["kind"] == "relationship" and _has_other_cardinality(fact, imported):
        return False
    if fact["kind"] == "semi_additive" and any(
        each.path.endswith(f".{fact['field']}") for each in about
    ):
        return True
    if fact["kind"] == "hidden":
        return any("hidden" in each.path or "policy" in each.path for each in about)
    known = _known(fact, imported) | _words(" ".join(f"{each.path} {each.text}" for each in about))
    return _words(_CARDINALITY.sub(" ", _without_marks(fact["value"]))) <= known


def _without_marks(text: str) -> str:
    text = re.sub(r"^role '[^']*'; tablePermission \w+ = ", "", text)
    return re.sub(
        r"\b(?:active|foreign|semi_additive|non_additive|isActive: false"
        r"|crossFilteringBehavior: bothDirections)\b",
        " ",
        text,
    )


def _known(fact: Fact, imported: Imported) -> set[str]:
    metric = _metric(fact, imported)
    known = _metric_words(metric, imported) if metric else set[str]()
    for each in imported.ontology.relations:
        if _joins(each, fact):
            known |= _words(f"{each.from_entity} {each.to_entity} {each.name} {each.via}")
    described = " ".join(_descriptions(fact, imported))
    return known | _words(f"{fact['table']} {fact['field']} {described}") | _functions(metric)


def _functions(metric: Metric | None) -> set[str]:
    return {*filter(None, (metric.aggregate if metric else "",)), "sum_distinct", "number"}


def _is_about(note: FidelityNote, fact: Fact) -> bool:
    """True for a note on the field, on its table in general, or on the whole model."""
    text = f"{note.path} {note.text}"
    if fact["field"].startswith("("):  # it has no name of its own
        return note.path.startswith(f"{fact['table']}.")
    if not _mentions(text, _names(fact["field"])):
        return False
    return fact["table"].startswith("(") or fact["table"] in text or fact["field"] in note.path


def _names(field: str) -> Iterable[str]:
    return (field, *(each.strip() for each in field.split(",")))


def _mentions(text: str, names: Iterable[str]) -> bool:
    return any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) for name in names)
