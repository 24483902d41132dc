"""The table ``[requirements]`` of ``veridical.toml``: what each rule may do to which type."""

from functools import cached_property
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field

from veridical.contracts.settings_file import SETTINGS_FILE, table
from veridical.contracts.violation import Mode, weaker
from veridical.contracts.wire import Wire
from veridical.requirements.relations.relation import RelationKind
from veridical.requirements.rules import RULES

TABLE = "requirements"
PAIR_RULES = {kind.value.upper(): kind for kind in RelationKind if kind is not RelationKind.RELATED}
"""Relations of two requirements, named like a rule."""
RULE_IDS = (*(rule.id for rule in RULES), *PAIR_RULES)
DISMISSED = "requirements-dismissed.jsonl"


def _are_rules(modes: dict[str, Mode]) -> dict[str, Mode]:
    if unknown := sorted(modes.keys() - set(RULE_IDS)):
        raise ValueError(f"no rule: {', '.join(unknown)}; known are {', '.join(RULE_IDS)}")
    return modes


RuleModes = Annotated[dict[str, Mode], AfterValidator(_are_rules)]


class TypePolicy(Wire):
    """The modes for the requirements of one type."""

    mode: Mode | None = None
    """The mode of its rules that have none of their own."""
    rules: RuleModes = Field(default_factory=dict[str, Mode])
    """Modes by rule."""


class GlossaryPolicy(Wire):
    """The words that the project has agreed on: offered as answers."""

    roles: tuple[str, ...] = ()
    """Names of the roles that requirements are for."""
    figures: dict[str, str] = Field(default_factory=dict[str, str])
    """What a vague word means here, such as ``fast = "at most 2 s in 95 % of cases"``."""


class ReviewPolicy(Wire):
    """The handling of a review's findings."""

    mode: Mode = Mode.WARN
    """The mode of rules without a mode of their own."""
    rules: RuleModes = Field(default_factory=dict[str, Mode])
    """Modes by rule."""
    types: dict[str, TypePolicy] = Field(default_factory=dict[str, TypePolicy])
    """By type of requirement, as the file names it; capitals make no difference."""
    fail_under: float | None = Field(default=None, ge=0, le=1)
    """The mean score below which a review fails."""
    baseline: str = ""
    """A file of findings that are known, and do not block."""
    dismissed: str = DISMISSED
    """The file that remembers who dismissed which finding, and why."""
    text_column: str = ""
    """The column or attribute with the text of a requirement."""
    id_column: str = ""
    """The one with its id."""
    glossary: GlossaryPolicy = Field(default_factory=GlossaryPolicy)
    """Roles and figures to suggest."""

    def mode_of(self, rule: str, kind: str) -> Mode:
        """The mode of a rule for a type: the type's mode for this rule, else the weaker of the
        rule's and the type's mode, else the default."""
        named = self._types.get(kind.casefold())
        if named and rule in named.rules:
            return named.rules[rule]
        modes = [each for each in (self.rules.get(rule), named and named.mode) if each is not None]
        if len(modes) > 1:
            return weaker(*modes)
        return modes[0] if modes else self.mode

    @cached_property
    def _types(self) -> dict[str, TypePolicy]:
        return {name.casefold(): each for name, each in self.types.items()}


def read_review_policy(path: Path = SETTINGS_FILE) -> ReviewPolicy:
    """The policy of the settings file. Raises ``ValidationError``, ``UnknownSettingError``."""
    return ReviewPolicy.model_validate(table(path, TABLE) or {})
