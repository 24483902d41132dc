"""A question to a person that is answered in words: as it is shown, and its answer."""

from dataclasses import dataclass
from datetime import datetime

from veridical.console.form import Form, field
from veridical.contracts.person import TEXT
from veridical.runs.inbox_item import InboxItem, ItemStatus, Ruling
from veridical.server.identity import Action, Identity


@dataclass(frozen=True, slots=True)
class Clarification:
    """A question, its subject, and suggested answers."""

    item: str
    about: str
    question: str
    suggested: tuple[str, ...]
    evidence_hash: str
    expires_at: datetime
    may_answer: bool


def clarification_of(item: InboxItem, identity: Identity) -> Clarification:
    """The question of an item; deciders and the person who started the run may answer it."""
    shown = item.subject
    own = item.asked_by == identity.name and Action.ASK in identity.actions
    is_open = item.status is ItemStatus.PENDING
    return Clarification(
        item=item.id,
        about=str(shown.get("question", "")),
        question=str(shown.get("asked", "")),
        suggested=tuple(str(each) for each in shown.get("suggestedAnswers") or ()),
        evidence_hash=item.evidence_hash,
        expires_at=item.expires_at,
        may_answer=is_open and (own or Action.DECIDE in identity.actions),
    )


def answer_in(fields: Form) -> Ruling:
    """The decision in a form: an answer, or none."""
    answer = field(fields, "text") or field(fields, "suggested")
    approved = field(fields, "decision") != "deny"
    choice: dict[str, object] = {TEXT: answer} if approved else {}
    return Ruling(approved=approved, choice=choice, evidence_hash=field(fields, "evidenceHash"))
