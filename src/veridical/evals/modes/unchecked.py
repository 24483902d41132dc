"""Tools without Veridical, for the baseline modes: no closed lists, no check, raw database
errors.

Tenant scope and read-only access stay enforced: a comparison must not cost anyone their data.
What a database would reject comes back in its words; what it would run, runs.
"""

from dataclasses import fields, replace
from typing import Any

from veridical.answering.feature import Feature
from veridical.check.checker import Checker
from veridical.contracts.caller import Caller
from veridical.contracts.result import ToolResult
from veridical.contracts.tool import Arguments, Enums
from veridical.contracts.violation import Code, Mode
from veridical.tools.toolbox import Toolbox

_NOTHING_IS_CHECKED = dict.fromkeys(Code, Mode.OFF)
_AS_THE_DATABASE_SAYS = {
    Code.TABLE_NOT_FOUND: 'relation "{name}" does not exist',
    Code.FIELD_NOT_FOUND: 'column "{name}" does not exist',
    Code.AMBIGUOUS_FIELD: 'column reference "{name}" is ambiguous',
    Code.FUNCTION_NOT_ALLOWED: "permission denied for function {name}",
    Code.NOT_PERMITTED: "permission denied for {name}",
    Code.NOT_READ_ONLY: "cannot execute this statement in a read-only transaction",
}
_DATABASE = "database"
"""The refuser of the call: not the check, so it is no validation failure."""


class UncheckedToolbox(Toolbox):
    """The tools without Veridical's checks."""

    def call(self, name: str, arguments: Arguments, question: str = "") -> ToolResult:
        """The result; a refusal is an error without advice."""
        return without_advice(super().call(name, arguments, ""))

    def enums(self, question: str = "", most_tables: int = 0) -> Enums:
        """No names: the model must know them from the prompt."""
        return replace(super().enums(question, most_tables), tables=(), fields={}, metrics=())


class UncheckedFeature(Feature):
    """A feature whose calls run as the model wrote them."""

    def toolbox(
        self,
        caller: Caller,
        *,
        known_questions: bool = False,
        only: tuple[str, ...] = (),
        describes: bool = False,
    ) -> Toolbox:
        """The tools of one caller; canonical questions and descriptions are part of what is left
        out."""
        return UncheckedToolbox(
            self.checker,
            self.engine,
            caller,
            index=self.index,
            evidence=self.evidence,
            only=only,
            tools=self.tools,
            describes=False,
        )


def unchecked(feature: Feature) -> UncheckedFeature:
    """The feature without the check."""
    checker = Checker(feature.checker.catalog, feature.checker.dialect, _NOTHING_IS_CHECKED)
    values: dict[str, Any] = {each.name: getattr(feature, each.name) for each in fields(Feature)}
    values["checker"] = checker
    return UncheckedFeature(**values)


def without_advice(result: ToolResult) -> ToolResult:
    """The result as a database would have given it; arguments that can't be read say why."""
    if result.success:
        return result.model_copy(update={"warnings": (), "about": None})
    details = result.error_details or {}
    if details.get("actor"):
        return result
    worded = _AS_THE_DATABASE_SAYS.get(details.get("code", ""), "{hint}")
    error = worded.format(name=details.get("field"), hint=details.get("hint"))
    refusal = {"code": "DATABASE_ERROR", "actor": _DATABASE}
    return ToolResult(success=False, error=error, error_details=refusal)
