"""Proposed judgements as judgements of an ontology."""

from collections.abc import Iterable
from typing import Any

from veridical.onboarding.findings import Findings
from veridical.onboarding.proposal import Proposal, ProposalKind, State
from veridical.ontology.model import Comparator, Judgement
from veridical.word_file import word_file


def drafted_judgements(known: Findings, table: str) -> tuple[Judgement, ...]:
    """The judgements of a table, as proposals until a person accepts them."""
    return tuple(judgement_of(each) for each in known.of(ProposalKind.JUDGEMENT, table))


def judgement_of(proposal: Proposal) -> Judgement:
    """The judgement of a proposal."""
    template = _loaded()[proposal.reason]
    field, *others = proposal.columns
    other = others[0] if others else None
    limit = template.get("limit")
    return Judgement(
        name=proposal.reason,
        field=field,
        comparator=Comparator(template["comparator"]),
        limit=limit,
        limit_field=None if limit else other,
        unless=other if limit else None,
        label=template["label"],
        proposed=proposal.state is not State.ACCEPTED,
    )


def decided_judgements(
    judgements: Iterable[Judgement], proposals: Iterable[Proposal]
) -> tuple[Judgement, ...]:
    """The judgements with accepted ones confirmed and rejected ones removed; own ones stay."""
    kept = {each.name: each for each in judgements}
    for proposal in proposals:
        current = kept.get(proposal.reason)
        if proposal.state is State.REJECTED and current is not None and current.proposed:
            del kept[proposal.reason]
        elif proposal.state is State.ACCEPTED:
            found = current or judgement_of(proposal)
            kept[found.name] = found.model_copy(update={"proposed": False})
    return tuple(kept.values())


def _loaded() -> dict[str, Any]:
    return word_file("veridical.onboarding", "judgements.toml")
