"""Proposed judgements as what an ontology holds."""

import tomllib
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Any

from veridical.onboarding.findings import Findings
from veridical.onboarding.proposal import Kind, Proposal, State
from veridical.ontology.model import Comparator, Judgement


def drafted_judgements(known: Findings, table: str) -> tuple[Judgement, ...]:
    """Those of a table, as proposals until somebody accepted them."""
    return tuple(judgement_of(each) for each in known.of(Kind.JUDGEMENT, table))


def judgement_of(proposal: Proposal) -> Judgement:
    """The judgement that a proposal speaks of."""
    said = _loaded()[proposal.reason]
    field, *others = proposal.columns
    other = others[0] if others else None
    limit = said.get("limit")
    return Judgement(
        name=proposal.reason,
        field=field,
        comparator=Comparator(said["comparator"]),
        limit=limit,
        limit_field=None if limit else other,
        unless=other if limit else None,
        label=said["label"],
        proposed=proposal.state is not State.ACCEPTED,
    )


def decided_judgements(
    judgements: Iterable[Judgement], proposals: Iterable[Proposal]
) -> tuple[Judgement, ...]:
    """With what was accepted confirmed, and without what was rejected; what somebody wrote or
    changed by hand stays."""
    kept = {each.name: each for each in judgements}
    for proposal in proposals:
        held = kept.get(proposal.reason)
        if proposal.state is State.REJECTED and held is not None and held.proposed:
            del kept[proposal.reason]
        elif proposal.state is State.ACCEPTED:
            found = held or judgement_of(proposal)
            kept[found.name] = found.model_copy(update={"proposed": False})
    return tuple(kept.values())


@cache
def _loaded() -> dict[str, Any]:
    text = files("veridical.onboarding").joinpath("judgements.toml").read_text("utf-8")
    return tomllib.loads(text)
