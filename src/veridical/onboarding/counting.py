"""Constraints on what counts in a figure: which rows, which of several, and on which day."""

from collections.abc import Iterable

from sqlglot import exp

from veridical.onboarding.findings import Findings
from veridical.onboarding.kinds.local_days import STORED
from veridical.onboarding.kinds.uncounted import LIKELY
from veridical.onboarding.page import PageRule
from veridical.onboarding.proposal import Proposal, ProposalKind, State
from veridical.onboarding.source import text_literal
from veridical.ontology.model import Constraint, ConstraintRule, Conversion


def counting_constraints(each: Proposal, place: str, *, warns: bool) -> Iterable[Constraint]:
    """The constraint of such a proposal; none of any other."""
    rule = ConstraintRule
    match each.kind:
        case ProposalKind.UNCOUNTED if each.confidence >= LIKELY or each.state is State.ACCEPTED:
            condition = _condition(each)
            yield Constraint(
                applies_to=each.table, rule=rule.COUNTS_ONLY, condition=condition, warns=warns
            )
        case ProposalKind.EVENTS:
            yield Constraint(
                applies_to=each.table, rule=rule.FIRST_OR_LAST, fields=each.columns, warns=warns
            )
        case ProposalKind.EMPTY_COUNTS:
            yield Constraint(applies_to=place, rule=rule.EMPTY_COUNTS, warns=warns)
        case ProposalKind.LOCAL_DAYS:
            local = str(each.values[0])
            yield Constraint(
                applies_to=place, rule=rule.LOCAL_DAYS, zone=STORED, local_zone=local, warns=warns
            )
        case ProposalKind.STATED if each.state is State.ACCEPTED:
            yield _stated(each, place)
        case _:
            return


def _stated(each: Proposal, place: str) -> Constraint:
    """The constraint of a rule that a page states."""
    name = exp.to_identifier(each.columns[0], quoted=True).sql()
    values = ", ".join(map(text_literal, map(str, each.values)))
    match PageRule(str(each.evidence["rule"])):
        case PageRule.ONLY:
            rule, condition = ConstraintRule.COUNTS_ONLY, f"{name} IN ({values})"
        case PageRule.NOT:
            rule, condition = ConstraintRule.COUNTS_ONLY, f"{name} NOT IN ({values})"
        case PageRule.NEVER_SUM:
            return Constraint(applies_to=place, rule=ConstraintRule.NEVER_SUM)
        case _:
            return Constraint(applies_to=place, rule=ConstraintRule.EMPTY_COUNTS)
    return Constraint(applies_to=each.table, rule=rule, condition=condition)


def conversion_of(known: Findings, unit: Proposal) -> Conversion | None:
    """The rates of an amount that a person confirmed: data can't show which way they are meant."""
    for each in known.of(ProposalKind.CONVERSION, unit.table):
        if each.columns == unit.columns and each.state is State.ACCEPTED and each.target:
            rate, code, *period = each.target_columns
            return Conversion(
                rate=f"{each.target}.{rate}",
                unit=code,
                period=period[0] if period else "",
                day=str(each.evidence.get("day") or ""),
                base=tuple(map(str, each.values)),
                divides=bool(each.evidence.get("divides")),
            )
    return None


def _condition(each: Proposal) -> str:
    """The condition of the rows that count, on a column of the table or of its parent."""
    names = (each.target, *each.target_columns) if each.target else each.columns
    place = ".".join(exp.to_identifier(name, quoted=True).sql() for name in names)
    return f"{place} NOT IN ({', '.join(map(text_literal, map(str, each.values)))})"
