"""A question to a person that is answered with words: as it is shown, and what they said."""

from dataclasses import dataclass
from datetime import datetime

from veridical.console.form import Form, field
from veridical.contracts.person import TEXT
from veridical.runs.inbox_item import InboxItem, ItemStatus, Ruling
from veridical.server.identity import Action, Identity


@dataclass(frozen=True, slots=True)
class Clarification:
    """What is asked, about what, and what one might say."""

    item: str
    about: str
    asked: str
    suggested: tuple[str, ...]
    evidence_hash: str
    expires_at: datetime
    may_answer: bool


def clarification_of(item: InboxItem, identity: Identity) -> Clarification:
    """The question of an item; who may decide answers it, and who asked."""
    shown = item.subject
    own = item.asked_by == identity.name and Action.ASK in identity.actions
    is_open = item.status is ItemStatus.PENDING
    return Clarification(
        item=item.id,
        about=str(shown.get("question", "")),
        asked=str(shown.get("asked", "")),
        suggested=tuple(str(each) for each in shown.get("suggestedAnswers") or ()),
        evidence_hash=item.evidence_hash,
        expires_at=item.expires_at,
        may_answer=is_open and (own or Action.DECIDE in identity.actions),
    )


def said_in(fields: Form) -> Ruling:
    """The answer in a form, or that there is none."""
    said = field(fields, "text") or field(fields, "suggested")
    approved = field(fields, "decision") != "deny"
    choice: dict[str, object] = {TEXT: said} if approved else {}
    return Ruling(approved=approved, choice=choice, evidence_hash=field(fields, "evidenceHash"))
