"""The answer gate's proof: each claim with its grounds, and the verdict over all."""

from enum import StrEnum
from typing import Any

from pydantic import ConfigDict, computed_field, model_validator

from veridical.contracts.violation import Mode
from veridical.contracts.wire import Wire


class ClaimKind(StrEnum):
    """Kinds of claims in an answer that evidence can support."""

    NUMBER = "number"
    AMOUNT = "amount"
    """a number with a unit"""
    PERCENT = "percent"
    COUNT = "count"
    """how many things there are"""
    DATE = "date"
    PERIOD = "period"
    NAME = "name"
    IDENTIFIER = "identifier"
    LIST = "list"
    FACT = "fact"
    """a yes, a no, a chosen value, opening hours"""
    QUOTATION = "quotation"
    """words of a document"""


class Standing(StrEnum):
    """The standing of a claim against the evidence."""

    GROUNDED = "grounded"
    UNGROUNDED = "ungrounded"
    CONTRADICTED = "contradicted"
    """the evidence says otherwise: another value for this row and column, a no for a yes"""
    ILLEGAL = "illegal"
    """computed rightly, in a way that the measure does not allow: a summed balance"""
    EXEMPT = "exempt"
    """no claim after all: a list marker, an ordinal, a heading, what is repeated from the
    question"""


class Tick(StrEnum):
    """The mark that readers see beside a claim."""

    PROVEN = "proven"
    """green: the evidence gives it"""
    UNPROVEN = "unproven"
    """grey: nothing is known for or against it, or only the question says it"""
    CONTRADICTED = "contradicted"
    """red: the evidence says otherwise"""


_TICKS = {
    Standing.GROUNDED: Tick.PROVEN,
    Standing.UNGROUNDED: Tick.UNPROVEN,
    Standing.CONTRADICTED: Tick.CONTRADICTED,
    Standing.ILLEGAL: Tick.CONTRADICTED,
    Standing.EXEMPT: Tick.UNPROVEN,
}


class Ground(StrEnum):
    """The ground of a claim."""

    CELL = "cell"
    QUESTION = "question"
    CALCULATION = "calculation"
    """a receipt of the calculator"""
    DERIVATION = "derivation"
    """recomputed from grounded numbers"""
    ROW_COUNT = "rowCount"
    ONTOLOGY = "ontology"
    RECORD = "record"
    """an attribute of a record"""
    PASSAGE = "passage"


class CellRef(Wire):
    """One cell of the evidence that an expression touched."""

    result: str = ""
    """The result: ``r1``, ``r2`` … in the order in which they were given."""
    title: str = ""
    """The origin of the result: the tool, the path within a record."""
    row: int | None = None
    """From 0."""
    row_key: str = ""
    """The name of the row."""
    column: str = ""
    value: Any = None
    unit: str = ""


class PassageRef(Wire):
    """A stretch of a document that a claim rests on."""

    chunk: str
    """The chunk's id."""
    start: int = 0
    end: int = 0
    """Within the chunk's text; both 0 for what the chunk is called or dated."""
    text: str = ""
    title: str = ""
    source: str = ""


class Binding(Wire):
    """The place of a claim in the evidence: enough to point at the cell. Stored ones may have
    more fields, which are ignored."""

    model_config = ConfigDict(extra="ignore")

    ground: Ground
    source: int | None = None
    """The index in the answer's sources, from 0."""
    row: int | None = None
    row_key: str = ""
    column: str = ""
    value: Any = None
    unit: str = ""
    period: str = ""
    derivation: str = ""
    """The arithmetic in full: ``1'496.5 - 1'202.9 = 293.6``."""
    words: str = ""
    """The expression for a reader, in the answer's language: ``sum of revenue over 4 rows``."""
    cells: tuple[CellRef, ...] = ()
    """The cells that it touched, the first ones where there are many."""
    cells_left_out: int = 0
    """The number of further cells that it touched."""
    passages: tuple[PassageRef, ...] = ()
    """The stretches of documents, in the order of the claim's parts."""


class ProvenClaim(Wire):
    """One claim of the answer and its standing."""

    kind: ClaimKind
    text: str
    start: int
    end: int
    standing: Standing
    binding: Binding | None = None
    nearest: Binding | None = None
    """For a claim that does not stand: the closest evidence, or the evidence against it."""

    @computed_field
    @property
    def tick(self) -> Tick:
        """Its standing as it is shown: proven, unproven or contradicted."""
        return _TICKS[self.standing]

    @model_validator(mode="before")
    @classmethod
    def _without_tick(cls, value: Any) -> Any:
        """Drops a stored tick: it follows from the standing."""
        if isinstance(value, dict) and "tick" in value:
            return {name: each for name, each in value.items() if name != "tick"}
        return value


