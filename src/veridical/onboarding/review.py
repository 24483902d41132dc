"""Decisions of people on proposals, with person and time, and the resulting ontology."""

from collections.abc import Collection, Iterable
from datetime import UTC, datetime
from pathlib import Path

from veridical.onboarding.draft import constraints_of
from veridical.onboarding.findings import Findings
from veridical.onboarding.judged import decided_judgements
from veridical.onboarding.project import ONTOLOGY, rewrite
from veridical.onboarding.proposal import Proposal, ProposalKind, State
from veridical.onboarding.record import read_profiles, write_proposals
from veridical.ontology.model import Constraint, Entity, OntologyDescriptor, Role
from veridical.ontology.ontology_file import file_text, ontology_from
from veridical.ontology.yaml_change import changed_text

_Demand = tuple[str, str, tuple[str, ...]]
"""The identity of a constraint under any wording."""


def decide(
    proposals: Iterable[Proposal], ids: Collection[str], state: State, by: str
) -> list[Proposal]:
    """The proposals with this decision on those with these ids."""
    at = datetime.now(UTC).isoformat(timespec="seconds")
    decision = {"state": state, "decided_by": by, "decided_at": at}
    return [each.model_copy(update=decision) if each.id in ids else each for each in proposals]


def counted(proposals: Iterable[Proposal]) -> dict[State, int]:
    """The number of proposals in each state."""
    listed = list(proposals)
    return {state: sum(each.state is state for each in listed) for state in State}


def apply_decisions(project: Path, proposals: list[Proposal]) -> None:
    """Keeps the decisions, and writes the project's ontology accordingly."""
    write_proposals(project, proposals)
    path = project / ONTOLOGY
    if not path.is_file():
        return
    known = Findings(None, read_profiles(project))
    known.add(proposals)
    text = file_text(path)
    before = ontology_from(text, str(path))
    after = decided_ontology(before, known)
    if after != before:
        rewrite(project, ONTOLOGY, changed_text(text, before, after, path))


def decided_ontology(ontology: OntologyDescriptor, known: Findings) -> OntologyDescriptor:
    """The ontology with accepted constraints blocking, and without rejected ones.

    Undecided and handwritten ones stay unchanged.
    """
    decided = {
        _demand(constraint): (each.state, constraint.warns)
        for each in known.proposals
        if each.state is not State.OPEN and each.table in known.tables
        for constraint in constraints_of(known, each)
    }
    constraints = [
        constraint.model_copy(update={"warns": False})
        if decided.get(_demand(constraint)) == (State.ACCEPTED, False) and constraint.warns
        else constraint
        for constraint in ontology.constraints
        if decided.get(_demand(constraint), (State.OPEN,))[0] is not State.REJECTED
    ]
    return ontology.model_copy(
        update={
            "constraints": tuple(_with_accepted(constraints, known)),
            "relations": tuple(
                each
                for each in ontology.relations
                if (each.from_entity, tuple(own for own, _ in each.pairs), each.to_entity)
                not in _rejected_links(known)
            ),
            "entities": tuple(_entity(each, known) for each in ontology.entities),
        }
    )


def _demand(constraint: Constraint) -> _Demand:
    return constraint.applies_to, constraint.rule, constraint.fields


def _with_accepted(constraints: list[Constraint], known: Findings) -> Iterable[Constraint]:
    """The constraints with those that were rejected once and accepted later."""
    rates = {
        _demand(made): made.conversion
        for each in known.of_kind(ProposalKind.UNIT)
        for made in constraints_of(known, each)
        if made.conversion is not None
    }
    for each in constraints:
        added = rates.get(_demand(each)) if each.conversion is None else None
        yield each.model_copy(update={"conversion": added}) if added else each
    there = {_demand(each) for each in constraints}
    for each in known.proposals:
        if each.state is State.ACCEPTED and each.table in known.tables:
            yield from (made for made in constraints_of(known, each) if _demand(made) not in there)


def _rejected_links(known: Findings) -> set[tuple[str, tuple[str, ...], str | None]]:
    return {
        (each.table, each.columns, each.target)
        for each in known.proposals
        if each.kind is ProposalKind.FOREIGN_KEY and each.state is State.REJECTED
    }


def _entity(entity: Entity, known: Findings) -> Entity:
    """The entity with the decisions on its tenant column, its judgements and its keys."""
    tenants = {
        each.columns[0]: each.state
        for each in known.of(ProposalKind.TENANT, entity.table or entity.name)
    }
    keys = {each.columns: each.state for each in known.of(ProposalKind.PRIMARY_KEY, entity.name)}
    fields = tuple(
        field.model_copy(update={"role": Role.TENANT})
        if tenants.get(field.column or field.name) is State.ACCEPTED
        else field
        for field in entity.fields
    )
    left = tuple(key for key in entity.keys if keys.get(key) is not State.REJECTED)
    judgements = decided_judgements(
        entity.judgements, known.of(ProposalKind.JUDGEMENT, entity.table or entity.name)
    )
    found = {"fields": fields, "keys": left, "judgements": judgements}
    if all(getattr(entity, name) == value for name, value in found.items()):
        return entity
    return entity.model_copy(update=found)
