"""Known questions of a tenant: proposals from what its people confirmed, and those it certified."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from veridical.answering.certified_questions import with_questions
from veridical.answering.feature import Feature
from veridical.answering.question_check import Difference, QuestionCheck, observed
from veridical.contracts.caller import Caller
from veridical.onboarding.confirmed.proposal import QuestionProposal, proposals_of
from veridical.onboarding.confirmed.question import ConfirmedQuestion, confirmed_question
from veridical.ontology.filling import SLOT
from veridical.ontology.model import CanonicalQueryPattern
from veridical.route.patterns import NoMatch, match_pattern
from veridical.runs.request import FrozenCaller
from veridical.server.identity import Identity
from veridical.server.services import Services
from veridical.store.feedback import confirmed_answers
from veridical.store.known_questions import DecidedQuestion, QuestionState, decided_questions
from veridical.trace.postgres import load_trace

_MOST = 300
"""Confirmed answers that are read, the latest ones."""
_CHECKED = 3
"""Examples that are run again."""


@dataclass(frozen=True, slots=True)
class TenantQuestions:
    """All that a tenant has of them."""

    proposals: tuple[tuple[str, QuestionProposal], ...]
    """With the feature that each is about."""
    decided: tuple[DecidedQuestion, ...]

    def proposal(self, feature: str, key: str) -> QuestionProposal | None:
        """One of the proposals."""
        found = (each for about, each in self.proposals if (about, each.key) == (feature, key))
        return next(found, None)

    def decision(self, feature: str, key: str) -> DecidedQuestion | None:
        """One of the decisions."""
        found = (each for each in self.decided if (each.feature, each.key) == (feature, key))
        return next(found, None)


def tenant_questions(
    services: Services, identity: Identity, features: Mapping[str, Feature]
) -> TenantQuestions:
    """What this identity's tenant has about these features. Blocks."""
    confirmed: list[ConfirmedQuestion] = []
    with services.store.tenant(identity.tenant) as connection:
        decided = decided_questions(connection, identity.tenant)
        for each in confirmed_answers(connection, identity.tenant, _MOST):
            trace = load_trace(connection, each.trace_id, identity.tenant)
            question = confirmed_question(trace, each.person, each.at) if trace else None
            if question is not None and question.feature in features:
                confirmed.append(question)
    known = {(each.feature, each.key) for each in decided}
    proposals = tuple(
        (name, each)
        for name, feature in features.items()
        for each in proposals_of(found for found in confirmed if found.feature == name)
        if (name, each.key) not in known and _is_new(feature, each)
    )
    own = tuple(each for each in decided if each.feature in features)
    return TenantQuestions(proposals, own)


def _is_new(feature: Feature, proposal: QuestionProposal) -> bool:
    """True if no known question answers it by now."""
    if feature.patterns is None:
        return False
    example = proposal.examples[0]
    found = match_pattern(example.text, feature.patterns, example.language, example.day)
    return isinstance(found, NoMatch) and not found.intents


def is_stale(question: DecidedQuestion, feature: Feature) -> bool:
    """True if the ontology or the schema changed since it was certified or verified."""
    return not question.is_of(feature.ontology_hash, feature.schema_hash)


def certified(
    proposal: QuestionProposal,
    feature: Feature,
    caller: Caller,
    by: str,
    name: str,
) -> DecidedQuestion | Difference:
    """The proposal as this caller certifies it: each of its examples is asked again first."""
    pattern = proposal.pattern.model_copy(
        update={"intent": _new_intent(proposal.pattern.intent, feature)}
    )
    checks = [
        QuestionCheck(question=each.text, language=each.language, day=each.day)
        for each in proposal.examples[:_CHECKED]
    ]
    draft = _drafted(proposal, pattern, feature.name, name, QuestionState.CERTIFIED, by)
    return _observed(draft, checks, feature, caller, by)


def certified_again(
    question: DecidedQuestion, feature: Feature, caller: Caller, by: str
) -> DecidedQuestion | Difference:
    """A question as this caller certifies it anew, with what it returns now."""
    return _observed(question, checks_of(question), feature, caller, by)


def dismissed(question: DecidedQuestion, by: str) -> DecidedQuestion:
    """The question as somebody dismissed it."""
    return replace(
        question,
        state=QuestionState.DISMISSED,
        decided_by=by,
        decided_at=datetime.now(UTC),
        reason="",
    )


def dismissed_proposal(proposal: QuestionProposal, feature: str, by: str) -> DecidedQuestion:
    """The proposal as somebody dismissed it."""
    name, state = default_name(proposal), QuestionState.DISMISSED
    return _drafted(proposal, proposal.pattern, feature, name, state, by)


def checks_of(question: DecidedQuestion) -> tuple[QuestionCheck, ...]:
    """What its examples returned."""
    return tuple(map(QuestionCheck.model_validate, question.checks))


def default_name(proposal: QuestionProposal) -> str:
    """The name of a proposal until a person changes it."""
    return (
        str(proposal.pattern.title[proposal.language])
        if isinstance(proposal.pattern.title, dict)
        else proposal.name
    )


def fits_pattern(name: str, pattern: Mapping[str, Any]) -> bool:
    """True for a name without slots that the question doesn't have."""
    slots = {each["name"] for each in pattern.get("slots", ())}
    return bool(name) and set(SLOT.findall(name)) <= slots


def _drafted(
    proposal: QuestionProposal,
    pattern: CanonicalQueryPattern,
    feature: str,
    name: str,
    state: QuestionState,
    by: str,
) -> DecidedQuestion:
    """The proposal with a decision about it, before its examples are asked again."""
    return DecidedQuestion(
        feature=feature,
        key=proposal.key,
        name=name,
        state=state,
        pattern=pattern.model_dump(mode="json", by_alias=True, exclude_defaults=True),
        evidence={
            "times": proposal.times,
            "people": proposal.people,
            "first": proposal.first.isoformat(),
            "last": proposal.last.isoformat(),
            "examples": [each.text for each in proposal.examples],
        },
        checks=[],
        caller=None,
        ontology_hash="",
        schema_hash="",
        decided_by=by,
        decided_at=datetime.now(UTC),
        verified_at=None,
    )


def _observed(
    draft: DecidedQuestion,
    checks: Sequence[QuestionCheck],
    feature: Feature,
    caller: Caller,
    by: str,
) -> DecidedQuestion | Difference:
    pattern = CanonicalQueryPattern.model_validate(draft.pattern)
    grown = with_questions(feature, [pattern])
    found: list[dict[str, Any]] = []
    for each in checks:
        now = observed(grown, caller, pattern.intent, each)
        if isinstance(now, Difference):
            return now
        found.append(now.model_dump(mode="json", by_alias=True))
    now = datetime.now(UTC)
    return replace(
        draft,
        state=QuestionState.CERTIFIED,
        checks=found,
        caller=FrozenCaller.of(caller).model_dump(mode="json", by_alias=True),
        ontology_hash=feature.ontology_hash,
        schema_hash=feature.schema_hash,
        decided_by=by,
        decided_at=now,
        verified_at=now,
        reason="",
    )


def _new_intent(wanted: str, feature: Feature) -> str:
    taken = {each.intent for each in feature.ontology.canonical_patterns}
    name, number = wanted, 1
    while name in taken:
        number += 1
        name = f"{wanted}_{number}"
    return name