class GateCode(StrEnum):
    """Every reason to hold an answer back or to warn about it. Stable: clients match on it.

    The weightiest come first: where there are several, a user sees that one.
    """

    TOO_COMPLEX = "TOO_COMPLEX"
    QUESTION_NOT_COVERED = "QUESTION_NOT_COVERED"
    EMPTINESS_MISREPORTED = "EMPTINESS_MISREPORTED"
    AFTER_TOOL_ERROR = "AFTER_TOOL_ERROR"
    NO_EVIDENCE = "NO_EVIDENCE"
    REQUIRED_TOOL_MISSING = "REQUIRED_TOOL_MISSING"
    ILLEGAL_DERIVATION = "ILLEGAL_DERIVATION"
    TRUNCATION_NOT_SAID = "TRUNCATION_NOT_SAID"
    STALENESS_NOT_SAID = "STALENESS_NOT_SAID"
    PLACEHOLDER_SERIES = "PLACEHOLDER_SERIES"
    LIST_MISMATCH = "LIST_MISMATCH"
    CONTRADICTED_CLAIM = "CONTRADICTED_CLAIM"
    ALTERED_QUOTATION = "ALTERED_QUOTATION"
    SPLICED_QUOTATION = "SPLICED_QUOTATION"
    MISCITED_QUOTATION = "MISCITED_QUOTATION"
    UNKNOWN_CITATION = "UNKNOWN_CITATION"
    UNPROVEN_QUOTATION = "UNPROVEN_QUOTATION"
    NOT_IN_CITATION = "NOT_IN_CITATION"
    UNCITED_CLAIM = "UNCITED_CLAIM"
    UNKNOWN_NAME = "UNKNOWN_NAME"
    UNGROUNDED_CLAIM = "UNGROUNDED_CLAIM"


class Finding(Wire):
    """One reason of the gate: what is wrong, where, and what the evidence has instead."""

    code: GateCode
    mode: Mode = Mode.BLOCK
    hint: str
    """For the author who rewrites the answer."""
    claim: str = ""
    start: int | None = None
    nearest: str = ""


class Verdict(StrEnum):
    """The gate's decision on an answer."""

    PASS = "pass"  # noqa: S105 # no password
    WARN = "warn"
    BLOCK = "block"


class Proof(Wire):
    """The gate's whole account of one answer. Stored ones may have more fields, which are
    ignored."""

    model_config = ConfigDict(extra="ignore")

    verdict: Verdict
    claims: tuple[ProvenClaim, ...] = ()
    findings: tuple[Finding, ...] = ()

    @property
    def ok(self) -> bool:
        """True if the answer may be shown: everything but a block."""
        return self.verdict is not Verdict.BLOCK

    @property
    def proves(self) -> bool:
        """True if any claim rests on a result. A text without claims, such as "I do not know", may
        be shown and is not proven."""
        return any(claim.standing is Standing.GROUNDED for claim in self.claims)

    @property
    def is_marked(self) -> bool:
        """True if a reader sees that something is open: a claim that is not green, or a finding."""
        return bool(self.findings) or any(claim.tick is not Tick.PROVEN for claim in self.claims)


class QualityCheck(StrEnum):
    """A check of the quality gate."""

    REQUIRED_TOOLS = "requiredTools"
    GATE = "gate"
    """the answer gate's proof"""
    SKILL_MATCH = "skillMatch"
    """whether the answer fits the skill's topic"""
    VALIDATOR = "validator"
    """a function of the host"""


class Outcome(StrEnum):
    """The outcome of a check."""

    PASSED = "passed"
    WARNED = "warned"
    FAILED = "failed"
    NOT_EVALUATED = "notEvaluated"
    """neither good nor bad: there was nothing to check, or no check ran"""


class CheckResult(Wire):
    """One check of one answer."""

    check: QualityCheck
    outcome: Outcome
    subject: str = ""
    """The validator."""
    reasons: tuple[str, ...] = ()
    score: float | None = None
    """For ``skillMatch``: how much of what was found is this skill's, 0 to 1. None where it was
    not evaluated, and for the other checks."""


class QualityReport(Wire):
    """The quality gate's account of one answer."""

    skill: str
    verdict: Verdict
    checks: tuple[CheckResult, ...]

    @property
    def ok(self) -> bool:
        """True if the answer may be shown: everything but a block."""
        return self.verdict is not Verdict.BLOCK

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why the answer is not simply let through."""
        return tuple(reason for each in self.checks for reason in each.reasons)
