"""The conversation of the team about one requirement: work, questions, answers and turns."""

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
    """The questions without an answer: they are not repeated."""
    repeated: frozenset[str] = frozenset()
    """The questions that an answer left open: they are asked once more."""
    turns: tuple[ReviewTurn, ...] = ()

    @property
    def open_question(self) -> ReviewQuestion | None:
        """The next question; none where all are answered or declined, or no turn is left."""
        if len(self.turns) + _TO_END > MOST_TURNS:
            return None
        return next((each for each in self.work.questions if each.key not in self.declined), None)

    @property
    def is_cut_short(self) -> bool:
        """True if a question stays open because the turns are used up."""
        is_open = any(each.key not in self.declined for each in self.work.questions)
        return is_open and len(self.turns) + _TO_END > MOST_TURNS

    def worked(self, work: Work, *, may_ask: bool) -> "Conversation":
        """The operator's turn: what it did, and whether it needs an answer to go on."""
        missed = {each.key for each in work.questions} & self.answers.keys()
        done = replace(
            self,
            work=work,
            repeated=self.repeated | missed,
            declined=self.declined | (self.repeated & missed),
        )
        question = _room_for_turn(done).open_question if may_ask else None
        if question is not None:
            return done.with_turn(
                Speaker.OPERATOR, SignalKind.NEED_USER_CLARIFICATION, question.key
            )
        return done.with_turn(Speaker.OPERATOR, SignalKind.READY_FOR_VALIDATION)

    def with_answer(self, key: str, reply: str) -> "Conversation":
        """The clarifier's turn: the user's answer, word for word, or that there is none."""
        if not reply:
            quiet = replace(self, declined=self.declined | {key})
            return quiet.with_turn(Speaker.CLARIFIER, SignalKind.NOT_PROVIDED, key)
        answered = replace(self, answers={**self.answers, key: reply})
        return answered.with_turn(Speaker.CLARIFIER, SignalKind.USER_PROVIDED, key)

    def ready(self) -> "Conversation":
        """The conversation as the validator gets it: questions over the limit stay open."""
        if self.waits_for is None:
            return self
        return self.with_turn(Speaker.OPERATOR, SignalKind.READY_FOR_VALIDATION)

    def with_turn(self, speaker: Speaker, signal: SignalKind, about: str = "") -> "Conversation":
        """The conversation with one more turn."""
        turn = ReviewTurn(speaker=speaker, signal=signal, about=about)
        return replace(self, turns=(*self.turns, turn))

    @property
    def given(self) -> tuple[str, ...]:
        """The answers that answer their questions."""
        still_open = {each.key for each in self.work.questions}
        return tuple(text for key, text in self.answers.items() if key not in still_open)

    @property
    def waits_for(self) -> ReviewQuestion | None:
        """The question of the operator's last turn."""
        last = self.turns[-1] if self.turns else None
        if last is None or last.signal is not SignalKind.NEED_USER_CLARIFICATION:
            return None
        return next((each for each in self.work.questions if each.key == last.about), None)


def _room_for_turn(conversation: Conversation) -> Conversation:
    """The conversation with the turn in which the operator needs an answer."""
    return conversation.with_turn(Speaker.OPERATOR, SignalKind.NEED_USER_CLARIFICATION)
