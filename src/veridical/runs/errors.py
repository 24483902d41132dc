"""Errors of runs and of the inbox, for callers that can act on them."""

from typing import ClassVar

from veridical.contracts.language import Language
from veridical.contracts.person import Decision
from veridical.messages import message


class RunsError(Exception):
    """An error about runs that the caller can act on."""


class IdempotencyConflictError(RunsError):
    """The key was used before, for another request."""

    def __init__(self, key: str) -> None:
        super().__init__("this idempotency key was used for another request")
        self.key = key


class RunNotFoundError(RunsError):
    """The tenant has no such run."""

    def __init__(self, run_id: str) -> None:
        super().__init__("there is no such run")
        self.run_id = run_id


class NotInRunError(RunsError):
    """An effect was requested outside of a run."""

    def __init__(self) -> None:
        super().__init__("an effect belongs to a run, and none is going on here")


class InboxError(RunsError):
    """An error about the inbox that the person can act on."""

    key: ClassVar[str]
    """Message key in the catalogue."""

    def __init__(self, **values: object) -> None:
        self._values = values
        super().__init__(self.message(Language.EN))

    def message(self, language: Language) -> str:
        """The error and its remedy, in the person's language."""
        return message(f"inbox.{self.key}", language, **self._values)


class ItemNotFoundError(InboxError):
    """The tenant has no such item."""

    key = "not_found"


class MayNotSeeError(InboxError):
    """Items are shown only to people who may decide them and to the person who started the run."""

    key = "may_not_see"


class MayNotDecideError(InboxError):
    """This person may not decide this item."""

    key = "may_not_decide"


class OwnRequestError(MayNotDecideError):
    """The item needs approval by somebody other than the person who started the run."""

    key = "own_request"


class TooLateToUndoError(InboxError):
    """There is no decision of this person that can still be taken back."""

    key = "too_late_to_undo"


class EvidenceChangedError(InboxError):
    """The decision is about other evidence than the run asks about: look again."""

    key = "evidence_changed"


class AlreadyDecidedError(InboxError):
    """Somebody else, or the default, has decided already."""

    key = "already_decided"

    def __init__(self, decision: Decision) -> None:
        super().__init__(by=decision.decided_by)
        self.decision = decision


class TimeIsOverError(InboxError):
    """The item has expired; the default decides as soon as the run looks."""

    key = "time_is_over"


class NotAwaitedError(InboxError):
    """The run has ended: the decision is no longer needed."""

    key = "not_awaited"


class InvalidChoiceError(InboxError):
    """The choice does not fit the question."""

    key = "nothing_to_choose"


class InvalidTextError(InvalidChoiceError):
    """A clarification needs a text."""

    key = "text_missing"


class InvalidPlacesError(InvalidChoiceError):
    """Part of the evidence must be named by the positions of its results."""

    key = "places_unknown"
