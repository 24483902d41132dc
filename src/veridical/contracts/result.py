"""The result of a tool: rows or a reason, and the receipt that the host recorded."""

from datetime import datetime
from enum import StrEnum
from typing import Any

from pydantic import Field

from veridical.contracts.cost import Cost
from veridical.contracts.lineage import Lineage
from veridical.contracts.violation import Refusal, Violation
from veridical.contracts.wire import Wire


class Emptiness(StrEnum):
    """Why a result is empty or incomplete: "forbidden" is never shown as "none"."""

    NO_MATCH = "NO_MATCH"
    NOT_PERMITTED = "NOT_PERMITTED"
    VALUE_UNKNOWN = "VALUE_UNKNOWN"
    TRUNCATED = "TRUNCATED"
    STALE = "STALE"


class TimeRange(Wire):
    """The period that a query's filters resolve to, as they were written."""

    field: str
    start: str | None = None
    end: str | None = None
    end_excluded: bool | None = None
    """True for a period that ends before ``end``; none where it was not recorded."""


class Receipt(Wire):
    """The host's record of one executed call. A model can't write one."""

    call_id: str
    query_hash: str
    ontology_hash: str
    sql: str
    parameters: tuple[str | int | float | bool, ...] = Field(
        default=(), exclude_if=lambda found: not found
    )
    """The values of its numbered parameters, as far as they were recorded."""
    row_count: int
    truncated: bool
    emptiness: Emptiness | None = None
    time_range: tuple[TimeRange, ...] = ()
    elapsed_ms: float
    held: dict[str, str | int | float | bool] = Field(
        default_factory=dict[str, str | int | float | bool]
    )
    """The values that all rows share because the call required them, without measures."""
    lineage: Lineage | None = None
    """The origin of the cells, as the check found; none where no statement decides any."""
    cost: Cost | None = Field(default=None, exclude_if=lambda cost: cost is None)
    """What it was expected to read, where the feature has a budget and no tenants: the figures
    count the rows of all."""
    kept_at: datetime | None = Field(default=None, exclude_if=lambda kept_at: kept_at is None)
    """When the rows were read, where they are those of an earlier call: nothing ran for this."""


class KnownQuestion(Wire):
    """The known question that a call answers: the head of an answer about its rows."""

    intent: str
    title: str
    """With its slots filled in, in the language of the answer."""
    limit: int | None = None
    """The number of rows that were asked for: these are the whole answer."""
    unfinished: bool = False
    """True if its period still runs: the figures are those to date."""


class RanAs(Wire):
    """The call that was run for another one that stands for it."""

    tool: str
    arguments: dict[str, Any]
    known: KnownQuestion | None = None


class Settled(Wire):
    """A refusal or a doubt that the data settled: the call and its correction returned the same
    rows, or a witness found nothing of what is feared."""

    rules: tuple[str, ...]
    """The titles of the violated constraints; for a rule of the schema its code."""
    receipt: Receipt
    """Of the corrected call, or of the last witness, which ran as well."""
    doubted: bool = Field(default=False, exclude_if=lambda doubted: not doubted)
    """True where the call was not refused: it only had warnings, which are dropped."""


class ToolResult(Wire):
    """One tool's answer, in the shape that goes back to the model."""

    success: bool
    data: Any = None
    error: str | None = None
    error_details: dict[str, Any] | None = None
    warnings: tuple[Violation, ...] = ()
    receipt: Receipt | None = None
    ran_as: RanAs | None = None
    """Set by a tool that fills in another one's call: what an answer then rests on."""
    answer: str | None = None
    """The rows in the host's words, where a known question has them."""
    about: str | None = Field(default=None, exclude_if=lambda about: about is None)
    """The data owner's explanation of it; never evidence."""
    settled: Settled | None = Field(default=None, exclude_if=lambda settled: settled is None)
    """Set where the check refused or doubted the call, and its rows settled that."""

    @property
    def only_explains(self) -> bool:
        """True for words about the data without any of it: no answer can rest on that."""
        return self.success and self.about is not None and self.data is None


class ToolRun(Wire):
    """A call of a tool in this run and its outcome: what the gate must know of it."""

    tool: str
    success: bool
    error: str = ""
    """The code of the refusal or failure."""


def refused(refusal: Refusal) -> ToolResult:
    """The result of a call that was not run, with what to change."""
    details = refusal.primary.model_dump(
        mode="json", include={"code", "field", "suggestion", "hint"}, by_alias=True
    )
    if len(refusal.violations) > 1:
        details["others"] = [
            violation.model_dump(
                mode="json", include={"code", "field", "suggestion", "hint"}, by_alias=True
            )
            for violation in refusal.violations[1:]
        ]
    if refusal.corrected_call is not None:
        details["correctedCall"] = refusal.corrected_call.model_dump(
            mode="json", by_alias=True, exclude_defaults=False
        )
    return ToolResult(
        success=False, error=refusal.error, error_details=details, warnings=refusal.warnings
    )
