"""Why a decision was not taken, for whoever wanted to decide."""

from typing import ClassVar

from veridical.contracts.language import Language
from veridical.contracts.person import Decision
from veridical.messages import message
from veridical.runs.errors import RunsError


class InboxError(RunsError):
    """Something about the inbox that the person can act on."""

    key: ClassVar[str]
    """Of the text in the catalogue."""

    def __init__(self, **values: object) -> None:
        self._values = values
        super().__init__(self.message(Language.EN))

    def message(self, language: Language) -> str:
        """What happened and what to do, in the person's words."""
        return message(f"inbox.{self.key}", language, **self._values)


class ItemNotFoundError(InboxError):
    """The tenant has no such item."""

    key = "not_found"


class MayNotSeeError(InboxError):
    """What waits is shown to those who may decide it, and to who asked."""

    key = "may_not_see"


class MayNotDecideError(InboxError):
    """This person has no right to decide this."""

    key = "may_not_decide"


class OwnCallError(MayNotDecideError):
    """A risky call is approved by somebody else than who asked."""

    key = "own_call"


class EvidenceChangedError(InboxError):
    """What was decided on is not what the run asks about: look again."""

    key = "evidence_changed"


class AlreadyDecidedError(InboxError):
    """Somebody was faster, or the rule was."""

    key = "already_decided"

    def __init__(self, decision: Decision) -> None:
        super().__init__(by=decision.decided_by)
        self.decision = decision


class TimeIsOverError(InboxError):
    """Nobody decided in time; the rule decides as soon as the run looks."""

    key = "time_is_over"


class NotAwaitedError(InboxError):
    """The run has ended: nobody needs the decision any more."""

    key = "not_awaited"


class InvalidChoiceError(InboxError):
    """The choice does not fit what was asked."""

    key = "nothing_to_choose"


class InvalidTextError(InvalidChoiceError):
    """A clarification needs a text."""

    key = "text_missing"


class InvalidPlacesError(InvalidChoiceError):
    """A part of the evidence is named by the places of its results."""

    key = "places_unknown"
