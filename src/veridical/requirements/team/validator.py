"""The validator: checks again what the operator wrote down, and alone gives the verdict.

It believes no figure. The requirement and its rewrite are evaluated again, the rewrite's words are
compared with the source and the answers, and only then does the operator's list count.
"""

import logging
from collections.abc import Iterator, Sequence
from typing import Any

from veridical.contracts.requirements_review import Issue, SignalKind, Speaker
from veridical.requirements.evaluation import evaluate_requirement
from veridical.requirements.finding import PASS_MARK
from veridical.requirements.relations.relation import RelationKind
from veridical.requirements.rewrite.invented import invented
from veridical.requirements.rewrite.rewrite import Status, rewrite_evaluation
from veridical.requirements.team.conversation import Conversation
from veridical.requirements.team.verdict import SIGNATURE, TeamVerdict
from veridical.requirements.team.work import NOT_NEEDED

_log = logging.getLogger(__name__)


def validate(
    conversation: Conversation,
    criteria: Sequence[str],
    pairs: Sequence[dict[str, Any]] | None,
    *,
    out_of_time: bool = False,
) -> TeamVerdict:
    """The verdict on one requirement; ``pairs`` are those of the whole review, none where they
    were not looked for."""
    try:
        found = list(_issues(conversation, criteria, pairs))
    except Exception:
        _log.exception("requirement %s could not be checked again", conversation.number)
        found = [Issue.NOT_EVALUATED]
    if out_of_time:
        found.append(Issue.TIME_USED_UP)
    return TeamVerdict(SIGNATURE, tuple(dict.fromkeys(found)))


def closed(conversation: Conversation, verdict: TeamVerdict) -> Conversation:
    """The conversation with the validator's turn at its end."""
    signal = SignalKind.APPROVE if verdict.approved else SignalKind.NOT_APPROVED
    return conversation.with_turn(Speaker.VALIDATOR, signal, ", ".join(verdict.issues))


def _issues(
    conversation: Conversation, criteria: Sequence[str], pairs: Sequence[dict[str, Any]] | None
) -> Iterator[Issue]:
    work, text = conversation.work, conversation.text
    if work.original_score is None or work.score is None or not work.evaluation:
        yield Issue.NOT_EVALUATED
    else:
        source = evaluate_requirement(text, criteria)
        if source.inspection.not_evaluated:
            yield Issue.NOT_EVALUATED
        if source.score != work.original_score:
            yield Issue.SCORES_DIFFER
        if source.score is not None and source.score < PASS_MARK:
            yield from _of_rewrite(conversation, criteria, source.inspection.tokens.language)
        elif work.status != NOT_NEEDED:
            yield Issue.SCORES_DIFFER
    if pairs is None:
        yield Issue.NO_DUPLICATE_CHECK
    elif any(_contradicts(pair, conversation.number - 1) for pair in pairs):
        yield Issue.CONTRADICTED
    if work.questions:
        yield Issue.OPEN_QUESTIONS
    if conversation.is_cut_short:
        yield Issue.TURNS_USED_UP


def _of_rewrite(
    conversation: Conversation, criteria: Sequence[str], language: str
) -> Iterator[Issue]:
    work = conversation.work
    if not work.corrected_text or work.status == Status.REJECTED:
        yield Issue.NOT_IMPROVED
        return
    if invented(work.corrected_text, conversation.text, conversation.given, language):
        yield Issue.INVENTED
    score = rewrite_evaluation(work.corrected_text, language, criteria).score
    if score != work.score:
        yield Issue.SCORES_DIFFER
    if score is None or score < PASS_MARK:
        yield Issue.NOT_IMPROVED


def _contradicts(pair: dict[str, Any], place: int) -> bool:
    return pair["kind"] == RelationKind.CONFLICT and place in (pair["req1_idx"], pair["req2_idx"])
