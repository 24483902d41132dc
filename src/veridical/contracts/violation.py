"""Findings of the check, in words that a model can act on."""

from enum import StrEnum
from typing import Literal

from pydantic import Field

from veridical.contracts.call import Call
from veridical.contracts.wire import Wire


class Code(StrEnum):
    """Every reason to refuse a query or to warn about it. Stable: clients match on it."""

    SYNTAX_ERROR = "SYNTAX_ERROR"
    NOT_READ_ONLY = "NOT_READ_ONLY"
    TABLE_NOT_FOUND = "TABLE_NOT_FOUND"
    FIELD_NOT_FOUND = "FIELD_NOT_FOUND"
    AMBIGUOUS_FIELD = "AMBIGUOUS_FIELD"
    FUNCTION_NOT_ALLOWED = "FUNCTION_NOT_ALLOWED"
    NOT_PERMITTED = "NOT_PERMITTED"
    INVALID_AGGREGATE_TARGET = "INVALID_AGGREGATE_TARGET"
    MISPLACED_AGGREGATE = "MISPLACED_AGGREGATE"
    UNGROUPED_FIELD = "UNGROUPED_FIELD"
    MIXED_LEVELS = "MIXED_LEVELS"
    MIXED_UNITS = "MIXED_UNITS"
    FAN_OUT = "FAN_OUT"
    WRONG_TABLE_FOR_PURPOSE = "WRONG_TABLE_FOR_PURPOSE"
    TYPE_MISMATCH = "TYPE_MISMATCH"
    OPERATOR_INCOMPATIBLE = "OPERATOR_INCOMPATIBLE"
    MISSING_REQUIRED_FILTER = "MISSING_REQUIRED_FILTER"
    VALUE_UNKNOWN = "VALUE_UNKNOWN"
    UNDECLARED_JOIN = "UNDECLARED_JOIN"
    CARTESIAN_JOIN = "CARTESIAN_JOIN"
    NEVER_MATCHES = "NEVER_MATCHES"
    CONTRADICTION = "CONTRADICTION"
    METRIC_NOT_FOUND = "METRIC_NOT_FOUND"
    UNREACHABLE_DIMENSION = "UNREACHABLE_DIMENSION"
    TOO_COMPLEX = "TOO_COMPLEX"
    UNTRACED_VALUE = "UNTRACED_VALUE"
    REPEATED_COUNT = "REPEATED_COUNT"
    MEAN_OF_MEANS = "MEAN_OF_MEANS"
    MEAN_OF_RATIOS = "MEAN_OF_RATIOS"
    MEAN_OF_SNAPSHOTS = "MEAN_OF_SNAPSHOTS"
    SUM_OF_DISTINCT = "SUM_OF_DISTINCT"
    OUTER_JOIN_UNDONE = "OUTER_JOIN_UNDONE"
    COUNTS_EMPTY_ROW = "COUNTS_EMPTY_ROW"
    NULL_IN_EXCLUSION = "NULL_IN_EXCLUSION"
    INTEGER_DIVISION = "INTEGER_DIVISION"
    DAY_FOR_TIMESTAMP = "DAY_FOR_TIMESTAMP"
    UNION_DROPS_ROWS = "UNION_DROPS_ROWS"
    TEXT_AS_NUMBER = "TEXT_AS_NUMBER"
    TEXT_AS_DAY = "TEXT_AS_DAY"
    UNORDERED_LIMIT = "UNORDERED_LIMIT"
    FIELD_NOT_KEPT = "FIELD_NOT_KEPT"


class Mode(StrEnum):
    """The effect of a rule's findings."""

    BLOCK = "block"
    WARN = "warn"
    SHADOW = "shadow"
    OFF = "off"


_WEAKEST_FIRST = (Mode.OFF, Mode.SHADOW, Mode.WARN, Mode.BLOCK)


def weaker(one: Mode, other: Mode) -> Mode:
    """The mode that does less."""
    return min(one, other, key=_WEAKEST_FIRST.index)


def stronger(one: Mode, other: Mode) -> Mode:
    """The mode that does more."""
    return max(one, other, key=_WEAKEST_FIRST.index)


class Violation(Wire):
    """One finding: what is wrong, with which name, and what would be right."""

    code: Code
    field: str | None = None
    suggestion: str | None = None
    hint: str
    mode: Mode = Mode.BLOCK
    rule: str = Field(default="", exclude=True)
    """The title of the violated constraint, for the host's own records."""

    @property
    def line(self) -> str:
        """The finding in one line: code, hint, and what would be right where the hint says not."""
        weight = f" ({self.mode})" if self.mode is not Mode.BLOCK else ""
        named = self.suggestion is None or self.suggestion in self.hint
        return f"{self.code}{weight}: {self.hint}" + ("" if named else f" → {self.suggestion}")


def as_feedback(*findings: Violation) -> str:
    """All findings for the author of the query, one per line."""
    return "\n".join(each.line for each in findings)


class Refusal(Wire):
    """The answer to a call that must not run: the first violation leads, the others follow."""

    violations: tuple[Violation, ...]
    warnings: tuple[Violation, ...] = ()
    shadowed: tuple[Violation, ...] = ()
    corrected_call: Call | None = None

    def __bool__(self) -> Literal[False]:
        """False, so that ``if checker.check(call):`` means what it says, to a type checker too."""
        return False

    @property
    def ok(self) -> Literal[False]:
        """False: it must not run."""
        return False

    @property
    def primary(self) -> Violation:
        """The violation to fix first."""
        return self.violations[0]

    @property
    def feedback(self) -> str:
        """All findings for the author of the query: violations, then warnings."""
        return as_feedback(*self.violations, *self.warnings)

    @property
    def error(self) -> str:
        """The short text for logs, of the first violation alone: ``CODE: hint``."""
        return f"{self.primary.code}: {self.primary.hint}"


def malformed(field: str | None, hint: str, suggestion: str | None = None) -> Refusal:
    """A refusal of arguments that can't be checked."""
    violation = Violation(code=Code.SYNTAX_ERROR, field=field, suggestion=suggestion, hint=hint)
    return Refusal(violations=(violation,))
