"""The conversation of the team about one requirement: what was done, asked, answered and said."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from veridical.contracts.requirements_review import (
    ReviewQuestion,
    ReviewTurn,
    SignalKind,
    Speaker,
)
from veridical.requirements.team.work import Work

MOST_TURNS = 20
_TO_END = 3
"""The turns that a question leads to: the clarifier's, the operator's and the validator's."""


@dataclass(frozen=True)
class Conversation:
    """All that is known about one requirement; a turn makes the next value of it."""

    number: int
    """From 1."""
    text: str
    work: Work = field(default_factory=Work)
    answers: Mapping[str, str] = field(default_factory=dict[str, str])
    declined: frozenset[str] = frozenset()
    """The questions that nobody answered: they are not asked again."""
    turns: tuple[ReviewTurn, ...] = ()

    @property
    def open_question(self) -> ReviewQuestion | None:
        """What to ask next; none where all is said, declined, or no turn is left for it."""
        if len(self.turns) + _TO_END > MOST_TURNS:
            return None
        return next((each for each in self.work.questions if each.key not in self.declined), None)

    @property
    def is_cut_short(self) -> bool:
        """Whether a question stays open because the turns are used up."""
        unasked = any(each.key not in self.declined for each in self.work.questions)
        return unasked and len(self.turns) + _TO_END > MOST_TURNS

    def worked(self, work: Work, *, may_ask: bool) -> "Conversation":
        """The operator's turn: what it did, and whether it needs an answer to go on."""
        done = replace(self, work=work)
        question = _room_for_turn(done).open_question if may_ask else None
        if question is not None:
            return done.said(Speaker.OPERATOR, SignalKind.NEED_USER_CLARIFICATION, question.key)
        return done.said(Speaker.OPERATOR, SignalKind.READY_FOR_VALIDATION)

    def heard(self, key: str, reply: str) -> "Conversation":
        """The clarifier's turn: what the user said, word for word, or that nobody did."""
        if not reply:
            quiet = replace(self, declined=self.declined | {key})
            return quiet.said(Speaker.CLARIFIER, SignalKind.NOT_PROVIDED, key)
        told = replace(self, answers={**self.answers, key: reply})
        return told.said(Speaker.CLARIFIER, SignalKind.USER_PROVIDED, key)

    def ready(self) -> "Conversation":
        """The conversation as the validator gets it: what may not be asked stays open."""
        if self.waits_for is None:
            return self
        return self.said(Speaker.OPERATOR, SignalKind.READY_FOR_VALIDATION)

    def said(self, speaker: Speaker, signal: SignalKind, about: str = "") -> "Conversation":
        """With one more turn."""
        turn = ReviewTurn(speaker=speaker, signal=signal, about=about)
        return replace(self, turns=(*self.turns, turn))

    @property
    def waits_for(self) -> ReviewQuestion | None:
        """The question that the operator's last turn asked for."""
        last = self.turns[-1] if self.turns else None
        if last is None or last.signal is not SignalKind.NEED_USER_CLARIFICATION:
            return None
        return next((each for each in self.work.questions if each.key == last.about), None)


def _room_for_turn(conversation: Conversation) -> Conversation:
    """The conversation as it will be once the operator has said that it needs an answer."""
    return conversation.said(Speaker.OPERATOR, SignalKind.NEED_USER_CLARIFICATION)
